"""Data whose length Hugging Face's Trainer does not know: what an epoch is then."""

from __future__ import annotations

import json

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Iteration
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.logs import only, read, scored


def test_an_epoch_of_data_of_unknown_length_is_over_when_the_next_begins() -> None:
    """The Trainer divides by the planned steps there: 2.02 is in the third epoch, anywhere."""
    reports = (
        {"epoch": epoch, "loss": 4.0, "step": step}
        for step, epoch in ((400, 0.4), (700, 1.01), (1000, 2.02))
    )
    closing = {"epoch": 2.02, "step": 1000, "train_loss": 1.0, "train_runtime": 60.0}
    text = json.dumps({"log_history": [*reports, closing]}) + "\n"
    assert scored(text)["run_end"]["epochs"] == 2  # the mean loss says: resumed in between


def _unsized(each: int, total: int = 200, every: int = 20) -> str:
    """Reports of data whose length the Trainer does not know, `each` steps a pass over it."""
    out = ""
    for step in range(every, total + 1, every):
        passes = (step - 1) // each
        epoch = passes + (step - passes * each) / total
        bar = f" 10%|█         | {step}/{total} [00:{step // 10:02}<00:18, 10.00it/s]\r"
        out += f"{bar}\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{epoch:.4g}'}}\n{bar}"
    return out


@pytest.mark.parametrize(
    ("each", "planned", "closing"), [(40, 5, 4.2), (70, 3, 2.3), (200, 1, 1.0)]
)
def test_the_steps_of_an_epoch_of_data_of_unknown_length_follow_from_a_later_epoch(
    each: int, planned: int, closing: float
) -> None:
    text = _unsized(each) + (
        "\n{'train_runtime': '20', 'train_samples_per_second': '160', "
        f"'train_steps_per_second': '10', 'train_loss': '0.5', 'epoch': '{closing}'}}\n"
    )
    card = scored(text)
    assert card["run"]["epochs_planned"] == planned
    assert card["dimensions"]["speed"]["value"] == 160  # all steps were done, whatever the fraction
    last = only(read(text, "huggingface"), Iteration)[-1]
    assert (last.epoch, last.step) == (planned, 200 - (planned - 1) * each)


def test_the_header_of_data_of_unknown_length_names_no_samples_and_no_epochs() -> None:
    header = (
        "***** Running training *****\n  Num examples = {samples}\n  Num Epochs = {epochs}\n"
        "  Instantaneous batch size per device = 16\n"
        "  Total train batch size (w. parallel, distributed & accumulation) = 16\n"
        "  Gradient Accumulation steps = 1\n  Total optimization steps = 200\n"
    )
    known = scored(header.format(samples="640", epochs="5") + _unsized(40))["run"]
    assert (known["samples_per_epoch"], known["epochs_planned"]) == (640, 5)
    # sys.maxsize, and the samples of all steps
    text = header.format(samples="3,200", epochs="9,223,372,036,854,775,807") + _unsized(40)
    card = scored(text)
    assert card["run"]["samples_per_epoch"] is None
    assert card["run"]["epochs_planned"] == 5
    assert not [w for w in card["warnings"] if w["kind"] == "fault"]


_HEADER = (
    "***** Running training *****\n  Num examples = {samples:,}\n"
    "  Num Epochs = 9,223,372,036,854,775,807\n"
    "  Instantaneous batch size per device = 8\n"
    "  Total train batch size (w. parallel, distributed & accumulation) = 8\n"
    "  Gradient Accumulation steps = 1\n  Total optimization steps = {total:,}\n"
)


def _reports(total: int, every: int, each: int, kind: str) -> str:
    """A training without a bar, as three versions print its reports."""
    out = _HEADER.format(samples=8 * total, total=total)
    for step in range(every, total + 1, every):
        passes = (step - 1) // each
        epoch = passes + (step - passes * each) / total
        written = {"5": f"'{epoch:.4g}'", "4.49": f"{epoch!r}", "4.30": f"{round(epoch, 2)!r}"}
        out += f"{{'loss': 0.5, 'learning_rate': 0.1, 'epoch': {written[kind]}}}\n"
    return out


@pytest.mark.parametrize("kind", ["5", "4.49", "4.30"])
@pytest.mark.parametrize(
    ("total", "every", "each"), [(150, 10, 150), (100_000, 100, 100_000), (2_000, 50, 610)]
)
def test_without_a_bar_the_fraction_of_unsized_data_gives_the_step(
    total: int, every: int, each: int, kind: str
) -> None:
    """Two decimals are several steps each, and 0.025 may be rounded: then it stays unknown."""
    text = _reports(total, every, each, kind)
    events = only(read(text, "huggingface"), Iteration)
    steps = [(event.epoch, event.step, event.steps) for event in events]
    if kind == "5" or (kind, total) == ("4.49", 150):
        assert steps == [(None, step, total) for step in range(every, total + 1, every)]
    else:
        assert {step for _, step, _ in steps} == {None}
    assert scored(text)["run"].get("epochs_planned") is None


def test_the_first_pass_over_unsized_data_has_all_planned_steps() -> None:
    """How many passes follow is unknown, how many steps is not."""
    text = _HEADER.format(samples=8 * 150, total=150) + "  Num update steps per epoch = 150\n"
    for step in range(1, 61):
        text += f"\r 10%|█         | {step}/150 [00:{step // 4:02}<00:30,  4.00it/s]"
        if step % 10 == 0:
            text += f"\n{{'loss': '0.5', 'learning_rate': '0.1', 'epoch': '{step / 150:.4g}'}}\n"
    session = Session("train.log", Settings(), formats())
    session.feed(text.encode())
    left = session.snapshot().progress.remaining
    assert left.trained == pytest.approx(60 / 150)
    assert left.seconds == pytest.approx(90 / 4, rel=0.05)
