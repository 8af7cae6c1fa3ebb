"""The evaluations of a run, oldest first, in some 50 bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, overload

from sixdim.metrics.fold.epochs.evaluation import EvaluationRow
from sixdim.metrics.fold.sums.number_table import ColumnType, NumberTable
from sixdim.parsers.events import Metric, Origin

_WHOLE = ("at.line", "at.offset", "at.time_us", "epoch", "label", "step")
_KINDS = dict.fromkeys(_WHOLE, ColumnType(int))
_numbers = attrgetter(*_KINDS)
_value = itemgetter(Metric._fields.index("value"))
_but_value = itemgetter(*(at for at, name in enumerate(Metric._fields) if name != "value"))
_UNIT = 1
"""Place of a metric's unit in those of a form."""
_FIRST = 1
"""First rows that are held as objects: each evaluation is compared with the first."""
_LATEST = 16
"""Last rows, at least, that are held as objects."""


class _Form(NamedTuple):
    """What evaluations printed in the same way have in common: all but the numbers."""

    rank: int | None
    host: str | None
    file: int
    model: str
    data: str
    metrics: tuple[tuple[str, str, bool], ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name for name, _, _ in self.metrics])


class Evaluations(Sequence[EvaluationRow]):
    """The rows, which can only be added to; those that are returned are copies.

    Attributes:
        first_label: Epoch of the first one, where its line names it.
    """

    def __init__(self) -> None:
        self.first_label: int | None = None
        self._numbered: dict[tuple[object, ...], int] = {}
        self._forms: list[_Form] = []  # by their numbers, in the order in which they came
        self._places: list[Mapping[str, int]] = []  # of their metrics; see `EvaluationRow.places`
        self._form = array("i")  # of each row
        self._numbers = NumberTable(_KINDS)
        self._values = array("d")  # of all rows
        self._begins = array("q")  # where those of each begin
        self._objects: dict[int, EvaluationRow] = {}  # by place: the latest, and what no row holds

    def __len__(self) -> int:
        return len(self._form)

    @overload
    def __getitem__(self, place: int) -> EvaluationRow: ...

    @overload
    def __getitem__(self, place: slice) -> list[EvaluationRow]: ...

    def __getitem__(self, place: int | slice) -> EvaluationRow | list[EvaluationRow]:
        if isinstance(place, slice):
            return [self._at(one) for one in range(*place.indices(len(self)))]
        return self._at(range(len(self._form))[place])

    def append(self, row: EvaluationRow) -> None:
        """Adds a row."""
        (_, _, _, rank, host, file), _, _, _, model, data, metrics = row
        form, place = (rank, host, file, model, data, (*map(_but_value, metrics),)), len(self._form)
        number = self._numbered.get(form)
        if number is None:
            number = self._numbered[form] = len(self._forms)
            self._forms.append(_Form(*form))
            self._places.append(row.places)
        if not place:
            self.first_label = row.label
        self._objects[place] = row
        self._form.append(number)
        if place + 1 - self._numbers.size >= self._numbers.page + _LATEST:
            self._pack()

    def _pack(self) -> None:
        """Turns a page of rows into numbers, except the first row and values that are no floats."""
        begin = self._numbers.size
        rows = [self._objects[place] for place in range(begin, begin + self._numbers.page)]
        self._numbers.add_page([*map(_numbers, rows)])
        for place, row in enumerate(rows, begin):
            self._begins.append(len(self._values))
            values = [*map(_value, row.metrics)]
            if place >= _FIRST and {*map(type, values)} <= {float}:
                self._values.extend(values)
                del self._objects[place]

    def chosen(self, which: Sequence[bool]) -> Evaluations:
        """The rows at the places that are True; these evaluations themselves, if all are."""
        if all(which):
            return self
        some = Evaluations()
        for place in compress(range(len(self)), which):
            some.append(self._at(place))
        return some

    def column(self, name: str) -> list[Any]:
        """One of the numbers of each row, by its attribute."""
        found = self._numbers.column(name)
        found += [None] * (len(self) - len(found))
        for place, row in self._objects.items():
            found[place] = attrgetter(name)(row)
        return found

    def metrics(self) -> dict[str, bool]:
        """Canonical name of every metric to whether higher is better; the latest come last.

        Of equal sets of names the first one says it.
        """
        first = {self._forms[number].names: number for number in reversed(range(len(self._forms)))}
        latest = dict.fromkeys(self._forms[n].names for n in dict.fromkeys(reversed(self._form)))
        found = {}
        for names in reversed(latest):
            number = first[names]
            for name, place in self._places[number].items():
                found[name] = self._forms[number].metrics[place][2]
        return found

    def rises(self, metric: str) -> bool:
        """Whether the first of its values says that higher is better."""
        for names, form in zip(self._places, self._forms, strict=True):
            if metric in names:
                return form.metrics[names[metric]][2]
        return True

    def models(self, metric: str) -> list[str]:
        """Whose evaluations have a metric; the model of the last one comes first."""
        latest = dict.fromkeys(reversed(self._form))
        return [*dict.fromkeys(self._forms[n].model for n in latest if metric in self._places[n])]

    def having(self, metric: str, model: str, until: int | None = None) -> list[int]:
        """Places of the rows of one model that have a metric, among the first so many."""
        forms = enumerate(zip(self._forms, self._places, strict=True))
        wanted = {n for n, (form, names) in forms if form.model == model and metric in names}
        return [place for place, form in enumerate(self._form[:until]) if form in wanted]

    def values(self, metric: str, places: Iterable[int], like: EvaluationRow) -> Iterator[float]:
        """The values of a metric in those rows, which have it, as far as they compare with a row's.

        They do on the same data and in the same unit: a fraction is no percentage.
        """
        unit = like.metric(metric).unit
        comparable = {
            number: names[metric]
            for number, (form, names) in enumerate(zip(self._forms, self._places, strict=True))
            if form.data == like.data
            and metric in names
            and form.metrics[names[metric]][_UNIT] == unit
        }
        forms, objects, values, begins = self._form, self._objects, self._values, self._begins
        for place in places:
            at = comparable.get(forms[place])
            if at is not None:
                row = objects.get(place)
                yield values[begins[place] + at] if row is None else row.metrics[at].value

    def _at(self, place: int) -> EvaluationRow:
        row = self._objects.get(place)
        if row is not None:
            return row
        form = self._forms[self._form[place]]
        line, offset, time_us, epoch, label, step = self._numbers.row(place)
        begin = self._begins[place]
        values = self._values[begin : begin + len(form.metrics)]
        metrics = tuple(
            [
                Metric(name, value, unit, higher)
                for (name, unit, higher), value in zip(form.metrics, values, strict=True)
            ]
        )
        at = Origin(line, offset, time_us, form.rank, form.host, form.file)
        return EvaluationRow(at, epoch, label, step, form.model, form.data, metrics)
