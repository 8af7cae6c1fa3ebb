"""NeMo-RL: a block of results, times and throughputs for each step."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

RULE = "=" * 25


def step(n: int, seconds: float, *, validated: float | None = None, fast: bool = True) -> str:
    """A step of 80,000 tokens on 8 GPUs; a validation takes 40 s of its time."""
    validation = (
        f"▶ Starting validation at step {n}...\n📊 Validation Results:\n    • Accuracy: {validated}\n"
        "  ⏱️  Validation Timing:\n    • Total validation time: 40.00s\n"
    )
    throughputs = (
        "  • Throughputs (per GPU):\n"
        f"    - E2E (Samples/sec/gpu): 0.25\n    - E2E (Tokens/sec/gpu): {10_000 / seconds:.4f}\n"
        "    - Policy Training (Tokens/sec/gpu): 4000.00\n"
        "    - Generation Worker Group (Tokens/sec/gpu): 3000.00\n"
        "  • Throughputs (per Group):\n"
        f"    - E2E (Samples/sec): 2.00\n    - E2E (Tokens/sec): {80_000 / seconds:.4f}\n"
    )
    return (
        f"\n{RULE} Step {n}/100 {RULE}\n▶ Preparing batch...\n"
        + (validation if validated is not None else "")
        + f"\n📊 Training Results:\n  • Loss: {0.5 / n:.4f}\n  • Avg Reward: {0.01 * n:.4f}\n"
        f"\n⏱️  Timing:\n  • Total step time: {seconds:.2f}s\n  • generation: 9.00s (45.0%)\n"
        + (throughputs if fast else "")
    )


def test_the_throughput_is_that_of_whole_steps_without_their_validation() -> None:
    """20 s a step: 10,000 tokens on each GPU in 20 s."""
    text = "".join(
        step(n, 60.0 if n % 3 == 0 else 20.0, validated=0.0625 * n if n % 3 == 0 else None)
        for n in range(1, 9)
    )
    assert detected(text) == "nemo-rl"
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"], speed["scope"]) == (
        pytest.approx(500, rel=0.001),
        "tokens/s",
        "per device",
    )
    assert (accuracy["metric"], accuracy["value"]) == ("accuracy", 0.375)


def test_fine_tuning_prints_the_time_alone() -> None:
    text = "".join(step(n, 20.0, fast=False) for n in range(1, 9))
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(0.05), "it/s")
    cut = scored(text[: text.rindex("• Total step time")])["dimensions"]["speed"]
    assert cut["value"] == pytest.approx(0.05)


def test_the_reward_of_training_is_no_evaluation() -> None:
    text = "".join(step(n, 20.0) for n in range(1, 9))
    assert scored(text)["dimensions"]["accuracy"]["value"] is None
