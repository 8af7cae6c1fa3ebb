"""Data whose length Hugging Face's Trainer does not know: what an epoch is then."""

from __future__ import annotations

import json

import pytest

from sixdim.parsers.events import Iteration
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
