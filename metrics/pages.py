"""Epochs and evaluations of long ago, in pages: columns of numbers, packed together.

A log of a gigabyte may hold tens of thousands, and as an object each takes a kilobyte; in a page
it takes some fifty bytes. Who reads them goes page by page, so that few exist at a time.
"""

from __future__ import annotations

import marshal
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, repeat
from operator import ne, sub
from typing import Any, TypeAlias

from metrics.epoch import Epoch
from metrics.settled import AnyEpoch, AnyJudged, Kind, Settled, SettledJudged
from parsers.events import Column, Epochs, Evaluation, Evaluations
from parsers.whole_epochs import Ending

KEPT = 256
"""Epochs, and evaluations, that are kept as they are, and as many more until they fill a page."""
OPEN = 32
"""Pages that may be open at a time: of logs that go back, few go back further than that."""
_SIMPLE = 2
"""The form of `marshal` that takes every number as it is, and compares none with another."""
_NONE = (None,)
_PLAIN = len(SettledJudged._fields) - 2
"""Columns of evaluations between their kind and their figures."""
_EPOCH = SettledJudged._fields.index("epoch") - 1
"""Which of them has the labels."""

Told: TypeAlias = tuple[Evaluation, tuple[Column, ...]]
"""The first of many evaluations, and the figures of all."""


class _Page:
    """Columns of numbers (or none), which come back as they were, to the bit and to the type.

    Args:
        columns: One number where all are the same.
        count: How many numbers a column has.
    """

    __slots__ = ("_reals", "_rest", "count")

    def __init__(self, columns: Iterable[Sequence[Any]], count: int) -> None:
        from zlib import compress  # most logs fill no page

        self.count = count
        self._reals: dict[int, array[float]] = {}
        rest: list[tuple[bool, Sequence[Any]]] = []
        for place, column in enumerate(columns):
            kinds = {*map(type, column)}
            if kinds == {float}:
                self._reals[place] = array("d", column)
            elif kinds == {int}:
                rest.append((True, _steps(column)))
            else:
                rest.append((False, _NONE if kinds == {type(None)} else tuple(column)))
        self._rest = compress(marshal.dumps(rest, _SIMPLE), 1)

    def columns(self) -> list[Iterable[Any]]:
        """The columns, to be read once."""
        from zlib import decompress

        rest = marshal.loads(decompress(self._rest))
        columns = [self._column(*column) for column in rest]
        for place, column in self._reals.items():
            columns.insert(place, column)
        return columns

    def reals(self, place: int) -> Sequence[float]:
        """A column that may be of one kind of numbers, without the others where it is."""
        known = self._reals.get(place)
        return tuple(self.columns()[place]) if known is None else known

    def _column(self, stepped: bool, numbers: tuple[Any, ...]) -> Iterable[Any]:
        if len(numbers) < self.count:
            return repeat(numbers[0], self.count)
        return accumulate(numbers) if stepped else numbers


def _steps(column: Sequence[int]) -> tuple[int, ...]:
    """Whole numbers by the steps between them, which are small and much alike."""
    return (column[0], *map(sub, column[1:], column))


def _part(name: str, epochs: Iterable[AnyEpoch]) -> list[Any]:
    return [getattr(epoch, name) for epoch in epochs if epoch.complete]


