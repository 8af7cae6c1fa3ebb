"""Layouts of training output that people paste into questions about it."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, iterations, read, scored

ACC = (0.51, 0.62, 0.70, 0.68, 0.74)
"""Accuracy of the validation after each epoch; the training's is 0.05 higher."""
EPOCHS = range(1, len(ACC) + 1)


def figures(text: str) -> tuple[object, ...]:
    """Status, epochs, and the last and the best accuracy on the card of a log."""
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    return card["status"], card["run"]["epochs"], accuracy["value"], accuracy.get("best")


def _ml_net(front: str) -> str:
    """ML.NET's image classification: the words after `Dataset used` say what was evaluated."""
    lines = []
    for epoch, acc in enumerate(ACC):
        count = f"Batch Processed Count:  40, Epoch: {epoch:3d}, Accuracy: "
        lines.append(f"Phase: Training, Dataset used:      Train, {count} {acc + 0.05:.7f}\n")
        lines.append(f"Phase: Training, Dataset used: Validation, {count} {acc:.7f}\n")
    return "".join(front + line for line in lines)


@pytest.mark.parametrize("front", ["", "[Source=ImageClassificationTrainer; Run, Kind=Trace] "])
def test_a_line_may_name_its_data_after_the_phase(front: str) -> None:
    status, _, last, best = figures(_ml_net(front))
    assert (status, last, best) == ("incomplete", 0.74, 0.74)


@pytest.mark.parametrize("unit", ["s", ""])
def test_a_count_before_an_epoch_in_brackets_is_of_the_steps(unit: str) -> None:
    """As recurrent networks for characters print; a time without a unit is none."""
    text = "".join(
        f"{i}/200 (epoch {i / 40:.3f}), train_loss = {3 - i / 100:.8f}, time/batch = 0.25{unit}\n"
        for i in range(1, 201)
    )
    card = scored(text)
    assert card["status"] == "finished"
    speed = card["dimensions"]["speed"]
    assert speed["value"] == (4.0 if unit else None)


def test_steps_of_an_epoch_are_progress_also_beside_unknown_figures() -> None:
    """As a network with two parts prints: neither error has a name that is known."""
    lines = []
    for epoch in EPOCHS:
        for step in range(1, 20):
            errors = f"Time: 0.127  Err_G: {2 / epoch:.4f}  Err_D: {1 / step:.4f}\t"
            lines.append(f"Epoch: [{epoch}][{step:8d} / {20:8d}]\t {errors}\n")
        lines.append(f"End of epoch {epoch} / {len(EPOCHS)} \t Time Taken: 2.500\t\n")
    card = scored("".join(lines))
    assert (card["status"], card["run"]["epochs"]) == ("finished", len(EPOCHS))
    assert len(iterations(read("".join(lines), "generic"))) == 19 * len(EPOCHS)


def test_a_line_with_a_step_and_a_learning_rate_is_no_header_of_deepmd() -> None:
    """As the tutorial of translation prints."""
    text = "# Start step 0, lr 0.001, Mon May  1 10:00:00 2023\n" + "".join(
        f"  global step {step} lr 0.001 step-time 0.25s wps 5.50K ppl {900 / step:.2f} gN 3.50 "
        f"bleu 1.00, Mon May  1 10:0{step // 200}:00 2023\n"
        for step in range(100, 1100, 100)
    )
    assert detected(text) == "generic"
    assert [one.duration for one in iterations(read(text, "generic"))] == [0.25] * 10
    assert scored(text)["dimensions"]["speed"]["value"] == 5500.0


MATLAB = """\
|==================================================================================|
|  Epoch  |  Iteration  |  Time Elapsed  |  Mini-batch  |  Validation  |  Mini-batch  |
|         |             |   (hh:mm:ss)   |   Accuracy   |   Accuracy   |     Loss     |
|==================================================================================|
"""


def _matlab(closing: str = "") -> str:
    rows = "".join(
        f"| {e:7d} | {40 * e:11d} | {f'00:00:{10 * e}':>14} | {acc * 100 + 5:11.2f}% | "
        f"{acc * 100:11.2f}% | {2.5 / e:12.4f} |\n"
        for e, acc in zip(EPOCHS, ACC, strict=True)
    )
    return MATLAB + rows + closing


def test_the_names_of_columns_may_stand_in_two_lines() -> None:
    text = _matlab()
    assert figures(text) == ("incomplete", 5, 74.0, 74.0)
    assert [one.loss for one in iterations(read(text, "generic"))] == pytest.approx(
        [2.5 / e for e in EPOCHS], abs=1e-4
    )


