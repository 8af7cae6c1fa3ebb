"""When the last epoch of a log is over, if it has an evaluation inside."""

from __future__ import annotations

import pytest

from sixdim.metrics.fold.runs.run import Run
from sixdim.parsers.events import Evaluation
from tests.support.logs import epoch_ends, iterations, only, scored
from tests.support.logs import read as events

TRAINED = "2024-05-01 10:{m:02}:{s:02} epoch {e} step {n}, loss: 0.{n}\n"
TESTED = "2024-05-01 10:{m:02}:{s:02} epoch {e} validation accuracy: 0.{n}\n"


def epoch(e: int, *steps: int, tested: int) -> str:
    """Lines of training at these steps; the evaluation stands after the step `tested`."""
    text = ""
    for n in steps:
        text += TRAINED.format(m=e, s=n // 10, e=e, n=n)
        if n == tested:
            text += TESTED.format(m=e, s=n // 10 + 1, e=e, n=n)
    return text


@pytest.mark.parametrize(
    ("last", "epochs"),
    [
        (epoch(3, 100, 200, tested=200), 3),  # nothing follows the evaluation
        (epoch(3, 100, 200, 300, tested=200), 2),  # it was one inside the epoch
        (epoch(3, 100, 200, 300, 400, tested=200), 3),  # as long as those before
        (epoch(3, 100, 200, 300, tested=200) + epoch(4, 100, tested=0), 3),
        (epoch(3, 100, 200, 300, tested=200) + TESTED.format(m=3, s=59, e=3, n=9), 3),
    ],
)
def test_steps_after_an_evaluation_show_that_the_epoch_goes_on(last: str, epochs: int) -> None:
    text = "".join(epoch(e, 100, 200, 300, 400, tested=400) for e in (1, 2)) + last
    assert scored(text)["run_end"]["epochs"] == epochs


def test_a_closing_line_ends_the_epoch_whatever_stands_after_its_evaluation() -> None:
    text = epoch(1, 100, 200, 300, tested=200) + epoch(2, 100, 200, 300, tested=200)
    assert scored(text + "Training complete in 4m 10s\n")["run_end"]["epochs"] == 2


def labels_of(text: str) -> list[int]:
    run = Run()
    for event in events(text, "generic"):
        run.apply(event)
    return [*run.epochs]


@pytest.mark.parametrize("begins", [0, 1, 5])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "step 100/200 loss 0.5\nstep 200/200 loss 0.4\n",
            "Epoch {n} finished, loss 0.3, took 9 s\n",
        ),
        ("iter 0, loss 0.5\niter 100, loss 0.4\n", "Epoch {n} done in 9.5s\nAccuracy: 0.7{n}\n"),
        ("step 100/200 loss 0.5\nstep 200/200 loss 0.4\n", "Epoch {n}: loss 0.4, val acc 0.7{n}\n"),
    ],
)
def test_steps_in_front_of_the_first_name_are_of_the_epoch_named(
    before: str, after: str, begins: int
) -> None:
    labels = [begins, begins + 1, begins + 2, begins + 3]
    text = "".join(before + after.replace("{n}", f"{n}") for n in labels)
    card = scored(text)
    assert (card["run"]["epochs"], [w["kind"] for w in card["warnings"]]) == (4, ["incomplete"])
    assert labels_of(text) == labels


def test_a_number_of_a_clock_is_no_epoch() -> None:
    lines = ["--- training: 400 epochs (17:56:47) ---", "loss=1.5", "loss=1.25", ""]
    assert labels_of("\n".join(lines)) == [0]


def test_a_resumed_run_has_the_plan_of_its_last_lines() -> None:
    """Labels begin with 0 and end with the number after them: 0/3 to 3/3 are four epochs."""
    lines = [f"epoch [{n}/3], loss: 0.{9 - n}" for n in range(4)]
    assert scored("\n".join([*lines, ""]))["run"]["epochs_planned"] == 4
    resumed = [*lines, "epoch [4/5], loss: 0.4", ""]
    card = scored("\n".join(resumed))
    assert (card["run"]["epochs_planned"], card["status"]) == (6, "incomplete")