class _EpochPage:
    """A page of epochs.

    Attributes:
        labels: Their labels, in the order they began.
        open: The epochs, while any of them changes.
        bare: Whether no speed could be made of any.
    """

    __slots__ = ("_page", "bare", "labels", "open")

    def __init__(
        self, labels: Sequence[int], columns: Iterable[Sequence[object]], bare: bool
    ) -> None:
        step = (labels[1] - labels[0] or 1) if len(labels) > 1 else 1
        even = range(labels[0], labels[0] + step * len(labels), step)
        self.labels = tuple(labels) if any(map(ne, even, labels)) else even
        self.open: dict[int, Epoch] = {}
        self._page, self.bare = _Page(columns, len(labels)), bare

    @classmethod
    def of(cls, epochs: Sequence[AnyEpoch]) -> _EpochPage:
        """A page of epochs that are over."""
        rows = [*map(Settled.of, epochs)]
        bare = all(row.bare for row in rows)
        return cls([row.label for row in rows], zip(*rows, strict=True), bare)

    def __iter__(self) -> Iterator[AnyEpoch]:
        return iter(self.open.values()) if self.open else self._settled()

    @property
    def content(self) -> object | None:
        """Stands for the epochs as they are; another one once they changed, None meanwhile."""
        return None if self.open else self._page

    def part(self, name: str) -> Sequence[Any]:
        """See `PagedEpochs.part`."""
        if self.open:
            return _part(name, self.open.values())
        return self._page.reals(Settled._fields.index(name))

    def holds(self, labels: range | set[int]) -> bool:
        """Whether any of its epochs may have one of the labels."""
        if isinstance(labels, set):
            return not labels.isdisjoint(self.labels)
        return min(self.labels) < labels.stop and max(self.labels) >= labels.start

    def unpack(self) -> None:
        """Makes epochs of it."""
        self.bare = False
        self.open = {epoch.label: epoch.unpacked() for epoch in self._settled()}

    def pack(self) -> None:
        """Closes it again, with the epochs as they are now."""
        rows = zip(*map(Settled.of, self), strict=True)
        self._page, self.open = _Page(rows, len(self.labels)), {}

    def _settled(self) -> Iterator[Settled]:
        return map(Settled._make, zip(*self._page.columns(), strict=True))


