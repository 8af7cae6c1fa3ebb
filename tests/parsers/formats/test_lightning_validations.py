"""Validations within the epochs of Lightning: whose time and whose figures a bar shows."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd
from tests.support.inputs.generated import read as session_of
from tests.support.logs import only, read, scored


def derived(*before: str, rest: str = "loss=1.8") -> object:
    bars = [f"Epoch {n}: 100%|██████████| 40/40 [00:04<00:00, 10.0it/s, {rest}]" for n in range(10)]
    text = "".join(line + "\n" for line in (*before, *bars))
    return session_of(text.encode()).card().dimensions["speed"].details["derived"]


@pytest.mark.parametrize(
    "validation",
    [
        "Sanity Checking DataLoader 0:   0%|          | 0/2 [00:00<?, ?it/s]",
        "Validation DataLoader 0:   0%|          | 0/2 [00:00<?, ?it/s]",
        "Validating: 0it [00:00, ?it/s]",
    ],
)
def test_an_epoch_has_the_evaluation_in_it_where_there_is_one(validation: str) -> None:
    mean = "1 / the log's own mean iteration time"
    assert derived() == mean
    assert derived(validation) == mean + ", evaluation included"
    assert derived(rest="loss=1.8, val_loss=1.9") == mean + ", evaluation included"


def _epochs_with_validations(*lines: str) -> str:
    """Ten epochs of these lines, in which `{e}` is the epoch's label."""
    head = "GPU available: False, used: False\n"
    return head + "".join(line.format(e=e) + "\n" for e in range(10) for line in lines)


_VALIDATION = "Validation DataLoader 0: 100%|████| 9/9 [00:01<00:00,  9.00it/s]"


_TRAINED = "40/40 [00:04<00:00, 10.00it/s"


_HALF = "20/40 [00:02<00:02, 10.00it/s", "V", "20/40 [00:03<00:03,  6.67it/s, val_f=0.5"


_WHOLE = "40/40 [00:05<00:00,  8.00it/s, val_f=0.5"


@pytest.mark.parametrize(
    ("lines", "speed", "included"),
    [
        ((_TRAINED, "V", _WHOLE), 10, False),
        ((_TRAINED, "V", _WHOLE, _WHOLE), 10, False),
        ((_TRAINED, _WHOLE), 8, True),  # without a sign of when the validation was
        ((*_HALF, _WHOLE), 8, True),
    ],
)
def test_the_speed_is_that_before_the_validation_which_a_bar_shows_after_the_last_iteration(
    lines: tuple[str, ...], speed: float, included: bool
) -> None:
    bar = "Epoch {{e}}: 100%|██████████| {}]"
    shown = [_VALIDATION if part == "V" else bar.format(part) for part in lines]
    figure = scored(_epochs_with_validations(*shown))["dimensions"]["speed"]
    assert figure["value"] == pytest.approx(speed)
    assert figure["derived"].endswith("evaluation included") == included


def test_a_bar_drawn_again_when_the_training_is_over_keeps_the_speed_of_its_epoch() -> None:
    head = "GPU available: False, used: False\n"
    epochs = (
        f"Epoch {e}: 100%|████| {_TRAINED}]\n{_VALIDATION}\nEpoch {e}: 100%|████| {_WHOLE}]"
        for e in (0, 1)
    )
    stop = (
        "Monitored metric val_f did not improve in the last 1 records. Signaling Trainer to stop."
    )
    text = head + "\n".join(epochs) + stop + f"\nEpoch 1: 100%|████| {_WHOLE}]\n"
    assert scored(text)["dimensions"]["speed"]["values"] == pytest.approx([10, 10])


def test_an_epoch_without_a_validation_has_none_in_its_time_where_others_draw_theirs() -> None:
    # check_val_every_n_epoch=4: epochs 3 and 7 have one
    text = ""
    for e in range(10):
        text += f"Epoch {e}: 100%|████| 40/40 [00:0{4 + e % 2}<00:00, {10 - 2 * (e % 2)}.0it/s]\n"
        if e % 4 == 3:
            text += f"{_VALIDATION}\n"
            text += f"Epoch {e}: 100%|████| 40/40 [00:06<00:00, 6.67it/s, val_f=0.5]\n"
    speed = scored(text)["dimensions"]["speed"]
    assert speed["derived"] == "1 / the log's own mean iteration time"
    assert speed["values"] == pytest.approx([10, 8, 10, 8])  # of epochs 6 to 9


def test_a_bar_of_data_whose_length_is_unknown_has_a_speed() -> None:
    bar = "Epoch {{e}}: |          | {s}/? [00:0{t}<00:00, {pace}it/s, train_loss=0.{s}]"
    bars = (
        bar.format(s=s, t=t, pace=pace) for s, t, pace in ((0, 0, "?"), (20, 2, 10), (30, 3, 10))
    )
    text = _epochs_with_validations(*bars)
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(10), "it/s")
    assert len(only(read(text, "lightning"), EpochEnd)) == 10


def drawn(epoch: int, step: int, seconds: float, total: int = 50) -> str:
    rest = f"{step}/{total} [00:{int(seconds):02}<00:00, {step / seconds:.2f}it/s, loss=0.5]"
    return f"Epoch {epoch}:  50%|█████     | {rest}"


