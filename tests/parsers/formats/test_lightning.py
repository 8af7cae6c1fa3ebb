"""PyTorch Lightning: the console's bars and the CSVLogger's metrics.csv."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunEnd, RunStart
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


def test_a_bar_whose_clock_goes_on_through_all_epochs_gives_the_time_of_each() -> None:
    """Each epoch trains 40 iterations in 80 s, 3 s after the one before; the pace is since the start."""

    def bar(epoch: int, step: int, seconds: int, of: int) -> str:
        clock, pace = f"{seconds // 60:02}:{seconds % 60:02}", seconds / step
        return f"Epoch {epoch}: {step * 5 // 2}%|██| {step}/40 [{clock}<00:09, {pace:.2f}s/it, loss=2.{of}]"

    bars = []
    for epoch in range(10):
        began = 83 * epoch
        if epoch:
            bars.append(bar(epoch, 40, began, of=epoch - 1))  # the old bar has the new label first
        bars += [bar(epoch, step, began + 2 * step, of=epoch) for step in (10, 20, 30, 40)]
    card = scored("GPU available: True, used: True\n" + "\n".join(bars) + "\n")
    assert card["dimensions"]["speed"]["value"] == pytest.approx(0.5, rel=0.01)
    ends = only(read("\n".join(bars) + "\n", "lightning"), EpochEnd)
    assert [end.train_time for end in ends] == [80] * 10
