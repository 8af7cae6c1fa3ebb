"""Progress bars of tqdm in the layouts of PyTorch-Ignite and of tqdm.rich."""

from __future__ import annotations

import pytest

from tests.support.logs import epoch_ends, iterations, read, scored


def _ignite(name: str, seconds: int) -> str:
    """Three epochs of 40 iterations; the bar has its count in front, and no rate."""
    lines = []
    for epoch in (1, 2, 3):
        lines.append(f"{name}[1/40]   2%|▎         [00:00<?]")
        for done in (10, 20, 30, 40):
            drawn = "█" * (done // 4) + " " * (10 - done // 4)
            passed = seconds * done // 40
            times = f"[{passed // 60:02}:{passed % 60:02}<00:09]"
            share = 100 * done // 40
            lines.append(
                f"{name} [{epoch}/3]: [{done}/40] {share:3}%|{drawn}, loss=0.{9 - epoch} {times}"
            )
        lines += [
            "Evaluate: [4/10]  40%|████       [00:00<00:00]",
            "Evaluate: [10/10] 100%|██████████ [00:01<00:00]",
            f"Validation Results - Epoch[{epoch}] Avg accuracy: 0.7{epoch} Avg loss: 0.{9 - epoch}5",
        ]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", ["Epoch", "Training", "Iteration", "ITERATION - loss: 0.0"])
def test_a_count_in_front_of_the_percentage_is_that_of_the_bar(name: str) -> None:
    card = scored(_ignite(name, 80))
    accuracy, speed = card["dimensions"]["accuracy"], card["dimensions"]["speed"]
    assert (card["run"]["epochs"], card["run"]["epochs_planned"], card["status"]) == (
        3,
        3,
        "finished",
    )
    assert (accuracy["value"], accuracy["epoch"]) == (0.73, 3)
    assert (speed["value"], speed["unit"]) == (0.5, "it/s")  # 40 in 80 s


def test_a_bar_of_epochs_names_its_epochs() -> None:
    """As Ignite draws it after each epoch."""
    text = "".join(
        f"Epoch: [{epoch}/5] {20 * epoch:3}%|{'█' * epoch:5} [00:{3 * epoch:02}<00:09]\n"
        f"Validation Results - Epoch: {epoch}  Avg accuracy: 0.7{epoch} Avg loss: 0.5\n"
        for epoch in (1, 2, 3)
    )
    run = scored(text)["run"]
    assert (run["epochs"], run["epochs_planned"]) == (3, 5)


def test_a_bar_that_may_count_epochs_has_no_speed() -> None:
    """Ignite draws a bar named `Training` after each epoch, if it is attached so."""
    text = "".join(
        f"Training: [{epoch}/5] {20 * epoch:3}%|{'█' * epoch:5}, loss=0.{9 - epoch} "
        f"[{epoch:02}:00<09:00]\nValidation Results - Epoch[{epoch}] Avg accuracy: 0.7{epoch}\n"
        for epoch in (1, 2, 3)
    )
    card = scored(text)
    assert (card["run"]["epochs"], card["dimensions"]["speed"]["value"]) == (3, None)
    assert card["dimensions"]["accuracy"]["value"] == 0.73


@pytest.mark.parametrize(("seconds", "speed"), [(19, None), (20, 2.0)])
def test_the_time_of_a_bar_without_a_rate_is_exact_enough_from_20_seconds_on(
    seconds: int, speed: float | None
) -> None:
    assert scored(_ignite("Epoch", seconds))["dimensions"]["speed"].get("value") == speed


def _rich(name: str, total: int, rate: int) -> str:
    """A bar of tqdm.rich that counts to `total` in 10 seconds."""
    return "".join(
        f"{name}{10 * part:3}% ━━━━━╸━━━━ {total * part // 10:,}/{total:,}  "
        f"[ 0:00:{part:02} < 0:00:{10 - part:02} , {rate:,} it/s ]\n"
        for part in range(1, 11)
    )


def test_a_bar_of_tqdm_rich_has_the_steps_of_its_epoch() -> None:
    text = "".join(
        _rich(f"Epoch {epoch}/3 ", 12_000, 1_200) + f"Epoch {epoch}: val_acc=0.{epoch + 5}\n"
        for epoch in (1, 2, 3)
    )
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (card["run"]["epochs"], card["run"]["epochs_planned"], card["status"]) == (
        3,
        3,
        "finished",
    )
    assert (speed["value"], speed["unit"]) == (1200.0, "it/s")


@pytest.mark.parametrize(("rate", "speed"), [(19, None), (20, 20.0)])
def test_a_rate_of_tqdm_rich_below_20_is_rounded_too_much(rate: int, speed: float | None) -> None:
    """It is a whole number, and ten seconds are no more exact."""
    text = "".join(_rich(f"Epoch {epoch}/3 ", 10 * rate, rate) for epoch in (1, 2, 3))
    assert scored(text)["dimensions"]["speed"].get("value") == speed


def test_the_mean_that_a_bar_of_segmentation_models_pytorch_ends_with() -> None:
    lines = []
    for epoch in (1, 2, 3):
        post = "dice_loss + bce_loss - 0.{}, iou_score - 0.{}, fscore - 0.9"
        train, half, whole = (post.format(n, n + epoch) for n in (6, 1, 4))
        lines += [
            f"\nEpoch: {epoch - 1}",
            f"train: 100%|████| 20/20 [00:10<00:00,  2.00it/s, {train}]",
            f"valid:  50%|██  | 4/8 [00:01<00:01,  4.00it/s, {half}]\r"
            f"valid: 100%|████| 8/8 [00:02<00:00,  4.00it/s, {whole}]",
        ]
    card = scored("".join(f"{line}\n" for line in lines))
    accuracy, speed = card["dimensions"]["accuracy"], card["dimensions"]["speed"]
    assert (accuracy["value"], accuracy["best"], accuracy["metric"]) == (0.7, 0.7, "iou")
    assert (speed["value"], speed["unit"], card["run"]["epochs"]) == (2, "it/s", 3)


@pytest.mark.parametrize("frames", [(60,), (20, 40, 60)])
@pytest.mark.parametrize("columns", ["{t} {n}.{h:02} it/s", "• {t} • {n}.{h:02}it/s loss: 0.5"])
def test_bars_of_rich_with_columns_of_the_program(frames: tuple[int, ...], columns: str) -> None:
    """A file has the full bars alone. Those of an evaluation are no training, however fast."""
    text = ""
    for epoch in range(1, 11):
        for name, seconds in (("Training", 24), ("Validating", 3)):
            for done in frames:
                blanks = "━" * (done // 3) + " " * (20 - done // 3)
                passed = f"0:00:{seconds * done // 60:02}"
                pace = columns.format(t=passed, n=60 // seconds, h=6000 // seconds % 100)
                text += f"{name:<10} {blanks} {done:2}/60 {pace}\n"
        text += f"epoch {epoch} val_loss 0.{20 - epoch} val_acc 0.{50 + epoch}\n"
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(2.5, rel=0.04), "it/s")
    assert (card["run"]["epochs"], card["dimensions"]["accuracy"]["value"]) == (10, 0.6)


def test_a_bar_of_rich_whose_description_has_a_loss_does_not_end_its_epoch() -> None:
    text = ""
    for epoch in (1, 2, 3):
        for step in range(20, 81, 20):
            bar = "━" * (step // 10) + "╸" * (step < 80)
            text += f"Epoch {epoch}/3 loss=0.{9 - epoch}{step} {bar} {step}/80 0:00:0{step // 20} 0:00:00\n"
    steps = [(one.epoch, one.step, one.steps) for one in iterations(read(text, "generic"))]
    assert steps == [(epoch, step, 80) for epoch in (1, 2, 3) for step in range(20, 81, 20)]
    half = [one.epoch for one in epoch_ends(read(text[: text.index("Epoch 2/3")], "generic"))]
    assert half == [1]
