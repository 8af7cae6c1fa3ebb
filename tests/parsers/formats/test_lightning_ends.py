"""When a training of Lightning is over, and how many epochs it trained."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.inputs.generated import read as session_of
from tests.support.logs import bar, scored


def test_lines_that_a_buffer_held_back_until_the_closing_line_begin_no_epoch_again() -> None:
    text = "GPU available: False, used: False\n`Trainer.fit` stopped: `max_epochs=3` reached.\n"
    text += "".join(f"Epoch {e}: train_loss 0.5{e} val_acc 0.7{e}\n" for e in range(3))
    card = scored(text)
    assert (card["run"]["epochs"], card["status"], card["warnings"]) == (3, "finished", [])
    assert card["dimensions"]["accuracy"]["value"] == 0.72


def test_the_trials_of_the_tuner_are_not_the_training() -> None:
    trial = "`Trainer.fit` stopped: `max_steps=3` reached.\n"
    text = "GPU available: False, used: False\n" + 3 * trial
    assert scored(text)["status"] == "finished"
    session = Session("train.log", Settings(), formats(), None, 7)
    session.feed(text.encode())
    assert session.card().status == "waiting"  # while it is followed
    text += "Finished batch size finder, will continue with full run using batch size 8\n"
    text += "Restored all states from the checkpoint at /run/.scale_batch_size_0b49.ckpt\n"
    assert scored(text)["status"] == "incomplete"
    text += "`Trainer.fit` stopped: `max_epochs=3` reached.\n"
    text += "Epoch 2/2  ━━━━━━━━━━━ 40/40 0:00:02 • 0:00:00 14.96it/s val_acc: 0.831\n"
    card = scored(text)
    assert (card["run"]["epochs"], card["status"]) == (3, "finished")
    assert card["dimensions"]["accuracy"]["best"] is None  # the others are not in the file


def test_an_early_stop_because_the_metric_is_nan_is_a_failure() -> None:
    said = "Monitored metric val_loss = nan is not finite. Previous best value was 0.522."
    drawn = bar("Epoch 0: ", 7, 7, "1.00it/s", ", loss=nan, v_num=1")
    assert scored(f"{drawn}\n{said}")["status"] == "incomplete"
    assert scored(f"{drawn}\n{said} Signaling Trainer to stop.\n")["status"] == "failed"


def test_checkpoints_say_which_epochs_are_over_where_a_file_has_one_bar() -> None:
    best = {0: 0.31, 1: 0.52, 3: 0.64}
    lines = ["GPU available: True (cuda), used: True", "TPU available: False, using: 0 TPU cores"]
    for epoch in range(6):
        head = f"Epoch {epoch}, global step {7 * epoch + 7}: 'val/accuracy' "
        if epoch in best:
            value = f"{best[epoch]:.5f}"
            lines.append(
                f"{head}reached {value} (best {value}), saving model to '/w/a.ckpt' as top 1"
            )
        else:
            lines.append(f"{head}was not in top 1")
        if epoch == 1:
            lines.append(bar("Epoch 2: ", 7, 7, "1.21s/it", ", v_num=1, val/accuracy=0.520"))
    card = session_of("".join(f"{line}\n" for line in lines).encode()).card()
    assert card.run["epochs"] == 6
    accuracy = card.dimensions["accuracy"]
    assert (accuracy.value, accuracy.details["best"], accuracy.details["epoch"]) == (None, 0.64, 5)


def test_trainings_after_each_other_of_which_only_the_ends_are_printed() -> None:
    """A tracker's summary stands after each: its loss is that training's."""
    training = (
        "GPU available: True (cuda), used: True\nTPU available: False, using: 0 TPU cores\n"
        "LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0]\n"
        "`Trainer.fit` stopped: `max_epochs=40` reached.\n"
        "wandb: epoch 39\nwandb: val_loss_epoch {}\n"
    )
    card = scored(training.format(4.25) + training.format(1.75) + training.format(2.5))
    assert card["run"]["format"] == "lightning"
    assert card["dimensions"]["accuracy"]["value"] == 2.5
    assert card["run_end"]["epochs"] == 40
    (several,) = [one["text"] for one in card["warnings"] if one["kind"] == "several_runs"]
    assert several == "the log holds 3 runs; this is run 3"


_STOPS = (
    "Monitored metric val_acc did not improve in the last 3 records. Best score: 0.812. "
    "Signaling Trainer to stop."
)


def _stopped_early(after: str, *, goes_on: bool = False) -> str:
    drawn = "Epoch {e}: 100%|███| 40/40 [00:02<00:00, 18.80it/s, v_num=0, val_acc=0.8{e}]"
    lines = [drawn.format(e=e) for e in range(6)]
    lines += [lines[-1] + after, lines[-1]] if after == _STOPS else [after.strip()]
    further = [drawn.format(e=6).replace("40/40", f"{step}/40") for step in (20, 40)]
    return "".join(f"{one}\n" for one in [*lines, *further * goes_on])


@pytest.mark.parametrize("after", [_STOPS, f"\n{_STOPS}"])
def test_a_training_that_is_stopped_early_is_finished(after: str) -> None:
    """The message stands after the last bar, or on a line of its own."""
    card = scored(_stopped_early(after))
    assert (card["status"], card["run_end"]["epochs"]) == ("finished", 6)
    assert card["dimensions"]["accuracy"]["value"] == 0.85
    assert not card["warnings"]


@pytest.mark.parametrize("after", [_STOPS, f"\n{_STOPS}"])
def test_a_training_that_must_go_on_is_not_finished_by_the_signal(after: str) -> None:
    card = scored(_stopped_early(after, goes_on=True))
    assert (card["status"], card["run_end"]["epochs"]) == ("incomplete", 7)
    assert card["dimensions"]["accuracy"]["value"] == 0.86


@pytest.mark.parametrize(("goes_on", "status"), [(False, "finished"), (True, "incomplete")])
def test_the_checkpoint_of_the_last_epoch_may_stand_after_the_message_that_stops(
    goes_on: bool, status: str
) -> None:
    """With `min_epochs`, training goes on after the message all the same."""
    line = "Epoch {e}, global step {s}: 'val_acc' was not in top 1\n"
    checkpoints = [line.format(e=e, s=40 * e + 40) for e in range(6)]
    lines = [*checkpoints[:5], f"{_STOPS}\n", *checkpoints[5:]]
    drawn = "Epoch 6:  50%|██   | 20/40 [00:02<00:02, 10.00it/s, v_num=0]\n"
    card = scored("GPU available: False, used: False\n" + "".join(lines) + drawn * goes_on)
    assert (card["status"], card["run_end"]["epochs"]) == (status, 6)
