"""The cache of snapshots: no snapshot depends on those that were made before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sixdim.metrics.card.run_snapshot import snapshot
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session

_EPOCHS = 560
"""Two pages of epochs are packed, and 512 evaluations."""


def _epoch(label: int, rate: float) -> str:
    lines = [
        f"Epoch: [{label}]  [{step}/2]  eta: 0:00:01  lr: 0.1  img/s: {rate}  loss: 1.5 (1.5)  "
        f"acc1: 10.0 (10.0)  acc5: 20.0 (20.0)  time: 0.3\n"
        for step in range(2)
    ]
    test = f" * Acc@1 {20 + label / 100:.3f} Acc@5 60.000\n"
    return "".join([*lines, f"Epoch: [{label}] Total time: 0:00:10\n", test])


def _pieces() -> Iterator[str]:
    yield "Namespace(batch_size=256, epochs=90, model='resnet50', world_size=8)\nStart training\n"
    for label in range(_EPOCHS):
        yield _epoch(label, 100.0 if label % 47 == 46 else 1000.0 + label % 7)
    for label in range(0, _EPOCHS, 61):  # lines about epochs long over change them
        yield f"Epoch: [{label}] Total time: 0:00:15\n"
    yield _epoch(_EPOCHS, 50.0)
    yield _epoch(261, 900.0)  # goes back: the later one counts
    yield _epoch(262, 900.0)


def _fresh(session: Session) -> object:
    if session.interpreter.detection is None:
        return Session.snapshot(session.copy())
    return snapshot(
        session.run,
        session.settings,
        session.card(),
        lines=session.interpreter.lines,
        telemetry_note=session.telemetry_note or session.telemetry.reason,
    )


@pytest.mark.parametrize("every", [pytest.param(23, marks=pytest.mark.slow), 200])
def test_a_snapshot_is_the_same_whatever_was_drawn_before(every: int) -> None:
    session = Session("train.log", Settings(target=parse_target("acc1>99", "--target")), formats())
    dropped = 0
    for count, piece in enumerate(_pieces()):
        session.feed(piece.encode())
        if count % every == 0 or count > _EPOCHS:
            now = session.snapshot()
            assert now == _fresh(session)
            dropped = max(dropped, sum(n.kind == "throughput_drop" for n in now.notes))
    assert len(session.snapshot().epochs) == 263
    assert session.snapshot() == _fresh(session)
    late = [point.duration for point in session.snapshot().epochs if point.label % 61 == 0]
    assert late == [15.0] * 5
    assert dropped >= 8


def test_other_samples_in_an_epoch_change_the_points_of_epochs_long_over() -> None:
    session = Session("train.log", Settings(), formats())
    for label in range(768):
        session.feed(_epoch(label, 1000.0).replace("img/s: 1000.0  ", "").encode())
    before = {point.throughput for point in session.snapshot().epochs}
    session.settings = Settings(given={"global_batch": 256, "samples_per_epoch": 60_000})
    after = {point.throughput for point in session.snapshot().epochs}
    assert not before & after
    assert session.snapshot() == _fresh(session)


def test_a_copy_has_its_own_points() -> None:
    session = Session("train.log", Settings(), formats())
    for label in range(768):
        session.feed(_epoch(label, 1000.0).encode())
    before = session.snapshot()
    copied = session.copy()
    copied.feed(_epoch(768, 500.0).encode())
    assert copied.snapshot() == _fresh(copied)
    assert session.snapshot() == before


def test_a_screen_shows_the_evaluations_of_the_model_that_the_card_has() -> None:
    session = Session("train.log", Settings(), formats())
    shown = []
    for label in range(3):
        text = _epoch(label, 1000.0) + f"Test: EMA Acc@1 {80 - label}.000 Acc@5 95.000\n"
        session.feed(text.encode())
        now = session.snapshot()
        shown.append([point.value for point in now.evaluations])
        assert now == _fresh(session)
        assert now.card.dimensions["accuracy"].value == shown[-1][-1]
    assert shown == [[20.0], [20.0, 20.01], [20.0, 20.01, 20.02]]


def test_a_run_that_goes_far_back_keeps_no_epoch_that_is_gone() -> None:
    """Epochs 0 to 9, and then epoch 2 begins again: the epochs are 0, 1 and 2."""
    session = Session("train.log", Settings(), formats())
    session.feed(
        ("Start training\n" + "".join(_epoch(label, 1000.0) for label in range(10))).encode()
    )
    assert [epoch.label for epoch in session.snapshot().epochs] == [*range(10)]
    session.feed(_epoch(2, 900.0).encode())
    assert [epoch.label for epoch in session.snapshot().epochs] == [0, 1, 2]