def validated(batch: int) -> str:
    return f"Validation DataLoader 0:  50%|█████     | {batch}/10 [00:00<00:00, 40.00it/s]"


def validating(epoch: int, trained: int, seconds: float, total: int) -> list[str]:
    """Ten batches of 0.5 s, which the epoch's bar counts."""
    return [
        line
        for batch in range(1, 11)
        for line in (validated(batch), drawn(epoch, trained + batch, seconds + batch / 2, total))
    ]


@pytest.mark.parametrize("often", [1, 2])
def test_a_bar_that_counts_the_validation_gives_the_pace_of_the_training(often: int) -> None:
    """40 iterations of a second; Lightning 1 counts the batches of each validation with them."""
    lines, total = list[str](), 40 + 10 * often
    for epoch in range(9):
        for part in range(often):
            trained, tested = part * 40 // often, 10 * part
            lines += [
                drawn(epoch, step + tested, step + tested / 2, total)
                for step in range(trained + 1, trained + 40 // often + 1)
            ]
            done = 40 * (part + 1) // often
            lines += validating(epoch, done + tested, done + tested / 2, total)
    speed = session_of("".join(f"{line}\n" for line in lines).encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(1.0, rel=0.005)
    assert speed.details["derived"] == "1 / the log's own mean iteration time"


def test_a_bar_that_stands_still_while_it_validates_counts_the_training_alone() -> None:
    """As Lightning 2 does, also where it validates within the epoch."""
    lines = list[str]()
    for epoch in range(9):
        for half in (0, 20):
            lines += [
                drawn(epoch, step, step + half / 4, 40) for step in range(half + 1, half + 21)
            ]
            lines += [validated(batch) for batch in range(11)]
            lines.append(drawn(epoch, half + 20, half * 1.25 + 20, 40))
    speed = session_of("".join(f"{line}\n" for line in lines).encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(40 / 45, rel=0.001)
    assert speed.details["derived"] == "1 / the log's own mean iteration time, evaluation included"


def epochs_of(every: int, bar: str, validation: str) -> str:
    """Six epochs of a second; each `every`th has a validation, with 0.70 + epoch / 100 as result.

    Until the next one the bar shows the result of the last.
    """
    lines, scores = list[str](), ""
    for epoch in range(6):
        lines += [bar.format(e=epoch, n=n, rest=scores) for n in (0, 20, 40)]
        if (epoch + 1) % every == 0:
            scores = f"val_acc={0.70 + epoch / 100:.3f}"
            lines += [validation, bar.format(e=epoch, n=40, rest=scores)]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("every", [1, 2, 4])
@pytest.mark.parametrize("rich", [False, True])
def test_a_result_that_the_bar_still_shows_is_that_of_an_earlier_epoch(
    every: int, rich: bool
) -> None:
    """`check_val_every_n_epoch`: the last validation is that of epoch 5, 5 or 3."""
    bar = "Epoch {e}:  50%|█████     | {n}/40 [00:01<00:00, 40.0it/s, loss=1.8, {rest}]"
    shown = "Validation DataLoader 0:  50%|█████     | 5/10 [00:00<00:00, 40.00it/s]"
    if rich:
        bar = "Epoch {e}/5  ━━━━━━━━━━ {n}/40 0:00:01 • 0:00:00 40.0it/s loss: 1.8 {rest}"
        shown = "Validation ━━━━━━━━━━ 5/10 0:00:00 • 0:00:00 40.0it/s"
    text = epochs_of(every, bar, shown)
    card = scored(text.replace("val_acc=", "val_acc: ") if rich else text)
    last = {1: 5, 2: 5, 4: 3}[every]
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["epoch"], accuracy["value"]) == (last, round(0.70 + last / 100, 3))
    assert (accuracy["best"], card["run"]["epochs"]) == (accuracy["value"], 6)


def test_the_best_is_known_where_one_line_has_the_bars_of_all_epochs() -> None:
    """A bar in a file moves the cursor back instead of beginning a line."""
    bar = "Epoch {e}:  50%|█████     | {n}/40 [00:01<00:00, 40.0it/s, loss=1.8, {rest}]"
    shown = "Validation DataLoader 0:  50%|█████     | 5/10 [00:00<00:00, 40.00it/s]"
    card = scored(epochs_of(3, bar, shown).replace("\n", "\r"))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["epoch"], accuracy["value"], accuracy["best"]) == (5, 0.75, 0.75)


def test_a_line_of_the_program_behind_a_bar_of_a_validation_is_not_about_it() -> None:
    """Its `loss` is the training's: that of the validation is `v_loss` here."""
    bar = "Validation: |          | 0/? [00:00<?, ?it/s]"
    log = "GPU available: True (cuda), used: True\n" + "".join(
        f"{bar}INFO   Epoch {n}: v_loss 4.{n}91e+00  loss 5.{n}62e+00\n" for n in range(4)
    )
    log += "`Trainer.fit` stopped: `max_epochs=4` reached.\n"
    card = scored(log, "lightning")
    assert card["dimensions"]["accuracy"]["value"] is None
    assert (card["status"], card["run"]["epochs"]) == ("finished", 4)
