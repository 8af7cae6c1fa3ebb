"""Epochs that are long over are packed; nothing that a person sees shows it."""

from __future__ import annotations

import random
import time
import tracemalloc
from pathlib import Path

import pytest

from sixdim.metrics.fold.epochs import epochs
from sixdim.metrics.fold.runs.run import Run
from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, Metric, Origin
from tests.support.inputs import generated
from tests.support.inputs.generated import totals

_SAMPLES = sorted(Path("sample_logs").rglob("*.log"))


def _train(run: Run, label: int, line: int, rng: random.Random) -> int:
    """One epoch of six progress lines, its end and its evaluation; returns the next line."""
    for step in range(0, 60, 10):
        at = Origin(line, line * 100, line * 1_000_000)
        rate, time = rng.uniform(4000, 5000), rng.random()
        run.apply(Iteration(at, label, step, 60, rate, "img/s", loss=rng.random(), duration=time))
        line += 1
    run.apply(EpochEnd(Origin(line, line * 100), label, rng.uniform(4000, 5000), "img/s"))
    metrics = (Metric("acc1", rng.random(), "%"), Metric("acc5", rng.random(), "%"))
    run.apply(Evaluation(Origin(line + 1, line * 100), metrics))
    return line + 2


def _hold_as_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second epoch on, four at a time."""
    monkeypatch.setattr(epochs, "PAGE", 4)
    monkeypatch.setattr(epochs, "_FIRST", 0)
    monkeypatch.setattr(epochs, "_LATEST", 1)


@pytest.mark.slow
def test_an_epoch_and_its_evaluation_take_less_than_300_bytes() -> None:
    run, rng, line = Run(), random.Random(1), 1
    tracemalloc.start()
    try:
        for label in range(2200):  # as many objects wait to be held as rows as at the end
            line = _train(run, label, line, rng)
        before, _ = tracemalloc.get_traced_memory()
        for label in range(2200, 2200 + 4096):
            line = _train(run, label, line, rng)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (after - before) / 4096 < 300


@pytest.mark.parametrize("record", [EpochEnd, Iteration])
def test_an_epoch_takes_no_longer_the_more_there_were_before(
    record: type[EpochEnd | Iteration],
) -> None:
    """Not four times as long: one that looked at all labels would take ten times as long."""

    def seconds(epochs: int) -> float:
        run, begin = Run(), time.process_time()
        for label in range(1, epochs + 1):
            at = Origin(label, label * 100)
            run.apply(EpochEnd(at, label) if record is EpochEnd else Iteration(at, label, 1))
        return (time.process_time() - begin) / epochs

    assert seconds(20_000) < 4 * seconds(2_000)


@pytest.mark.parametrize("log", _SAMPLES, ids=lambda path: path.stem)
def test_a_log_reads_the_same_however_many_epochs_are_held_as_rows(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = log.read_bytes()
    none = generated.state(generated.read(data, (), "", ""))
    _hold_as_rows(monkeypatch)
    assert generated.state(generated.read(data, (), "", "")) == none


@pytest.mark.parametrize("seed", range(20))
def test_epochs_that_go_on_end_again_or_begin_anew(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records of earlier epochs between those of later ones, and labels of any size."""
    rng = random.Random(seed)
    labels = [*range(40), 1 << 40, 1 << 70]
    lines: list[Iteration | EpochEnd | Evaluation] = []
    for number in range(1, 400):
        at = Origin(number, number * 80, number * 500_000 if seed % 2 else None)
        label = labels[min(max(0, number // 9 - (rng.random() < 0.05) * rng.randrange(1, 9)), 41)]
        kind = rng.random()
        rate = rng.choice((4000.0, float("nan"), -0.0, 7e300, 1e-300, rng.random()))
        if kind < 0.8:
            lines.append(
                Iteration(
                    at, label, number % 50, 50, rate, "img/s", loss=rate, duration=rng.random()
                )
            )
        elif kind < 0.9:
            lines.append(EpochEnd(at, label, rate, "img/s", epoch_time=rng.random()))
        else:
            lines.append(Evaluation(at, (Metric("acc1", rate, "%"),), label))
    found = []
    for rows in (False, True):
        if rows:
            _hold_as_rows(monkeypatch)
        run = Run()
        for event in lines:
            run.apply(event)
        found.append(_epochs(run))
        assert not rows or len(run.epochs._objects) < len(run.epochs)
    assert found[0] == found[1]


@pytest.mark.parametrize("at_once", [False, True])
def test_epoch_0_is_named_after_lines_without_a_label(*, at_once: bool) -> None:
    """Three lines of a download, then epochs 0 and 1: two epochs are over at the end of epoch 1."""
    labels = [None, None, None, 0, 0, 1, 1]
    lines = [Iteration(Origin(n, 80 * n), label, None, loss=0.5) for n, label in enumerate(labels)]
    run = Run()
    for part in [lines] if at_once else [[line] for line in lines]:
        run.extend(part)
    run.apply(EpochEnd(Origin(9, 800), 1))
    assert run.names_zero
    assert run.completed() == [0, 1]


def test_epochs_that_only_the_clock_times_have_a_throughput_in_a_page_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each has two lines, ten steps and ten seconds apart, and no line that ends it."""
    _hold_as_rows(monkeypatch)
    run = Run()
    for number in range(24):
        at = Origin(number + 1, 80 * number, number * 10_000_000)
        run.apply(Iteration(at, number // 2, number % 2 * 10))
    assert len(run.epochs._objects) < 12
    assert [epoch.clocked() for epoch in run.rated()] == [(10.0, 10)] * 11


@pytest.mark.parametrize("every", [1, 3, 8, 100])
def test_epochs_without_progress_lines_stand_beside_those_with_some(
    every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for rows in (False, True):
        if rows:
            _hold_as_rows(monkeypatch)
        run, rng, line = Run(), random.Random(1), 1
        for label in range(1, 30):
            if label % every == 0:
                line = _train(run, label, line, rng)
            run.apply(EpochEnd(Origin(line, line * 100), label, epoch_time=rng.random()))
            run.apply(Evaluation(Origin(line, line * 100), (Metric("acc1", rng.random(), "%"),)))
            line += 1
        found.append(_epochs(run))
        assert not rows or len(run.epochs._objects) < len(run.epochs)
    assert found[0] == found[1]


def _epochs(run: Run) -> list[str]:
    """Everything that is known of each epoch, as text."""
    return [
        f"{totals(one.lines)} {_figures(one)} {_figures(one.lines)} {one.lines.rate()} "
        f"{one.lines.gap()} {one.clocked()} {one.share()}"
        for one in run.epochs.values()
    ]  # the totals come first: they add up lines that waited


def _figures(one: object) -> list[tuple[str, object]]:
    """The attributes that are figures, as text, in which nan equals nan."""
    named = [(name, getattr(one, name)) for name in dir(one)]
    return [(name, figure) for name, figure in named if isinstance(figure, int | float | None)]
