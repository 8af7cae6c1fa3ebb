"""Runs without epochs, long names, long units, scripts without blanks on the screen."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.tui.screen.dialogs.explain import explain_epoch
from sixdim.tui.screen.widgets.text import shorten, shorten_inside
from sixdim.tui.session.live.feed import SELECT, Frame
from sixdim.tui.session.request import Request
from tests.support.screens import ScriptedFeed, frame_at, on_screen

REQUEST = Request(Settings())


def megatron(lines: int) -> bytes:
    """A run of Megatron's that counts in iterations alone; each takes 2 s, the last ten 4 s."""
    return b"".join(
        b" iteration %8d/     500 | consumed samples: %12d | elapsed time per iteration (ms): "
        b"%.1f | learning rate: 1.500E-04 | global batch size:    64 | lm loss: %.6E | "
        b"number of skipped iterations:   0 | number of nan iterations:   0 |\n"
        % (n, 64 * n, 4000.0 if n > lines - 10 else 2000.0, 8.0 - n / 100)
        for n in range(1, lines + 1)
    )


def stepwise() -> Frame:
    session = REQUEST.session("megatron.log", 50)
    session.feed(megatron(20))
    return Frame(session.snapshot(), tuple(session.interpreter.recent))


def test_a_run_without_epochs_draws_its_windows() -> None:
    frame = stepwise()
    drawn = [(p.label, p.throughput) for p in frame.snapshot.points]
    assert drawn == [(n, 32.0 if n < 10 else 16.0) for n in range(20)], "64 samples in 2 s, in 4 s"
    text = "\n".join(on_screen(ScriptedFeed([frame]), (120, 40)))
    assert "Throughput, samples/s per line" in text
    assert "16.00 in window 19" in text
    assert "step 20/500" in text and "epoch 0" not in text


def test_a_window_tells_its_lines() -> None:
    explained = explain_epoch(stepwise().snapshot, 3)
    assert explained.title == "Window 3 of megatron.log"
    assert explained.lines == (4,)


@pytest.mark.parametrize("size", [(160, 48), (120, 40), (117, 30), (116, 30), (100, 30), (80, 24)])
def test_long_units_leave_every_state_whole(size: tuple[int, int]) -> None:
    text = "\n".join(on_screen(ScriptedFeed([stepwise()]), size))
    assert re.search(r"samples/s ?[●◐] running", text), text
    assert "sampl…" not in text and "samples…" not in text


@pytest.mark.parametrize("size", [(160, 48), (120, 40), (117, 30), (116, 30), (100, 30), (80, 24)])
def test_value_unit_and_state_stand_whole_at_every_size(size: tuple[int, int]) -> None:
    text = "\n".join(on_screen(ScriptedFeed([frame_at(34)]), size))
    assert "4938.9 img/s ● final" in text
    assert re.search(r"165.6 W +● final", text)


def test_a_long_name_is_cut_inside_and_not_left_out() -> None:
    frame = frame_at(34)
    name = "pretrain_" * 12 + "seed7.log"
    frame = replace(frame, snapshot=replace(frame.snapshot, name=name))
    head = on_screen(ScriptedFeed([frame]), (120, 40))[0]
    assert "pretrain_" in head and "…" in head and "seed7.log" in head


def test_runs_of_one_folder_can_be_distinguished() -> None:
    shot = frame_at(34).snapshot
    names = [f"resnet50_amp_8card_run{n}.log" for n in range(2, 6)]
    runs = tuple(Frame(replace(shot, name=name)) for name in names)
    frame = replace(frame_at(34), runs=runs)
    wide = "\n".join(on_screen(ScriptedFeed([frame], frozenset({SELECT})), (120, 40)))
    assert all(name in wide for name in names)
    assert shorten_inside(names[0], 20) == "resnet50_a…_run2.log"


def test_a_script_without_blanks_fills_the_width() -> None:
    text = "训练完成 日本語の長い行がここにありますのでパネルの幅を超えるはずです"
    assert shorten(text, 30) == "训练完成 日本語の長い行がここ…"


def test_a_run_that_is_over_has_no_present_throughput() -> None:
    frame = frame_at(34)
    assert "now " in "\n".join(on_screen(ScriptedFeed([frame]), (120, 40)))
    card = frame.snapshot.card._replace(run_end={"run_time_s": 18363.0})
    over = replace(frame, snapshot=replace(frame.snapshot, card=card))
    assert "now " not in "\n".join(on_screen(ScriptedFeed([over]), (120, 40)))
