"""`sixdim record` and `sixdim doctor`, as processes, with real signals and a scripted command."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal import Journal, JournalReader, read_header
from sixdim.parsers.telemetry.journal_places import open_journal
from sixdim.tui.base.clock import Clock
from sixdim.tui.session.live.gpus import LOOKING, PolledGpus
from tests.support.processes.live import REQUEST
from tests.support.telemetry import Board

ROOT = Path(__file__).parents[3]

COUNTING = """\
#!/bin/sh
# Each answer has a figure of its own: 101 W, 102 W, ...
n=$(($(cat {folder}/count 2>/dev/null || echo 100) + 1))
echo $n > {folder}/count.new && mv {folder}/count.new {folder}/count
echo '<ixsmi_log><gpu id="0000:0C:00.0"><uuid>GPU-a</uuid><minor_number>0</minor_number>'
echo "<power_readings><gpu_power_draw>$n W</gpu_power_draw></power_readings></gpu></ixsmi_log>"
"""


class Bench:
    """A folder with a log, a counting ixsmi, and the commands run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "train.log"
        self.journal = folder / "train.log.sixdim.jsonl"
        self.children: list[subprocess.Popen[str]] = []
        command = folder / "bin" / "ixsmi"
        command.parent.mkdir()
        command.write_text(COUNTING.format(folder=folder))
        command.chmod(0o755)
        kept = {k: v for k, v in os.environ.items() if "VISIBLE_DEVICES" not in k}
        self.environment = kept | {
            "PATH": f"{command.parent}:{os.environ['PATH']}",
            "XDG_STATE_HOME": str(folder / "state"),
            "PYTHONPATH": str(ROOT),
        }

    def start(self, *words: str, python: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, *python, "-m", "sixdim", *words],
            env=self.environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.children.append(child)
        return child

    def record(self, *words: str, python: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        base = ("record", str(self.log), "--telemetry", "ixsmi", "--interval", "0.05")
        return self.start(*base, *words, python=python)

    def readings(self) -> list[Reading]:
        return list(JournalReader(self.journal).poll()) if self.journal.exists() else []

    def until(self, count: int) -> list[Reading]:
        """Waits until the journal has that many readings."""
        for _ in range(12_000):
            if len(found := self.readings()) >= count:
                return found
            time.sleep(0.01)
        pytest.fail(f"{len(self.readings())} readings, not {count}")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    out = Bench(tmp_path)
    yield out
    for child in out.children:
        if child.poll() is None:
            child.kill()
        child.communicate(timeout=180)


@pytest.mark.slow
def test_kill_9_again_and_again_loses_at_most_one_reading_each(bench: Bench) -> None:
    bench.log.write_text("a log of no known format, which is recorded all the same\n")
    kills = 4
    for _ in range(kills):
        child = bench.record()
        bench.until(len(bench.readings()) + 4)
        child.kill()
        child.wait(timeout=180)
    powers = [int(r.power_w or 0) for r in bench.readings()]
    asked = int((bench.folder / "count").read_text())
    # One question at each start finds the source out; its answer is no reading.
    assert powers == sorted(set(powers))
    assert len(powers) >= asked - 100 - kills - kills
    reader = JournalReader(bench.journal)
    list(reader.poll())
    assert reader.broken <= kills


@pytest.mark.slow
def test_kill_9_of_a_watch_costs_one_reading_and_no_figure(bench: Bench) -> None:
    kills = int(os.environ.get("SIXDIM_KILLS", "4"))
    lines = sample_logs.path(sample_logs.RUN).read_bytes().splitlines(keepends=True)
    chance, card = random.Random(7), bench.folder / "card.json"
    words = ("watch", str(bench.log), "--plain", "--telemetry", "ixsmi", "--json", str(card))
    for number in range(kills + 1):
        begin, end = (len(lines) * n // (kills + 1) for n in (number, number + 1))
        child = bench.start(*words)
        with bench.log.open("ab") as file:
            file.writelines(lines[begin:end] if number < kills else lines[begin:-1])
        bench.until(len(bench.readings()) + 1)
        time.sleep(chance.uniform(0, 1.2))  # at any moment of a reading's second
        if number < kills:
            child.kill()
            child.wait(timeout=180)
        if card.exists():
            json.loads(card.read_text())  # whole at every moment
    with bench.log.open("ab") as file:
        file.write(lines[-1])
    _, said = child.communicate(timeout=180)
    assert (child.returncode, said) == (0, "")
    powers = [int(r.power_w or 0) for r in bench.readings()]
    asked = int((bench.folder / "count").read_text()) - 100
    # One question at each start finds the source out; its answer is no reading.
    assert powers == sorted(set(powers))
    assert len(powers) >= asked - (kills + 1) - (kills + 1)
    # A run that nobody disturbed: the same log, and the same readings written in one go.
    calm = bench.folder / "calm"
    calm.mkdir()
    (calm / "train.log").write_bytes(bench.log.read_bytes())
    journal = open_journal(calm / "train.log", {})
    journal.append(bench.readings())
    journal.close()
    judged = bench.start("score", str(calm / "train.log"), "--json", "-")
    whole, _ = judged.communicate(timeout=180)
    assert json.loads(whole)["dimensions"]["power"]["value"] is not None
    assert card.read_text() == whole


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_cleanly(bench: Bench, number: signal.Signals) -> None:
    child = bench.record()
    bench.until(2)
    child.send_signal(number)
    out, said = child.communicate(timeout=180)
    assert child.returncode == 0
    assert out == ""
    assert bench.journal.read_bytes().endswith(b"\n")
    assert f"{len(bench.readings())} readings written to " in said
    assert "Traceback" not in said


def test_readings_carry_the_epoch_of_the_log_as_it_grows(bench: Bench) -> None:
    whole = sample_logs.path(sample_logs.RUN).read_bytes()
    starts = [m.start() for m in re.finditer(rb"^Epoch: \[\d+\] ", whole, re.MULTILINE)]
    labels = [int(whole[at + 8 : at + 12].split(b"]")[0]) for at in starts]
    cut = starts[labels.index(3)]
    child = bench.record()
    bench.until(2)
    with bench.log.open("ab") as file:
        file.write(whole[:cut])
    before = len(bench.readings())
    bench.until(before + 6)
    with bench.log.open("ab") as file:
        file.write(whole[cut:])
    before = len(bench.readings())
    bench.until(before + 6)
    child.terminate()
    child.communicate(timeout=180)
    epochs = [r.epoch for r in bench.readings()]
    assert epochs[0] is None
    assert 2 in epochs
    assert epochs[-1] is None, "the run's closing line was read: idle boards belong to no epoch"
    header = read_header(bench.journal)
    assert header is not None
    assert header.key is not None
    assert header.key.fits(bench.log)


@pytest.mark.slow
def test_a_second_monitor_waits_and_takes_over(bench: Bench) -> None:
    bench.log.write_text("x\n")
    first = bench.record()
    bench.until(2)
    second = bench.record()
    assert second.stderr is not None
    assert "is being written by another monitor" in second.stderr.readline()
    first.kill()
    first.wait(timeout=180)
    bench.until(len(bench.readings()) + 3)
    second.terminate()
    _, said = second.communicate(timeout=180)
    assert "readings written to " in said
    powers = [r.power_w for r in bench.readings()]
    assert len(powers) == len(set(powers))


def test_a_log_replaced_by_a_new_run_gets_a_journal_of_its_own(bench: Bench) -> None:
    bench.log.write_bytes(b"first run\n" * 500)
    child = bench.record()
    bench.until(3)
    new = bench.folder / "new"
    new.write_bytes(b"second run\n" * 500)
    new.replace(bench.log)
    for _ in range(12_000):
        others = [path for path in bench.folder.glob("*.jsonl") if path != bench.journal]
        if others and any(JournalReader(others[0]).poll()):
            break
        time.sleep(0.01)
    child.terminate()
    child.communicate(timeout=180)
    (other,) = others
    assert list(JournalReader(other).poll())
    header = read_header(other)
    assert header is not None
    assert header.key is not None
    assert header.key.fits(bench.log)


def test_recording_loads_no_screen(bench: Bench) -> None:
    child = bench.record(python=("-X", "importtime"))
    bench.until(2)
    child.terminate()
    _, said = child.communicate(timeout=180)
    loaded = {line.rpartition("|")[2].strip() for line in said.splitlines()}
    assert "sixdim.parsers" in loaded
    assert not {"textual", "rich", "numpy", "pynvml"} & {name.partition(".")[0] for name in loaded}


def test_nothing_to_record_says_what_was_tried(bench: Bench) -> None:
    child = bench.start("record", "t.log", "--telemetry", "dcgm:http://127.0.0.1:1/metrics")
    _, said = child.communicate(timeout=180)
    assert child.returncode == 2
    assert said.count("\n") == 1
    assert "nothing to record (dcgm: 127.0.0.1:1: " in said


def test_the_doctor_says_what_serves_and_what_does_not(bench: Bench) -> None:
    bench.log.write_text("x\n")
    child = bench.start("doctor", str(bench.log))
    out, said = child.communicate(timeout=180)
    assert (child.returncode, said) == (0, "")
    lines = {line.split()[0]: line for line in out.splitlines() if line.startswith("  ")}
    assert "serves 1 device" in lines["ixsmi"]
    assert "0 unnamed: 102 W" in out
    assert "asked only where named" in lines["dcgm"]
    assert lines["none"].endswith("train.log.sixdim.jsonl")
    for package in ("python", "textual", "nvidia-ml-py", "inotify", "nvml", "ixml"):
        assert package in lines
    assert sorted(p.name for p in bench.folder.iterdir()) == ["bin", "count", "train.log"]


def test_the_doctor_fails_where_the_named_source_does_not_serve(bench: Bench) -> None:
    child = bench.start("doctor", "--telemetry", "prometheus:http://127.0.0.1:1?job=x")
    out, _ = child.communicate(timeout=180)
    assert child.returncode == 1
    assert "prometheus   127.0.0.1:1: " in out


def test_watch_polls_the_source_named_and_journals_it(bench: Bench) -> None:
    bench.log.write_bytes(sample_logs.path(sample_logs.RUN).read_bytes()[:100_000])
    child = bench.start("watch", str(bench.log), "--plain", "--telemetry", "ixsmi")
    first = bench.until(1)[0]
    child.terminate()
    out, said = child.communicate(timeout=180)
    assert (child.returncode, said) == (128 + signal.SIGTERM, "")
    assert first.source == "ixsmi"
    assert first.power_w == 102
    assert "\n  power " in out


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nvml", "nvml is polled: sixdim watch and record do that"),
        ("prometheus:http://h:9090?job=a", "name the window with &start=TIME&end=TIME"),
        ("prometheus:h:9090", "is no address such as"),
        ("absent.csv", "absent.csv: No such file"),
    ],
)
def test_what_score_cannot_read_it_says_in_one_line(
    sixdim: Callable[..., tuple[int, str, str]], source: str, words: str
) -> None:
    code, _, said = sixdim("score", sample_logs.path(sample_logs.RUN), "--telemetry", source)
    assert code == 2
    assert said.count("\n") == 1
    assert words in said


