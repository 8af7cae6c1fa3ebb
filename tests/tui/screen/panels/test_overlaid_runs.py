"""Runs over each other on a real terminal: reference runs and listed ones, by their colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte
import pytest

from sixdim.metrics.card.curves import RunCurves
from sixdim.tui.screen.panels.charts.chart_panel import legend
from sixdim.tui.screen.panels.charts.plot import Part, other_runs
from sixdim.tui.screen.widgets.cells import Span, row_width
from sixdim.tui.screen.widgets.palettes import PALETTES, RUNS, Role
from sixdim.tui.screen.widgets.text import distinct_names
from sixdim.tui.session.live.feed import Frame
from tests.support.inputs.torchvision_log import epoch
from tests.support.processes.pty_session import Session
from tests.support.screens import snapshot_at

CODE = "import sys; from sixdim.tui.cli import main; sys.exit(main({words!r}))"
BRAILLE = range(0x2801, 0x2900)


def log(speed: float, accuracy: float) -> str:
    return "".join(epoch(label, speed + label, accuracy + label, 300) for label in range(12))


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    for number, name in enumerate(("one.log", "two.log", "three.log")):
        text = log(100.0 + 20 * number, 40.0 + 15 * number)
        (tmp_path / name).write_text(text + "Training time 1:00:00\n")
    return tmp_path


@contextmanager
def screen(size: tuple[int, int], *words: object) -> Iterator[Session]:
    session = Session(CODE.format(words=[*map(str, words)]), *size, env={"TMUX": ""})
    try:
        yield session
    finally:
        assert session.quit() == 0


def painted(session: Session) -> pyte.Screen:
    return session.terminal().screen()


def colours(drawn: pyte.Screen, rows: range) -> set[str]:
    """The colours of the dots in some rows of the screen."""
    return {
        f"#{cell.fg}"
        for y in rows
        for cell in drawn.buffer[y].values()
        if cell.data and ord(cell.data[0]) in BRAILLE
    }


def dark(*roles: Role) -> set[str]:
    return {PALETTES["dark"][role] for role in roles}


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "size", [(80, 24), pytest.param((120, 40), marks=SLOW), pytest.param((160, 48), marks=SLOW)]
)
def test_a_reference_is_drawn_dim_and_named_with_the_gap(logs: Path, size: tuple[int, int]) -> None:
    words = ("replay", logs / "one.log", "--speed", "max", "--against", logs / "two.log")
    with screen(size, *words) as session:
        assert session.wait_for(lambda: "two.log: 15 points behind" in "\n".join(session.painted()))
        session.settle()
        drawn = painted(session)
    charts = range(3, 10 if size[1] == 24 else 24)
    assert {*dark(Role.OTHER, Role.SECOND)} <= colours(drawn, charts)
    full = "15 points behind at the same epoch, level in time"
    assert (full in "\n".join(drawn.display)) == (size != (120, 40)), "in full where it fits"


def test_several_references_have_colours_and_names(logs: Path) -> None:
    flags = [word for name in ("two.log", "three.log") for word in ("--against", logs / name)]
    with screen((160, 48), "replay", logs / "one.log", "--speed", "max", *flags) as session:
        assert session.wait_for(lambda: "three.log: 30 points" in "\n".join(session.painted()))
        session.settle()
        drawn = painted(session)
    assert {*dark(RUNS[1], RUNS[2], Role.SECOND)} <= colours(drawn, range(3, 20))
    text = "\n".join(drawn.display)
    assert "two.log: 15 points behind" in text
    assert "! epoch 2: acc1 42 is below the lowest" in text, "the event list"


def test_a_series_of_all_runs_of_a_list_is_chosen_with_the_picker(logs: Path) -> None:
    names = [logs / name for name in ("one.log", "two.log", "three.log")]
    with screen((160, 48), "watch", *names, "--no-gpus") as session:
        assert session.wait_for(lambda: "Runs, 1 of 3" in "\n".join(session.painted()))
        assert session.wait_for(lambda: "⠤ two.log   ⠤ three.log" in "\n".join(session.painted()))
        session.send("m")
        assert session.wait_for(lambda: "type to filter" in "\n".join(session.painted()))
        session.send("lr\r")
        assert session.wait_for(lambda: "━ Lr ━" in "\n".join(session.painted()))
        session.send("m")
        assert session.wait_for(lambda: "type to filter" in "\n".join(session.painted()))
        session.send("throughput\r")
        assert session.wait_for(lambda: "━ Throughput, img/s ━" in "\n".join(session.painted()))
        session.settle()
        drawn = painted(session)
        assert {*dark(*RUNS[:3])} <= colours(drawn, range(12, 26))
        marks = [drawn.buffer[y][4].fg for y in (2, 3, 4)]
        assert marks == [PALETTES["dark"][role].lstrip("#") for role in RUNS[:3]]
        session.send("]")
        assert session.wait_for(lambda: "Runs, 2 of 3" in "\n".join(session.painted()))
        assert session.wait_for(lambda: "⠤ one.log   ⠤ three.log" in "\n".join(session.painted()))


@SLOW
def test_a_screen_with_references_writes_nothing_while_nothing_changes(logs: Path) -> None:
    with screen(
        (160, 48), "watch", logs / "one.log", "--no-gpus", "--against", logs / "two.log"
    ) as session:
        assert session.wait_for(lambda: "two.log: 15 points" in "\n".join(session.painted()))
        assert session.settle()
        assert session.read_for(3.0) == b""


# What fits


def test_a_list_that_is_longer_than_its_box_keeps_the_chosen_run_in_sight() -> None:
    shots = [snapshot_at(12)] * 3
    frame = Frame(shots[0], references=tuple(RunCurves(shot) for shot in shots[1:]))
    assert [run.role for run in other_runs(frame)] == [RUNS[1], RUNS[2]]
    alone = Frame(shots[0], references=(RunCurves(shots[1]),))
    assert [run.role for run in other_runs(alone)] == [Role.OTHER]


def test_a_legend_shortens_what_has_shorter_forms_before_it_leaves_anything_out() -> None:
    parts: list[Part] = [
        Span("74.20"),
        tuple(map(Span, ("a.log: 2 points behind", "a.log: 2", "a.log"))),
        Span("gap"),
    ]
    texts = {}
    for width in (40, 39, 25, 22, 18, 15, 10, 4):
        row = legend(parts, width)
        assert row_width(row) <= width
        texts[width] = "".join(span.text for span in row)
    assert texts[40] == "74.20   a.log: 2 points behind   gap"[:40]
    assert texts[25] == "74.20   a.log: 2   gap"
    assert texts[18] == "74.20   a.log: 2"
    assert texts[15] == "74.20   a.log"
    assert texts[10] == "74.20"
    assert texts[4] == ""


def test_names_that_would_look_the_same_are_distinct_names_by_what_differs() -> None:
    alike = [f"cv_repvit_pytorch_m{size}_distill_300e.txt" for size in ("1_0", "1_1", "0_9")]
    short = distinct_names([*alike, "crash.log"], 24)
    assert [short[name] for name in alike] == ["…m1_0…", "…m1_1…", "…m0_9…"]
    assert short["crash.log"] == "crash.log"
    assert distinct_names(["a.log", "a.log"], 24) == {"a.log": "a.log"}
    assert distinct_names(["x" * 40], 24)["x" * 40].count("x") == 23
