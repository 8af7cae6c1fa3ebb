"""Logs in which a callback, or another training, counts epochs in its own way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.logs import iterations, read, scored
from tests.support.loops import figures


def _words(epoch: int) -> Iterator[str]:
    """An epoch of gensim's, which counts from 0 and does not say of how many."""
    clock = f"2024-05-01 10:00:{3 * epoch:02}"
    yield f"{clock},100 : INFO : EPOCH {epoch} - PROGRESS: at 41.00% examples, 93000 words/s"
    yield f"{clock},900 : INFO : EPOCH {epoch} - PROGRESS: at 88.00% examples, 94000 words/s"


@pytest.mark.parametrize(
    "callback",
    [
        "Epoch {label}/10 done, loss {loss}",
        "epoch {label} of 10: loss {loss}",
        "Loss after epoch {label}: {loss}",
        "EPOCH {number}: loss {loss}",  # from 0 as well
    ],
)
def test_a_callback_that_counts_the_epochs_from_1(callback: str) -> None:
    lines: list[str] = []
    for epoch in range(10):
        said = callback.format(label=epoch + 1, number=epoch, loss=200.5 - epoch)
        lines += [*_words(epoch), said]
    card = scored("\n".join(lines) + "\n")
    assert card["run"]["epochs"] == 10
    assert card["run"].get("epochs_planned") == (10 if "10" in callback else None)
    assert card["dimensions"]["speed"]["window"] == [6, 7, 8, 9]


def _loop(epochs: int) -> Iterator[str]:
    for epoch in range(1, epochs + 1):
        yield f"Epoch {epoch}/{epochs}, train loss: {1 / epoch:.4f}, val acc: {0.48 + epoch / 30}"


def test_a_loop_after_the_training_of_its_word_vectors_is_a_run_of_its_own() -> None:
    lines = [line for epoch in range(5) for line in _words(epoch)]
    card = scored("\n".join([*lines, *_loop(9)]) + "\n")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (9, 9)
    assert card["dimensions"]["speed"]["value"] is None  # words a second are not its
    assert card["dimensions"]["accuracy"]["epoch"] == 9
    assert [w["kind"] for w in card["warnings"]] == ["several_runs"]


def test_each_of_several_such_pairs_is_two_runs() -> None:
    words = [line for epoch in range(5) for line in _words(epoch)]
    card = scored("\n".join([*words, *_loop(9)] * 3) + "\n")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (9, 9)
    assert card["dimensions"]["speed"]["value"] is None


def test_an_evaluation_before_the_training_is_not_its_first_epoch() -> None:
    """It stands at epoch 0, and its lines do not train: epoch 1 stays epoch 1."""
    lines = ["Epoch 0: val acc 0.1000"]
    for epoch in range(1, 6):
        lines += [f"Epoch {epoch}/5, train loss: {1 / epoch:.4f}"]
        lines += [f"Epoch {epoch}: val acc {0.5 + epoch / 20:.4f}"]
    card = scored("\n".join(lines) + "\n")
    assert card["run"]["epochs"] == 5
    assert card["dimensions"]["accuracy"]["epoch"] == 5


def test_an_ordinal_in_front_of_the_word_names_the_epoch() -> None:
    lines = [
        line
        for e in range(3)
        for line in (
            f"------->Training {e}th epoch<-------",
            f"{e}th epoch finished, val epoch loss:0.{9 - e}, val epoch accuracy:0.8{e}",
        )
    ]
    assert figures(lines)["tested"] == [
        (e, {"loss": (9 - e) / 10, "acc1": float(f"0.8{e}")}) for e in range(3)
    ]


def test_a_count_in_brackets_after_a_numbered_epoch_is_of_steps_not_of_epochs() -> None:
    lines = [f"{e}-epoch ({s}/44660): total loss 1{s}.5" for e in (0, 1) for s in (4, 9)]
    card = scored("\n".join(lines) + "\n")
    assert card["run"].get("epochs_planned") is None
    found = iterations(read("\n".join(lines) + "\n", "generic"))
    assert [(i.epoch, i.step, i.steps) for i in found] == [
        (e, s, 44660) for e in (0, 1) for s in (4, 9)
    ]


def test_epochs_out_of_so_many() -> None:
    lines = [f"Epoch {e} out of 20\ntrain loss: {9 / e:.3f}" for e in range(1, 11)]
    assert scored("\n".join(lines) + "\n")["run"]["epochs_planned"] == 20


def test_dots_after_an_epochs_name_are_no_part_of_its_number() -> None:
    lines = [line for n in range(3) for line in (f"Epoch {n}...", f"val acc: 0.{n + 5}")]
    assert figures(lines)["tested"] == [(n, {"acc1": float(f"0.{n + 5}")}) for n in range(3)]


@pytest.mark.parametrize("line", ["steps_per_epoch: 356", "Batches per epoch: 356"])
def test_how_many_steps_an_epoch_has_names_no_epoch(line: str) -> None:
    lines = [line, *(f"Step {n}00/356 | val acc: 0.{n}" for n in (1, 2, 3))]
    assert {epoch for epoch, _ in figures(lines)["tested"]} == {None}


