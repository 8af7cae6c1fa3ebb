"""PyTorch Lightning: the console's bars and the CSVLogger's metrics.csv."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunEnd, RunStart
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.inputs.generated import read as session_of
from tests.support.logs import detected, facts, only, read, real, score, scored

BAR = "Epoch {e}: {p:>3}%|████▎     | {s}/7 [00:{t:02}<00:50, {pace}, {rest}]"


def test_bar() -> None:
    line = BAR.format(e=0, p=43, s=3, t=37, pace="12.58s/it", rest="loss=1.82, v_num=5")
    (iteration,) = only(read(line + "\n", "lightning"), Iteration)
    assert (iteration.epoch, iteration.step, iteration.steps) == (0, 3, 7)
    assert (iteration.loss, iteration.duration) == (1.82, 12.58)
    assert (iteration.values[0].name, iteration.values[0].value) == ("elapsed", 37)
    assert iteration.throughput is None


def test_redrawn_bars_are_one_iteration_and_fast_ones_are_inverted() -> None:
    text = "\r".join(
        BAR.format(e=0, p=14, s=1, t=1, pace=" 4.00it/s", rest=f"train_loss={x}, v_num=a7")
        for x in (1.5, 1.25)
    )
    (iteration,) = only(read(text + "\n", "lightning"), Iteration)
    assert (iteration.loss, iteration.duration) == (1.5, 0.25)


def test_figures_of_an_epoch_are_those_of_its_last_drawing() -> None:
    # The full bar first shows the epoch before's validation, then its own.
    bars = [
        BAR.format(e=e, p=p, s=s, t=t, pace="1.00it/s", rest=rest)
        for e, p, s, t, rest in (
            (0, 100, 7, 7, "loss=1.5"),
            (0, 100, 7, 9, "loss=1.5, val_acc=0.50"),
            (0, 0, 0, 0, "loss=1.5, val_acc=0.50"),
            (1, 14, 1, 1, "loss=1.4, val_acc=0.50"),
            (1, 100, 7, 7, "loss=1.3, val_acc=0.50"),
            (1, 100, 7, 8, "loss=1.25, val_acc=0.75"),
        )
    ]
    events = read(
        "\r".join(bars) + "\n`Trainer.fit` stopped: `max_epochs=2` reached.\n", "lightning"
    )
    assert [(e.epoch, score(e, "val_acc")) for e in only(events, Evaluation)] == [
        (0, 0.5),
        (1, 0.75),
    ]
    assert [(e.epoch, e.epoch_time) for e in only(events, EpochEnd)] == [(0, 9.0), (1, 8.0)]
    assert len(only(events, RunEnd)) == 1


def test_header() -> None:
    text = """\
