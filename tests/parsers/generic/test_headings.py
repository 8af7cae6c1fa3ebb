"""Headings of epochs that count them twice, and names written as one word."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import bar, only, read, scored
from tests.support.loops import figures


@pytest.mark.parametrize(
    ("heading", "planned"),
    [
        ("Epoch {n} ({n}/200):", 200),
        ("Epoch {n} ({n}/200)", 200),
        ("Epoch {n}/200 ({n}/500):", 200),  # the second count may be of steps
    ],
)
def test_a_heading_that_counts_the_epochs_twice(heading: str, planned: int) -> None:
    lines = [
        f"{heading.format(n=n)}\nTrain Instance Accuracy: 0.5\n"
        f"Test Instance Accuracy: 0.{60 + n}, Class Accuracy: 0.4\n"
        f"Best Instance Accuracy: 0.{60 + n}, Class Accuracy: 0.7\n"
        for n in range(1, 6)
    ]
    card = scored("".join(lines))
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (5, planned)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("acc1", 0.65, 0.65)


def test_a_bar_below_a_heading_that_counts_its_epoch_out_of_all_is_the_training_s() -> None:
    """Each epoch has 40 steps, which take 8 s."""
    card = scored(
        "".join(
            f"Epoch {n} out of 3\n\r 50%|█████     | 20/40 [00:04<00:04,  5.00it/s]"
            f"\r100%|██████████| 40/40 [00:08<00:00,  5.00it/s]\nAverage Train Loss: 0.{9 - n}\n"
            for n in (1, 2, 3)
        )
    )
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)
    assert card["dimensions"]["speed"]["value"] == 5.0


def test_a_count_after_the_epoch_of_a_line_with_figures_is_of_its_steps() -> None:
    text = "".join(
        f"Epoch {epoch} ({step}/10) loss 0.5\n" for epoch in (1, 2) for step in range(1, 11)
    )
    card = scored(text)
    assert (card["run"]["epochs"], card["run"].get("epochs_planned")) == (2, None)


@pytest.mark.parametrize("name", ["Batchtime", "batchtime", "itertime", "Batch time", "steptime"])
def test_the_time_of_an_iteration_in_one_word(name: str) -> None:
    text = "".join(
        f"Epoch:{epoch}/2 || Iter: {10 * epoch + step}/30 || Loc: 4.1 || {name}: 0.2500 s\n"
        for epoch in (1, 2)
        for step in range(10)
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4.0, "it/s")


def test_the_heading_of_an_epoch_ends_the_evaluation_before_it() -> None:
    """Else the accuracy below it, which may be the training's, would be one of the test set."""
    events = read(
        "".join(f"Epoch {n}\naccuracy: 0.5{n}\nTesting\naccuracy: 0.4{n}\n" for n in range(1, 6)),
        "generic",
    )
    tested = [e for e in events if isinstance(e, Evaluation) and e.data == "test"]
    values = [metric.value for e in tested for metric in e.metrics]
    assert values == pytest.approx([0.41, 0.42, 0.43, 0.44, 0.45])


@pytest.mark.parametrize(
    "setting", ["STEPS: (20, 35)", "step=[16, 22, 30],", "decay_epochs: [30, 60]", "STEPS: (20,)"]
)
def test_a_list_among_the_settings_is_no_step_of_the_training(setting: str) -> None:
    lines = [f"iter: {n * 10}  total_loss: 0.5  step_time: 0.5s" for n in range(1, 7)]
    text = [f"  {setting}", *lines, "Total training time: 0:00:30", f"  {setting}"]
    card = scored("".join(f"{line}\n" for line in text))
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 30.0)
    assert card["dimensions"]["speed"]["value"] == 2.0


@pytest.mark.parametrize("heading", ["Epoch {n}", "Epoch [{n}]", "Epoch ({n})"])
@pytest.mark.parametrize(
    "lines",
    [
        "Train loss: 0.5\nTest accuracy: 0.{a}\n",
        "Train accuracy: 0.5\nValidation accuracy: 0.{a}\n",
        "loss: 0.5\nmAP: 0.{a}\n",
        "loss: 0.5\nTest accuracy: 0.{a}\nMax accuracy: 63.0%\n",
    ],
)
def test_a_loop_of_three_epochs_is_of_no_known_trainer(heading: str, lines: str) -> None:
    """Trainers print some of these lines, and so do many other programs."""
    epochs = (1, 2, 3)
    card = scored("".join(f"{heading}\n{lines}".format(n=n, a=60 + n) for n in epochs))
    assert (card["run"]["format"], card["run"]["epochs"]) == ("generic", 3)
    assert card["dimensions"]["accuracy"]["value"] == 0.63


@pytest.mark.parametrize("setting", ["END_EPOCH: 52", "'end_epoch': 52,", "train.stop_epoch = 52"])
def test_the_last_planned_epoch_among_the_settings_is_not_over(setting: str) -> None:
    lines = [f"Epoch [{n}/52] Iter [{k}/9] loss 0.5\n" for n in range(1, 6) for k in (3, 6, 9)]
    card = scored(f"  BEGIN_EPOCH: 0\n  {setting}\n" + "".join(lines))
    assert (card["status"], card["run"]["epochs"]) == ("incomplete", 5)
    assert card["run"]["epochs_planned"] == 52