class PagedEpochs:
    """Epochs by label, in the order they began, as a dict has them.

    The latest are kept as they are. Those in pages are over; where one of them changes after all,
    its page stays open, until many are.
    """

    def __init__(self) -> None:
        self._pages: list[_EpochPage] = []
        self._where: defaultdict[int, list[_EpochPage]] = defaultdict(list)
        self._open: list[_EpochPage] = []
        self._latest: dict[int, AnyEpoch] = {}

    def __len__(self) -> int:
        return sum(len(page.labels) for page in self._pages) + len(self._latest)

    def __iter__(self) -> Iterator[int]:
        return chain(chain.from_iterable(page.labels for page in self._pages), self._latest)

    def __contains__(self, label: int) -> bool:
        return label in self._latest or self._page_of(label) is not None

    def __getitem__(self, label: int) -> AnyEpoch:
        page = self._page_of(label)
        if page is None:
            return self._latest[label]
        return next(epoch for epoch in page if epoch.label == label)

    def among(self, labels: range | set[int]) -> Iterator[AnyEpoch]:
        """Those with one of the labels, in order."""
        for page in self._pages:
            if page.holds(labels):
                yield from (epoch for epoch in page if epoch.label in labels)
        yield from (epoch for label, epoch in self._latest.items() if label in labels)

    def each(self, bare: bool = True) -> Iterator[AnyEpoch]:
        """All, in order; or without most of those that no speed could be made of."""
        pages = (page for page in self._pages if bare or not page.bare)
        return chain(chain.from_iterable(pages), self._latest.values())

    def parts(self) -> Iterator[tuple[object | None, Iterable[AnyEpoch]]]:
        """All, in order: those of a page under what stands for its content, and others."""
        yield from ((page.content, page) for page in self._pages)
        yield None, self._latest.values()

    def over(self) -> Iterator[int]:
        """Labels of those that are over, in order."""
        latest = (label for label, epoch in self._latest.items() if epoch.complete)
        return chain(chain.from_iterable(page.labels for page in self._pages), latest)

    def part(self, name: str) -> Iterator[Any]:
        """What `Settled` has under a name, of those that are over, in order."""
        every = (page.part(name) for page in self._pages)
        return chain(chain.from_iterable(every), _part(name, self._latest.values()))

    def changing(self, label: int) -> Epoch | None:
        """The epoch of a label, so that it can change; None where there is none."""
        epoch = self._latest.get(label)
        if isinstance(epoch, Epoch):
            return epoch
        if epoch is not None:
            changing = self._latest[label] = epoch.unpacked()
            return changing
        page = self._page_of(label)
        if page is None:
            return None
        if not page.open:
            self._open_up(page)
        return page.open[label]

    def add(self, epoch: Epoch) -> None:
        """Takes an epoch of a new label; those before the latest are over."""
        self._latest[epoch.label] = epoch
        self._turn()

    def add_rows(self, labels: Iterable[int], rows: Iterable[Settled]) -> None:
        """Takes epochs of new labels that are over."""
        self._latest.update(zip(labels, rows, strict=True))
        self._turn()

    def add_told(self, event: Epochs) -> None:
        """Takes many epochs of new labels, each told by one line."""
        if event.records < KEPT:
            self._latest.update(zip(event.labels, Settled.told(event), strict=True))
            self._turn()
            return
        if self._latest:
            self._keep(_EpochPage.of([*self._latest.values()]))
            self._latest.clear()
        for begin in range(0, event.records, KEPT):
            part = slice(begin, begin + KEPT)
            columns = [c[part] if len(c) > 1 else c for c in Settled.columns(event)]
            self._keep(_EpochPage(event.labels[part], columns, event.seconds is None))

    def finish(self, label: int) -> None:
        """Says that an epoch is over; those in pages are."""
        epoch = self._latest.get(label)
        if isinstance(epoch, Epoch):
            epoch.complete = True

    def any_of(self, labels: Sequence[int]) -> bool:
        """Whether any of the labels is known."""
        places = self._where.keys() & {label // KEPT for label in labels}
        pages = {id(page): page for place in places for page in self._where[place]}
        known = (page.labels for page in pages.values())
        every = {*labels} if pages else ()
        return not self._latest.keys().isdisjoint(labels) or any(
            label in every for label in chain.from_iterable(known)
        )

    def cut(self, label: int) -> None:
        """Forgets the epochs from a label on."""
        pages, self._pages = self._pages, []
        self._where.clear()
        for page in pages:
            if max(page.labels) < label:
                self._keep(page)
            elif kept := [epoch for epoch in page if epoch.label < label]:
                self._keep(_EpochPage.of(kept))
        self._open = [page for page in self._pages if page.open]
        self._latest = {known: e for known, e in self._latest.items() if known < label}

    def _turn(self) -> None:
        """Puts the oldest of the latest into pages, where these are many."""
        while len(self._latest) >= 2 * KEPT:
            labels = [*islice(self._latest, KEPT)]
            self._keep(_EpochPage.of([self._latest.pop(label) for label in labels]))

    def _keep(self, page: _EpochPage) -> None:
        self._pages.append(page)
        for place in {label // KEPT for label in page.labels}:
            self._where[place].append(page)

    def _open_up(self, page: _EpochPage) -> None:
        if len(self._open) >= OPEN:
            for known in self._open:
                known.pack()
            self._open.clear()
        page.unpack()
        self._open.append(page)

    def _page_of(self, label: int) -> _EpochPage | None:
        pages = self._where.get(label // KEPT, ())
        return next((page for page in pages if label in page.labels), None)


class _JudgedPage:
    """A page of evaluations.

    Attributes:
        last: The highest label of their epochs; those without one count as 0.
    """

    __slots__ = ("_kinds", "_page", "last")

    def __init__(self, kinds: Sequence[Kind], columns: Sequence[Sequence[Any]], count: int) -> None:
        self._kinds = kinds
        self._page = _Page(columns, count)
        self.last = max(label or 0 for label in columns[_EPOCH])

    @classmethod
    def of(cls, rows: Sequence[SettledJudged]) -> _JudgedPage:
        """A page of evaluations that are over."""
        kinds, *columns, numbers = zip(*rows, strict=True)
        if any(kind is not kinds[0] for kind in kinds):
            return cls(kinds, [*columns, numbers], len(rows))
        return cls(kinds[:1], [*columns, *zip(*numbers, strict=True)], len(rows))

    def __len__(self) -> int:
        return self._page.count

    def values(self, metric: str, model: str) -> Sequence[float]:
        """A metric of one model, of those evaluations that give it."""
        if len(self._kinds) > 1:
            return _values(self, metric, model)
        places = self._kinds[0].places if self._kinds[0].model == model else {}
        return self._page.reals(_PLAIN + places[metric]) if metric in places else ()

    def __iter__(self) -> Iterator[SettledJudged]:
        columns = self._page.columns()
        plain, figures = columns[:_PLAIN], columns[_PLAIN:]
        if len(self._kinds) > 1:
            parts = zip(self._kinds, *plain, *figures, strict=True)
        else:
            numbers = zip(*figures, strict=True) if figures else repeat(())
            parts = zip(repeat(*self._kinds), *plain, numbers, strict=False)
        return map(SettledJudged._make, parts)


def _values(evaluations: Iterable[AnyJudged], metric: str, model: str) -> Sequence[float]:
    return [judged.value(metric) for judged in evaluations if judged.gives(metric, model)]


class PagedEvaluations:
    """Evaluations, oldest first; the latest are kept as they are."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[object, ...], Kind] = {}
        self._pages: list[_JudgedPage] = []
        self._latest: list[AnyJudged] = []

    def __len__(self) -> int:
        return sum(map(len, self._pages)) + len(self._latest)

    def __iter__(self) -> Iterator[AnyJudged]:
        return chain(chain.from_iterable(self._pages), self._latest)

    def parts(self) -> Iterator[tuple[object | None, Iterable[AnyJudged]]]:
        """All, in order: those of a page, which never changes, and others."""
        yield from ((page, page) for page in self._pages)
        yield None, self._latest

    def giving(
        self, metric: str, model: str, until: int | None = None
    ) -> Iterator[tuple[Sequence[float], Iterable[AnyJudged]]]:
        """A metric of one model, and among which evaluations it is told, in order.

        Args:
            metric: Canonical name.
            model: Whose it is.
            until: How many evaluations are looked at; None for all.
        """
        left = len(self) if until is None else until
        for page in self._pages:
            if len(page) > left:
                some = [*islice(page, left)]
                yield _values(some, metric, model), some
                return
            yield page.values(metric, model), page
            left -= len(page)
        latest = self._latest[:left]
        yield _values(latest, metric, model), latest

    def append(self, judged: AnyJudged) -> None:
        """Takes the next one."""
        self.extend((judged,))

    def extend(self, judged: Iterable[AnyJudged]) -> None:
        """Takes the next ones."""
        self._latest.extend(judged)
        while len(self._latest) >= 2 * KEPT:
            self._turn(KEPT)

    def add_told(
        self, event: Epochs | Evaluations, told: Sequence[Told], current: int | None = None
    ) -> None:
        """Takes many evaluations, each told by one line.

        Args:
            event: What the lines say.
            told: Those of each model.
            current: Label of the epoch that those without one belong to.
        """
        kinds = [Kind.of(first, self._kinds) for first, _columns in told]
        if event.records < KEPT or len(told) > 1:
            rows = [
                SettledJudged.told(kind, event, columns, current)
                for kind, (_first, columns) in zip(kinds, told, strict=True)
            ]
            self.extend(chain.from_iterable(zip(*rows, strict=True)))
            return
        if self._latest:
            self._turn(len(self._latest))
        plain = SettledJudged.columns(event, current)
        every = [*plain, *(column.values for _first, columns in told for column in columns)]
        for begin in range(0, event.records, KEPT) if told else ():
            part = [c[begin : begin + KEPT] if len(c) > 1 else c for c in every]
            self._pages.append(_JudgedPage(kinds, part, len(part[0])))

    def add_ended(self, endings: Sequence[Ending], labels: Sequence[int]) -> None:
        """Takes the evaluations at the ends of whole epochs with these labels."""
        rows = [
            SettledJudged.ended(Kind.of(ending.example, self._kinds), ending, labels)
            for ending in endings
            if isinstance(ending.example, Evaluation)
        ]
        self.extend(chain.from_iterable(zip(*rows, strict=True)))

    def _turn(self, count: int) -> None:
        """Puts the oldest of the latest into a page."""
        self._pages.append(self._page(self._latest[:count]))
        del self._latest[:count]

    def cut(self, label: int) -> None:
        """Forgets the evaluations of the epochs from a label on."""
        pages, self._pages = self._pages, []
        for page in pages:
            if page.last < label:
                self._pages.append(page)
            elif kept := [judged for judged in page if (judged.epoch or 0) < label]:
                self._pages.append(self._page(kept))
        self._latest = [judged for judged in self._latest if (judged.epoch or 0) < label]

    def _page(self, judged: Iterable[AnyJudged]) -> _JudgedPage:
        return _JudgedPage.of([SettledJudged.of(one, self._kinds) for one in judged])
