"""The event list: what the card and the screen say of a run, and the line it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pytest

from sixdim import sample_logs
from sixdim.metrics.card.notes import ThroughputDrops
from sixdim.metrics.card.snapshot import Note
from sixdim.metrics.values.points import EpochPoint
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.session import Session
from tests.support.logs import scored


def epoch(label: int, throughput: float | None, complete: bool = True) -> EpochPoint:
    first = 10 * label + 1
    return EpochPoint(label, throughput, False, 60.0, 1.0, 9, first, first + 9, complete)


def drops(epochs: Sequence[EpochPoint]) -> list[Note]:
    found = ThroughputDrops()
    found.add(epochs)
    return found.notes


def happenings_of(name: str) -> list[tuple[str, str, int]]:
    session = Session("train.log", Settings(), formats())
    read_whole(session, BytesIO(sample_logs.path(name).read_bytes()))
    return [(note.kind, note.text, note.line) for note in session.snapshot().notes]


def line_with(name: str, words: str) -> int:
    lines = sample_logs.path(name).read_text().splitlines()
    return 1 + next(number for number, line in enumerate(lines) if words in line)


def test_a_drop_against_the_runs_own_median() -> None:
    series = [1000.0, 1020.0, 980.0, 840.0, 845.0, 990.0, 700.0]
    found = drops([epoch(n, value) for n, value in enumerate(series)])
    assert found == [
        Note("throughput_drop", "epoch 3: throughput 16 % below the run's own median", 40),
        # The median of the first six, sorted 840 845 980 990 1000 1020, is 985.
        Note("throughput_drop", "epoch 6: throughput 29 % below the run's own median", 70),
    ], "slow epochs are named once, and again only after a recovery"


@pytest.mark.parametrize(("throughput", "count"), [(849.9, 1), (850.0, 0)])
def test_a_drop_is_more_than_fifteen_percent(throughput: float, count: int) -> None:
    before = [epoch(n, 1000.0) for n in range(3)]
    assert len(drops([*before, epoch(3, throughput)])) == count


@pytest.mark.parametrize(("throughput", "count"), [(127.4, 1), (127.6, 0)])
@pytest.mark.parametrize("before", [(100.0, 150.0, 400.0), (100.0, 100.0, 200.0, 200.0)])
def test_the_median_of_an_even_number_of_epochs_lies_between_the_two_in_the_middle(
    before: tuple[float, ...], throughput: float, count: int
) -> None:
    """It is 150 in both cases, and 85 % of that are 127.5."""
    earlier = [epoch(n, value) for n, value in enumerate(before)]
    assert len(drops([*earlier, epoch(len(before), throughput)])) == count


def test_no_drop_before_there_is_a_median_nor_of_what_is_unknown() -> None:
    early = [epoch(0, 1000.0), epoch(1, 1000.0), epoch(2, 100.0)]
    assert drops(early) == []
    unknown = [*(epoch(n, 1000.0) for n in range(4)), epoch(4, None), epoch(5, 10.0, False)]
    assert drops(unknown) == []


def test_nothing_is_a_share_of_a_median_of_nothing() -> None:
    stopped = [*(epoch(n, 0.0) for n in range(5)), epoch(5, -1.5)]
    assert drops(stopped) == []


def test_the_target_and_the_end_are_reported_with_their_lines() -> None:
    notes = happenings_of(sample_logs.RUN)
    reached = next(n for n in notes if n[0] == "target_reached")
    assert reached[1] == "acc1>75.9 is met at epoch 64"
    assert reached[2] == line_with(sample_logs.RUN, "77.360")
    assert notes[-1] == (
        "finished",
        "training ended",
        line_with(sample_logs.RUN, "Training time"),
    )


def test_a_nan_loss_is_reported_once() -> None:
    """Two lines of training print nan; then the script says that it stops."""
    name = "resnet50_diverged.log"
    texts = [text for kind, text, _line in happenings_of(name) if kind == "nan_loss"]
    assert texts == ["the training loss is nan", "Loss is nan, stopping training"]
    assert sample_logs.path(name).read_text().count("loss: nan") > 1


def test_a_nan_loss_of_an_epoch_is_reported() -> None:
    loss = {1: 0.5, 2: 0.25, 3: float("nan"), 4: float("nan")}
    log = "".join(f"Epoch {e}/4 train loss {loss[e]} val acc 0.{e}\n" for e in loss)
    (only,) = (w for w in scored(log)["warnings"] if w["kind"] == "nan_loss")
    assert only["lines"] == [3, 4]