def test_of_several_journals_a_monitor_without_gpus_takes_none(tmp_path: Path) -> None:
    log = tmp_path / "copy.log"
    log.write_bytes(sample_logs.path(sample_logs.RUN).read_bytes())
    for name, watts in (("a", 100.0), ("b", 200.0)):
        journal = Journal.open(tmp_path / f"{name}.log.sixdim.jsonl", log)
        journal.append([Reading(0, time_us=0, power_w=watts)])
        journal.close()
    gpus = PolledGpus(str(log), lambda: "nvml: no GPU", Clock(wall_us=lambda: 0))
    gpus.start()
    session = REQUEST.session(str(log))
    for _ in range(600):
        gpus.collect(session)
        if session.telemetry_note != LOOKING:
            break
        time.sleep(0.05)
    gpus.collect(session)
    assert session.readings == ()
    assert session.telemetry_note == (
        "several journals fit this log: choose with --telemetry "
        "(a.log.sixdim.jsonl, b.log.sixdim.jsonl)"
    )


def test_gpus_that_come_later_are_found(tmp_path: Path) -> None:
    """A driver that does not answer yet when the watch begins."""
    log = tmp_path / "train.log"
    log.write_bytes(sample_logs.path(sample_logs.RUN).read_bytes())
    asked: list[int] = []

    def opener() -> Board | str:
        asked.append(1)
        if len(asked) <= 3:
            return "nvml: driver not loaded"
        return Board(lambda now_us: [Reading(0, time_us=now_us, power_w=150.0)])

    clock = Clock(lambda: time.monotonic() * 100)
    gpus = PolledGpus(str(log), opener, clock, retry_s=(0.05, 0.1))
    gpus.start()
    session = REQUEST.session(str(log))
    seen = set()
    until = time.monotonic() + 30
    while not session.readings and time.monotonic() < until:
        gpus.collect(session)
        seen.add(session.telemetry_note)
        time.sleep(0.01)
    gpus.stop()
    assert [reading.power_w for reading in session.readings] == [150.0]
    assert "no GPU readings, will try again: nvml: driver not loaded" in seen
    assert len(asked) == 4
