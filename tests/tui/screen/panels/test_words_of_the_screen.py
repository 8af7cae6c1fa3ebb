"""Messages that say what to do are read whole, and what is over is not called provisional."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sixdim.metrics.card.snapshot import Note, Progress
from sixdim.metrics.values.card import Dimension, State, Status
from sixdim.tui.screen.panels.bars import footer_row, tabs_row
from sixdim.tui.screen.panels.events import event_rows
from sixdim.tui.screen.panels.header import header_row
from sixdim.tui.screen.panels.scorecard import score_rows
from sixdim.tui.screen.panels.speed import speed_rows
from sixdim.tui.screen.widgets.cells import Row
from sixdim.tui.session.live.feed import Frame
from tests.support.screens import ScriptedFeed, frame_at, on_screen

KEYS = frozenset({"pause", "export", "log"})
TEACH = "no format fits: sixdim teach unknown.log (2560 lines, 91 formats tried)"


def _text(width: int) -> str:
    return "".join(span.text for span in footer_row(KEYS, TEACH, width))


@pytest.mark.parametrize(("width", "whole"), [(73, False), (74, True), (80, True), (160, True)])
def test_the_command_that_helps_is_not_cut(width: int, whole: bool) -> None:
    text = _text(width)
    assert len(text) < width + 1
    assert ("sixdim teach unknown.log" in text) is whole
    assert "? Keys" in text


def test_the_whole_message_is_there_where_there_is_room() -> None:
    assert TEACH in _text(32 + len(TEACH))
    assert TEACH not in _text(31 + len(TEACH))


@pytest.mark.parametrize("ended", [False, True])
def test_a_run_that_is_over_is_not_provisional(ended: bool) -> None:
    frame = frame_at(3)
    shot = replace(frame.snapshot, ended=ended)
    text = "\n".join(on_screen(ScriptedFeed([replace(frame, snapshot=shot)]), (120, 40)))
    assert ("─ provisional ─┐" in text) is not ended


@pytest.mark.parametrize(("ended", "word"), [(False, "yet"), (True, "in the log")])
def test_what_a_run_that_is_over_lacks_is_not_awaited(ended: bool, word: str) -> None:
    shot = replace(frame_at(0).snapshot, ended=ended, evaluations=(), series=())
    text = "\n".join(on_screen(ScriptedFeed([Frame(shot)]), (160, 48)))
    assert f"no finished epoch {word} " in text and f"no evaluation {word} " in text


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress(epoch=0, step=380), "epoch 0, step 380 "),
        (Progress(epoch=0, step=380, steps=500), "epoch 0  "),  # beside a bar
        (Progress(epoch=0, step=380, epochs_planned=9), "epoch 0/9  "),
        (Progress(epoch=0), "epoch 0  "),
    ],
)
def test_an_epoch_of_unknown_length_has_its_step_beside_it(progress: Progress, text: str) -> None:
    frame = frame_at(3)
    shot = replace(frame.snapshot, progress=replace(progress, elapsed=60.0))
    assert text in _texts([header_row(replace(frame, snapshot=shot), 120)])[0]


def test_a_screen_without_panels_says_a_message_once() -> None:
    frame = replace(frame_at(3), message="no log yet")
    rows = on_screen(ScriptedFeed([frame]), (40, 12))
    assert [row.strip() for row in rows if "no log" in row] == ["no log yet"]


def _with(frame: Frame, *, target: str = "", ended: bool = False, **figures: Dimension) -> Frame:
    card = frame.snapshot.card
    card = card._replace(
        target={"condition": target} if target else None,
        dimensions={**card.dimensions, **figures},
    )
    value = 75.9 if target else None
    shot = replace(frame.snapshot, card=card, target_value=value, ended=ended, speed=())
    return replace(frame, snapshot=shot)


def _texts(rows: list[Row]) -> list[str]:
    return ["".join(span.text for span in row).rstrip() for row in rows]


LOSS = Dimension(0.7898, "", State.FINAL, details={"metric": "val loss"})


@pytest.mark.parametrize(
    ("figure", "target", "note"),
    [
        (LOSS, "", " val loss"),
        (LOSS._replace(reason="so far"), "", " val loss, so far"),
        (LOSS._replace(details={"metric": "accuracy"}), "", ""),
        (LOSS, "val loss<0.8", " target val loss<0.8"),
        (LOSS._replace(reason="not met"), "val loss<0.8", " not met"),
    ],
)
def test_the_accuracy_says_which_metric_it_is(figure: Dimension, target: str, note: str) -> None:
    rows = _texts(score_rows(_with(frame_at(3), target=target, accuracy=figure), 70, 20))
    assert f"Accuracy      0.7898       ● final   {note}".rstrip() in rows


def test_a_reason_that_is_too_long_for_a_row_takes_more_if_all_reasons_fit() -> None:
    words = "the speed of the first log and the second log is not over a full window"
    frame = _with(frame_at(3), linearity=Dimension(0.96, "", State.SHORT, words))
    tall = _texts(score_rows(frame, 38, 30))
    begin = tall.index("  the speed of the first log and the")
    assert tall[begin + 1] == "  second log is not over a full window"
    low = _texts(score_rows(frame, 38, 12))
    assert "  the speed of the first log and the …" in low


def test_a_window_without_epochs_is_not_awaited_after_the_end() -> None:
    none = Dimension(None, "", State.UNKNOWN, "the log gives no throughput")
    for ended in (False, True):
        rows = _texts(speed_rows(_with(frame_at(0), ended=ended, speed=none), 30, 9))
        assert ("the window has not begun" in rows) is not ended


def test_the_header_names_the_log_before_the_model_where_several_runs_are_listed() -> None:
    frame = frame_at(34)
    run = Frame(frame.snapshot)
    for runs, named in (((), " sixdim  resnet50 "), ((run, run), " sixdim  train.log ")):
        line = _texts([header_row(replace(frame, runs=runs), 80)])[0]
        assert line.startswith(named)


@pytest.mark.parametrize(
    ("active", "width", "text"),
    [
        (0, 22, " [1 Aa] 2 Bbb  3 Cccc "),
        (0, 21, " [1 Aa] 2 Bbb  3 "),
        (0, 17, " [1 Aa] 2 Bbb  3 "),
        (0, 16, " [1 Aa] 2  3 "),
        (2, 18, "  1 Aa  2 [3 Cccc]"),
        (2, 17, "  1  2 [3 Cccc]"),
    ],
)
def test_of_the_tabs_the_active_one_and_the_first_that_fit_have_names(
    active: int, width: int, text: str
) -> None:
    assert _texts([tabs_row(("Aa", "Bbb", "Cccc"), active, width)]) == [text.rstrip()]


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (
            160,
            " sixdim  CUDA error: device-side assert triggered · train.log · resnet50 · torchvi"
            "sion · 8 devices ",
        ),
        (110, " sixdim  CUDA error: device-side assert triggered · train.log "),
        (88, " sixdim  CUDA error: device-side assert triggered "),
    ],
)
def test_the_header_of_a_failed_run_has_the_cause_and_the_log_if_both_fit(
    width: int, said: str
) -> None:
    frame = frame_at(3)
    card = frame.snapshot.card._replace(status=Status.FAILED)
    cause = "CUDA error: device-side assert triggered"
    shot = replace(frame.snapshot, card=card, failure=cause)
    (line,) = _texts([header_row(replace(frame, snapshot=shot), width)])
    assert line.startswith(said) and "FAILED" in line
    assert len(line) <= width


def test_an_event_of_more_rows_than_the_panel_is_cut_and_not_nothing() -> None:
    shot = replace(frame_at(3).snapshot, notes=(Note("stalled", "no new line for 12 min", 7),))
    for height in (1, 2, 3):
        rows = event_rows(shot, (), 14, height)
        assert len(rows) == height
        assert "".join(span.text for span in rows[0]) == "! no new line"
