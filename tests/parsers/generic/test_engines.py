"""ignite's engines, whose lines are alike: the trainer's, and those of evaluators inside of it."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.parsers.events import RunEnd
from tests.support.logs import detected, epoch_ends, facts, only, read, scored


def clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def log(*, late: bool = False, name: str = "{} INFO: ", ends: str = "complete.") -> str:
    """Eight epochs: 100 s of training, 12 s of an evaluation.

    Args:
        late: Whether the epoch is over before it is evaluated, as old versions have it.
        name: What the logger prints in front, with the engine's name.
        ends: The word with which an engine ends.
    """
    trainer, evaluator = (name.format(one) for one in ("trainer", "evaluator"))
    out = [f"{trainer}Engine run starting with max_epochs=8."]
    for epoch in range(1, 9):
        out += [f"Epoch[{epoch}] Iteration[{i}/50] Loss: 1.{9 - epoch}{i}" for i in (20, 40)]
        over = f"{trainer}Epoch[{epoch}] Complete. Time taken: {clock(100 if late else 112)}"
        evaluation = [
            f"{evaluator}Engine run starting with max_epochs=1.",
            f"{evaluator}Epoch[1] Complete. Time taken: {clock(11)}",
            f"{evaluator}Engine run {ends} Time taken: {clock(12)}",
            f"Validation Results - Avg accuracy: 0.6{epoch} Avg loss: 0.8{9 - epoch}",
        ]
        out += [over, *evaluation] if late else [*evaluation, over]
    return "\n".join([*out, f"{trainer}Engine run {ends} Time taken: {clock(8 * 112)}"]) + "\n"


def figures(text: str) -> tuple[Any, ...]:
    card = scored(text)
    accuracy, end = card["dimensions"]["accuracy"], card["run_end"]
    return accuracy["value"], accuracy["epoch"], card["run"]["epochs"], end["run_time_s"]


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize(
    "name",
    ["2026-01-05 10:00:00,100 {} INFO: ", "INFO:ignite.engine.engine.Supervised{}:"],
)
def test_the_trainers_times_are_the_runs(late: bool, name: str) -> None:
    text = log(late=late, name=name, ends="finished." if late else "complete.")
    assert figures(text) == (0.68, 8, 8, 896)
    found = [(end.train_time, end.epoch_time) for end in epoch_ends(read(text, "generic"))]
    assert [one for one in found if one != (None, None)] == [
        (100, None) if late else (None, 112)
    ] * 8


def test_the_engines_lines_alone_are_read() -> None:
    """The program prints nothing: the plan is that of the engine whose epochs end."""
    text = "".join(one for one in log().splitlines(keepends=True) if " INFO: " in one)
    assert detected(text) == "generic"
    card = scored(text)
    assert (card["status"], card["run"]["epochs"], card["run"]["epochs_planned"]) == (
        "finished",
        8,
        8,
    )
    running = "".join(text.splitlines(keepends=True)[:9])
    assert facts(read(running, "generic")) == {"epochs_planned": 8}
    assert facts(read(ALONE, "generic")) == {}


def test_an_evaluators_line_is_no_end_of_the_training() -> None:
    """The log is cut after the evaluation of epoch 3."""
    cut = "".join(log().splitlines(keepends=True)[: 1 + 3 * 7 - 1])
    card = scored(cut)
    assert (card["status"], card["run"]["epochs"]) == ("incomplete", 3)


ALONE = (
    "INFO: Engine run starting with max_epochs=1.\n"
    "INFO: Epoch[1] Complete. Time taken: 00:00:11\n"
    "INFO: Engine run complete. Time taken: 00:00:12\n"
)


def test_an_evaluation_alone_is_no_training() -> None:
    text = ALONE + "Test Results - Avg accuracy: 0.61 Avg loss: 0.82\n"
    assert epoch_ends(read(text * 4, "generic")) == []


@pytest.mark.parametrize(("epochs", "ends"), [(1, 0), (2, 1)])
def test_the_time_of_an_evaluation_alone_is_not_that_of_the_run(epochs: int, ends: int) -> None:
    assert figures(log() + ALONE) == (0.68, 8, 8, 896)
    events = read(ALONE.replace("max_epochs=1", f"max_epochs={epochs}"), "generic")
    assert len(only(events, RunEnd)) == ends


@pytest.mark.parametrize("name", ["{} INFO: ", "INFO:ignite.engine.engine.Supervised{}:"])
def test_an_engine_that_says_that_it_resumes_before_its_first_epoch(name: str) -> None:
    """MONAI's workflows set the number of epochs before they run their engines."""
    text = log(name=name, ends="finished.").replace(
        "Engine run starting with max_epochs=8.",
        "Engine run resuming from iteration 0, epoch 0 until 8 epochs",
    )
    assert figures(text) == (0.68, 8, 8, 896)
    assert sorted({end.epoch or 0 for end in epoch_ends(read(text, "generic"))}) == [*range(1, 9)]


def test_a_run_that_begins_again_after_one_that_an_exception_ended() -> None:
    begun = "".join(log().splitlines(keepends=True)[: 1 + 2 * 7])  # two epochs
    failed = "ERROR: Engine run is terminating due to exception: CUDA error\n"
    ends = [
        end.epoch for end in epoch_ends(read(begun + failed + log(), "generic")) if end.epoch_time
    ]
    assert ends == [1, 2, *range(1, 9)]


def test_the_evaluator_in_a_log_without_its_head_is_not_the_trainer() -> None:
    """MONAI's evaluator begins at the trainer's epoch: `epoch 1 until 2 epochs` is one epoch."""
    text = ""
    for epoch in (2, 3, 4):
        text += f"trainer INFO: Epoch: {epoch}/4, Iter: 3/3 -- train_loss: 0.5{epoch}\n"
        text += f"evaluator INFO: Engine run resuming from iteration 0, epoch {epoch - 1} until "
        text += f"{epoch} epochs\n"
        text += f"evaluator INFO: Epoch[{epoch}] Complete. Time taken: 00:00:02.100\n"
        text += "evaluator INFO: Engine run complete. Time taken: 00:00:02.200\n"
        text += f"trainer INFO: Epoch[{epoch}] Complete. Time taken: 00:00:10.500\n"
    card = scored(text)
    assert card["run_end"]["run_time_s"] is None
    assert card["dimensions"]["speed"]["value"] is None