Using 16bit native Automatic Mixed Precision (AMP)
GPU available: True (cuda), used: True
TPU available: False, using: 0 TPU cores
LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0,1]
All distributed processes registered. Starting with 2 processes
"""
    events = read(text, "lightning")
    assert facts(events) == {"precision": "amp 16bit", "devices": 2}
    assert len(only(events, RunStart)) == 1
    assert detected(text) == "lightning"


def test_the_name_of_a_gpu_is_no_header() -> None:
    text = "GPU available: NVIDIA GeForce RTX 3050 Ti Laptop GPU\nGPU available: True\n"
    assert not only(read(text, "lightning"), RunStart)


def test_unknown_pace_and_cut_bars() -> None:
    line = BAR.format(e=0, p=14, s=1, t=1, pace="?it/s", rest="v_num=0") + "\n"
    assert only(read(line, "lightning"), Iteration)[0].duration is None
    for length in range(len(line)):
        for iteration in only(read(line[:length] + "\n", "lightning"), Iteration):
            assert (iteration.epoch, iteration.step) == (0, 1)


def test_real_console() -> None:
    name, events = real("corpus/lightning/deereyre_bert_ner_console.log")
    assert name == "lightning"
    assert [(i.epoch, i.step) for i in only(events, Iteration)] == [
        (e, s) for e in range(3) for s in range(1, 8)
    ]
    # Its warning says "Skipping val loop": the bars are those of the training alone.
    ends = only(events, EpochEnd)
    assert [(e.train_time, e.epoch_time) for e in ends] == [(s, None) for s in (77, 102, 61)]


def test_the_closing_line_after_a_bar() -> None:
    bar = BAR.format(e=1, p=100, s=7, t=7, pace="1.00it/s", rest="v_num=0, val_acc=0.75")
    last = bar.replace("00:07", "00:08")
    log = f"{bar}\n{bar}`Trainer.fit` stopped: `max_epochs=2` reached.\n"
    for text in (log, log + last + "\n"):
        events = read(text, "lightning")
        assert facts(events)["epochs_planned"] == 2
        assert len(only(events, RunEnd)) == 1
        assert [(e.epoch, score(e, "val_acc")) for e in only(events, Evaluation)] == [(1, 0.75)]
    assert only(events, EpochEnd)[-1].epoch_time == 8.0


def test_validations_inside_an_epoch_count() -> None:
    shown = ((3, ""), (4, "0.625"), (5, "0.625"), (7, "0.875"))
    bars = [
        BAR.format(
            e=e, p=s * 14, s=s, t=s, pace="1.00it/s", rest=f"loss=1.5{acc and ', val_acc='}{acc}"
        )
        for e, accs in ((0, shown), (1, ((1, "0.875"), (4, "0.9"), (7, "0.75"))))
        for s, acc in accs
    ]
    text = "\r".join(bars) + "\n"
    found = only(read(text, "lightning"), Evaluation)
    assert [(e.epoch, score(e, "val_acc"), e.midway) for e in found] == [
        (0, 0.625, True),
        (0, 0.875, False),
        (1, 0.9, True),
        (1, 0.75, False),
    ]
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.75, 0.9)


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
    card = scored(BAR.format(e=0, p=100, s=7, t=7, pace="1.00it/s", rest="loss=nan") + f"\n{said}")
    assert card["status"] == "incomplete"
    text = BAR.format(e=0, p=100, s=7, t=7, pace="1.00it/s", rest="loss=nan, v_num=1")
    card = scored(f"{text}\n{said} Signaling Trainer to stop.\n")
    assert card["status"] == "failed"


def test_the_mean_of_an_epoch_that_max_steps_cut_short_does_not_end_it() -> None:
    text = "epoch,step,train_loss_epoch,val_acc\n"
    text += "".join(f"{e},{s},,0.{5 + e}\n{e},{s},0.25,\n" for e, s in ((0, 31), (1, 63)))
    assert scored(text)["run"]["epochs"] == 2
    assert scored(text + "2,79,0.125,\n")["run"]["epochs"] == 2  # 16 steps of 32
    assert scored(text + "2,94,0.125,\n")["run"]["epochs"] == 2
    assert scored(text + "2,95,0.125,\n")["run"]["epochs"] == 3
    assert scored(text + "2,79,0.125,\n3,90,0.125,\n")["run"]["epochs"] == 3


@pytest.mark.parametrize("name", ["acc/val", "Val_acc", "avg_val_acc", "valid/BinaryAccuracy"])
def test_names_of_a_validation_need_not_begin_with_it(name: str) -> None:
    text = f"epoch,step,loss/train,{name},loss/val\n"
    text += "".join(f"{e},{9 + 10 * e},0.5,,\n{e},{9 + 10 * e},,0.7{e},0.4{e}\n" for e in range(3))
    events = read(text, "lightning-csv")
    assert [one.loss for one in only(events, Iteration)] == [0.5] * 3
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["epoch"]) == (0.72, 2)


def test_a_test_after_the_training_is_not_its_accuracy() -> None:
    """With `on_step=True` the figures of a whole validation end with `_epoch`."""
    text = "epoch,step,test_acc,val_acc_epoch,val_acc_step\n"
    text += "".join(f",{e},,,0.5\n{e},{9 + 10 * e},,0.7{e},\n" for e in range(3))
    accuracy = scored(text + "3,30,0.65,,\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("val_acc_epoch", 0.72, 2)


def test_the_rates_of_the_throughput_monitor() -> None:
    """Two devices: the rate of both is printed beside that of each; a validation adds no time."""
    head = "epoch,step,train/device/samples_per_sec,train/samples_per_sec,train_loss_step,val_acc\n"
    rows = [(e, 20 * e + s, r) for e, r in enumerate((150, 200, 250)) for s in (9, 19)]
    text = "".join(f"{e},{s},{r / 2},{r},,\n{e},{s},,,0.5,\n" for e, s, r in rows)
    speed = scored(head + text)["dimensions"]["speed"]
    # The fastest and the slowest of the three epochs are left out.
    assert (speed["value"], speed["unit"], speed["scope"]) == (200.0, "samples/s", "job")
    alone = head.replace(",train/samples", ",other") + text
    assert scored(alone)["run"]["scope"] == "per device"
    assert scored(alone)["dimensions"]["speed"]["value"] == 100.0
    old = alone.replace("/", "|")
    assert scored(old)["dimensions"]["speed"]["value"] == 100.0


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
            rest = "v_num=1, val/accuracy=0.520"
            lines.append(BAR.format(e=2, p=100, s=7, t=9, pace="1.21s/it", rest=rest))
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


@pytest.mark.parametrize(
    ("header", "rest", "accuracy"),
    [
        ("", "loss=0.5", 0.69),
        ("", "loss=0.5, v_num=3", 0.69),
        ("GPU available: True (cuda), used: True\n", "loss=0.5", 0.69),
    ],
)
def test_what_a_loop_with_such_bars_prints_is_its_evaluation(
    header: str, rest: str, accuracy: float | None
) -> None:
    lines = []
    for epoch in range(10):
        lines += [
            BAR.format(e=epoch, p=14 * s, s=s, t=2 * s, pace="2.00s/it", rest=rest) for s in (1, 7)
        ]
        lines.append(f"val loss 0.7 val acc 0.6{epoch}")
    card = scored(header + "\n".join([*lines, "Training complete! Best val loss: 0.5", ""]))
    assert (card["run"]["format"], card["status"]) == ("lightning", "finished")
    assert card["dimensions"]["accuracy"]["value"] == accuracy
    assert card["run_end"]["epochs"] == 10


@pytest.mark.parametrize(("end", "acc"), [("", None), ("]", 0.7)])
def test_the_last_figure_of_a_bar_that_was_cut_is_none(end: str, acc: float | None) -> None:
    bar = "Epoch {e}: 100%|████| 7/7 [00:07<00:00, 1.00it/s, v_num=1, val_loss=0.4, val_acc=0.7"
    lines = ["GPU available: True (cuda), used: True", *(bar.format(e=e) + end for e in range(4))]
    card = session_of("".join(f"{line}\n" for line in lines).encode()).card()
    accuracy = card.dimensions["accuracy"]
    assert (accuracy.value, accuracy.details["metric"]) == (
        (0.4, "val_loss") if acc is None else (acc, "val_acc")
    )


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


def test_a_bar_may_have_no_drawing() -> None:
    """As in a notebook, or in a terminal that is too narrow for one."""
    bar = "Epoch {}: {:>3}% {}/20 [00:{:02}<00:0{}, 2.50it/s, loss=0.158, v_num=0]\n"
    log = "".join(
        bar.format(epoch, step * 5, step, step // 2, (20 - step) // 4)
        for epoch in range(2)
        for step in (10, 12, 14, 20)
        if (epoch, step) != (1, 20)
    )
    card = scored(log)
    assert (card["run"]["format"], card["run"]["epochs"]) == ("lightning", 1)
    assert card["dimensions"]["speed"]["value"] == 2.0  # 20 iterations in 10 s


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


RICH_TABLE = """\
┏━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━┓
┃   Test metric    ┃   DataLoader 0   ┃
┡━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━┩
│     test_acc     │       0.75       │
│  test top 5 acc  │       0.9        │
└──────────────────┴──────────────────┘
"""
PLAIN_TABLE = """\
────────────────────────────────────────
      Test metric          DataLoader 0
