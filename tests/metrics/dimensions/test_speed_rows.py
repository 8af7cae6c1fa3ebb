"""The epochs of the speed window: those the figure is made of, and those that are not there."""

from __future__ import annotations

import pytest

from sixdim.metrics.dimensions.speed.speed import speed
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.card import State
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import EndOfInput, Iteration, Origin
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session

EPOCHS = "".join(
    f"Epoch: [{epoch}]  [   {step}/10]  eta: 0:00:01  lr: 0.1  img/s: {100 + epoch}.0  loss: 2.0\n"
    for epoch in range(9)
    for step in range(0, 10, 3)
)
BARS = "".join(
    f" {10 * step}%|x| {step}/10 [00:{step:02}<00:{10 - step:02},  1.00it/s]\n"
    f"{{'loss': '2.0', 'learning_rate': '0.1', 'epoch': '{step}'}}\n"
    for step in range(1, 11)
)
CLOSING = (
    "{'train_runtime': '10', 'train_samples_per_second': '80', 'train_steps_per_second': '1', "
    "'train_loss': '2.0', 'epoch': '10'}\n"
)


def marks(text: str, *, ended: bool) -> list[tuple[int, str]]:
    session = Session("train.log", Settings(), formats())
    session.feed(text.encode())
    if ended:
        session.end()
    return [(row.label, row.mark) for row in session.snapshot().speed]


@pytest.mark.parametrize(("ended", "mark"), [(False, "waiting"), (True, "missing")])
def test_an_epoch_is_waited_for_until_the_run_is_over(ended: bool, mark: str) -> None:
    assert marks(EPOCHS, ended=ended)[-2:] == [(9, mark), (10, mark)]


def test_the_rate_of_a_closing_line_is_made_of_no_epochs() -> None:
    assert marks(BARS, ended=False)
    assert marks(BARS + CLOSING, ended=True) == []


def said(text: str) -> tuple[str, str, list[str]]:
    """State and reason of the speed of a log that may grow, and the marks of the window's rows."""
    session = Session("train.log", Settings(), formats())
    session.feed(text.encode())
    shot = session.snapshot()
    figure = shot.card.dimensions["speed"]
    return str(figure.state), figure.reason, [row.mark for row in shot.speed]


def bare(epochs: int, *, first: int = 0) -> str:
    """Epochs whose lines have neither a rate nor a time."""
    return "".join(
        f"Epoch: [{epoch}]  [   {step}/10]  eta: 0:00:01  lr: 0.1  loss: 2.0\n"
        for epoch in range(first, epochs)
        for step in range(0, 10, 3)
    )


@pytest.mark.parametrize(
    ("text", "reason", "marks"),
    [
        (bare(11), "waits for epochs 6 to 10", ["missing"] * 4 + ["waiting"]),
        (bare(12), "no throughput was read from epochs 6 to 10", ["missing"] * 5),
        (bare(13, first=11), "no epoch of 6 to 10 in the log", ["waiting"] * 5),
        (  # the program may have caught it: the status is still `training`
            bare(3) + "Traceback (most recent call last):\n  File 'a.py', line 3\nKeyError: 1\n",
            "waits for epochs 6 to 10",
            ["waiting"] * 5,
        ),
    ],
)
def test_an_empty_window_says_why(text: str, reason: str, marks: list[str]) -> None:
    assert said(text) == ("waiting", reason, marks)


def test_steps_without_epochs_and_times_wait_for_no_epoch() -> None:
    text = "".join(f"Step {step}, loss: 2.5, lr: 0.1\n" for step in range(100, 900, 100))
    reason = "no progress line has given a rate or a time yet"
    assert said(text)[:2] == ("waiting", reason)


def rated(*labels: int) -> str:
    """Epochs outside of the window, each of two lines at 100 images a second."""
    return "".join(
        f"Epoch: [{label}]  [   {step}/10]  eta: 0:00:01  lr: 0.1  img/s: 100.0  loss: 2.0\n"
        for label in labels
        for step in (0, 9)
    )


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ((11, 12), "11, 12"),
        ((11, 12, 13), "11 to 13"),
        ((11, 13, 14), "11, 13, 14"),
        ((11, *range(13, 20)), "11, 13, 14, 15, 16, 17, 18, 19"),
        ((11, *range(13, 21)), "11, 13, 14, 15, 16, 17, 18, 19, …"),
    ],
)
def test_three_epochs_in_a_row_are_a_range_and_of_others_eight_are_named(
    labels: tuple[int, ...], words: str
) -> None:
    session = Session("train.log", Settings(), formats())
    session.feed(rated(*labels).encode())
    session.end()
    reason = session.card().dimensions["speed"].reason
    assert reason == f"no epoch of 6 to 10 in the log: over epochs {words}"