def test_two_ways_to_number_the_epochs_give_one_plan() -> None:
    """`epoch 0/10` and `Epoch 1/10` are of one epoch, and of ten in all."""
    steps = [f"sample {at}/40 in epoch {{n}}/10, loss 0.{at}" for at in (1, 2, 3)]
    lines = [
        line
        for n in range(3)
        for line in (*(step.format(n=n) for step in steps), f"Epoch {n + 1}/10, Val Loss: 0.{n}")
    ]
    assert scored("\n".join([*lines, ""]))["run"]["epochs_planned"] == 10


@pytest.mark.parametrize(("after", "epochs"), [(": 62.{e}", 4), ("", 3), (": ", 3), (": 7{e}", 3)])
def test_a_nameless_figure_after_the_number_of_an_epoch_shows_its_end(
    after: str, epochs: int
) -> None:
    text = "".join(f"epoch {e}{after.format(e=e)}\n" for e in range(4))
    assert scored(text, "generic")["run"]["epochs"] == epochs


def test_a_line_without_a_step_sums_up_the_epoch_although_it_has_a_rate() -> None:
    """The rate on it is that of the last step here, and not the epoch's: 2 / (1/100 + 1/200)."""
    steps = "Epoch: {e} Iteration: {n} loss: 2.{n} ips: {n}00 images/s\n"
    sums = "Epoch: {e} loss: 2.5 ips: 200 images/s\n"
    text = "".join(
        line
        for e in (1, 2)
        for line in (*(steps.format(e=e, n=n) for n in (1, 2)), sums.format(e=e))
    )
    card = scored(text, "generic")
    assert card["run"]["epochs"] == 2
    assert card["dimensions"]["speed"]["values"] == pytest.approx([400 / 3, 400 / 3])


@pytest.mark.parametrize(
    "sums",
    [
        "Epoch {e} done: loss 2.{e}, {rate} samples/s",
        "Epoch {e}: loss 2.{e} time 4.00s, throughput {rate} samples/s",
        "Epoch {e}/3 | train loss 2.{e} | val acc 0.7{e} | {rate} samples/s",
    ],
)
def test_a_rate_that_no_step_has_is_the_epochs(sums: str) -> None:
    text = "".join(
        f"Epoch {e}/3 Step 10/20 Loss 2.1\nEpoch {e}/3 Step 20/20 Loss 2.2\n"
        f"{sums.format(e=e, rate=900 + 100 * e)}\n"
        for e in (1, 2, 3)
    )
    speed = scored(text, "generic")["dimensions"]["speed"]
    assert (speed["values"], speed["unit"]) == ([1000, 1100, 1200], "samples/s")


def test_a_line_between_the_steps_of_an_epoch_is_a_line_of_progress() -> None:
    between = "Epoch: {e} step {n} loss: 2.{n}\nEpoch: {e} loss: 2.{n} ips: 10{n} images/s\n"
    text = "".join(between.format(e=e, n=n) for e in (1, 2, 3) for n in (0, 1, 2)[: 5 - e])
    assert scored(text, "generic")["run"]["epochs"] == 2


def test_figures_below_a_step_are_those_of_the_step_and_not_of_the_epoch() -> None:
    block = "[step={n}0/9000,epoch=0]\n    train/loss=3.{n}\n    train/perplexity=20.{n}\n"
    below = "".join(block.format(n=n) for n in (1, 2, 3))
    found = events(below, "generic")
    losses = [(e.step, e.loss) for e in iterations(found) if e.loss]
    assert (losses, epoch_ends(found)) == ([(10, 3.1), (20, 3.2), (30, 3.3)], [])


