"""A fault of sixdim's own costs the line or the command it happens in, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from sixdim.metrics.fold.checks.checks_state import ChecksState
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Event, Iteration, Problem
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line
from sixdim.plugin import line
from sixdim.sample_logs import path
from sixdim.tui.session.session import Session
from tests.support.formats import by_name

Cli = Callable[..., tuple[int, str, str]]


class Faulty(Reader):
    """A format whose reading of one kind of line fails."""

    name = "faulty"
    title = "A format with a fault"
    example = "work 1"
    unread = "none"

    @line("work {step:int}", 1.0, "work lines")
    def _work(self, at: Line, fields: object) -> Iterator[Event]:
        step = int(at.text.split()[1])
        yield Iteration(at.origin(), epoch=0, step=step, loss=1 / (step % 4))


def _faulty(text: str) -> Session:
    session = Session("x.log", Settings(), (*formats(), Faulty), Faulty)
    session.feed(text.encode())
    session.end()
    return session


@pytest.mark.usefixtures("faults_contained")
def test_a_faulty_line_is_left_out_and_said_once() -> None:
    session = _faulty("".join(f"work {step}\n" for step in range(1, 13)))
    (warning,) = (w for w in session.card().warnings if w.kind == "fault")
    assert (warning.count, warning.lines) == (3, (4, 8, 12))
    assert "ZeroDivisionError at test_faults_contained.py" in warning.text
    assert session.run.last_iteration is not None
    assert session.run.last_iteration.step == 11


@pytest.mark.usefixtures("faults_contained")
@pytest.mark.parametrize("together", [1, 4, 10])
@pytest.mark.parametrize("step", [0, 20, 30, 90])
def test_a_fault_of_the_fold_leaves_the_lines_around_it(
    monkeypatch: pytest.MonkeyPatch, together: int, step: int
) -> None:
    session = Session("x.log", Settings(), formats(), by_name("torchvision"))
    add = ChecksState.add

    def fails(checks: ChecksState, event: Iteration) -> Sequence[Problem]:
        if event.step == step:
            raise KeyError("step")
        return add(checks, event)

    monkeypatch.setattr(ChecksState, "add", fails)
    row = "Epoch: [0]  [{}/100]  eta: 0:00:10  lr: 0.1  img/s: 50.0  loss: 1.0 (1.0)  time: 0.1\n"
    rows = [row.format(step).encode() for step in range(0, 100, 10)]
    for begin in range(0, len(rows), together):
        session.feed(b"".join(rows[begin : begin + together]))
    session.end()
    card = session.card()
    found = [(w.count, w.lines) for w in card.warnings if w.kind == "fault"]
    assert found == [(1, (1 + step // 10,))]
    epoch = session.run.epochs[0]
    assert (epoch.records, epoch.step) == (9, 80 if step == 90 else 90)


def test_a_date_of_the_year_0_is_a_line_like_any_other(tmp_path: Path, sixdim: Cli) -> None:
    log = tmp_path / "train.log"
    odd = (b"0000-01-01 00:00:00 - INFO - hello\n", b"9999-12-31 23:59:60,999 - INFO - hello\n")
    log.write_bytes(odd[0] + path("resnet50_amp_8card.log").read_bytes() + odd[1])
    code, out, err = sixdim("score", log, "--json", "-")
    assert code == 0, err
    kinds = [w["kind"] for w in json.loads(out[out.index("{") :])["warnings"]]
    assert "fault" not in kinds


@pytest.mark.parametrize("broken", [249, 250, 256, 257, 300, 400])
def test_very_many_problems_and_a_cut_last_line_give_a_card(
    tmp_path: Path, sixdim: Cli, broken: int
) -> None:
    row = "Epoch: [0]  [{}/900]  eta: 0:00:10  lr: 0.1  img/s: {}  loss: 1.0 (1.0)  time: 0.1\n"
    rows = [row.format(step, "x1" if step < broken else "50.0") for step in range(broken + 20)]
    log = tmp_path / "train.log"
    log.write_text("".join(rows).rstrip("\n"))
    code, _, err = sixdim("score", log, "--format", "torchvision")
    assert (code, "cut short" in err) == (0, True)


@pytest.mark.usefixtures("faults_contained")
def test_a_fault_of_a_command_is_one_line_with_the_way_to_report_it(
    sixdim: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    good = path("resnet50_amp_8card.log")
    monkeypatch.setattr("sixdim.tui.commands.score.export", lambda args, runs: [][1])
    code, _, err = sixdim("score", good, "--json", tmp_path / "card.json")
    (last,) = [text for text in err.splitlines() if "fault of its own" in text]
    assert code == 70
    assert last.startswith("sixdim: a fault of its own, IndexError at test_faults_contained.py:")
    trace = Path(last.split("please report it with ")[1])
    assert trace.parent == tmp_path
    assert "Traceback (most recent call last)" in trace.read_text()
    assert json.loads((tmp_path / "card.json").read_text())["status"]


BROKEN = """
import sys
import sixdim
from sixdim.tui import cli
from sixdim.tui.session.session import Session

whole, calls = Session.snapshot, []

def snapshot(session):
    calls.append(session)
    if len(calls) > {after}:
        raise ValueError("a bug")
    return whole(session)

Session.snapshot = snapshot
"""
PLAIN = "sys.exit(cli.main(['watch', '--plain', '--no-gpus', '--json', sys.argv[2], sys.argv[1]]))"
LOOP = "for moment in sixdim.watch(sys.argv[1]): pass"


@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize(("way", "code"), [(PLAIN, 70), (LOOP, 1)], ids=["plain", "loop"])
def test_a_fault_while_a_log_is_watched_ends_the_watch(
    tmp_path: Path, after: int, way: str, code: int
) -> None:
    """Else it would wait for ever, with the figures from before the fault."""
    log, card = tmp_path / "train.log", tmp_path / "card.json"
    log.write_bytes(b"".join(path("resnet50_amp_8card.log").read_bytes().splitlines(True)[:900]))
    with subprocess.Popen(
        [sys.executable, "-c", BROKEN.format(after=after) + way, log, card],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "TMPDIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as watch:
        try:
            with log.open("ab") as more:
                for _ in range(600):
                    more.write(b"a line\n")
                    more.flush()
                    if watch.poll() is not None:
                        break
                    time.sleep(0.1)
            assert watch.poll() == code
        finally:
            watch.kill()
        assert watch.stderr is not None
        said = watch.stderr.read()
    assert "ValueError" in said.splitlines()[-1]
    if way == PLAIN:
        assert said.count("\n") == 1
        assert json.loads(card.read_text())["status"] == "incomplete"
