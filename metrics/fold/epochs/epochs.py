"""The epochs of a run, in the order they began; earlier ones are packed (`epoch_page`)."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, MutableSequence, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.values.points import EpochPoint

if TYPE_CHECKING:
    from sixdim.metrics.fold.epochs.epoch_page import EpochPage

PAGE = 128
"""Epochs of one page."""
_FIRST = 20
"""Number of first epochs that stay objects, because each card reads them."""
_LATEST = 256
"""Least number of last epochs that stay objects: most logs have fewer epochs, and pack none."""


class Epochs:
    """Epochs by label.

    Only an epoch from `changing` may be changed; any other method may return a copy.
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._labels: MutableSequence[int] = array("q")
        self._places: dict[int, int] | None = None  # by label; None as long as labels rise
        self._objects: dict[int, Epoch] = {}  # by place: the latest, and those that fit no page
        self._pages: list[EpochPage] = []  # of the others
        self._points: list[EpochPoint | None] = []
        self._points_by: object = None

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[int]:
        return iter(self._labels)

    def ascending(self) -> Sequence[int]:
        """Returns the labels in ascending order."""
        return self._labels if self._places is None else sorted(self._labels)

    @property
    def highest(self) -> int | None:
        """The highest label; None without an epoch."""
        if not self._labels:
            return None
        return self._labels[-1] if self._places is None else max(self._labels)

    def __contains__(self, label: int | None) -> bool:
        return label is not None and self._place(label) is not None

    def __getitem__(self, label: int) -> Epoch:
        found = self.get(label)
        if found is None:
            raise KeyError(label)
        return found

    def get(self, label: int | None) -> Epoch | None:
        """Returns the epoch of a label; None where there is none."""
        place = None if label is None else self._place(label)
        return None if place is None else self._at(place)

    def add(self, epoch: Epoch) -> None:
        """Adds an epoch with a new label."""
        labels, size = self._labels, len(self._labels)
        if labels and self._places is None and epoch.label < labels[-1]:
            self._places = {label: place for place, label in enumerate(labels)}
        if self._places is not None:
            self._places[epoch.label] = size
        try:
            labels.append(epoch.label)
        except OverflowError:  # of 8 bytes
            self._labels = labels = [*labels, epoch.label]
        self._objects[size] = epoch
        begin = len(self._pages) * PAGE
        if size - begin >= PAGE + _LATEST:
            page: list[Epoch | None] = [None] * PAGE
            for place in range(max(begin, _FIRST), begin + PAGE):
                epoch = self._objects[place]
                if epoch.complete and not epoch.cut:
                    epoch.lines.flush()
                    page[place - begin] = self._objects.pop(place)
            from sixdim.metrics.fold.epochs.epoch_page import EpochPage  # few logs have a page

            self._pages.append(EpochPage(page))

    def changing(self, label: int) -> Epoch | None:
        """Returns the epoch of a label, to be changed; None where there is none."""
        place = self._place(label)
        if place is None:
            return None
        epoch = self._objects.get(place)
        if epoch is None:
            epoch = self._objects[place] = self._at(place)
        return epoch

    def values(self) -> Iterator[Epoch]:
        """Yields the epochs, from the first."""
        return self._each(range(len(self)))

    def timed(self) -> Iterator[Epoch]:
        """Yields the epochs that may have a throughput, from the first."""
        pages = (n for n, page in enumerate(self._pages) if page.timed)
        places = chain.from_iterable(range(n * PAGE, (n + 1) * PAGE) for n in pages)
        return self._each(sorted({*self._objects, *places}))

    def latest(self) -> Iterator[Epoch]:
        """Yields the epochs, from the last."""
        return self._each(reversed(range(len(self))))

    def among(self, labels: Collection[int]) -> list[Epoch]:
        """Returns the epochs with one of the labels, in the order they began."""
        if len(labels) < len(self):
            places = [place for label in labels if (place := self._place(label)) is not None]
            return [*self._each(sorted(places))]
        return [epoch for epoch in self.values() if epoch.label in labels]

    def column(self, name: str) -> list[Any]:
        """Returns one of `epoch_page.COLUMNS`, an attribute of every epoch."""
        found = [*chain.from_iterable(page.column(name) for page in self._pages)]
        found += [None] * (len(self) - len(found))
        for place, epoch in self._objects.items():
            found[place] = getattr(epoch, name)
        return found

    def complete(self) -> list[bool]:
        """Returns whether each epoch is over."""
        found = [True] * len(self)
        for place, epoch in self._objects.items():
            found[place] = epoch.complete
        return found

    def partial(self) -> Iterator[Epoch]:
        """Yields the epochs that are not over, or were cut short."""
        objects = (self._objects[place] for place in sorted(self._objects))
        return (epoch for epoch in objects if epoch.cut or not epoch.complete)

    def begun_by_one_line(self) -> bool:
        """Returns whether there are several epochs, and one line began them all."""
        last = len(self) - 1
        return last > 0 and self._at(0).first_line == self._at(last).first_line

    def first_line_from(self, label: int) -> int:
        """Returns the first line of the epochs from a label on, of which there is at least one."""
        labels = self._labels
        if self._places is None:  # labels rise, as lines do
            return self._at(bisect_left(labels, label)).first_line
        lines: list[int] = self.column("first_line")
        return min(line for known, line in zip(labels, lines, strict=True) if known >= label)

    def cut(self, label: int) -> None:
        """Removes the epochs from a label on."""
        labels = self._labels
        if self._places is None:  # they rise
            gone: Sequence[int] = range(bisect_left(labels, label), len(labels))
        else:
            gone = [place for place, known in enumerate(labels) if known >= label]
        if len(gone) == len(self):
            self._clear()
            return
        if gone and len(gone) != len(self) - gone[0]:
            stay = [epoch for epoch in self.values() if epoch.label < label]
            self._clear()
            for epoch in stay:
                self.add(epoch)
            return
        for place in gone:
            self._objects.pop(place, None)
            if self._places is not None:
                del self._places[self._labels[place]]
        size = len(self) - len(gone)
        del self._labels[size:], self._points[size:]
        whole = size // PAGE
        missing = [at for at in range(whole * PAGE, size) if at not in self._objects]
        self._objects |= zip(missing, self._each(missing), strict=True)
        del self._pages[whole:]

    def points(self, by: object, make: Callable[[Epoch], EpochPoint]) -> list[EpochPoint]:
        """Returns the point of each epoch; of one that is over it is cached while `by` is equal."""
        if self._points_by != by:
            self._points, self._points_by = [], by
        known = self._points
        known += [None] * (len(self) - len(known))
        for place, epoch in self._objects.items():
            point = known[place]
            if point and (point.last_line, point.complete) != (epoch.last_line, epoch.complete):
                known[place] = None
        made = [*known]
        missing = [place for place, point in enumerate(known) if point is None]
        for place, epoch in zip(missing, self._each(missing), strict=True):
            made[place] = make(epoch)
            known[place] = made[place] if epoch.complete else None
        return [point for point in made if point is not None]

    def _place(self, label: int) -> int | None:
        if self._places is not None:
            return self._places.get(label)
        labels = self._labels
        if not labels or label >= labels[-1]:
            return len(labels) - 1 if labels and label == labels[-1] else None
        place = bisect_left(labels, label)
        return place if place < len(labels) and labels[place] == label else None

    def _at(self, place: int) -> Epoch:
        return self._objects.get(place) or next(self._each((place,)))

    def _each(self, places: Iterable[int]) -> Iterator[Epoch]:
        """Yields the epochs at places; of successive ones, each page is unpacked once."""
        page: list[Epoch | None] = []
        number = -1
        for place in places:
            epoch = self._objects.get(place)
            if epoch is None:
                if place // PAGE != number:
                    number = place // PAGE
                    page = self._pages[number].epochs()
                epoch = page[place % PAGE]
            assert epoch is not None
            yield epoch
