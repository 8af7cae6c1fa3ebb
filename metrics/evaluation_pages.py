"""Evaluations of a run: the latest as they are, those of long ago in pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import Any, TypeAlias

from metrics import pages
from metrics.pages import Loose, Page
from metrics.settled import AnyJudged, Kind, SettledJudged
from parsers.events import Column, Epochs, Evaluation, Evaluations
from parsers.whole_epochs import Ending

_PLAIN = len(SettledJudged._fields) - 2
"""Columns of evaluations between their kind and their figures."""
_EPOCH = SettledJudged._fields.index("epoch") - 1
"""Which of them has the labels."""

Told: TypeAlias = tuple[Evaluation, tuple[Column, ...]]
"""The first of many evaluations, and the figures of all."""


class _JudgedPage:
    """A page of evaluations."""

    __slots__ = ("_kinds", "_last", "_page")

    def __init__(self, kinds: Sequence[Kind], page: Page | Loose) -> None:
        self._kinds, self._page = kinds, page
        self._last: int | None = None

    @property
    def last(self) -> int:
        """The highest label of their epochs; those without one count as 0."""
        if self._last is None:
            self._last = max(int(label or 0) for label in self._page.reals(_EPOCH))
        return self._last

    @classmethod
    def of(cls, rows: Sequence[SettledJudged]) -> _JudgedPage:
        """A page of evaluations that are over."""
        kinds, *columns, numbers = zip(*rows, strict=True)
        alike = all(kind is kinds[0] for kind in kinds)
        figures = [*zip(*numbers, strict=True)] if alike else [numbers]
        return cls(kinds[:1] if alike else kinds, Page([*columns, *figures], len(rows)))

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
    """Evaluations, oldest first; the latest are kept as they are.

    Between pages and latest stand columns, of one kind, that fill no page yet.
    """

    def __init__(self) -> None:
        self._kinds: dict[tuple[object, ...], Kind] = {}
        self._pages: list[_JudgedPage] = []
        self._loose = Loose()
        self._kind: Kind | None = None
        self._latest: list[AnyJudged] = []

    def _unfilled(self) -> list[_JudgedPage]:
        """The page that is not full yet, if there is one."""
        return [] if self._kind is None else [_JudgedPage((self._kind,), self._loose)]

    def _every(self) -> Iterator[_JudgedPage]:
        return chain(self._pages, self._unfilled())

    def __len__(self) -> int:
        return sum(map(len, self._pages)) + self._loose.count + len(self._latest)

    def __iter__(self) -> Iterator[AnyJudged]:
        return chain(chain.from_iterable(self._every()), self._latest)

    def parts(self) -> Iterator[tuple[object | None, Iterable[AnyJudged]]]:
        """All, in order: those of a page, which never changes, and others."""
        yield from ((page, page) for page in self._pages)
        yield None, chain(*self._unfilled(), self._latest)

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
        for page in self._every():
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
        while len(self._latest) >= 2 * pages.KEPT:
            self._turn(pages.KEPT)

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
        if event.records < pages.KEPT or len(told) > 1:
            rows = [
                SettledJudged.told(kind, event, columns, current)
                for kind, (_first, columns) in zip(kinds, told, strict=True)
            ]
            self.extend(chain.from_iterable(zip(*rows, strict=True)))
            return
        self._turn(len(self._latest))
        plain = SettledJudged.columns(event, current)
        every = [*plain, *(column.values for _first, columns in told for column in columns)]
        for part, size in pages.portions(every, event.records) if told else ():
            self._pages.append(_JudgedPage(kinds, Page(part, size)))

    def add_ended(self, endings: Sequence[Ending], labels: Sequence[int]) -> None:
        """Takes the evaluations at the ends of whole epochs with these labels."""
        judged = [
            (Kind.of(ending.example, self._kinds), ending)
            for ending in endings
            if isinstance(ending.example, Evaluation)
        ]
        if len(judged) == 1:
            kind, ending = judged[0]
            self._loosen_latest()
            self._loosen(kind, SettledJudged.whole(ending, labels), len(labels))
            return
        rows = [SettledJudged.ended(kind, ending, labels) for kind, ending in judged]
        self.extend(chain.from_iterable(zip(*rows, strict=True)))

    def _loosen(self, kind: Kind, columns: Sequence[Sequence[Any]], count: int) -> None:
        for part, size in pages.portions(columns, count):
            if self._kind is not kind:
                self._settle()
                self._kind = kind
            self._loose.add(part, size)
            if self._loose.count >= pages.KEPT:
                self._settle()

    def _loosen_latest(self) -> None:
        if not self._latest:
            return
        rows = [SettledJudged.of(one, self._kinds) for one in self._latest]
        if any(row.kind is not rows[0].kind for row in rows):
            self._turn(len(rows))
            return
        self._latest.clear()
        _kinds, *columns, numbers = zip(*rows, strict=True)
        self._loosen(rows[0].kind, [*columns, *zip(*numbers, strict=True)], len(rows))

    def _settle(self) -> None:
        """Makes a page of the columns that fill none yet."""
        if self._kind is not None:
            self._pages.append(_JudgedPage((self._kind,), self._loose.packed()))
            self._loose, self._kind = Loose(), None

    def _turn(self, count: int) -> None:
        """Puts the oldest of the latest into a page."""
        self._settle()
        if count:
            self._pages.append(self._page(self._latest[:count]))
            del self._latest[:count]

    def cut(self, label: int) -> None:
        """Forgets the evaluations of the epochs from a label on."""
        self._settle()
        before, self._pages = self._pages, []
        for page in before:
            if page.last < label:
                self._pages.append(page)
            elif kept := [judged for judged in page if (judged.epoch or 0) < label]:
                self._pages.append(self._page(kept))
        self._latest = [judged for judged in self._latest if (judged.epoch or 0) < label]

    def _page(self, judged: Iterable[AnyJudged]) -> _JudgedPage:
        return _JudgedPage.of([SettledJudged.of(one, self._kinds) for one in judged])
