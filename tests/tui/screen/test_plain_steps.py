"""`watch --plain` of a run without epochs."""

from __future__ import annotations

import re

import pytest

from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.export.epoch_lines import EpochLines
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.session import Session
from tests.support.inputs.torchvision_log import epoch


def printed(*parts: str, target: str = "") -> list[str]:
    """What is printed while these parts of a log come."""
    settings = Settings(target=parse_target(target, "--target") if target else None)
    session, lines = Session("train.log", settings, formats()), EpochLines()
    out: list[str] = []
    for part in parts:
        session.feed(part.encode())
        out += lines.lines(Frame(session.snapshot()))
    return [line for line in out if not line.startswith("format ")]


def test_steps_and_evaluations_are_printed_once_each_while_they_come() -> None:
    parts = [
        f"step {n} loss 0.5 250.0 samples/s\nval accuracy: 0.{n}, step {n}\n"
        for n in (10, 20, 30, 40)
    ]
    shown = printed(*parts)
    assert not [line for line in shown if "epoch" in line]
    assert [line.split()[:2] for line in shown] == [
        ["step", str(n)] for n in (10, 20, 30, 40) for _ in "12"
    ]
    assert shown[-2].split()[2:4] == ["250.0", "samples/s"]
    assert shown[-1].split()[2:] == ["acc1", "0.4000"]


def test_the_loss_of_an_evaluation_is_kept_apart_from_that_of_training() -> None:
    first = "step 10 loss 0.5 250.0 samples/s\nval loss: 0.75, step 10\n"
    rows = [line.split()[2:] for line in printed(first, first.replace("10", "20"))]
    assert [rows[-2][-2:], rows[-1]] == [["loss", "0.5"], ["val", "loss", "0.7500"]]


@pytest.mark.slow
def test_very_many_steps_are_printed_ever_more_seldom() -> None:
    shown = printed(*[f"step {n} loss 0.5 250.0 samples/s\n" for n in range(1, 501)])
    assert 22 <= len(shown) <= 80
    assert shown[-1].split()[0] == "step"


def test_the_latest_evaluation_says_when_the_target_will_be_met() -> None:
    epochs = [epoch(n, 100.0, 80 - 60 / (n + 1)) for n in range(10)]
    begins = [text.index("\n") + 1 for text in epochs]
    parts = [
        text[begin:] + after[:end]  # an evaluation, and the first line of the next epoch
        for text, after, begin, end in zip(epochs, epochs[1:], begins, begins[1:], strict=False)
    ]
    parts[0] = epochs[0][: begins[0]] + parts[0]
    shown = printed(*parts, target="acc1>=74.5")
    assert len(shown) == 9
    assert not [line for line in shown[:5] if "target" in line]  # fewer than six evaluations
    assert re.search(r"  target in 2 \(2–\d+\) epochs, \d+–\d+ min$", shown[-1])
    together = printed("".join(parts), target="acc1>=74.5")
    assert [line for line in together if "target" in line] == shown[-1:]


def test_epochs_in_a_row_of_which_the_log_has_no_figure_share_a_line() -> None:
    """Rich draws Lightning's bar once into a file, at the end: the last epoch is all it shows."""
    head = "`Trainer.fit` stopped: `max_epochs=30` reached.\n"
    bar = "Epoch 29/29 ━━━━━ 40/40 0:00:02 • 0:00:00 18.10it/s train_loss: 0.250\n"
    shown = printed(head + bar)
    assert [line.split() for line in shown] == [
        ["epoch", "0", "to", "28"],
        ["epoch", "29", "loss", "0.25"],
    ]


def test_the_last_epoch_of_a_fold_is_printed_when_the_next_fold_begins() -> None:
    parts = [
        text
        for fold in (1, 2)
        for text in (
            f"Fold {fold}/2\n",
            *(
                f"Epoch {n}/3 step {step}/9 loss 0.{9 - n}\n"
                + (f"Epoch {n}/3 val_acc 0.{fold}{n}\n" if step == 9 else "")
                for n in (1, 2, 3)
                for step in (3, 6, 9)
            ),
        )
    ]
    shown = [line for line in printed(*parts, "Training finished\n") if line.startswith("epoch")]
    found = [re.search(r"epoch +(\d).*acc1 (0\.\d+)", line) for line in shown]
    assert [one.groups() for one in found if one] == [
        (str(n), f"0.{fold}{n}00") for fold in (1, 2) for n in (1, 2, 3)
    ]


def test_the_latest_line_says_when_the_run_will_end() -> None:
    """Ten epochs of 100 s are planned, without evaluations; two are over, and one has begun."""
    line = "Epoch: [{}]  [  0/100]  eta: 0:01:40  img/s: 100.0  loss: 1.5 (1.5)  time: 1.0\n"
    end = "Epoch: [{}] Total time: 0:01:40\n"
    parts = [line.format(n) + end.format(n) for n in range(2)]
    session = Session("t.log", Settings(given={"epochs_planned": 10}), formats())
    session.feed("".join([*parts, line.format(2)]).encode())
    rows = [*EpochLines().lines(Frame(session.snapshot()))][1:]
    assert [row.partition("  ends")[2] for row in rows] == ["", " in ~0:13:20"]