@pytest.mark.parametrize(("metric", "first"), [("perplexity", 0), ("reward", 0), ("loss", 1)])
def test_an_evaluation_before_the_training_is_no_first_epoch(metric: str, first: int) -> None:
    """`Epoch 0/4` is the state before the training, whose epochs count from 1."""
    lines = [
        f"***** Evaluating {metric}, Epoch {n}/4 *****\nTraining, Epoch {n + 1}/4\nloss 0.{n}"
        for n in range(first, 4)
    ]
    over = f"***** Evaluating {metric}, Epoch 4/4 *****\n"
    assert scored("\n".join([*lines, over]), "generic")["run"]["epochs_planned"] == 4


@pytest.mark.parametrize("colon", ["", ":"])
@pytest.mark.parametrize(("last", "epochs"), [(156, 3), (195, 4)])
def test_an_epoch_is_over_at_its_last_step_also_after_a_colon(
    colon: str, last: int, epochs: int
) -> None:
    steps = [(e, n) for e in range(4) for n in (39, 78, 117, 156, 195) if e < 3 or n <= last]
    lines = [f"Epoch {e}{colon} [{n}/195]  Loss 0.{9 - e}{n}" for e, n in steps]
    assert scored("\n".join([*lines, ""]))["run"]["epochs"] == epochs


def test_evaluations_on_several_lines_of_an_epoch_do_not_end_it() -> None:
    """The lines name a step without its total; the third epoch has begun."""
    lines = [
        f"epoch {e}, step {s}, training loss = 3.{e}{s}, validation loss = 2.{e}{s}"
        for e in (0, 1, 2)
        for s in ((10, 20, 30) if e < 2 else (10, 20))
    ]
    assert scored("".join(f"{line}\n" for line in lines))["run"]["epochs"] == 2


def test_the_only_line_of_each_epoch_ends_it_with_its_evaluation() -> None:
    lines = [
        f"epoch {e}, step {1244 * e}, train loss 0.{9 - e}, val loss 0.9{e}" for e in (1, 2, 3)
    ]
    assert scored("".join(f"{line}\n" for line in lines))["run"]["epochs"] == 3


def test_a_final_training_loss_is_no_record_of_another_epoch() -> None:
    """The lines of a second training have no figure whose meaning is known."""
    lines = [f"Epoch {e}/9 train loss: 0.{9 - e}" for e in (1, 2, 3)]
    lines += ["Early stopping", *(f"Epoch {e}/20 | mean=0.{e}1 dev=0.{e}2" for e in (5, 10, 20))]
    run = scored("".join(f"{line}\n" for line in [*lines, "Final train loss: 0.61"]))["run"]
    assert (run["epochs"], run["epochs_planned"]) == (3, 9)


def test_an_evaluation_that_names_a_batch_in_the_middle_of_its_epoch_does_not_end_it() -> None:
    log = ""
    for epoch in (1, 2):
        for step in (20, 40, 41):
            times = f"[00:{step:02}<00:{41 - step:02},  1.00it/s, loss=0.5]"
            log += f"\rEpoch {epoch}/2:  49%|████▉     | {step}/41 {times}"
            said = f"[epoch {epoch}, batch {step}] val_loss: 0.{step} val_acc: 0.{epoch}{step}"
            log += f"\n{said}\n" if step < 41 else ""
        log += "\n"
    found = only(events(log, "generic"), Evaluation)
    assert [(e.epoch, e.midway) for e in found] == [(1, True), (1, False), (2, True), (2, False)]


def test_an_evaluation_at_a_step_of_the_first_epoch_is_not_its_end() -> None:
    log = "Epoch [1/50]\nIter: 100 | Val Loss: 0.61 | Val Acc: 0.81\n"
    (found,) = [e for e in events(log, "generic") if isinstance(e, Evaluation)]
    assert (found.epoch, found.midway) == (1, True)