────────────────────────────────────────
        test_acc               0.75
     test top 5 acc            0.9
────────────────────────────────────────
"""
HEADER = "GPU available: False, used: False\n"


def _trained(last: str = "train_loss=0.5") -> str:
    rests = [*(6 * ["train_loss=0.5"]), last]
    bars = (
        BAR.format(e=0, p=9, s=n, t=n, pace="1.00it/s", rest=one) for n, one in enumerate(rests, 1)
    )
    return HEADER + "\r".join(bars) + "\n"


@pytest.mark.parametrize("table", [RICH_TABLE, PLAIN_TABLE])
def test_the_table_of_test_results_counts_where_the_training_shows_none(table: str) -> None:
    (found,) = only(read(_trained() + table, "lightning"), Evaluation)
    assert [(m.name, m.value) for m in found.metrics] == [
        ("test_acc", 0.75),
        ("test top 5 acc", 0.9),
    ]
    assert (found.data, found.after_training) == ("test", False)
    assert scored(_trained() + table)["dimensions"]["accuracy"]["value"] == 0.75
    validated, found = only(read(_trained("val_acc=0.5") + table, "lightning"), Evaluation)
    assert (score(validated, "val_acc"), found.after_training) == (0.5, True)
    accuracy = scored(_trained("val_acc=0.5") + table)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("val_acc", 0.5)


def test_a_table_before_the_training_is_not_of_what_it_trains() -> None:
    table = RICH_TABLE.replace("Test metric", "Validate metric").replace("test_acc", "val_acc")
    assert scored(HEADER + table)["dimensions"]["accuracy"]["value"] == 0.75
    assert only(read(HEADER + table + _trained(), "lightning"), Evaluation) == []
    assert (
        only(read(HEADER + table + _trained().removeprefix(HEADER), "lightning"), Evaluation) == []
    )


def test_a_table_of_several_data_loaders_or_that_is_cut_is_none() -> None:
    several = RICH_TABLE.replace("DataLoader 0   ┃", "DataLoader 0   ┃ DataLoader 1 ┃")
    cut = RICH_TABLE[: RICH_TABLE.index("└")] + "done\n"
    for table in (several, cut):
        assert only(read(_trained() + table, "lightning"), Evaluation) == []


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


def test_the_accuracy_of_the_first_of_several_loaders() -> None:
    """Lightning appends the loader to the names of what it evaluates on several."""
    names = [f"val/{of}/dataloader_idx_{n}" for of in ("loss", "acc") for n in (0, 1)]
    rows = ["epoch,step,train_loss," + ",".join(names)]
    for epoch in range(3):
        rows += [
            f"{epoch},{100 * epoch + 99},0.5,,,,",
            f"{epoch},{100 * epoch + 99},,2,3,0.{5 + epoch},0.25",
        ]
    accuracy = scored("\n".join(rows) + "\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("val/acc/dataloader_idx_0", 0.7)


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
