"""The evaluations of a run, oldest first, in some 80 bytes each."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from operator import itemgetter
from typing import Any, NamedTuple, overload

from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.parsers.events import Metric, Origin

_INTEGERS = ("at.line", "at.offset", "at.time_us", "epoch", "label", "step")
_EPOCH = _INTEGERS.index("epoch")
_NONE = -(1 << 63)
"""Stands for None among the integers."""
_value = itemgetter(Metric._fields.index("value"))
_but_value = itemgetter(*(at for at, name in enumerate(Metric._fields) if name != "value"))
_UNIT = 1
"""Place of a metric's unit in those of a form."""


class _Form(NamedTuple):
    """Everything but the numbers of an evaluation: many evaluations share one form."""

    rank: int | None
    host: str | None
    file: int
    model: str
    data: str
    metrics: tuple[tuple[str, str, bool], ...]


class Evaluations(Sequence[EvaluationRow]):
    """The rows, which can only be added to; each is made again when it is asked for."""

    def __init__(self) -> None:
        self._rise = True  # whether no row has a lower epoch than the one before
        self._numbered: dict[tuple[object, ...], int] = {}
        self._forms: list[_Form] = []  # by their numbers, in the order in which they came
        self._first_rows: list[int] = []  # the place of the first row of each
        self._places: list[Mapping[str, int]] = []  # of their metrics; see `EvaluationRow.places`
        self._form = array("i")  # of each row
        self._integers: array[int] | list[int] = array("q")  # those of each row after one another
        self._values = array("d")  # of all rows
        self._begins = array("q")  # where those of each begin

    def __len__(self) -> int:
        return len(self._form)

    @overload
    def __getitem__(self, place: int) -> EvaluationRow: ...

    @overload
    def __getitem__(self, place: slice) -> list[EvaluationRow]: ...

    def __getitem__(self, place: int | slice) -> EvaluationRow | list[EvaluationRow]:
        if isinstance(place, slice):
            return [self._at(one) for one in range(*place.indices(len(self)))]
        return self._at(range(len(self))[place])

    def append(self, row: EvaluationRow) -> None:
        """Adds a row."""
        (line, offset, now, rank, host, file), epoch, label, step, model, data, metrics = row
        if self._form and (epoch or 0) < self._epoch(len(self._form) - 1):
            self._rise = False
        form = (rank, host, file, model, data, (*map(_but_value, metrics),))
        number = self._numbered.get(form)
        if number is None:
            number = self._numbered[form] = len(self._forms)
            self._forms.append(_Form(*form))
            self._first_rows.append(len(self._form))
            self._places.append(row.places)
        self._form.append(number)
        integers = [
            line,
            offset,
            _NONE if now is None else now,
            _NONE if epoch is None else epoch,
            _NONE if label is None else label,
            _NONE if step is None else step,
        ]  # one by one, because many runs have an evaluation every few lines
        if isinstance(self._integers, list):
            self._integers += integers
        else:
            try:
                self._integers.fromlist(integers)
            except OverflowError:  # of 8 bytes
                self._integers = [*self._integers, *integers]
        self._begins.append(len(self._values))
        self._values.extend(map(_value, metrics))

    def below(self, label: int) -> Sequence[int]:
        """Returns the places of the rows of epochs below a label; no epoch counts as epoch 0."""
        if self._rise:
            return range(bisect_left(range(len(self)), label, key=self._epoch))
        return [place for place in range(len(self)) if self._epoch(place) < label]

    def chosen(self, places: Sequence[int]) -> Evaluations:
        """Returns the rows at these places, which rise, in an object that replaces this one."""
        if len(places) == len(self):
            return self
        if isinstance(places, range):
            first = copy(self)  # which takes over the numbers
            first._cut(len(places))
            return first
        some = Evaluations()
        for place in places:
            some.append(self._at(place))
        return some

    def _cut(self, size: int) -> None:
        """Removes the rows from a place on, and the forms that only they have."""
        del self._values[self._begins[size] :]
        del self._form[size:], self._begins[size:], self._integers[size * len(_INTEGERS) :]
        while self._first_rows and self._first_rows[-1] >= size:
            del self._first_rows[-1], self._places[-1], self._numbered[self._forms.pop()]

    def _epoch(self, place: int) -> int:
        epoch = self._integers[place * len(_INTEGERS) + _EPOCH]
        return 0 if epoch == _NONE else epoch

    def column(self, name: str) -> list[Any]:
        """Returns one of the integers of each row, by its attribute."""
        packed = self._integers[_INTEGERS.index(name) :: len(_INTEGERS)]
        return [None if integer == _NONE else integer for integer in packed]

    def ends(self, name: str) -> tuple[int | None, int | None]:
        """Returns one of the integers of the first and the last row; None without a row."""
        if not self._form:
            return None, None
        at = _INTEGERS.index(name)
        first, last = self._integers[at], self._integers[at - len(_INTEGERS)]
        return None if first == _NONE else first, None if last == _NONE else last

    def metrics(self) -> dict[str, bool]:
        """Returns whether higher is better, by canonical metric name, in the evaluations' order.

        The first evaluation that has a metric decides.
        """
        found: dict[str, bool] = {}
        for form, places in zip(self._forms, self._places, strict=True):
            for name, place in places.items():
                found.setdefault(name, form.metrics[place][2])
        return found

    def models(self, metric: str, until: int | None = None) -> list[str]:
        """Returns the models with a metric in the first `until` rows, that of the latest first."""
        latest = dict.fromkeys(reversed(self._form[:until]))
        return [*dict.fromkeys(self._forms[n].model for n in latest if metric in self._places[n])]

    def data(self, metric: str, model: str, until: int | None = None) -> set[str]:
        """Returns on which data one model was evaluated for a metric in the first `until` rows.

        An evaluation that does not say it has the empty name.
        """
        known = None if until is None else bisect_left(self._first_rows, until)
        forms = zip(self._forms[:known], self._places[:known], strict=True)
        return {form.data for form, names in forms if form.model == model and metric in names}

    def having(self, metric: str, model: str, until: int | None = None) -> list[int]:
        """Returns the places of one model's rows that have a metric, among the first `until`."""
        forms = enumerate(zip(self._forms, self._places, strict=True))
        wanted = {n for n, (form, names) in forms if form.model == model and metric in names}
        return [place for place, form in enumerate(self._form[:until]) if form in wanted]

    def latest(self, metric: str) -> int:
        """Returns the place of the last row that has a metric."""
        wanted = {n for n, names in enumerate(self._places) if metric in names}
        return next(at for at in reversed(range(len(self))) if self._form[at] in wanted)

    def values(self, metric: str, places: Iterable[int], like: EvaluationRow) -> Iterator[float]:
        """Yields a metric's values in rows that have it and can be compared with one row.

        That takes the same data and the same unit: a fraction is no percentage.
        """
        unit = like.metric(metric).unit
        comparable = {
            number: names[metric]
            for number, (form, names) in enumerate(zip(self._forms, self._places, strict=True))
            if form.data == like.data
            and metric in names
            and form.metrics[names[metric]][_UNIT] == unit
        }
        for place in places:
            at = comparable.get(self._form[place])
            if at is not None:
                yield self._values[self._begins[place] + at]

    def _at(self, place: int) -> EvaluationRow:
        form = self._forms[self._form[place]]
        begin = place * len(_INTEGERS)
        held = self._integers[begin : begin + len(_INTEGERS)]
        numbers = [None if integer == _NONE else integer for integer in held]
        line, offset, time_us, epoch, label, step = numbers
        begin = self._begins[place]
        values = self._values[begin : begin + len(form.metrics)]
        metrics = [
            Metric(name, value, unit, higher)
            for (name, unit, higher), value in zip(form.metrics, values, strict=True)
        ]
        at = Origin(line or 0, offset or 0, time_us, form.rank, form.host, form.file)
        return EvaluationRow(at, epoch, label, step, form.model, form.data, tuple(metrics))
