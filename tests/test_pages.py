"""Epochs in pages are what they are in a dict, and evaluations what they are in a list."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from fractions import Fraction
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from metrics import pages
from metrics.epoch import Epoch
from metrics.epoch_pages import PagedEpochs
from metrics.evaluation_pages import PagedEvaluations
from metrics.exact import ExactSum
from metrics.settled import AnyEpoch, AnyJudged, Judged, Settled
from parsers.events import (
    Column,
    EpochEnd,
    Epochs,
    Evaluation,
    Evaluations,
    Iteration,
    Metric,
    Origin,
)
from parsers.whole_epochs import Ending, WholeEpochs

LABELS = st.integers(-3, 40) | st.integers(-(1 << 80), 1 << 80)
NUMBERS = st.none() | st.integers() | st.floats()


class Small(RuleBasedStateMachine):
    """Pages of three, of which two may be open."""

    def __init__(self) -> None:
        super().__init__()
        self._small = patch.multiple(pages, KEPT=3, OPEN=2)
        self._small.start()

    def teardown(self) -> None:
        self._small.stop()


def exactly(of: ExactSum) -> tuple[int, int, Fraction]:
    """A sum, whatever binary places it is kept in."""
    count, skipped, bits, total = of.parts
    return count, skipped, Fraction(total, 1 << bits)


def said(epoch: AnyEpoch) -> str:
    """All of an epoch, where 1 is not 1.0 and nan is nan."""
    plain = epoch if isinstance(epoch, Epoch) else epoch.unpacked()
    shown = {name: getattr(plain, name) for name in Epoch.__slots__}
    shown |= {"throughput": exactly(plain.throughput), "durations": exactly(plain.durations)}
    return repr(shown)


def rated(epochs: Iterable[AnyEpoch]) -> list[str]:
    """Those that a speed could be made of."""
    return [said(epoch) for epoch in epochs if not Settled.of(epoch).bare]


class PagesOfEpochs(Small):
    """A dict and pages, to which the same is done."""

    def __init__(self) -> None:
        super().__init__()
        self.plain: dict[int, Epoch] = {}
        self.paged = PagedEpochs()

    def _take(self, label: int, number: float | None) -> None:
        if label in self.plain:
            return
        epoch = Epoch(label, len(self.plain), offset=1 << 70, complete=True, end_us=1)
        epoch.loss = number
        epoch.throughput.add(label % 97 / 7)
        self.plain[label] = copy.deepcopy(epoch)
        self.paged.add(epoch)

    @rule(label=LABELS, number=NUMBERS)
    def add(self, label: int, number: float | None) -> None:
        self._take(label, number)

    @rule(first=LABELS, count=st.integers(1, 20))
    def go_on(self, first: int, count: int) -> None:
        for label in range(first, first + count):
            self._take(label, 0.5)

    @rule(first=LABELS, count=st.integers(1, 20), timed=st.booleans())
    def tell(self, first: int, count: int, timed: bool) -> None:
        labels = [label for label in range(first, first + count) if label not in self.plain]
        if labels:
            lines, seconds = [*range(len(labels))], [label / 7 for label in labels]
            event = Epochs(labels, lines, lines, tuple, (), [*seconds] if timed else None)
            for label, line, time in zip(labels, lines, seconds, strict=True):
                told = Epoch(label, line, line, line, complete=True)
                told.epoch_time = time if timed else None
                self.plain[label] = told
            self.paged.add_told(event)

    @rule(first=LABELS, count=st.integers(1, 20), timed=st.booleans(), rated=st.booleans())
    def tell_whole(self, first: int, count: int, timed: bool, rated: bool) -> None:
        labels = [label for label in range(first, first + count) if label not in self.plain]
        if not labels:
            return
        for known in self.plain.values():
            known.complete = True
        numbers = [*range(len(labels))]
        units = [(number + 1) << 1070 for number in numbers]
        line = Iteration(Origin(1, 0), labels[0], 1, 9, 1.5)
        rates = Column("throughput", "", True, [number / 7 for number in numbers])
        end = EpochEnd(Origin(1, 0), labels[0], throughput=1.5 if rated else None)
        ending = Ending(end, numbers, numbers, None, (rates,) if rated else ())
        times = [1 << 60] * len(labels) if timed else None
        plain = (labels, line, line, numbers, numbers, [2] * len(labels), units, units, numbers)
        last = (None, times, times, numbers, numbers, ((1.0, 1), (2.0, 1)), 0, (ending,))
        self.paged.add_whole(WholeEpochs(*plain, *last, lambda: iter(())))
        for label, number in zip(labels, numbers, strict=True):
            epoch = Epoch(label, number, number, number, records=2, complete=True, steps=9)
            epoch.throughput.add_block((number + 1) << 1070, 2)
            if any(numbers):
                epoch.durations.add_block((number + 1) << 1070, number)
            epoch.step = epoch.first_step = number
            if rated:
                epoch.stated, epoch.stated_line = number / 7, number
            if timed:
                epoch.start_us = epoch.end_us = 1 << 60
            self.plain[label] = epoch

    @rule(label=LABELS, number=NUMBERS)
    def change(self, label: int, number: float | None) -> None:
        epoch = self.paged.changing(label)
        assert (epoch is None) == (label not in self.plain)
        if epoch is not None:
            epoch.loss = self.plain[label].loss = number
            epoch.durations.add(0.1)
            self.plain[label].durations.add(0.1)

    @rule(records=st.integers(1, 99))
    def change_all(self, records: int) -> None:
        for label, plain in self.plain.items():
            epoch = self.paged.changing(label)
            assert epoch is not None
            epoch.records = plain.records = records

    @rule(label=LABELS)
    def cut(self, label: int) -> None:
        self.plain = {known: epoch for known, epoch in self.plain.items() if known < label}
        self.paged.cut(label)

    @rule(label=LABELS)
    def go_on_with_a_copy(self, label: int) -> None:
        before = self.paged
        self.paged = copy.deepcopy(before)
        before.cut(label)
        before.add(Epoch(1 << 90, 1))
        for known in [*before][:-1]:
            before.changing(known).records = 7  # type: ignore[union-attr]  # it is known

    @rule(low=LABELS, count=st.integers(0, 30))
    def some(self, low: int, count: int) -> None:
        labels = range(low, low + count)
        inside = [said(epoch) for label, epoch in self.plain.items() if label in labels]
        assert [said(epoch) for epoch in self.paged.among(labels)] == inside

    @rule(labels=st.sets(LABELS, max_size=5))
    def these(self, labels: set[int]) -> None:
        inside = [said(epoch) for label, epoch in self.plain.items() if label in labels]
        assert [said(epoch) for epoch in self.paged.among(labels)] == inside
        assert self.paged.any_of([*labels]) is bool(inside)

    @rule(label=LABELS)
    def one(self, label: int) -> None:
        assert (label in self.paged) == (label in self.plain)
        if label in self.plain:
            assert said(self.paged[label]) == said(self.plain[label])

    @invariant()
    def same(self) -> None:
        assert [*self.paged] == [*self.paged.over()] == [*self.plain]
        assert len(self.paged) == len(self.plain)
        assert [*map(said, self.paged.each())] == [*map(said, self.plain.values())]
        assert rated(self.paged.each(bare=False)) == rated(self.plain.values())
        assert [*self.paged.part("epoch_time")] == [e.epoch_time for e in self.plain.values()]


class PagesOfEvaluations(Small):
    """A list and pages, to which the same is done."""

    def __init__(self) -> None:
        super().__init__()
        self.plain: list[Judged] = []
        self.paged = PagedEvaluations()

    @rule(
        label=st.none() | LABELS,
        values=st.lists(st.floats() | st.integers(), max_size=3),
        model=st.sampled_from(("raw", "averaged")),
        time=st.none() | st.integers(),
        many=st.integers(1, 9),
    )
    def add(
        self, label: int | None, values: list[float], model: str, time: int | None, many: int
    ) -> None:
        metrics = tuple(Metric(f"acc{place}", value) for place, value in enumerate(values))
        at = Origin(len(self.plain), 1 << 70, time, None, "node-1")
        judged = Judged.of(Evaluation(at, metrics, label, model=model), label)
        self.plain += [judged] * many
        self.paged.extend([judged] * many)

    @rule(
        count=st.integers(1, 9),
        labelled=st.booleans(),
        names=st.sampled_from((("acc1",), ("acc1", "acc5"))),
        current=st.none() | LABELS,
    )
    def tell(self, count: int, labelled: bool, names: tuple[str, ...], current: int | None) -> None:
        lines, labels = [*range(count)], [*range(3, 3 + count)] if labelled else None
        columns = tuple(Column(name, "%", True, [n / 7 for n in lines]) for name in names)
        event = Evaluations(lines, lines, None, labels, columns)
        for single in event.each():
            label = single.epoch if single.epoch is not None else current
            self.plain.append(Judged.of(single, label))
        self.paged.add_told(event, [(next(event.each()), columns)], current)

    @rule(
        count=st.integers(1, 9),
        models=st.sampled_from([("raw",), ("averaged",), ("raw", "averaged")]),
        labelled=st.booleans(),
        timed=st.booleans(),
    )
    def end_epochs(self, count: int, models: tuple[str, ...], labelled: bool, timed: bool) -> None:
        lines = [*range(count)]
        figures = (Column("acc1", "%", True, [n / 7 for n in lines]),)
        metrics = (Metric("acc1", 0.5, "%"),)
        times = [1 << 60] * count if timed else None
        endings = [
            Ending(
                Evaluation(Origin(1, 0), metrics, 3 if labelled else None, model=model),
                *(lines, lines, times, figures),
            )
            for model in models
        ]
        for line in lines:
            at = Origin(line, line, 1 << 60 if timed else None)
            told = (Metric("acc1", line / 7, "%"),)
            for model in models:
                label = line + 3 if labelled else None
                self.plain.append(Judged.of(Evaluation(at, told, label, model=model), line + 3))
        self.paged.add_ended(endings, [line + 3 for line in lines])

    @rule(count=st.integers(1, 9))
    def tell_of_two_models(self, count: int) -> None:
        lines = [*range(count)]
        columns = (Column("acc1", "%", True, [n / 7 for n in lines]),)
        models = (("raw", columns), ("averaged", columns))
        event = Epochs(lines, lines, lines, tuple, models)
        for single in event.each():
            if isinstance(single, Evaluation):
                self.plain.append(Judged.of(single, single.epoch))
        told = [(next(event.evaluations(*one)), one[1]) for one in models]
        self.paged.add_told(event, told)

    @rule(label=LABELS)
    def cut(self, label: int) -> None:
        self.plain = [judged for judged in self.plain if (judged.epoch or 0) < label]
        self.paged.cut(label)

    @rule()
    def go_on_with_a_copy(self) -> None:
        before = self.paged
        self.paged = copy.deepcopy(before)
        before.cut(0)

    @invariant()
    def same(self) -> None:
        def said(judged: AnyJudged) -> str:
            return repr((judged.event, judged.epoch, judged.values, judged.units, judged.model))

        assert len(self.paged) == len(self.plain)
        assert [*map(said, self.paged)] == [*map(said, self.plain)]
        for until in (None, len(self.plain) // 2):
            given = [j.value("acc1") for j in self.plain[:until] if j.gives("acc1", "raw")]
            told = [v for values, _ in self.paged.giving("acc1", "raw", until) for v in values]
            assert repr(told) == repr(given)


TestPagesOfEpochs = PagesOfEpochs.TestCase
TestPagesOfEvaluations = PagesOfEvaluations.TestCase
