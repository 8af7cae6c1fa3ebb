"""nanochat: training, evaluations over many tasks, and several trainings in one file."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration, Scope
from tests.support.logs import detected, only, read, scored


def step(number: int, milliseconds: float, tokens: str, mfu: str = "bf16_mfu") -> str:
    return (
        f"step {number:05}/00004 (25.00%) | loss: 10.397252 | lrm: 0.01 | dt: {milliseconds}ms | "
        f"tok/sec: {tokens} | {mfu}: 45.01 | epoch: 1 | total time: 0.23m | eta: 2.4m\n"
    )


HEADER = (
    "COMPUTE_DTYPE: torch.bfloat16 (auto-detected: CUDA)\n"
    "Using user-provided number of iterations: 4\n"
    "Tokens / micro-batch / rank: 4 x 256 = 1,024\n"
)
BASE = (
    HEADER
    + "Step 00000 | Validation bpb: 3.25\n"
    + step(0, 4000.0, "2,048")
    + step(1, 1000.0, "8,192")
    + step(2, 2000.0, "4,096")
    + step(3, 1000.0, "8,192")
    + "Step 00004 | Validation bpb: 2.5\n"
)
TASKS = (
    "Evaluating: hellaswag (10-shot, type: multiple_choice)... accuracy: 0.2340 | centered: "
    "-0.0213 | time: 175.57s\n"
    "Evaluating: jeopardy (10-shot, type: language_modeling)... accuracy: 0.0000 | centered: "
    "0.0000 | time: 24.54s\n"
)
CORE = "Step 00004 | CORE metric: 0.1875\n"
END = "Peak memory usage: 1024.00MiB\nTotal training time: 0.07m\nMinimum validation bpb: 2.5\n"


@pytest.mark.parametrize("mfu", ["bf16_mfu", "mfu"])
def test_the_tokens_of_all_processes(mfu: str) -> None:
    text = BASE.replace("bf16_mfu", mfu)
    assert detected(text) == "nanochat"
    first = only(read(text, "nanochat"), Iteration)[0]
    assert (first.step, first.steps, first.throughput, first.duration) == (0, 4, 2048, 4.0)
    assert (first.unit, first.scope) == ("tokens/s", Scope.JOB)
    # The highest and the lowest of four iterations are left out.
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx((4096 + 8192) / 2)


def test_a_tasks_accuracy_is_not_the_models() -> None:
    """Before CORE, the bits a byte are what was evaluated; fewer are better."""
    for text, expected in (
        (BASE + TASKS, ("bpb", 2.5, 2.5)),
        (BASE + TASKS + CORE + END, ("core", 0.1875, 0.1875)),
    ):
        accuracy = scored(text)["dimensions"]["accuracy"]
        assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == expected
    assert scored(BASE)["status"] == "incomplete"
    assert scored(BASE + TASKS + CORE + END)["status"] == "finished"


def test_a_fine_tuning_after_it_is_another_run() -> None:
    tuning = HEADER + "".join(
        f"step {n:05} (0.10%) | loss: 2.5 | lrm: 1.00 | dt: 500.00ms | tok/sec: 16,384 | "
        f"mfu: 40.00 | epoch: 1 | total time: 0.01m\n"
        for n in range(1, 4)
    )
    card = scored(BASE + END + tuning)
    assert [w["text"] for w in card["warnings"]][-1:] == ["the log holds 2 runs; this is run 2"]
    assert card["dimensions"]["speed"]["value"] == 16384