@pytest.mark.parametrize(
    "heading", ["------- start epoch {n} -------", "Epoch {n}", "epoch {n}", "第 {n} 轮训练开始"]
)
def test_headings_from_1_and_ends_of_epochs_from_0(heading: str) -> None:
    """Five whole epochs, and a sixth that has begun."""
    lines: list[str] = []
    for n in range(5):
        lines.append(heading.format(n=n + 1))
        lines.append(f"epoch {n} | train_loss: {5 - n}.2504 | test_loss: 6.{n}41 | acc: 0.6{n}5")
    card = scored("\n".join([*lines, heading.format(n=6)]) + "\n")
    assert card["run"]["epochs"] == 5
    assert card["dimensions"]["accuracy"]["value"] == 0.645


def test_lines_that_count_from_0_inside_bars_that_count_from_1() -> None:
    log = ""
    for epoch in range(3):
        log += f"epochs:  33%|███       | {epoch}/3 [00:0{4 * epoch}<00:08,  4.00s/it]\r"
        for step in range(5):
            times = f"[00:0{step}<00:0{4 - step},  1.00it/s]"
            log += f"train {epoch}:  25%|██        | {step}/4 {times}\r"
            log += f"\nepoch={epoch} batch=2/4 loss=0.5{epoch}\n" if step == 2 else ""
        log += f"\nepoch={epoch} val_loss=0.6 val_acc=0.7{epoch}\n"
    card = scored(log + "epochs: 100%|██████████| 3/3 [00:12<00:00,  4.00s/it]\n")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(1.0)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["epoch"]) == (0.72, 3)


def test_rows_that_count_from_0_after_bars_that_count_from_1() -> None:
    log = "epoch     train_loss  valid_loss  accuracy  time\n"
    for epoch in range(3):
        for step in (1, 4):
            drawn = (
                f"Epoch {epoch + 1}/3 : |████----| {25 * step}.00% [{step}/4 00:01<00:01 0.7{step}]"
            )
            log += drawn + "\n"
        log += f"{epoch}         0.5{epoch}        0.6{epoch}        0.7{epoch}      00:02\n"
    card = scored(log)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)
    assert card["dimensions"]["accuracy"]["epoch"] == 3
    assert card["warnings"] == []


def test_headings_from_0_and_lines_of_their_epochs_from_1() -> None:
    """Two whole epochs, and a third that has begun."""
    lines: list[str] = []
    for n in range(2):
        lines.append(f"##### EPOCH: {n} #####")
        lines += [f"Epoch [{n + 1}/9], Loss: 0.{9 - n}{i}" for i in (4, 2)]
        lines.append(f"Validation metrics: {{'accuracy': 0.7{n}}}")
    card = scored("\n".join([*lines, "##### EPOCH: 2 #####"]) + "\n")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (2, 9)


def test_how_often_is_evaluated_is_no_label_of_an_epoch() -> None:
    lines = ["start_epoch:0", "epochs:6", "val_epoch:1", "Using 1 gpus"]
    for n in range(3):
        lines += [f"-----Epoch:{n}/5-----", f"Epoch {n} Train, loss:0.{9 - n}, Cost: 7.5 sec"]
    card = scored("\n".join(lines) + "\n")
    assert (card["run"]["epochs"], card["run"].get("epochs_planned")) == (3, 6)


@pytest.mark.parametrize("setting", ["epoch = 50", "epoch: 50", "train_epoch=50"])
def test_a_setting_in_front_of_the_first_epoch_names_none(setting: str) -> None:
    lines = ["batch_size = 20", setting, "batch: 64", "dropout = 0.2"]
    lines += [f"[{n:03}] train_loss: {2 / n:.3f} | dev_loss: 0.9 | dev f1: 0.6{n}" for n in (1, 2)]
    card = scored("\n".join([*lines, *lines]) + "\n")
    assert card["run"]["epochs"] is None
    assert card["dimensions"]["accuracy"]["epoch"] is None


@pytest.mark.parametrize("heading", ["Epoch {}", "epoch: {}"])
@pytest.mark.parametrize("between", [[], ["saved model.pt"]])
def test_a_training_whose_headings_do_not_begin_with_1(heading: str, between: list[str]) -> None:
    """The first epoch is known if its figures stand directly after its label."""
    lines = [
        line
        for epoch in range(37, 45)
        for line in (
            heading.format(epoch),
            *between,
            f"train loss {9 / epoch:.4f}",
            f"val acc: 0.{epoch}",
        )
    ]
    card = scored("\n".join(lines) + "\n")
    assert card["end_to_end"]["epochs"] == (7 if between else 8)
    assert card["dimensions"]["accuracy"]["epoch"] == 44
    assert card["dimensions"]["accuracy"]["best"] == pytest.approx(0.44)


def test_a_total_after_a_slash_is_no_label() -> None:
    lines = [f"{n}00 iter, {n} epoch / 10 epochs\nloss 0.{n}" for n in (1, 2, 3)]
    assert not {10} & {e.epoch for e in iterations(read("\n".join([*lines, ""]), "generic"))}


def test_an_epoch_that_only_its_evaluation_names_is_that_of_the_lines_before() -> None:
    text = ""
    for epoch in range(1, 7):
        for step in range(5, 51, 5):
            of_all = 50 * (epoch - 1) + step
            text += f"[{of_all}/300] - loss: {3 / epoch - step / 100:.4f} img/sec {20 + epoch}.5\n"
        text += f"[Eval] epoch {epoch}: val_loss={3 / epoch:.4f} val_acc=0.8{epoch}\n"
    card = scored(text)
    assert card["run"]["epochs"] == 6
    speed = card["dimensions"]["speed"]
    assert (speed["window"], speed["value"]) == ([6], pytest.approx(26.5))
