"""AllenNLP: the table of an epoch, and bars that do not say whether they train."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation
from tests.support.logs import detected, epoch_ends, iterations, read, scored, scores_by_epoch

PREFIX = "2026-03-01 10:00:00,000 - INFO - allennlp.training."


def bar(batch: int, batches: int, seconds: int, loss: float, accuracy: float) -> str:
    pace = f"{batch / seconds:.2f}it/s"
    drawn = (
        f"{100 * batch // batches:3}%|###       | {batch}/{batches} [00:{seconds:02}<00:09, {pace}]"
    )
    return f"accuracy: {accuracy:.4f}, loss: {loss:.4f} ||: {drawn}"


def bars(epochs: int) -> str:
    """The bars on stderr: 40 batches at 2 a second train, 8 validate at 8 a second."""
    lines = []
    for epoch in range(epochs):
        lines += [bar(20, 40, 10, 0.75, 0.5), bar(40, 40, 20, 0.5, 0.625)]
        lines += [bar(4, 8, 1, 0.25, 0.9), bar(8, 8, 1, 0.5, 0.75 + epoch / 8)]
    return "\n".join(lines) + "\n"


def epoch_lines(epoch: int, accuracy: float) -> list[str]:
    return [
        f"{PREFIX}trainer - Epoch {epoch}/2",
        f"{PREFIX}trainer - Training",
        f"{PREFIX}trainer - Validating",
        f"{PREFIX}tensorboard_writer -                Training |  Validation",
        f"{PREFIX}tensorboard_writer - loss          |     0.500  |     0.625",
        f"{PREFIX}tensorboard_writer - accuracy      |     0.875  |     {accuracy:.3f}",
        f"{PREFIX}tensorboard_writer - cpu_memory_MB |  1580.612  |       N/A",
        f"{PREFIX}trainer - Epoch duration: 0:01:30.500000",
    ]


CONSOLE = [f"{PREFIX}trainer - Beginning training.", *epoch_lines(0, 0.75), *epoch_lines(1, 0.5)]


def test_the_table_has_the_figures_of_the_training_and_of_the_validation() -> None:
    text = "\n".join([*CONSOLE, ""])
    assert detected(text) == "allennlp"
    events = read(text, "allennlp")
    ends = epoch_ends(events)
    assert [(end.epoch, end.epoch_time, end.train_time) for end in ends] == [
        (0, 90.5, None),
        (1, 90.5, None),
    ]
    assert [(one.name, one.value) for one in ends[0].values][:2] == [
        ("loss", 0.5),
        ("accuracy", 0.875),
    ]
    assert scores_by_epoch(events) == [
        (0, {"loss": (0.625, ""), "accuracy": (0.75, "")}),
        (1, {"loss": (0.625, ""), "accuracy": (0.5, "")}),
    ]


@pytest.mark.parametrize(
    "end", ["Ran out of patience.  Stopping training.", "loading best weights"]
)
def test_the_run_has_as_many_epochs_as_the_header_says_and_one_more(end: str) -> None:
    run = scored("\n".join([*CONSOLE, ""]))["run"]
    assert (run["epochs"], run["epochs_planned"]) == (2, 3)
    assert scored("\n".join([*CONSOLE, f"{PREFIX}trainer - {end}", ""]))["status"] == "finished"


def test_the_shorter_of_two_kinds_of_bars_validates_and_the_speed_is_that_of_the_other() -> None:
    text = bars(2)
    assert detected(text) == "allennlp"
    found = iterations(read(text, "allennlp"))
    assert [(one.epoch, one.step, one.loss) for one in found] == [
        (0, 20, 0.75),
        (0, 40, 0.5),
        (1, 20, 0.75),
        (1, 40, 0.5),
    ]
    scores = scores_by_epoch(read(text, "allennlp"))
    assert [(epoch, found["accuracy"][0]) for epoch, found in scores] == [(0, 0.75), (1, 0.875)]
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(2.0)
    assert card["run"]["epochs"] == 2
    assert card["dimensions"]["accuracy"]["value"] == 0.875


def test_without_a_validation_an_epoch_begins_where_a_bar_begins_again() -> None:
    """Four drawings of each of two bars; nothing else says that there are two epochs."""
    lines = [bar(step, 40, step // 2, 0.5, 0.5) for _ in (0, 1) for step in (10, 20, 30, 40)]
    found = iterations(read("\n".join([*lines, ""]), "allennlp"))
    assert [one.epoch for one in found] == [0] * 4 + [1] * 4


def test_epochs_from_1_have_no_plan() -> None:
    """`Epoch 1/2` of the first versions may be the last of them, or the one before."""
    lines = [line for epoch in (1, 2) for line in epoch_lines(epoch, 0.75)]
    run = scored("\n".join([CONSOLE[0], *lines, ""]))["run"]
    assert (run["epochs"], run.get("epochs_planned")) == (2, None)


def test_a_row_without_a_table_is_no_figure() -> None:
    (_, _, _, head, *rows, end) = epoch_lines(0, 0.75)
    assert scores_by_epoch(read("\n".join([*rows, end, ""]), "allennlp")) == []
    assert len(scores_by_epoch(read("\n".join([head, *rows, end, ""]), "allennlp"))) == 1


def test_a_phase_that_stands_after_an_empty_bar_is_that_of_the_bars_length() -> None:
    lines = []
    for epoch in (0, 1):
        header, _, validating, *table = epoch_lines(epoch, 0.75)
        drawn = bars(1).splitlines()
        empty = f"  0%|          | 0/40 [00:00<?, ?it/s]{PREFIX}trainer - Training"
        lines += [header, empty, *drawn[:2], validating, *drawn[2:], *table]
    events = read("\n".join([*lines, ""]), "allennlp")
    assert [(one.epoch, one.step) for one in iterations(events)] == [
        (0, 20),
        (0, 40),
        (1, 20),
        (1, 40),
    ]
    assert [epoch for epoch, _ in scores_by_epoch(events)] == [0, 1]


def test_a_table_without_end_gives_only_its_first_rows() -> None:
    rows = [f"{PREFIX}tensorboard_writer - x_{n} | 0.5 | 0.25" for n in range(10_000)]
    lines = epoch_lines(0, 0.75)
    text = "\n".join([*lines[:5], *rows, *lines[5:]]) + "\n"
    (evaluation,) = [e for e in read(text, "allennlp") if isinstance(e, Evaluation)]
    assert len(evaluation.metrics) == 64


def test_a_table_of_three_columns_is_not_enough() -> None:
    """Statistics of a person re-identification data set: none of AllenNLP's lines is among them."""
    text = "subset | # ids | # tracklets\nquery | 5 | 5\ngallery | 5 | 5\ntrain | 150 | 300\n"
    assert detected(text) != "allennlp"
