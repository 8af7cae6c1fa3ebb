"""A loop of one's own below the headers that a library prints."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

HEADERS = (
    "05/16/2022 11:22:55 - INFO - __main__ -   ***** Running training *****\n"
    "05/16/2022 11:22:55 - INFO - __main__ -     Num examples = 28457\n"
    "05/16/2022 11:22:55 - INFO - __main__ -     Num Epochs = 10\n"
    "05/16/2022 11:22:55 - INFO - __main__ -     Gradient Accumulation steps = 1\n"
    "05/16/2022 11:22:55 - INFO - __main__ -     Total optimization steps = 4450\n"
    "05/16/2022 11:22:55 - INFO - __main__ -   ***** Running Evaluation *****\n"
    "05/16/2022 11:22:55 - INFO - __main__ -   ***** Running Prediction *****\n"
    "Process rank: 0, device: cuda, n_gpu: 1, distributed training: False\n"
)


def own(epochs: int) -> str:
    return "".join(f"epoch {n} loss 0.{99 - n} val acc 0.{10 + n}\n" for n in range(1, epochs + 1))


@pytest.mark.parametrize("epochs", [20, 80])
def test_the_lines_of_the_loop_say_what_reads_it(epochs: int) -> None:
    assert detected(HEADERS) == "huggingface"
    assert detected(HEADERS + own(epochs)) == "generic"
    assert scored(HEADERS + own(epochs))["dimensions"]["accuracy"]["value"] == (10 + epochs) / 100


def test_a_report_of_the_library_says_that_it_trains() -> None:
    report = "{'loss': 1.5524, 'learning_rate': 0.0001, 'epoch': 0.01}\n"
    assert detected(HEADERS + report * 20 + own(20)) == "huggingface"


def test_the_header_of_a_table_is_enough() -> None:
    table = "epoch\thours\ttop1Accuracy\ttop5Accuracy\n"
    table += "".join(f"{n}\t{n / 10}\t{n}.5\t{n + 9}.5\n" for n in range(1, 31))
    assert detected(table) == "dawnbench"


@pytest.mark.parametrize(
    "said", ["Training completed", "End of training", "Total training time: 3.25m"]
)
def test_a_text_that_speaks_of_a_finished_training_is_no_log(said: str) -> None:
    """A weekly report, or notes, may have a line that some trainer ends with."""
    notes = f"Priority 1: the large model\n{said}\nPriority 2: the base model\nIn progress\n"
    assert not detected(notes)
