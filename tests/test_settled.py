"""Epochs and evaluations of long ago stand in pages, and nothing that anybody sees differs."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import pages
from metrics.epoch import Epoch
from metrics.exact import ExactSum
from metrics.settled import Judged, Settled, SettledJudged
from metrics.utilisation import Utilised
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
    if draw(st.booleans()):
        epoch.utilised = Utilised()
        epoch.utilised.note([Metric("mfu", draw(st.floats()), "%")])
    return epoch


def shown(value: object) -> object:
    """As text where equal numbers may be different ones: -0.0, nan, 1 and 1.0."""
    if isinstance(value, Utilised):
        return shown(value.mfu), shown(value.tflops)
    if isinstance(value, ExactSum):
        return repr((value.sum(), value.mean(), value.count, value.skipped))
    return repr(value)


@given(epochs())
def test_a_settled_epoch_says_the_same_and_comes_back(epoch: Epoch) -> None:
    settled = Settled.of(epoch)
    back = settled.unpacked()
    for field in fields(Epoch):
        said = shown(getattr(epoch, field.name))
        assert shown(getattr(settled, field.name)) == said, field.name
        assert shown(getattr(back, field.name)) == said, field.name


@given(st.tuples(WHOLE, WHOLE, WHOLE), st.none() | st.floats(0, 1e9))
def test_an_epoch_that_one_line_told_says_the_same(
    place: tuple[int, int, int], seconds: float | None
) -> None:
    label, line, offset = place
    epoch = Epoch(label, line, line, offset, epoch_time=seconds, complete=True)
    event = Epochs([label], [line], [offset], tuple, (), None if seconds is None else [seconds])
    (told,) = Settled.told(event)
    assert told.bare is (seconds is None)
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
def test_a_settled_evaluation_says_the_same(event: Evaluation, label: int | None) -> None:
    judged = Judged.of(event, label)
    settled = SettledJudged.of(judged, {})
    for name in ("event", "epoch", "values", "units", "model"):
        assert repr(getattr(settled, name)) == repr(getattr(judged, name)), name


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
    assert not any(isinstance(e, Settled) for e in whole.run.epochs.each())
    monkeypatch.setattr(pages, "KEPT", 2)
    monkeypatch.setattr(pages, "OPEN", 2)
    packed = read(data, False, target=target)
    assert sum(isinstance(e, Settled) for e in packed.run.epochs.each()) > 5
    assert any(isinstance(j, SettledJudged) for j in packed.run.evaluations)
    assert state(packed) == state(whole)
