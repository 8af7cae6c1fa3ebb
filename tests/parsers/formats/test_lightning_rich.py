"""Rich's progress bar of Lightning, of which a file has single frames."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import BY_NAME, EpochEnd, Evaluation
from tests.support.inputs.generated import read as session_of
from tests.support.logs import facts, only, read, score, scored


def test_the_last_frame_of_a_rich_bar_that_went_to_a_file() -> None:
    """Rich writes one frame, after the closing line; its metrics do not fit beside the bar."""
    text = (
        "GPU available: False, used: False\n`Trainer.fit` stopped: `max_epochs=10` reached.\n"
        "Epoch 9/9  ━━━━━━━━━━━━━━━━ 40/40 0:00:02 • 0:00:00 14.96it/s v_num: 0.000     \n"
        "                                                               train_loss: 0.014\n"
        "                                                               val_acc: 0.831   \n"
        "learning_rate: 0.5\n\nval_acc: 0.25\n"
    )
    events = read(text, "lightning")
    (evaluation,) = [one for one in only(events, Evaluation) if one.model != BY_NAME]
    assert [(m.name, m.value) for m in evaluation.metrics] == [("val_acc", 0.831)]
    assert scored(text)["dimensions"]["accuracy"]["value"] == 0.831
    epoch = only(events, EpochEnd)[-1]
    assert ("train_loss", 0.014) in [(m.name, m.value) for m in epoch.values]
    assert facts(events)["epochs_planned"] == 10
    assert scored(text)["run"]["epochs"] == 10
    restored = "Restoring states from the checkpoint path at a.ckpt\n" + text
    assert scored(restored)["run"]["epochs"] == 1  # how many of them in this log, nobody knows
    for tuned in ("Learning rate set to 1.2e-05\n", "Finished batch size finder, will continue\n"):
        after = restored.replace("`Tr", f"{tuned}`Tr", 1)
        assert scored(after)["run"]["epochs"] == 10  # the tuner restored what it had changed


def test_a_single_rich_frame_of_the_first_versions_has_no_speed() -> None:
    """Before version 2, its 30 batches are 20 of the training and 10 faster ones of the validation.

    From version 2 on, it has the batches of the training alone, and figures with three decimals.
    """
    bar = "Epoch {e}/2  ━━━━━━━ {n}/{n} 0:00:01 • 0:00:00 18.50it/s loss: 0.{x}{zeros}\n"
    bar += " " * 40 + "val_acc: 0.{x}{zeros}\n"
    for n, zeros, speed in ((30, "", None), (20, "00", 18.5)):
        text = "".join(bar.format(e=e, n=n, x=e + 2, zeros=zeros) for e in range(3))
        dimensions = scored(text)["dimensions"]
        assert dimensions["speed"]["value"] == (speed and pytest.approx(speed))
        assert dimensions["accuracy"]["value"] == 0.4


def test_lines_of_the_program_before_a_single_rich_frame_are_of_the_same_epochs() -> None:
    """The frame is written at the end; the log may lack what Lightning itself prints on stderr."""
    text = "".join(f"Epoch {e} train_loss 0.{9 - e} val_acc 0.{e + 5}\n" for e in range(4))
    text += "Epoch 3/3  ━━━━━━━━━━━ 20/20 0:00:01 • 0:00:00 18.57it/s train_loss: 0.600\n"
    card = scored(text + " " * 59 + "val_acc: 0.800\n")
    assert (card["run"]["epochs"], card["warnings"]) == (4, [])
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.8, 0.8)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(18.57)


@pytest.mark.parametrize("inside", [True, False])
def test_the_time_of_a_rich_bar_includes_the_validations_inside_an_epoch(inside: bool) -> None:
    bar = "Epoch {e}/2 ━━━━━━━━━ {n}/40 0:00:0{t} • 0:00:00 20.00it/s loss: 0.5{shown}\n"
    text, shown = "GPU available: False, used: False\n", ""
    for e in range(3):
        for n in (0, 10, 20, 30, 40):
            if (n == 20 and inside) or (n == 0 and e):
                shown = f" val_acc: 0.{e + 5}{n}"
            text += bar.format(e=e, n=n, t=n // 20, shown=shown)
    speed = scored(text)["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(20.0)
    assert speed["derived"].endswith("evaluation included") is inside


def test_epochs_with_a_checkpoint_are_not_trained_again_by_the_one_frame_after_the_end() -> None:
    """GluonTS: Rich writes its only frame after `max_epochs` reached; what is watched is a
    figure of the training, and so no evaluation."""
    lines = ["GPU available: False, used: False", "TPU available: False, using: 0 TPU cores"]
    for epoch, loss in enumerate(("1.40638", "1.16340", "0.92480", "0.72370", "0.55890")):
        head = f"Epoch {epoch}, global step {20 * epoch + 20}: 'train_loss' reached {loss}"
        lines.append(f"{head} (best {loss}), saving model to '/w/a.ckpt' as top 1")
    lines += [
        "`Trainer.fit` stopped: `max_epochs=5` reached.",
        "Epoch 4/4  ━━━━━━━━━━━━━━━━━ 20/-- 0:00:06 • -:--:-- 3.03it/s v_num: 0.000      ",
        "                                                              train_loss: 0.559 ",
    ]
    card = session_of("".join(f"{line}\n" for line in lines).encode()).card()
    assert (card.run["epochs"], card.status, list(card.warnings)) == (5, "finished", [])
    assert card.dimensions["speed"].value == pytest.approx(3.03, rel=0.001)
    assert card.dimensions["accuracy"].value is None


def test_the_one_frame_after_so_many_steps_is_of_the_last_of_all_epochs() -> None:
    """Rich counts up to -2 where `max_epochs` is -1, as neuralforecast has it: none are planned."""
    log = (
        "GPU available: False, used: False\n`Trainer.fit` stopped: `max_steps=200` reached.\n"
        "Epoch 99/-2 ━━━━━━━━━━ 2/2 0:00:01 • 0:00:00 2.50it/s v_num: 0 train_loss: 0.5\n"
    )
    card = scored(log)
    assert (card["status"], card["run"]["epochs"]) == ("finished", 100)
    assert "epochs_planned" not in card["run"]
    restored = log.replace("`Tr", "Restored all states from the checkpoint at a.ckpt\n`Tr")
    assert scored(restored)["run"]["epochs"] == 1


_RICH = (
    "GPU available: False, used: False\n{before}"
    "Epoch {last}/{planned} ━━━━━━━━━━━━━ {step}/40 0:00:01 • 0:00:00 25.00it/s train/loss_step: \n"
    "                                                               0.534 val/acc:   \n"
    "                                                               0.744            \n"
    "                                                               train/loss_epoch:\n"
    "                                                               0.549            \n"
)


_REACHED = "`Trainer.fit` stopped: `max_epochs=6` reached.\n"


def test_a_rich_frame_may_wrap_figures_between_name_and_value() -> None:
    text = _RICH.format(before=_REACHED, last=5, planned=5, step=40)
    (evaluation,) = only(read(text, "lightning"), Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [("val/acc", 0.744)]
    epoch = only(read(text, "lightning"), EpochEnd)[-1]
    values = {m.name: m.value for m in epoch.values}
    assert (values["train/loss_step"], values["train/loss_epoch"]) == (0.534, 0.549)
    cut = text.replace("               0.744            \n", "Done: 0.744\n")
    assert not only(read(cut, "lightning"), Evaluation)


def test_a_rich_bar_stops_while_the_validation_has_a_bar_of_its_own() -> None:
    """Its pace is that of the training alone: 25 it/s, though an epoch takes longer."""
    speed = scored(_RICH.format(before=_REACHED, last=5, planned=5, step=40))["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(25.0)
    assert "evaluation included" not in speed["reason"]


@pytest.mark.parametrize(
    "before",
    [
        "Time limit reached. Elapsed time is 0:00:08. Signaling Trainer to stop.\n",
        "Monitored metric val/acc did not improve in the last 2 records. Best score: 0.794. "
        "Signaling Trainer to stop.\n",
    ],
)
def test_a_run_that_is_told_to_stop_is_finished_though_its_frame_comes_last(before: str) -> None:
    text = _RICH.format(before=before, last=4, planned=-2, step=26)
    card = scored(text)
    assert (card["status"], card["dimensions"]["accuracy"]["value"]) == ("finished", None)
    assert scored(text.replace(before, ""))["status"] == "incomplete"


def test_the_first_frame_of_an_epoch_has_the_validation_of_the_one_before() -> None:
    """As in a terminal: until the next epoch begins, Rich shows the result before."""
    figures = " " * 60 + "{acc}\n" + " " * 60 + "train_loss: 0.5\n"
    frame = (
        "Epoch {e}/2 ━━━━━━━━━ {n}/40 0:00:0{t} • 0:00:00 {pace} train_loss_step: 0.5\n" + figures
    )
    text = "GPU available: False, used: False\n"
    for e in range(3):
        shown = f"val_acc: 0.7{e - 1}" if e else ""
        for n, pace in ((0, "0.00it/s"), (20, "25.00it/s"), (40, "25.00it/s")):
            text += frame.format(e=e, n=n, t=n // 25, pace=pace, acc=shown)
    last = frame.format(e=2, n=40, t=1, pace="25.00it/s", acc="val_acc: 0.72")
    text += last + "`Trainer.fit` stopped: `max_epochs=3` reached.\n"
    found = only(read(text, "lightning"), Evaluation)
    assert [(e.epoch, score(e, "val_acc")) for e in found] == [(0, 0.7), (1, 0.71), (2, 0.72)]
    card = scored(text)
    assert (card["run"]["epochs"], card["status"]) == (3, "finished")
    assert card["dimensions"]["speed"]["value"] == pytest.approx(25.0)


def test_a_wrapped_frame_shows_the_validation_last_and_the_next_bar_is_a_new_one() -> None:
    """As with `leave=True`: the bar of an epoch stays, is full, and gets its figures last."""
    up = "\r\x1b[2K\x1b[1A\x1b[2K"
    bar = "Epoch {e}/2 ━━━━━ 40/40 0:00:03 • 0:00:00 12.50it/s train/loss: 0.4 val/acc:\r\n"
    figures = " " * 60 + "{acc} train/loss_epoch: 0.6\r\n"
    checking = "Validation ━━━━━ {n}/20 0:00:00 • 0:00:01 25.00it/s"
    text = "GPU available: False, used: False\n"
    for e in range(3):
        text += f"\x1b[?25l\r\x1b[2KEpoch {e}/2 ━━━━━ 0/40 0:00:00 • -:--:-- 0.00it/s"
        before = f"0.7{e - 1}" if e else ""
        for n in (7, 16):
            shown = bar if e else bar.replace(" val/acc:", "")
            text += up + (shown + figures * (e > 0) + checking).format(e=e, acc=before, n=n)
            up = "\r\x1b[2K" + "\x1b[1A\x1b[2K" * (1 + (e > 0))
        text += up + (bar + figures).format(e=e, acc=f"0.7{e}") + "\x1b[?25h"
    text += "`Trainer.fit` stopped: `max_epochs=3` reached.\n"
    found = only(read(text, "lightning"), Evaluation)
    assert [(e.epoch, score(e, "val/acc")) for e in found] == [(0, 0.7), (1, 0.71), (2, 0.72)]
    ends = only(read(text, "lightning"), EpochEnd)
    assert {e.train_time for e in ends if e.iteration_time} == {3.0}  # of the training alone


@pytest.mark.parametrize(
    "closing",
    [
        "`Trainer.fit` stopped: `max_steps=300` reached.",
        "Time limit reached. Elapsed time is 0:00:08. Signaling Trainer to stop.",
    ],
)
def test_a_message_may_be_glued_to_a_frame_in_a_terminal(closing: str) -> None:
    bar = "Epoch {e}/-2 ━━━━━━━━━ {n}/40 0:00:01 • 0:00:00 25.00it/s train/loss_step: 0.5\n"
    below = " " * 60 + "val/acc: 0.7{e}" + " " * 20
    text = "GPU available: False, used: False\n"
    frames = ((e, n) for e in range(3) for n in (0, 20, 40))
    text += "".join((bar + below + "\n").format(e=e, n=n) for e, n in frames)
    end = text.removesuffix("\n") + closing + "\n" + (bar + below).format(e=2, n=40) + "\n"
    assert (scored(end)["status"], scored(text)["status"]) == ("finished", "incomplete")
    assert scored(end)["dimensions"]["accuracy"]["value"] == 0.72
    moved = text.replace(" " * 20 + "\n", " " * 20)  # the cursor moves instead of the line
    assert scored(moved)["run"]["epochs"] == scored(text)["run"]["epochs"]


@pytest.mark.parametrize(("last", "value"), [("0.72", 0.72), ("0.65", 0.65)])
def test_rich_draws_the_results_of_the_last_epoch_after_the_closing_line(
    last: str, value: float
) -> None:
    """The closing line stands on the line of a drawing that has those of the epoch before: 0.65."""
    bar = (
        "Epoch {e}/2  ━━━━━━━━━━ {n}/40 0:00:01 • 0:00:00 40.0it/s loss: 1.8 val_acc: \n     {a}   "
    )
    validation = "Validation ━━━━━━━━━━ 5/10 0:00:00 • 0:00:00 40.0it/s\n"
    scores, text = ("0.50", "0.60", "0.65", last), ""
    for epoch in range(3):
        at = [(n, scores[epoch]) for n in (0, 20, 40)]
        text += "".join(bar.format(e=epoch, n=n, a=a) + "\n" for n, a in at) + validation
    text += bar.format(e=2, n=40, a="0.65") + "`Trainer.fit` stopped: `max_epochs=3` reached.\n"
    text += bar.format(e=2, n=40, a=last) + "\n"
    card = scored("GPU available: False, used: False\n" + text)
    accuracy = card["dimensions"]["accuracy"]
    assert (card["status"], card["run"]["epochs"]) == ("finished", 3)
    assert (accuracy["value"], accuracy["epoch"]) == (value, 2)
    assert "after_training" not in card["run_end"]


def test_a_message_at_the_end_of_rich_s_bar_of_a_validation_ends_the_run() -> None:
    """Three of twenty epochs; the results of the third are drawn after the message."""
    bar = "Epoch {e}/19  ━━━━━━━━━━ {n}/40 0:00:01 • 0:00:00 40.0it/s loss: 1.8 val_acc: {a}"
    validation = "Validation ━━━━━━━━━━ 5/10 0:00:00 • 0:00:00 40.0it/s"
    scores, lines = ("0.50", "0.60", "0.60", "0.55"), list[str]()
    for epoch in range(3):
        lines += [bar.format(e=epoch, n=n, a=scores[epoch]) for n in (0, 20, 40)] + [validation]
    lines[-1] += "     Monitored metric val_acc did not improve in the last 1 records. Best score: "
    lines[-1] += "0.600. Signaling Trainer to stop."
    lines.append(bar.format(e=2, n=40, a=scores[3]))
    card = scored("".join(f"{line}\n" for line in ("GPU available: False, used: False", *lines)))
    accuracy = card["dimensions"]["accuracy"]
    assert (card["status"], card["run"]["epochs"]) == ("finished", 3)
    assert (accuracy["value"], accuracy["best"], accuracy["epoch"]) == (0.55, 0.6, 2)


def test_a_narrow_terminal_wraps_the_time_that_remains() -> None:
    """The columns of a table of Rich are wrapped one by one; the frame before it has the same."""
    bar = "Epoch {e}/2 ━━━━━━━━ 40/40 0:00:02 • 0:00:00 20.00it/s train_loss: 0.5\n"
    cut = "Epoch {e}/2 ━━━━━━━ 40/40 0:00:02 •       20.00it/s   train_loss: 0.5\n"
    text = "".join((bar + cut + "                0:00:00\n").format(e=e) for e in range(3))
    card = scored(text + "`Trainer.fit` stopped: `max_epochs=3` reached.\n")
    assert card["warnings"] == [] and card["run"]["epochs"] == 3
    assert card["dimensions"]["speed"]["value"] == pytest.approx(20.0)
