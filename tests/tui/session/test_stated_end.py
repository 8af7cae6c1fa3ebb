"""The time left that a log prints itself, where no plan is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from sixdim.metrics.values.remaining import Remaining
from sixdim.metrics.values.settings import Settings
from sixdim.tui.base import figures
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.followed_log import FollowedLog
from sixdim.tui.session.live.stated_end import StatedEnd
from sixdim.tui.session.request import Request

EPOCHS, STEPS, SECONDS = 4, 30, 10


def left_after(share: float, line: str, *, of_epoch: bool = False) -> Remaining | None:
    """Returns what the log of four epochs, of 5 minutes each, says after a share of its lines."""
    session, stated = Request(Settings()).session("train.log", keep=40), StatedEnd()
    found, lines = None, EPOCHS * STEPS // 3
    for number in range(round(share * lines)):
        epoch, step = divmod(3 * number, STEPS)
        rest = (STEPS - step if of_epoch else EPOCHS * STEPS - 3 * number) * SECONDS
        text = line.format(
            epoch=epoch,
            step=step,
            all=3 * number,
            loss=2 / (1 + number),
            clock=f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}",
            spoken=f"{rest // 60}m {rest % 60}s",
            minutes=f"{rest // 60:02}:{rest % 60:02}",
            seconds=f"{rest}.5 s",
        )
        session.feed(f"{text}\n".encode())
        found = stated.find(session, session.snapshot())
    return found


@pytest.mark.parametrize(
    "line",
    [
        "Epoch {epoch} step {step}/30 loss {loss:.4f} eta: {clock}",
        "epoch {epoch} iter {step} loss {loss:.4f} | ETA {spoken}",
        "iter {all}/120 loss {loss:.4f} ETA {clock}",
        "[step {all}/120] train_loss={loss:.4f} remaining: {spoken}",
        "step {all}/120: loss {loss:.4f}, {spoken} left",
        "iter {all}/120, loss: {loss:.4f}, time left: {clock}",
        "Epoch {epoch} | step {step}/30 | loss {loss:.4f} | ETA {minutes}",
    ],
)
def test_an_estimate_that_falls_over_the_epochs_is_that_of_the_run(line: str) -> None:
    """Line 31 of 40 is step 90 of 120: 30 steps of 10 s are left."""
    assert left_after(31 / 40, line) == Remaining(seconds=300.0, line=31)
    assert left_after(1 / 40, line) is None


def test_an_estimate_that_begins_again_with_each_epoch_is_not_that_of_the_run() -> None:
    line = "Epoch {epoch} step {step}/30 loss {loss:.4f} eta: {clock}"
    for count in range(1, 41):
        assert left_after(count / 40, line, of_epoch=True) is None


def test_in_the_first_epoch_an_estimate_may_be_that_of_the_epoch() -> None:
    line = "Epoch {epoch} step {step}/30 loss {loss:.4f} eta: {clock}"
    assert left_after(10 / 40, line) is None
    assert left_after(11 / 40, line) == Remaining(seconds=900.0, line=11)


def test_without_epoch_and_total_an_estimate_may_be_that_of_one_pass() -> None:
    assert left_after(0.5, "iter {all} loss {loss:.4f} ETA {clock}") is None


def test_seconds_and_other_numbers_after_the_word() -> None:
    assert left_after(0.5, "iter {all}/120 loss {loss:.4f} eta {seconds}") == Remaining(
        seconds=630.5, line=20
    )
    assert left_after(0.5, "iter {all}/120 loss {loss:.4f} eta 0.5 remaining 3") is None


def test_a_stated_time_is_named_with_its_line() -> None:
    assert (
        figures.planned_end(Remaining(seconds=300.0, line=31)) == "ends in 0:05:00 by its line 31"
    )


def test_lines_are_held_only_where_a_log_is_followed(tmp_path: Path) -> None:
    """No card needs them, and each line would pay for them."""
    log, request = tmp_path / "train.log", Request(Settings())
    log.write_text("".join(f"step {step}: loss 0.5, {90 - step}s left\n" for step in range(90)))
    session = request.session(str(log))
    session.feed(log.read_bytes())
    assert not [*session.interpreter.recent]
    followed = FollowedLog(str(log), "", request, Clock(), events=False, stdin=-1, keep=0)
    followed.read(9.0)
    assert [number for number, _ in followed.session.interpreter.recent] == [*range(27, 91)]
    followed.stop()
    followed.close()
