"""Epochs and evaluations of long ago are packed, and nothing that anybody sees differs."""

from __future__ import annotations

import struct
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import run
from metrics.epoch import Epoch
from metrics.exact import ExactSum
from metrics.settled import Judged, Settled, SettledJudged, Told
from parsers.events import Epochs, Evaluation, Metric, Origin
from tests.test_scan_equality import dllogger, read, state, torchvision

WHOLE = st.integers(-(1 << 63) + 1, (1 << 63) - 1)
REAL = st.floats() | st.just(-0.0)
OPTIONAL = (st.none() | WHOLE, st.none() | REAL)


@st.composite
def epochs(draw: st.DrawFn) -> Epoch:
    epoch = Epoch(draw(WHOLE), draw(WHOLE), draw(WHOLE), draw(WHOLE), complete=True)
    epoch.stated_line, epoch.records = draw(WHOLE), draw(WHOLE)
    for name in ("start_us", "end_us", "step", "steps", "first_step"):
        setattr(epoch, name, draw(OPTIONAL[0]))
    for name in ("stated", "train_time", "epoch_time", "loss"):
        setattr(epoch, name, draw(OPTIONAL[1]))
    for total in (epoch.throughput, epoch.durations):
        for value in draw(st.lists(st.floats(), max_size=5)):
            total.add(value)
    return epoch


def shown(value: object) -> object:
    """As text where equal numbers may be different ones: -0.0, nan, 1 and 1.0."""
    if isinstance(value, ExactSum):
        return repr((value.sum(), value.mean(), value.count, value.skipped))
    return repr(value)


@given(epochs())
def test_a_packed_epoch_says_the_same_and_comes_back(epoch: Epoch) -> None:
    packed = Settled(epoch)
    back = packed.unpacked()
    for field in fields(Epoch):
        said = shown(getattr(epoch, field.name))
        assert shown(getattr(packed, field.name)) == said, field.name
        assert shown(getattr(back, field.name)) == said, field.name


@given(st.tuples(WHOLE, WHOLE, WHOLE), st.none() | st.floats(0, 1e9), st.booleans())
def test_an_epoch_that_one_line_told_says_the_same(
    place: tuple[int, int, int], seconds: float | None, judged: bool
) -> None:
    label, line, offset = place
    epoch = Epoch(label, line, line, offset, epoch_time=seconds, complete=True)
    event = Epochs([label], [line], [offset], tuple, (), None if seconds is None else [seconds])
    evaluation = Evaluation(Origin(line, offset), (Metric("acc1", 75.5),))
    packed = SettledJudged(Judged.of(evaluation, label), {})
    told = next(Told.all(event, [[packed]] if judged else []))
    for field in fields(Epoch):
        said = shown(getattr(epoch, field.name))
        assert shown(getattr(told, field.name)) == said, field.name
        assert shown(getattr(told.unpacked(), field.name)) == said, field.name


ORIGINS = st.builds(
    Origin, WHOLE, WHOLE, OPTIONAL[0], st.none() | st.integers(0, 9), st.none() | st.text()
)
METRICS = st.lists(st.builds(Metric, st.text(), REAL, st.text(), st.booleans()), max_size=4)


@given(
    st.builds(
        Evaluation,
        ORIGINS,
        METRICS.map(tuple),
        OPTIONAL[0],
        OPTIONAL[0],
        st.sampled_from(("raw", "teacher")),
        st.booleans(),
    ),
    OPTIONAL[0],
)
def test_a_packed_evaluation_says_the_same(event: Evaluation, label: int | None) -> None:
    judged = Judged.of(event, label)
    packed = SettledJudged(judged, {})
    for name in ("event", "epoch", "values", "units", "model"):
        assert repr(getattr(packed, name)) == repr(getattr(judged, name)), name


def test_what_has_no_room_is_not_packed() -> None:
    with pytest.raises(struct.error):
        Settled(Epoch(1, 1, step=1 << 70))
    with pytest.raises(struct.error):
        Settled(Epoch(1, 1, loss=3))  # an integer would come back as 3.0
    event = Evaluation(Origin(1, 0), (Metric("acc1", 75),))
    with pytest.raises(struct.error):
        SettledJudged(Judged.of(event, 1), {})


def stragglers(lines: list[str]) -> list[str]:
    """Lines of long ago come again at the end, of one epoch and of all."""
    return [*lines, *lines[40:90], *lines[-30:], *lines[:300], *lines[-60:]]


@pytest.mark.parametrize("target", ["", "acc1>20", "acc1>1e9"])
@pytest.mark.parametrize(
    "lines",
    [torchvision(30, 20), stragglers(torchvision(30, 20)), stragglers(dllogger(20, 12))],
    ids=["torchvision", "stragglers", "dllogger"],
)
def test_a_card_is_the_same_however_early_epochs_are_packed(
    lines: list[str], target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ("\n".join(lines) + "\n").encode()
    whole = read(data, False, target=target)
    assert not any(isinstance(e, Settled) for e in whole.run.epochs.values())
    monkeypatch.setattr(run, "KEPT", 2)
    packed = read(data, False, target=target)
    assert sum(isinstance(e, Settled) for e in packed.run.epochs.values()) > 5
    assert any(isinstance(j, SettledJudged) for j in packed.run.evaluations)
    assert state(packed) == state(whole)