@pytest.mark.parametrize("verb", ["finished", "stopped"])
def test_a_training_that_completed_its_epochs_is_over(verb: str) -> None:
    assert figures(_matlab(f"Training {verb}: Max epochs completed.\n"))[:2] == ("finished", 5)


def test_a_row_of_texts_after_rows_of_numbers_is_no_second_line_of_names() -> None:
    head = "| epoch | train loss | val acc |\n"
    rows = [f"| {e} | {1 / e:.3f} | {acc} |\n" for e, acc in zip(EPOCHS, ACC, strict=True)]
    text = head + "".join(row + "| saved | | |\n" for row in rows)
    assert figures(text)[2:] == (0.74, 0.74)


def test_the_name_of_a_criterion_says_nothing_of_an_evaluation() -> None:
    """CNTK calls the error of the training `EvalClassificationError`, too."""
    lines = []
    for e, acc in zip(EPOCHS, ACC, strict=True):
        errors = f"EvalClassificationError = {0.95 - acc:.8f} * 640; time = 2.5s; "
        for step in (1, 21):
            count = f"Minibatch[{step:4d}-{step + 19:4d}, {step * 2.5 + 47.5:.2f}%]"
            lines.append(f" Epoch[ {e} of 5]-{count}: {errors}samplesPerSecond = 256.0\n")
        error = f"EvalClassificationError = {1 - acc:.8f} * 1024\n"
        lines.append(f"Finished Epoch[ {e} of 5]: [Training] {errors}epochTime=5.0s\n")
        lines.append(f"Finished Epoch[ {e} of 5]: [Validate] {error}")
    card = scored("".join(lines))
    accuracy, speed = card["dimensions"]["accuracy"], card["dimensions"]["speed"]
    assert accuracy.get("best") in (None, pytest.approx(0.26))
    assert (speed["value"], speed["unit"]) == (256.0, "samples/s")


def test_an_object_may_count_epochs_from_0_beside_lines_that_count_from_1() -> None:
    """As SageMaker's algorithms do."""
    lines = []
    for e in EPOCHS:
        lines.append(f"# Starting training for epoch {e}\n")
        lines.append(f"#quality_metric: host=algo-1, epoch={e}, train total_loss <loss>={9 / e}\n")
        lines.append(f'#metrics {{"Dimensions": {{"Host": "algo-1", "epoch": {e - 1}}}}}\n')
        lines.append(
            f"#throughput_metric: host=algo-1, train throughput={250.0 + e} records/second\n"
        )
    card = scored("".join(lines))
    assert card["run"]["epochs"] == len(EPOCHS)
    assert card["dimensions"]["speed"]["unit"] == "records/s"


def test_steps_of_the_run_between_counts_of_the_epochs_samples() -> None:
    """As TFLearn draws two lines for each step."""
    lines, step = [], 0
    for e, acc in zip(EPOCHS, ACC, strict=True):
        for samples in range(320, 3201, 320):
            step += 10
            lines.append(f"Training Step: {step}  | total loss: {2 / e:.5f} | time: 1.234s\n")
            tested = f" | val_loss: 0.9 - val_acc: {acc}" if samples == 3200 else ""
            trained = f"loss: {2 / e:.5f} - acc: {acc + 0.05:.4f}{tested}"
            lines.append(f"| Adam | epoch: {e:03d} | {trained} -- iter: {samples:05d}/3200\n")
    text = "".join(lines)
    assert figures(text) == ("incomplete", 5, 0.74, 0.74)
    assert [one["kind"] for one in scored(text)["warnings"]] == ["incomplete"]


def test_an_accuracy_with_a_letter_left_out() -> None:
    text = "".join(
        f"[{e}/5][20/20] Loss: 0.{9 - e}\nStart val\nTest loss: 0.9, accuray: {acc:f}\n"
        for e, acc in enumerate(ACC)
    )
    assert figures(text)[2:] == (0.74, 0.74)


def test_the_mean_in_front_of_a_bar_of_a_collection_of_classifiers() -> None:
    drawn = "100%|████| {0}/{0} [00:{1:02}<00:00,  2.00it/s]"
    text = "".join(
        f"[train epoch {e}] loss: 0.5, acc: {acc + 0.05:.3f}: {drawn.format(40, 20)}\n"
        f"[valid epoch {e}] loss: 0.6, acc: 0.100:  50%|██  | 5/10 [00:02<00:02,  2.00it/s]\r"
        f"[valid epoch {e}] loss: 0.6, acc: {acc:.3f}: {drawn.format(10, 5)}\n"
        for e, acc in enumerate(ACC)
    )
    assert figures(text)[1:] == (5, 0.74, 0.74)
    assert scored(text)["dimensions"]["speed"]["value"] == 2.0