@pytest.mark.parametrize(
    ("labels", "words"),
    [((1, 2), "1, 2"), ((1, 2, 3), "1 to 3")],
)
def test_a_window_of_epochs_that_the_log_lacks_says_which_there_are(
    labels: tuple[int, ...], words: str
) -> None:
    session = Session("train.log", Settings(window=(4, 6)), formats())
    session.feed(rated(*labels).encode())
    session.end()
    figure = session.card().dimensions["speed"]
    assert (figure.value, figure.state) == (None, State.UNKNOWN)
    assert figure.reason == f"no epoch of 4 to 6 in the log; it has {words}"


@pytest.mark.parametrize(
    ("lines", "words"), [(21, "5 of its progress lines"), (23, "5 windows of 2 progress lines")]
)
def test_windows_of_one_line_are_called_lines(lines: int, words: str) -> None:
    run = Run()
    for n in range(lines):
        run.apply(Iteration(Origin(n + 1, 90 * n), None, n, 99, 50.0, "img/s"))
    run.apply(EndOfInput(Origin(99, 9000)))
    figure = speed(run, Settings(), Facts(run, Settings()))
    assert figure.reason == f"the log has no epochs: over {words}"


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        (
            rated(1) + bare(12, first=2),
            None,
            "epochs 6 to 10 have no throughput, others have: --window A:B",
        ),
        (rated(1) + bare(6, first=2), 100.0, "no epoch of 6 to 10 in the log: over epoch 1"),
        (rated(1, 6) + bare(12, first=7), 100.0, "the run ended before epochs 6 to 10 were full"),
    ],
)
def test_other_epochs_take_the_place_of_a_window_only_if_the_log_has_none_of_it(
    text: str, value: float | None, reason: str
) -> None:
    """The first epoch alone has a rate, as where later times are rounded to nothing."""
    session = Session("train.log", Settings(), formats())
    session.feed(text.encode())
    session.end()
    figure = session.card().dimensions["speed"]
    assert figure.value == (None if value is None else pytest.approx(value))
    assert figure.reason.startswith(reason)


def _bar(step: int, epoch: int = 1, planned: int = 1) -> str:
    """A bar at two iterations a second, drawn each 5 of 200 steps."""
    spent, rest = step // 2, (200 - step) // 2
    return (
        f"Epoch {epoch}/{planned}: {step // 2}%|x| {step}/200 "
        f"[{spent // 60:02}:{spent % 60:02}<{rest // 60:02}:{rest % 60:02},  2.00it/s, loss=2.5]\n"
    )


def test_a_run_of_one_planned_epoch_does_not_wait_for_epochs_that_never_come() -> None:
    """Its time left and its speed are known while it trains: 2 iterations/s, 100 steps are left."""
    session = Session("train.log", Settings(), formats())
    session.feed("".join(_bar(step) for step in range(0, 101, 5)).encode())
    shot = session.snapshot()
    assert shot.card.dimensions["speed"].reason.startswith("none of epochs 6 to 10 is planned")
    assert {row.mark for row in shot.speed} == {"missing"}
    assert shot.early_speed is not None and shot.early_speed.labels == (1,)
    assert shot.early_speed.value == pytest.approx(2.0)
    assert shot.progress.remaining.trained == pytest.approx(0.5)
    assert shot.progress.remaining.seconds == pytest.approx(50.0)


def test_of_several_planned_epochs_the_first_may_have_the_steps_of_all() -> None:
    session = Session("train.log", Settings(), formats())
    session.feed("".join(_bar(step, planned=7) for step in range(0, 101, 5)).encode())
    shot = session.snapshot()
    assert shot.progress.remaining.seconds is None
    assert shot.card.dimensions["speed"].reason == "waits for epochs 6 to 10"
    assert [row.mark for row in shot.speed] == ["waiting"] * 2 + ["missing"] * 3
