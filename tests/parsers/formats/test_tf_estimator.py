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