@pytest.mark.parametrize("heading", ["begin evaluate...", "Start testing: ..."])
def test_what_an_evaluation_takes_after_its_beginning_is_no_training_s(heading: str) -> None:
    """An iteration of the training takes 50 ms, one of the evaluation 10 ms."""
    lines = [
        f"Epoch {n}/5 step {step}/400 loss 0.{9 - n}5 50ms/step\n"
        + (f"{heading}\n80/80 [====] - 1s 10ms/step - mix_loss: 0.{n}5\n" if step == 400 else "")
        for n in range(1, 6)
        for step in (100, 200, 300, 400)
    ]
    assert scored("".join(lines))["dimensions"]["speed"]["values"] == [20.0] * 5


@pytest.mark.parametrize("first", ["mean loss: 1.{n}", "mean acc: 0.9{n}"])
def test_figures_under_the_heading_of_a_batch_are_those_of_the_training(first: str) -> None:
    lines = []
    for n in (1, 2):
        lines.append(f"**** EPOCH {n:03} ****")
        for batch in (10, 20):
            lines += [f"---- batch: {batch:03} ----", first.format(n=n), f"accuracy: 0.9{n}"]
        lines += [
            f"---- EPOCH {n:03} EVALUATION ----",
            f"eval mean loss: 1.{n}",
            f"accuracy: 0.7{n}",
        ]
    tested = [one["acc1"] for _, one in figures(lines)["tested"] if "acc1" in one]
    assert tested == [0.71, 0.72]


def test_a_line_of_an_evaluation_ends_what_the_heading_of_a_batch_says() -> None:
    """No heading stands in front of the evaluation, and its last figure does not name it."""
    lines = []
    for n in (1, 2):
        lines.append(f"**** EPOCH {n:03} ****")
        for batch in (10, 20):
            lines += [f"---- batch: {batch:03} ----", f"mean acc: 0.9{n}"]
        lines += [f"eval mean acc: 0.8{n}", f"eval mean loss: 0.4{n}", f"mean IoU: 3{n}.5"]
    assert [one["miou"] for _, one in figures(lines)["tested"] if "miou" in one] == [31.5, 32.5]


@pytest.mark.parametrize("checks", ["Checking accuracy on", "Accuracy on the"])
def test_the_accuracy_on_the_training_data_is_no_evaluation(checks: str) -> None:
    def lines(*data: tuple[str, float]) -> str:
        return "".join(
            f"Epoch {n}/2\nloss 0.{9 - n}\n"
            + "".join(f"{checks} {of} data\nGot 80 / 100 with accuracy {p}\n" for of, p in data)
            for n in (1, 2)
        )

    assert scored(lines(("training", 95.0)))["dimensions"]["accuracy"]["value"] is None
    for both in ((("training", 95.0), ("test", 80.0)), (("test", 80.0), ("training", 95.0))):
        card = scored(lines(*both))
        assert card["dimensions"]["accuracy"]["value"] == 80.0
        assert "evaluations_alike" not in [one["kind"] for one in card["warnings"]]


@pytest.mark.parametrize(
    ("name", "speed"), [("Batch", 2.5), ("Iter", 2.5), ("Backward", None), ("Step", None)]
)
def test_the_time_of_an_iteration_that_is_named_by_it_alone(name: str, speed: float | None) -> None:
    text = "".join(
        f"Epoch[{epoch}]({step}/30); Loss: 0.{step + 10}; {name}: 0.4000 sec\n"
        for epoch in (1, 2)
        for step in range(1, 31)
    )
    assert scored(text)["dimensions"]["speed"].get("value") == speed


@pytest.mark.parametrize("name", ["Average per iter", "per iter", "avg per batch"])
def test_the_mean_time_of_an_iteration_below_its_number(name: str) -> None:
    text = "".join(
        f"iteration {step}\n{name}: 0.2500 second.   ETA: 0.8570 hours\nloss: 1.{step}\n"
        for step in range(50, 500, 50)
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4.0, "it/s")


def test_names_alone_in_brackets_in_front_of_their_numbers() -> None:
    text = "".join(f"[Epoch] 00{n} [Loss] 0.{9 - n} [val acc] 0.{60 + n}\n" for n in range(1, 6))
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert card["run"]["epochs"] == 5
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 0.65, 5)


@pytest.mark.parametrize(
    ("figures", "metric", "value"),
    [
        ("class average acc : 91.{n}%, image average acc : 92.{n}%", "acc1", 92.5),
        ("mean class acc : 91.{n}%, mean sample acc : 92.{n}%", "acc1", 92.5),
        ("image acc : 92.{n}%, text acc : 93.{n}%", None, None),  # of two tasks
        ("\taccu: \t\t54.{n}%", "acc1", 54.5),
        ("Best valid accuracy: 0.70 current accu: 0.6{n}", None, None),
        ("test data accuracy: 0.3{n}", "acc1", 0.35),
    ],
)
def test_the_accuracy_over_all_samples_under_several_names(
    figures: str, metric: str | None, value: float | None
) -> None:
    text = "".join(
        f"epoch: {n}\ntrain loss: 0.{9 - n}\ntest\n{figures.format(n=n)}\n" for n in range(1, 6)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy.get("metric"), accuracy.get("value")) == (metric, value)


def test_a_heading_is_not_of_the_steps_in_front_of_it_where_the_log_lacks_its_beginning() -> None:
    lines = [
        heading
        + bar("", 30, 30, "1.50it/s", ", loss=0.2")
        + "\n"
        + bar("", 8, 8, "2.00it/s", ", loss=0.5")
        for heading in ("", "Epoch [7/9]\n", "Epoch [8/9]\n", "Epoch [9/9]\n")
    ]
    trained = only(read("\n".join(lines) + "\n", "generic"), Iteration)
    assert [(one.epoch, one.steps) for one in trained if one.steps == 30 and one.epoch == 7]
