"""Lines of trainers that were run with timers of their own: the figures are what these measured."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from sixdim.metrics.values.card import Card
from tests.support.inputs.generated import read


def _card(lines: Iterable[str]) -> Card:
    return read("".join(f"{line}\n" for line in lines).encode()).card()


def _accuracy(card: Card) -> tuple[object, object, object]:
    figure = card.dimensions["accuracy"]
    return figure.value, figure.details.get("best"), figure.details.get("metric")


def _speed(card: Card) -> tuple[object, object]:
    figure = card.dimensions["speed"]
    return pytest.approx(figure.value, rel=0.02), figure.unit


def test_a_bar_that_has_the_loss_for_its_label_counts_the_iterations() -> None:
    bar = "loss {loss}: {p:3d}%|███       | {n}/200 [00:{s:02d}<00:09, 20.0it/s]"
    lines = [bar.format(loss=1 - n / 400, p=n // 2, n=n, s=n // 20) for n in range(20, 201, 20)]
    card = _card(lines)
    assert _speed(card) == (20.0, "it/s")
    assert card.status == "finished"  # 200 of 200


@pytest.mark.parametrize("named", ["accuracy of 3: 98%", "loss 2: 5%"])
def test_a_number_before_a_colon_without_a_bar_stays_part_of_a_name(named: str) -> None:
    assert _accuracy(_card([f"epoch {e}, {named}" for e in range(9)]))[0] is None


def test_a_bar_of_images_counts_images_whether_one_takes_a_second_or_not() -> None:
    def bars(epoch: int, pace: str, seconds: int) -> list[str]:
        bar = f"Epoch {epoch}/3: {{p}}%|███| {{n}}/32 [{{t}}<00:10, {pace}, loss=0.7]"
        paced = [(n, seconds * n // 32) for n in (8, 16, 24, 32)]
        return [bar.format(p=n * 3, n=n, t=f"00:{t:02d}") for n, t in paced]

    lines = [*bars(1, "2.00img/s", 16), *bars(2, "1.25s/img", 40), *bars(3, "1.25s/img", 40)]
    card = _card(lines)
    assert card.run["unit"] == "img/s"
    rows = card.dimensions["speed"].details["values"]
    assert rows == pytest.approx([2.0, 0.8, 0.8], rel=0.001)


LIGHTNING = ["GPU available: False, used: False", "TPU available: False, using: 0 TPU cores"]
STOPPED = "`Trainer.fit` stopped: `max_epochs=5` reached."


def test_lightning_without_bars_is_read_by_what_the_program_prints() -> None:
    own = [f"Epoch {e}: val_loss=0.5{9 - e} val_acc=0.7{e}50" for e in range(5)]
    card = _card([*LIGHTNING, *own, STOPPED])
    assert card.run["format"] == "lightning"
    assert _accuracy(card) == (0.745, 0.745, "acc1")
    assert (card.run["epochs"], card.run["epochs_planned"], card.status) == (5, 5, "finished")
    assert not card.warnings


def test_lightning_with_bars_has_its_figures_from_them() -> None:
    bar = "Epoch {e}: 100%|███| 50/50 [00:01<00:00, 38.0it/s, val_acc=0.7{e}0]"
    own = "Epoch {e}: val_loss=0.1 val_acc=0.999"
    lines = [line.format(e=e) for e in range(5) for line in (bar, own)]
    assert _accuracy(_card([*LIGHTNING, *lines, STOPPED])) == (0.74, 0.74, "val_acc")


CATALYST = (
    "train ({e}/5) accuracy01: 0.6{e} | accuracy01/std: 0.09 | loss: 0.6{e} | loss/std: 0.04 | lr: 0.1",
    "valid ({e}/5) accuracy01: 0.7{e} | accuracy01/std: 0.08 | loss: 0.5{e} | loss/std: 0.04 | lr: 0.1",
    "* Epoch ({e}/5) ",
)


def test_catalysts_epochs_are_those_of_the_lines_in_front_of_their_number() -> None:
    card = _card([line.format(e=e) for e in range(1, 6) for line in CATALYST] + ["Top models:"])
    assert card.run["format"] == "catalyst"
    assert _accuracy(card) == (0.75, 0.75, "acc1")
    assert card.dimensions["accuracy"].details["epoch"] == 5
    assert (card.run["epochs"], card.run["epochs_planned"], card.status) == (5, 5, "finished")


def test_catalysts_bars_are_no_yolo_and_those_of_the_validation_no_training() -> None:
    bar = "{e}/5 * Epoch ({of}): {p}%|███| {n}/{all} [00:0{t}<00:01, {r}it/s, loss=0.7]"
    lines = []
    for e in range(1, 6):
        lines += [
            bar.format(e=e, of="train", p=n, n=n, all=100, t=n // 40, r=40) for n in (40, 80, 100)
        ]
        lines += [bar.format(e=e, of="valid", p=n, n=n, all=100, t=0, r=900) for n in (40, 100)]
        lines += [line.format(e=e) for line in CATALYST]
    card = _card(lines)
    assert card.run["format"] == "catalyst"
    assert _speed(card) == (40.0, "it/s")
    assert _accuracy(card) == (0.75, 0.75, "acc1")


def test_catalysts_lines_before_version_21() -> None:
    lines = []
    for e in range(1, 6):
        at = f"{e}/5 * Epoch "
        lines += [
            f"{at}(train): {n}% {n}/100 [00:0{n // 40}<00:01, 40.0it/s, loss=0.7]" for n in (40, 80)
        ]
        times = "_timer/_fps=640.0000 | _timer/batch_time=0.0250 | _timer/data_time=0.0010"
        lines.append(f"[2020-08-07 23:09:1{e},549] ")
        lines.append(f"{at}{e} (train): {times} | accuracy01=0.5000 | loss=0.7000")
        lines.append(f"{at}{e} (valid): {times} | accuracy01=0.7{e}00 | loss=0.6000")
    card = _card([*lines, "Top best models:"])
    assert card.run["format"] == "catalyst"
    assert _speed(card) == (40.0, "it/s")
    assert _accuracy(card) == (0.75, 0.75, "acc1")
    assert (card.run["epochs"], card.run["epochs_planned"], card.status) == (5, 5, "finished")
    percent = _card([line.replace("01=0.7500", "01=75.0000") for line in lines])
    assert _accuracy(percent)[0] == 75


POUTYNE = "Epoch: {e}/5 Step: {n:2d}/{all} {p:.2f}% |███ |ETA: 0.41s "


def test_the_batches_of_a_validation_are_no_result_though_they_are_steps_of_the_epoch() -> None:
    lines = []
    for e in range(1, 6):
        bar = POUTYNE + "loss: 0.6{n:02d} acc: 56.25"
        lines += [bar.format(e=e, n=n, all=50, p=2 * n) for n in range(1, 51)]
        bar = POUTYNE + "val_loss: 0.6 val_acc: 9{n}.0"
        lines += [bar.format(e=e, n=n, all=9, p=11 * n) for n in range(1, 10)]
        lines.append(
            f"Epoch: {e}/5 Train steps: 50 Val steps: 9 1.42s loss: 0.7 val_loss: 0.6 val_acc: 6{e}.75"
        )
    assert _accuracy(_card(lines)) == (65.75, 65.75, "acc1")


def test_the_last_batch_of_a_validation_counts_where_nothing_says_more() -> None:
    lines = []
    for e in range(1, 6):
        lines += [f"Epoch: {e}/5 Step: {n}/50 loss: 0.{n:02d}" for n in range(1, 51)]
        lines += [f"Epoch: {e}/5 Step: {n}/9 val_acc: 0.{e}{n}" for n in range(1, 10)]
    assert _accuracy(_card(lines)) == (0.59, 0.59, "acc1")


def test_an_evaluation_between_two_steps_of_the_training_counts() -> None:
    lines = [f"Epoch: {e} Step: {n}/50 loss: 0.{n:02d}" for e in (1, 2) for n in range(1, 51)]
    lines.insert(20, "Epoch: 1 Step: 20/50 val_acc: 0.5")
    assert _accuracy(_card(lines)) == (0.5, 0.5, "acc1")


def test_a_unit_in_front_of_its_rate_is_not_that_of_the_learning_rate() -> None:
    line = "epoch {e} step {n}/40 loss 0.6 lr 0.1 samples/s 1150.{n}"
    card = _card([line.format(e=e, n=n) for e in range(5) for n in (10, 20, 30, 40)])
    assert _speed(card) == (1150.25, "samples/s")


CONTRASTIVE = (
    "Train: [{e}][20/40]\tBT 2.0 (3.0)\tDT 0.1 (0.1)\tloss 2.5{e} (8.0)\tAcc@1 3.1 (9.5)",
    "Train: [{e}][40/40]\tBT 2.3 (2.5)\tDT 0.1 (0.1)\tloss 2.3{e} (8.0)\tAcc@1 3.1 (9.5)",
    "epoch {e}, total time 100.21",
    "Test: [0/2]\tTime 7.164 (7.164)\tLoss 2.3002 (2.3002)\tAcc@1 99.0 (99.0)",
    " * Acc@1 1{e}.812",
)


def test_contrastive_trainings_have_epochs_and_a_speed() -> None:
    card = _card([line.format(e=e) for e in range(1, 6) for line in CONTRASTIVE])
    assert card.run["format"] == "ptimagenet"
    assert card.run["epochs"] == 5
    assert _speed(card) == (0.4, "it/s")
    assert _accuracy(card) == (15.812, 15.812, "acc1")


def _bars(of: str, steps: int, rate: float) -> list[str]:
    bar = "{of} {p}%|███| {n}/{all} [00:0{t}<00:01, {r}it/s]"
    counted = (steps // 2, steps)
    return [
        bar.format(of=of, p=50, n=n, all=steps, t=int(n / rate), r=rate).strip() for n in counted
    ]


def _rates(card: Card) -> list[object]:
    speed: Any = card.dimensions["speed"].details
    return [*zip(speed["window"], speed["values"], strict=True)]


def _near(rates: Iterable[float]) -> list[object]:
    return [(e, pytest.approx(rate, rel=0.02)) for e, rate in enumerate(rates)]


def test_bars_in_front_of_the_line_that_names_their_epoch_are_that_epochs() -> None:
    lines = []
    for e, rate in enumerate((20.0, 25.0, 50.0, 10.0)):
        lines += _bars(f"Train     {e}:", 40, rate)
        lines.append(f"epoch {e} training [time: 2.00s, train loss: 3{e}.5]")
        lines += _bars("Evaluate   :", 30, 900.0)
        lines.append(f"epoch {e} evaluating [time: 0.1s, valid_score: 0.5]")
    assert _rates(_card(lines)) == _near((20.0, 25.0, 50.0, 10.0))


def test_bars_after_the_line_that_names_their_epoch_stay_that_epochs() -> None:
    lines = []
    for e, rate in enumerate((20.0, 25.0, 50.0, 10.0)):
        lines += [f"Epoch {e}", *_bars("train:", 40, rate), f"epoch {e} train loss: 3{e}.5"]
    assert _rates(_card(lines)) == _near((20.0, 25.0, 50.0, 10.0))
