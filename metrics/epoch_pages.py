"""Epochs of a run by label: the latest as they are, those of long ago in pages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import ne
from typing import Any

from metrics import pages
from metrics.epoch import Epoch
from metrics.pages import Loose, Page
from metrics.settled import AnyEpoch, Settled
from parsers.events import Epochs
from parsers.whole_epochs import WholeEpochs

_LABEL = Settled._fields.index("label")


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

    def __init__(self, labels: Sequence[int], page: Page | Loose, bare: bool) -> None:
        step = (labels[1] - labels[0] or 1) if len(labels) > 1 else 1
        even = range(labels[0], labels[0] + step * len(labels), step)
        self.labels = tuple(labels) if any(map(ne, even, labels)) else even
        self.open: dict[int, Epoch] = {}
        self._page, self.bare = page, bare

    @classmethod
    def of(cls, epochs: Sequence[AnyEpoch]) -> _EpochPage:
        """A page of epochs that are over."""
        rows = [*map(Settled.of, epochs)]
        page = Page(zip(*rows, strict=True), len(rows))
        return cls([row.label for row in rows], page, all(row.bare for row in rows))

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
        self._page, self.open = Page(rows, len(self.labels)), {}

    def _settled(self) -> Iterator[Settled]:
        return map(Settled._make, zip(*self._page.columns(), strict=True))


class PagedEpochs:
    """Epochs by label, in the order they began, as a dict has them.

    The latest are kept as they are. Those in pages are over; where one of them changes after all,
    its page stays open, until many are. Between them stand columns that fill no page yet.
    """

    def __init__(self) -> None:
        self._pages: list[_EpochPage] = []
        self._where: defaultdict[int, list[_EpochPage]] = defaultdict(list)
        self._open: list[_EpochPage] = []
        self._loose = Loose()
        self._latest: dict[int, AnyEpoch] = {}
        self._highest = -math.inf

    def _unfilled(self) -> list[_EpochPage]:
        """The page that is not full yet, if there is one."""
        if not self._loose.count:
            return []
        return [_EpochPage(self._loose.reals(_LABEL), self._loose, bare=False)]

    def _every(self) -> Iterator[_EpochPage]:
        return chain(self._pages, self._unfilled())

    def __len__(self) -> int:
        return sum(len(page.labels) for page in self._pages) + self._loose.count + len(self._latest)

    def __iter__(self) -> Iterator[int]:
        return chain(chain.from_iterable(page.labels for page in self._every()), self._latest)

    def __contains__(self, label: int) -> bool:
        return label in self._latest or self._page_of(label) is not None

    def __getitem__(self, label: int) -> AnyEpoch:
        page = self._page_of(label)
        if page is None:
            return self._latest[label]
        return next(epoch for epoch in page if epoch.label == label)

    def among(self, labels: range | set[int]) -> Iterator[AnyEpoch]:
        """Those with one of the labels, in order."""
        for page in self._every():
            if page.holds(labels):
                yield from (epoch for epoch in page if epoch.label in labels)
        yield from (epoch for label, epoch in self._latest.items() if label in labels)

    def each(self, bare: bool = True) -> Iterator[AnyEpoch]:
        """All, in order; or without most of those that no speed could be made of."""
        some = (page for page in self._every() if bare or not page.bare)
        return chain(chain.from_iterable(some), self._latest.values())

    def parts(self) -> Iterator[tuple[object | None, Iterable[AnyEpoch]]]:
        """All, in order: those of a page under what stands for its content, and others."""
        yield from ((page.content, page) for page in self._pages)
        yield None, chain(*self._unfilled(), self._latest.values())

    def over(self) -> Iterator[int]:
        """Labels of those that are over, in order."""
        latest = (label for label, epoch in self._latest.items() if epoch.complete)
        return chain(chain.from_iterable(page.labels for page in self._every()), latest)

    def part(self, name: str) -> Iterator[Any]:
        """What `Settled` has under a name, of those that are over, in order."""
        every = (page.part(name) for page in self._every())
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
        if page.content is self._loose:
            self._settle()
            page = self._pages[-1]
        if not page.open:
            self._open_up(page)
        return page.open[label]

    def add(self, epoch: Epoch) -> None:
        """Takes an epoch of a new label; those before the latest are over."""
        self._latest[epoch.label] = epoch
        self._highest = max(self._highest, epoch.label)
        self._turn()

    def add_whole(self, event: WholeEpochs) -> None:
        """Takes whole epochs of new labels; all before them are over."""
        self._highest = max(self._highest, *event.labels)
        if self._latest:
            rows = [*map(Settled.of, self._latest.values())]
            self._latest.clear()
            self._loosen([*zip(*rows, strict=True)], len(rows))
        self._loosen(Settled.whole(event), len(event.labels))

    def _loosen(self, columns: Sequence[Sequence[Any]], count: int) -> None:
        for part, size in pages.portions(columns, count):
            self._loose.add(part, size)
            if self._loose.count >= pages.KEPT:
                self._settle()

    def _settle(self) -> None:
        """Makes a page of the columns that fill none yet."""
        if self._loose.count:
            self._keep(_EpochPage(self._loose.reals(_LABEL), self._loose.packed(), bare=False))
            self._loose = Loose()

    def add_told(self, event: Epochs) -> None:
        """Takes many epochs of new labels, each told by one line."""
        self._highest = max(self._highest, *event.labels)
        if event.records < pages.KEPT:
            self._latest.update(zip(event.labels, Settled.told(event), strict=True))
            self._turn()
            return
        self._settle()
        if self._latest:
            self._keep(_EpochPage.of([*self._latest.values()]))
            self._latest.clear()
        for part, size in pages.portions(Settled.columns(event), event.records):
            self._keep(_EpochPage(part[_LABEL], Page(part, size), event.seconds is None))

    def finish(self, label: int) -> None:
        """Says that an epoch is over; those in pages are."""
        epoch = self._latest.get(label)
        if isinstance(epoch, Epoch):
            epoch.complete = True

    def any_of(self, labels: Sequence[int]) -> bool:
        """Whether any of the labels is known."""
        if min(labels, default=math.inf) > self._highest:  # most often
            return False
        every = {*labels}
        places = self._where.keys() & {label // pages.KEPT for label in labels}
        near = {id(page): page for place in places for page in self._where[place]}
        known = chain.from_iterable(page.labels for page in near.values())
        loose = self._loose.reals(_LABEL) if self._loose.count else ()
        return not (
            self._latest.keys().isdisjoint(every)
            and every.isdisjoint(loose)
            and every.isdisjoint(known)
        )

    def cut(self, label: int) -> None:
        """Forgets the epochs from a label on."""
        self._settle()
        before, self._pages = self._pages, []
        self._where.clear()
        for page in before:
            if max(page.labels) < label:
                self._keep(page)
            elif kept := [epoch for epoch in page if epoch.label < label]:
                self._keep(_EpochPage.of(kept))
        self._open = [page for page in self._pages if page.open]
        self._latest = {known: e for known, e in self._latest.items() if known < label}

    def _turn(self) -> None:
        """Puts the oldest of the latest into pages, where these are many."""
        while len(self._latest) >= 2 * pages.KEPT:
            self._settle()
            labels = [*islice(self._latest, pages.KEPT)]
            self._keep(_EpochPage.of([self._latest.pop(label) for label in labels]))

    def _keep(self, page: _EpochPage) -> None:
        self._pages.append(page)
        for place in {label // pages.KEPT for label in page.labels}:
            self._where[place].append(page)

    def _open_up(self, page: _EpochPage) -> None:
        if len(self._open) >= pages.OPEN:
            for known in self._open:
                known.pack()
            self._open.clear()
        page.unpack()
        self._open.append(page)

    def _page_of(self, label: int) -> _EpochPage | None:
        some = chain(self._where.get(label // pages.KEPT, ()), self._unfilled())
        return next((page for page in some if label in page.labels), None)
