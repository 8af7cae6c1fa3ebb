"""TensorFlow's Estimator."""

from __future__ import annotations

from sixdim.parsers.events import Iteration, RunEnd, Scope
from tests.support.logs import detected, only, read, scored

LINES = (
    "INFO:tensorflow:global_step/sec: 12.5\n"
    "INFO:tensorflow:loss = 2.{n}, step = {step} ({seconds:.3f} sec)\n"
)


def test_a_run() -> None:
    text = "INFO:tensorflow:loss = 2.31, step = 0\n"
    text += "".join(LINES.format(n=n, step=100 * n, seconds=8.0) for n in range(1, 4))
    text += (
        "INFO:tensorflow:Saving dict for global step 300: accuracy = 0.9712, global_step = 300, "
        "loss = 0.1\nINFO:tensorflow:Loss for final step: 0.12.\n"
    )
    assert detected(text) == "tf-estimator"
    events = read(text, "tf-estimator")
    assert [(i.step, i.duration) for i in only(events, Iteration)] == [
        (0, None),
        (100, 0.08),
        (200, 0.08),
        (300, 0.08),
    ]
    assert len(only(events, RunEnd)) == 1
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("accuracy", 0.9712)


def test_examples_per_second_of_a_tpu() -> None:
    text = "INFO:tensorflow:examples/sec: 38.5\nINFO:tensorflow:loss = 2.5, step = 100 (8.0 sec)\n"
    (iteration,) = only(read(text, "tf-estimator"), Iteration)
    assert (iteration.throughput, iteration.unit) == (38.5, "samples/s")
    assert iteration.scope is Scope.JOB


def test_the_steps_around_an_evaluation_have_no_speed() -> None:
    """`train_and_evaluate` evaluates after a checkpoint, while the timers of the steps run on."""
    head = "INFO:tensorflow:loss = 2.5, step = 0\n"
    evaluated = (
        "INFO:tensorflow:Starting evaluation at 2019-03-01-10:00:00\n"
        "INFO:tensorflow:Finished evaluation at 2019-03-01-10:01:00\n"
        "INFO:tensorflow:Saving dict for global step 500: accuracy = 0.9, global_step = 500, "
        "loss = 0.3\n"
    )
    text = head + "".join(
        (evaluated if step == 600 else "")
        + LINES.format(n=step // 100, step=step, seconds=70.0 if step == 600 else 10.0)
        for step in range(100, 1100, 100)
    )
    text += "INFO:tensorflow:Loss for final step: 0.12.\n"
    slow = [i.duration for i in only(read(text, "tf-estimator"), Iteration) if i.step == 600]
    assert slow == [None]
    assert scored(text)["dimensions"]["speed"]["value"] == 10.0  # 100 steps in 10 s


def test_examples_per_second_without_losses() -> None:
    """A TPUEstimator on a GPU logs its speed alone."""
    pair = "INFO:tensorflow:global_step/sec: {:.2f}\nINFO:tensorflow:examples/sec: {:.1f}\n"
    text = pair.format(0.5, 16) + pair.format(2.5, 80) * 9
    text += "INFO:tensorflow:Finished evaluation at 2019-03-01-10:01:00\n" + pair.format(1, 32)
    text += "INFO:tensorflow:Loss for final step: 0.12.\n"
    rates = [i.throughput for i in only(read(text, "tf-estimator"), Iteration)]
    assert rates == [80.0] * 9 + [None]
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (80.0, "samples/s")


def test_a_rate_behind_the_loss_of_its_steps() -> None:
    """On a TPU, the rate of the steps until a loss follows it: the next one spans an evaluation."""
    text = "INFO:tensorflow:loss = 2.5, step = 1000\n"
    for step in range(2000, 14000, 1000):
        evaluates = step in (5000, 9000)
        if evaluates:
            text += "INFO:tensorflow:Finished evaluation at 2019-03-01-10:01:00\n"
        seconds = 70.0 if evaluates else 10.0  # 8 samples in a step
        text += f"INFO:tensorflow:loss = 2.5, step = {step} ({seconds:.3f} sec)\n"
        text += f"INFO:tensorflow:examples/sec: {8 * 1000 / seconds:g}\n"
    iterations = only(read(text, "tf-estimator"), Iteration)
    rates = {i.step: i.throughput for i in iterations}
    assert [rates[step] for step in (4000, 5000, 6000, 7000)] == [800.0, 800.0, None, 800.0]
    assert {i.step: i.duration for i in iterations}[5000] is None
    assert scored(text)["dimensions"]["speed"]["value"] == 800.0


def test_the_step_before_the_loss() -> None:
    """Before TensorFlow 1.4 the figures stand in the order of a set."""
    text = "INFO:tensorflow:step = 1, loss = 2.5\n"
    text += "".join(
        f"INFO:tensorflow:step = {step}, loss = 2.1 (10.000 sec)\n"
        for step in range(101, 1201, 100)
    )
    assert [i.loss for i in only(read(text, "tf-estimator"), Iteration)] == [2.5] + [2.1] * 11
    assert scored(text)["dimensions"]["speed"]["value"] == 10.0


def test_scores_of_t5() -> None:
    text = "INFO:tensorflow:loss = 2.5, step = 0\n" + "".join(
        f"INFO:tensorflow:loss = 2.1, step = {step} (10.000 sec)\n"
        f"INFO:tensorflow:eval/super_glue_boolq_v102/accuracy at step {step}: {step / 20:.3f}\n"
        for step in (1000, 1100)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("accuracy", 55.0)
