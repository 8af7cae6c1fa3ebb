"""Epochs and evaluations of long ago, in pages: columns of numbers, packed together.

A log of a gigabyte may hold tens of thousands, and as an object each takes a kilobyte; in a page
it takes some fifty bytes. Who reads them goes page by page, so that few exist at a time.
"""

from __future__ import annotations

import marshal
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, repeat
from operator import ne, sub
from typing import Any

from metrics.epoch import Epoch
from metrics.settled import AnyEpoch, AnyJudged, Kind, Settled, SettledJudged
from parsers.events import Epochs, Evaluation

KEPT = 256
"""Epochs, and evaluations, that are kept as they are, and as many more until they fill a page."""
OPEN = 32
"""Pages that may be open at a time: of logs that go back, few go back further than that."""
_SIMPLE = 2
"""The form of `marshal` that takes every number as it is, and compares none with another."""

_NONE = (None,)


class _Page:
    """Rows of numbers (or none), which come back as they were, to the bit and to the type."""

    __slots__ = ("_data", "count")

    def __init__(self, rows: Sequence[tuple[object, ...]]) -> None:
        from zlib import compress  # most logs fill no page

        self.count = len(rows)
        columns = [*map(_steps, zip(*rows, strict=True))]
        self._data = compress(marshal.dumps(columns, _SIMPLE), 1)

    def rows(self, *beside: Iterable[object]) -> Iterator[tuple[Any, ...]]:
        """The rows; each begins with what is beside it."""
        from zlib import decompress

        columns = marshal.loads(decompress(self._data))  # noqa: S302: of our own making
        return zip(*beside, *(self._column(*column) for column in columns), strict=True)

    def _column(self, stepped: bool, numbers: tuple[object, ...]) -> Iterable[object]:
        if numbers == _NONE:
            return repeat(None, self.count)
        return accumulate(numbers) if stepped else numbers


def _steps(column: tuple[Any, ...]) -> tuple[bool, tuple[object, ...]]:
    """A column of whole numbers by the steps between them, which are small and much alike."""
    kinds = {*map(type, column)}
    if kinds == {int}:
        return True, (column[0], *map(sub, column[1:], column))
    return False, _NONE if kinds == {type(None)} else column


class _EpochPage:
    """A page of epochs.

    Attributes:
        labels: Their labels, in the order they began.
        open: The epochs, while any of them changes.
    """

    __slots__ = ("_page", "labels", "open")

    def __init__(self, epochs: Sequence[AnyEpoch]) -> None:
        labels = tuple(epoch.label for epoch in epochs)
        step = (labels[1] - labels[0] or 1) if len(labels) > 1 else 1
        even = range(labels[0], labels[0] + step * len(labels), step)
        self.labels = labels if any(map(ne, even, labels)) else even
        self.open: dict[int, Epoch] = {}
        self._page = _Page([*map(Settled.of, epochs)])

    def __iter__(self) -> Iterator[AnyEpoch]:
        return iter(self.open.values()) if self.open else self._settled()

    def unpack(self) -> None:
        """Makes epochs of it."""
        self.open = {epoch.label: epoch.unpacked() for epoch in self._settled()}

    def pack(self) -> None:
        """Closes it again, with the epochs as they are now."""
        self._page, self.open = _Page([*map(Settled.of, self)]), {}

    def _settled(self) -> Iterator[Settled]:
        return map(Settled._make, self._page.rows())


class PagedEpochs(Mapping[int, AnyEpoch]):
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

    def __contains__(self, label: object) -> bool:
        return label in self._latest or self._page_of(label) is not None

    def __getitem__(self, label: int) -> AnyEpoch:
        page = self._page_of(label)
        if page is None:
            return self._latest[label]
        return next(epoch for epoch in page if epoch.label == label)

    def among(self, labels: Container[int]) -> Iterator[AnyEpoch]:
        """Those with one of the labels, in order."""
        for page in self._pages:
            if any(label in labels for label in page.labels):
                yield from (epoch for epoch in page if epoch.label in labels)
        yield from (epoch for label, epoch in self._latest.items() if label in labels)

    def each(self) -> Iterator[AnyEpoch]:
        """All, in order."""
        return chain(chain.from_iterable(self._pages), self._latest.values())

    def over(self) -> Iterator[int]:
        """Labels of those that are over, in order."""
        latest = (label for label, epoch in self._latest.items() if epoch.complete)
        return chain(chain.from_iterable(page.labels for page in self._pages), latest)

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

    def add_told(self, event: Epochs) -> None:
        """Takes many epochs of new labels, each told by one line."""
        self._latest.update(zip(event.labels, Settled.told(event), strict=True))
        self._turn()

    def cut(self, label: int) -> None:
        """Forgets the epochs from a label on."""
        pages, self._pages = self._pages, []
        self._where.clear()
        for page in pages:
            if max(page.labels) < label:
                self._keep(page)
            elif kept := [epoch for epoch in page if epoch.label < label]:
                self._keep(_EpochPage(kept))
        self._open = [page for page in self._pages if page.open]
        self._latest = {known: e for known, e in self._latest.items() if known < label}

    def _turn(self) -> None:
        """Puts the oldest of the latest into pages, where these are many."""
        while len(self._latest) >= 2 * KEPT:
            labels = [*islice(self._latest, KEPT)]
            self._keep(_EpochPage([self._latest.pop(label) for label in labels]))

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

    def _page_of(self, label: Any) -> _EpochPage | None:
        pages = self._where.get(label // KEPT, ())
        return next((page for page in pages if label in page.labels), None)


class _JudgedPage:
    """A page of evaluations.

    Attributes:
        last: The highest label of their epochs; those without one count as 0.
    """

    __slots__ = ("_kinds", "_page", "last")

    def __init__(self, rows: Sequence[SettledJudged]) -> None:
        self._kinds = [row.kind for row in rows]
        if all(kind is self._kinds[0] for kind in self._kinds):
            del self._kinds[1:]
        self._page = _Page([row[1:] for row in rows])
        self.last = max(row.epoch or 0 for row in rows)

    def __len__(self) -> int:
        return self._page.count

    def __iter__(self) -> Iterator[SettledJudged]:
        kinds = self._kinds if len(self._kinds) > 1 else repeat(self._kinds[0], len(self))
        return map(SettledJudged._make, self._page.rows(kinds))


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

    def append(self, judged: AnyJudged) -> None:
        """Takes the next one."""
        self.extend((judged,))

    def extend(self, judged: Iterable[AnyJudged]) -> None:
        """Takes the next ones."""
        self._latest.extend(judged)
        while len(self._latest) >= 2 * KEPT:
            self._pages.append(self._page(self._latest[:KEPT]))
            del self._latest[:KEPT]

    def kind(self, event: Evaluation) -> Kind:
        """What it shares with others of its kind."""
        return Kind.of(event, self._kinds)

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
        return _JudgedPage([SettledJudged.of(one, self._kinds) for one in judged])
