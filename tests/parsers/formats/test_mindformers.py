"""MindFormers: a step and its speed, in two lines."""

from __future__ import annotations

from sixdim.parsers.events import Iteration, Scope
from tests.support.logs import detected, facts, only, read, scored

STEP = (
    "{{ Epoch:[{e:>3}/{of:>3}], step:[{s:>5}/{steps:>5}], loss: 10.{s:03}, "
    "per_step_time: 3000ms, lr: 1e-05, overflow cond: False, loss_scale: 65536.0\n"
)
SPEED = "  {p}% |█████               | {rate} samples/s/p  0:12:00 }}\n"


def test_two_lines_are_one_step() -> None:
    text = "".join(
        STEP.format(e=e, of=2, s=s, steps=20) + SPEED.format(p=s * 5.0, rate=20.5)
        for e in (1, 2)
        for s in (10, 20)
    )
    assert detected(text) == "mindformers"
    events = read(text, "mindformers")
    assert facts(events) == {"epochs_planned": 2}
    first = only(events, Iteration)[0]
    assert (first.epoch, first.step, first.steps, first.loss) == (1, 10, 20, 10.01)
    assert (first.throughput, first.scope, first.duration) == (20.5, Scope.DEVICE, 3.0)
    card = scored(text)
    assert card["run"]["epochs"] == 2
    assert (card["dimensions"]["speed"]["value"], card["dimensions"]["speed"]["scope"]) == (
        20.5,
        "per device",
    )


def test_a_step_without_its_speed() -> None:
    text = STEP.format(e=1, of=2, s=10, steps=20) * 2
    assert [(i.duration, i.throughput) for i in only(read(text, "mindformers"), Iteration)] == [
        (3.0, None),
        (3.0, None),
    ]


def test_steps_that_name_no_epoch() -> None:
    text = "".join(
        f"{{ step:[{n:5}/   20], loss: {11 - n / 10:10.6f}, per_step_time: {500:6}ms, "
        "lr: 1.000000e-05, grad_norm:  13.831877, throughput:  25.92T }\n"
        for n in range(1, 13)
    )
    assert detected(text) == "mindformers"
    events = read(text, "mindformers")
    assert facts(events) == {"steps_planned": 20}
    steps = only(events, Iteration)
    assert [(i.epoch, i.step, i.duration) for i in steps] == [(None, n, 0.5) for n in range(1, 13)]
    assert steps[0].loss == 10.9
    assert scored(text)["dimensions"]["speed"]["value"] == 2


def test_a_loss_and_its_mean() -> None:
    """Without data sinking, the loss of the step stands in front of the mean of the epoch."""
    text = "".join(
        STEP.format(e=1, of=2, s=s, steps=20)
        .replace("loss: 10.", "loss:[10.")
        .replace(", per_step", "/10.500], per_step")
        for s in (10, 20)
    )
    assert detected(text) == "mindformers"
    losses = [(i.step, i.loss, i.duration) for i in only(read(text, "mindformers"), Iteration)]
    assert losses == [(10, 10.01, 3.0), (20, 10.02, 3.0)]


def test_numbers_that_fill_their_columns() -> None:
    """`step:[    1/15000]`, and from epoch 100 on, have no blank in front of a number."""
    text = "".join(
        STEP.format(e=e, of=100, s=s, steps=15000) + SPEED.format(p=50.0, rate=20.5)
        for e in (99, 100)
        for s in (1, 7500, 15000)
    )
    assert detected(text) == "mindformers"
    steps = only(read(text, "mindformers"), Iteration)
    assert [(i.epoch, i.step, i.steps) for i in steps] == [
        (e, s, 15000) for e in (99, 100) for s in (1, 7500, 15000)
    ]
    card = scored(text)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 100)
    assert card["dimensions"]["speed"]["value"] == 20.5


def test_the_evaluation_of_an_epoch() -> None:
    """MindSpore prints it; the log is said to hold no lines of another format."""
    text = "".join(
        STEP.format(e=e, of=3, s=20, steps=20)
        + SPEED.format(p=100.0, rate=20.5)
        + f"Eval result: epoch {e}, metrics: {{'Accuracy': 0.8{e}}}\n"
        for e in (1, 2, 3)
    )
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["format"], accuracy["value"], accuracy["epoch"]) == ("mindformers", 0.83, 3)
    assert not [one for one in card["warnings"] if "mindspore" in one["text"]]
