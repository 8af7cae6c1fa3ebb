"""What the screen says of the time left, and of the speed before its window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sixdim.metrics.card.snapshot import EarlySpeed, Progress
from sixdim.metrics.fold.sums.series_fold import SeriesFold
from sixdim.metrics.values.card import Caution, Status
from sixdim.metrics.values.remaining import Remaining
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Iteration, Origin
from sixdim.tui.screen.panels.header import epoch_bar
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.request import Request
from sixdim.tui.session.session import Session
from tests.support.screens import ScriptedFeed, frame_at, on_screen

LINE = (
    "Epoch: [{e}]  [{s:3d}/100]  eta: 0:00:10  lr: 0.1  img/s: {r}  loss: 1.5 (1.5)  "
    "time: 0.1000  data: 0.0010\n"
)
END = "Epoch: [{e}] Avg img/s: {r}\nEpoch: [{e}] Total time: 0:01:40\n"


def read(text: str) -> Session:
    settings = Settings(given={"epochs_planned": 10})
    session = Request(settings).session("train.log", keep=10)
    session.feed(text.encode())
    return session


def epochs(count: int, rates: list[float]) -> str:
    return "".join(
        "".join(LINE.format(e=e, s=s, r=rates[e]) for s in range(0, 100, 10))
        + END.format(e=e, r=rates[e])
        for e in range(count)
    )


def test_the_end_of_the_run_comes_before_a_target_without_a_forecast() -> None:
    """In 80 columns only one of them fits, and the chart has the target, too."""
    shot = read(epochs(3, [100.0, 400.0, 200.0])).snapshot()
    progress = replace(shot.progress, remaining=Remaining(0.5, 3725.0))
    shot = replace(shot, progress=progress, target_value=75.9)
    head = on_screen(ScriptedFeed([Frame(shot)]), (80, 24))[0]
    assert "ends in ~1:02:05" in head and "target" not in head


def test_without_gpus_the_third_tab_has_the_name_of_the_chart_on_it() -> None:
    shown = on_screen(
        ScriptedFeed([Frame(read(epochs(3, [100.0, 400.0, 200.0])).snapshot())]), (80, 24), "3"
    )
    assert "[3 Series]" in shown[1] and "GPUs" not in shown[1]
    assert "over epochs" in shown[2]
    assert not any("this run has none" in row for row in shown)


def test_a_window_that_fills_has_no_reason_that_would_have_to_be_cut() -> None:
    rates = [100.0, 400.0, 200.0, 210.0, 90.0, 100.0, 120.0, 130.0, 140.0]
    frame = Frame(read(epochs(9, rates) + LINE.format(e=9, s=0, r=100.0)).snapshot())
    narrow, wide = (
        "\n".join(row[:28] for row in on_screen(ScriptedFeed([frame]), size))
        for size in ((80, 24), (117, 44))
    )
    assert "[9]            ○ waiting" in narrow and "◐ running" in narrow
    assert "over epochs" not in narrow and "over epochs 6 to 8 of 6" in wide


def test_the_speed_is_provisional_from_the_first_epoch_on() -> None:
    early = read(epochs(1, [100.0])).snapshot().early_speed
    assert early == EarlySpeed(100.0, (0,))
    early = read(epochs(5, [100.0, 400.0, 200.0, 210.0, 90.0])).snapshot().early_speed
    assert early is not None and early.labels == (0, 1, 2, 3, 4)
    assert early.value == pytest.approx((100 + 200 + 210) / 3), "highest and lowest dropped"


def test_it_is_what_score_says_if_the_log_ended_there_and_gone_with_the_window() -> None:
    rates = [100.0, 400.0, 200.0, 210.0, 90.0, 100.0, 120.0]
    session = read(epochs(5, rates))
    early = session.snapshot().early_speed
    session.end()
    assert early is not None and session.card().dimensions["speed"].value == early.value
    assert read(epochs(7, rates)).snapshot().early_speed is None


@pytest.mark.parametrize(
    ("labels", "words"), [((0, 1, 2), "epochs 0–2"), ((0, 1), "epochs 0, 1"), ((1,), "epoch 1")]
)
def test_the_panel_marks_it(labels: tuple[int, ...], words: str) -> None:
    frame = frame_at(3)
    shot = replace(frame.snapshot, early_speed=EarlySpeed(4900.5, labels), unit="img/s")
    text = "\n".join(on_screen(ScriptedFeed([replace(frame, snapshot=shot)]), (120, 40)))
    assert "4900.5 img/s" in text and f"provisional: {words} " in text


def test_the_run_ends_when_the_epochs_that_are_left_are_trained_as_fast_as_the_last() -> None:
    text = epochs(4, [100.0] * 4) + "".join(LINE.format(e=4, s=s, r=100.0) for s in (0, 25, 50))
    left = read(text).snapshot().progress.remaining
    assert left.seconds == pytest.approx(5.5 * 100.0)


@pytest.mark.parametrize(
    ("step", "steps", "drawn"),
    [(0, 100, "▕      ▏"), (50, 100, "▕███   ▏"), (100, 100, "▕██████▏"), (140, 100, "▕██████▏")],
)
def test_the_bar_of_an_epoch(step: int, steps: int, drawn: str) -> None:
    bar = epoch_bar(Progress(step=step, steps=steps))
    assert bar is not None and bar.text == drawn
    assert epoch_bar(Progress(step=step)) is None


def test_the_end_of_the_plan_stands_in_the_header() -> None:
    frame = frame_at(34)
    for at_least, end in ((False, "ends in ~1:02:05"), (True, "ends in >1:02:05")):
        progress = replace(frame.snapshot.progress, remaining=Remaining(0.5, 3725.0, at_least))
        shot = replace(frame.snapshot, progress=progress)
        top = on_screen(ScriptedFeed([replace(frame, snapshot=shot)]), (160, 48))[0]
        assert end in top


def test_the_present_throughput_stands_beside_the_run_s_median() -> None:
    fold = SeriesFold()
    for step in range(20):
        fold.iteration(Iteration(Origin(step, 0), 0, step, 334, 5000.0, "img/s"))
    frame = frame_at(34)
    shot = replace(
        frame.snapshot,
        series=fold.views(),
        progress=replace(frame.snapshot.progress, throughput=2500.0),
    )
    text = "\n".join(on_screen(ScriptedFeed([replace(frame, snapshot=shot)]), (120, 40)))
    assert "50 % of the median" in text


def test_warnings_are_named_on_the_card() -> None:
    frame = frame_at(34)
    cautions = (Caution("nan_loss", "the loss is nan", (3,)), Caution("resume", "again", (9,)))
    card = frame.snapshot.card._replace(warnings=cautions)
    shot = replace(frame.snapshot, card=card)
    text = "\n".join(on_screen(ScriptedFeed([replace(frame, snapshot=shot)]), (120, 40)))
    assert "! nan loss, resume" in text


@pytest.mark.parametrize("size", [(50, 12), (60, 15), (80, 24), (100, 30), (160, 48)])
def test_why_it_failed_is_seen_at_every_size(size: tuple[int, int]) -> None:
    frame = frame_at(34)
    card = frame.snapshot.card._replace(status=Status.FAILED)
    shot = replace(frame.snapshot, card=card, failure="OOM: no memory")
    text = "\n".join(on_screen(ScriptedFeed([replace(frame, snapshot=shot)]), size))
    assert "OOM: no memory" in text
