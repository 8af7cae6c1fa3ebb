"""verl: a line a step, whose keys are joined by hyphens."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Scope
from tests.support.logs import detected, only, read, scored


def step(n: int, **more: object) -> str:
    pairs = {
        "actor/pg_loss": f"np.float64({0.5 / n})",
        "actor/ppo_kl": "np.float64(-7.0220722684954286e-06)",
        "response_length/mean": 1010.3,
        "num_turns/min": "np.int32(2)",
        "timing_s/step": 40.0 + n,
        "perf/time_per_step": 40.0 + n,
        "perf/throughput": 100.0 * n,
        **{key.replace("__", "/"): value for key, value in more.items()},
    }
    return f"step:{n} - " + " - ".join(f"{key}:{value}" for key, value in pairs.items()) + "\n"


def test_a_run() -> None:
    validated = "step:0 - val-core/openai/gsm8k/acc/mean@1:0.25 - val-aux/openai/acc/std@4:0.1\n"
    text = (
        validated
        + step(1)
        + step(2)
        + step(3, val__x=1).replace("val/x:1", "val-core/openai/gsm8k/acc/mean@1:np.float64(0.75)")
    )
    assert detected(text) == "verl"
    events = read(text, "verl")
    steps = [(i.step, i.loss, i.duration, i.throughput) for i in only(events, Iteration)]
    assert steps == [(n, 0.5 / n, 40.0 + n, 100.0 * n) for n in (1, 2, 3)]
    assert {(i.unit, i.scope) for i in only(events, Iteration)} == {("tokens/s", Scope.DEVICE)}
    assert [(e.step, e.metrics[0].value) for e in only(events, Evaluation)] == [
        (0, 0.25),
        (3, 0.75),
    ]
    dimensions = scored(text)["dimensions"]
    assert (dimensions["accuracy"]["value"], dimensions["accuracy"]["best"]) == (0.75, 0.75)
    # 200·42 + 300·43 tokens in 42 + 43 s; the first step counts for nothing
    assert dimensions["speed"]["value"] == pytest.approx(21_300 / 85)


def test_a_reward_per_set_of_problems_is_the_accuracy() -> None:
    """Where a set has an accuracy, too, that one is."""
    key = "val-core/openai/gsm8k/reward/mean@1"
    text = "".join(step(n) for n in range(1, 6)) + step(6, val__x=0.75).replace("val/x", key)
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("val-core/openai/gsm8k/reward", 0.75)
    both = text.rstrip() + " - val-core/openai/gsm8k/acc/mean@1:0.5\n"
    accuracy = scored(both)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("val-core/openai/gsm8k/acc", 0.5)


def test_the_spread_of_several_answers_is_no_figure_of_its_own() -> None:
    line = "step:0 - val-aux/aime/reward/mean@4:-0.5 - val-aux/aime/reward/best@2/mean:0.5\n"
    (evaluation,) = only(read(line, "verl"), Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [("val-aux/aime/reward", -0.5)]


def test_fine_tuning_ends_with_its_last_validation() -> None:
    line = "step:{} - train/loss:0.5 - train/lr(1e-3):0.01 - train/time(s):{}\n"
    text = "".join(line.format(n, 4.0) for n in range(1, 9)) + "step:8 - val/loss:0.25\n"
    card = scored(text)
    assert card["status"] == "incomplete"
    assert card["dimensions"]["speed"]["value"] == pytest.approx(0.25)  # 1 step in 4 s
    ended = scored(text + "Final validation metrics: {'val/loss': 0.25}\n")
    assert (ended["status"], ended["dimensions"]["accuracy"]["value"]) == ("finished", 0.25)


@pytest.mark.parametrize(
    "closing",
    [
        "'Final validation metrics: None'",
        "\"Final validation metrics: {'val-core/gsm8k/acc/mean@1': 0.75}\"",
        "(\"Final validation metrics: {'val-core/gsm8k/reward/mean@1': \"\n 'np.float64(0.75)}')",
    ],
)
def test_reinforcement_learning_ends_with_its_last_validation(closing: str) -> None:
    """As `pprint` writes the text: in quotes, and a long one in brackets, over several lines."""
    text = step(1) + step(2)
    assert scored(text)["status"] == "incomplete"
    card = scored(text + closing + "\n")
    assert (card["status"], card["warnings"]) == ("finished", [])


def test_the_time_of_a_validation_is_none_of_training() -> None:
    """40 s of training at 90 tokens/s, and 20 s of a validation, which older versions include."""
    parts = {"timing_s__gen": 25.0, "timing_s__update_actor": 14.0, "timing_s__testing": 20.0}

    def line(seconds: float, rate: float) -> str:
        pairs = {
            "timing_s__step": seconds,
            "perf__time_per_step": seconds,
            "perf__throughput": rate,
        }
        return step(1, **parts, **pairs)

    for text in (line(60.0, 60.0), line(40.0, 90.0)):
        (iteration,) = only(read(text, "verl"), Iteration)
        assert (iteration.duration, iteration.throughput) == (40.0, 90.0)
