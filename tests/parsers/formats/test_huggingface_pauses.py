"""A bar that goes on after an evaluation: its pace is a moving mean, which holds the pause."""

from __future__ import annotations

from collections.abc import Iterator
from math import sin

import pytest

from tests.support.logs import scored

SECONDS = 0.05
HEADER = """\
11/24/2026 10:00:00 - INFO - __main__ - ***** Running training *****
11/24/2026 10:00:00 - INFO - __main__ -   Num examples = 320
11/24/2026 10:00:00 - INFO - __main__ -   Num Epochs = 8
11/24/2026 10:00:00 - INFO - __main__ -   Total train batch size (w. parallel, distributed & accumulation) = 8
11/24/2026 10:00:00 - INFO - __main__ -   Total optimization steps = 320
"""
LOGGED = "11/24/2026 10:00:09 - INFO - __main__ - epoch {n}: perplexity: {p} eval_loss: {loss}\n"
REPORTED = "{{'eval_loss': '{loss}', 'eval_runtime': '1.0', 'epoch': '{one}'}}\n"


def drawings(
    pause: float,
    evaluation: str,
    *,
    smoothing: float = 0.3,
    later: float = SECONDS,
    redrawn: bool = False,
) -> Iterator[str]:
    """A bar of 8 epochs of 40 steps as tqdm draws it, with an evaluation after each epoch.

    A step of the second half of an epoch takes `later` seconds.
    """
    elapsed, mean, weight = 0.0, 0.0, 0.0
    for step in range(2, 321, 2):
        passed = 2 * (later if (step - 1) % 40 > 20 else SECONDS) * (1 + 0.03 * sin(step))
        passed += pause if step % 40 == 2 and step > 2 else 0
        elapsed += passed
        mean = smoothing * passed / 2 + (1 - smoothing) * mean
        weight = smoothing + (1 - smoothing) * weight
        pace = mean / weight
        clock = f"{int(elapsed) // 60:02}:{int(elapsed) % 60:02}"
        shown = f"{pace:5.2f}s/it" if pace > 1 else f"{1 / pace:5.2f}it/s"
        yield f"\r{step * 100 // 320:3d}%|###       | {step}/320 [{clock}<00:09, {shown}]"
        if redrawn and step % 10 == 4:  # a line is written above the bar
            yield f"\r{step * 100 // 320:3d}%|###       | {step + 1}/320 [{clock}<00:09, {shown}]"
        if step % 40 == 0:
            n = step // 40
            yield evaluation.format(n=n - 1, one=float(n), p=80 + n, loss=4 + n / 8)


@pytest.mark.parametrize("evaluation", [LOGGED, REPORTED])
@pytest.mark.parametrize("pause", [0.0, 0.02, 0.5, 5.0])
def test_an_evaluation_is_no_part_of_the_speed(evaluation: str, pause: float) -> None:
    card = scored(HEADER + "".join(drawings(pause, evaluation)))
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert card["run"]["format"] == "huggingface"
    assert speed["value"] == pytest.approx(8 / SECONDS, rel=0.05)
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("loss", 5.0, 4.125)


@pytest.mark.parametrize(
    ("evaluation", "metric"),
    [
        ("11/24/2026 10:00:09 - INFO - __main__ - {{'bleu': {p}.25}}\n", "bleu"),
        ("11/24/2026 10:00:09 - INFO - __main__ - epoch {n}: perplexity: {p}.25\n", "perplexity"),
        ("11/24/2026 10:00:09 - INFO - __main__ - {{'rouge1': {p}.25, 'rouge2': 1}}\n", None),
    ],
)
def test_the_examples_without_a_trainer_print_scores_alone(
    evaluation: str, metric: str | None
) -> None:
    card = scored(HEADER + "".join(drawings(0.5, evaluation)))
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert speed["value"] == pytest.approx(8 / SECONDS, rel=0.05)
    assert (accuracy.get("metric"), accuracy["value"]) == (metric, metric and 88.25)


@pytest.mark.parametrize("redrawn", [False, True])
@pytest.mark.parametrize("pause", [0.5, 5.0, 60.0])
def test_the_steps_after_an_evaluation_count_as_those_before_the_next_one(
    pause: float, redrawn: bool
) -> None:
    """19 of 20 steps of 0.05 s, as one drawing holds the evaluation, and 20 steps of 0.08 s."""
    card = scored(HEADER + "".join(drawings(pause, LOGGED, later=0.08, redrawn=redrawn)))
    mean = (18 * SECONDS + 20 * 0.08) / 38
    assert card["dimensions"]["speed"]["value"] == pytest.approx(8 / mean, rel=0.03)


@pytest.mark.parametrize("smoothing", [0.6, 1.0])
def test_a_faster_moving_mean_is_used_as_it_is(smoothing: float) -> None:
    """Times computed as those of tqdm's usual mean do not add up to what the bar says passed."""
    card = scored(HEADER + "".join(drawings(5.0, LOGGED, smoothing=smoothing)))
    assert card["dimensions"]["speed"]["value"] == pytest.approx(8 / SECONDS, rel=0.01)
