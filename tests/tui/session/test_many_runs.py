"""Several runs at once: the list, the overlay, and a stability test that fills in one by one."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.metrics.values.card import Status
from sixdim.metrics.values.settings import Reference
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.settings.card_flags import add_card_options
from sixdim.tui.batch.folder import Folders
from sixdim.tui.batch.log_paths import find_logs
from sixdim.tui.screen.app import SixdimApp
from sixdim.tui.screen.panels.runs import run_row, sparkline
from sixdim.tui.session.card_writer import card_file
from sixdim.tui.session.live.feed import SELECT, Frame
from sixdim.tui.session.live.gpus import Gpus
from sixdim.tui.session.live.many_logs import ManyFeed
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.log_names import Names
from sixdim.tui.session.options import read_request
from tests.support.processes.pty_session import Session
from tests.support.screens import ScriptedFeed, frame_at, on_screen, settle

FIVE = (sample_logs.RUN, *sample_logs.REPEATS)


def _flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_card_options(parser)
    return parser.parse_args([])


def watching(paths: list[Path]) -> ManyFeed:
    request = read_request(_flags())
    clock = Clock(time.monotonic, lambda: 0)
    return ManyFeed([LiveFeed(str(path), request, clock, Gpus("")) for path in paths])


def until(frames: list[Frame], wanted: object, seconds: float = 120.0) -> Frame:
    """Waits for a frame that shows this stability."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if frames and stability(frames[-1]) == wanted:
            return frames[-1]
        time.sleep(0.02)
    raise AssertionError(f"{wanted!r} never came, but {stability(frames[-1])!r}")


def stability(frame: Frame) -> object:
    figure = frame.snapshot.card.dimensions["stability"]
    return figure.value if figure.value is not None else figure.details["runs"]


def test_five_runs_fill_in_the_stability_one_by_one(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in FIVE]
    feed = watching(paths)
    frames: list[Frame] = []
    feed.start(frames.append)
    try:
        for number, (path, name) in enumerate(zip(paths, FIVE, strict=True), start=1):
            path.write_bytes(sample_logs.path(name).read_bytes())
            frame = until(frames, number if number < 5 else 1.0)
            states = [row.state for row in frame.runs]
            assert states.count("converged") == number
        feed.select(1)
        chosen = frames[-1]
        assert chosen.selected == 1
        assert chosen.snapshot.name == FIVE[1]
    finally:
        feed.stop()


def test_a_run_of_another_kind_is_no_repeat(tmp_path: Path) -> None:
    names = (sample_logs.RUN, sample_logs.BASELINE, FIVE[1])
    for name in names:
        (tmp_path / name).write_bytes(sample_logs.path(name).read_bytes())
    feed = watching([tmp_path / name for name in names])
    frames: list[Frame] = []
    feed.start(frames.append)
    try:
        frame = until(frames, 2)
    finally:
        feed.stop()
    details = frame.snapshot.card.dimensions["stability"].details
    assert "not_counted" not in details, "one device is not eight"


class Puppet(LiveFeed):
    """Publishes the frames that a test gives it; `compares` holds its comparison up."""

    compares = threading.Event()

    def start(self, publish: Callable[[Frame], None]) -> None:
        self.publish = publish

    def compare_with(self, runs: tuple[Reference, ...]) -> None:
        assert self.compares.wait(60)


def test_no_frame_shows_the_end_of_a_run_that_is_not_compared_yet(tmp_path: Path) -> None:
    """Else cards are written, and the command ends, before the last run is among the repeats."""
    over, request = frame_at(65, frozen=True), read_request(_flags())
    card = over.snapshot.card._replace(run={**over.snapshot.card.run, "model": "another"})
    unlike = replace(over, snapshot=replace(over.snapshot, card=card))
    clock = Clock(time.monotonic, lambda: 0)
    one, two = (Puppet(str(tmp_path / name), request, clock, Gpus("")) for name in "ab")
    shown: list[list[str]] = []
    feed = ManyFeed([one, two])
    feed.start(lambda frame: shown.append([run.state for run in frame.runs]))
    Puppet.compares.set()
    one.publish(over)
    Puppet.compares.clear()
    threads = [
        threading.Thread(target=two.publish, args=(unlike,)),
        threading.Thread(target=one.publish, args=(over,)),
    ]
    for thread in threads:
        thread.start()
        time.sleep(0.2)
    assert not shown
    Puppet.compares.set()
    for thread in threads:
        thread.join()
    assert shown[-1] == ["converged", "converged"]


def test_no_frame_is_published_after_a_newer_one(tmp_path: Path) -> None:
    """Two logs grow at once: the last frame shows both, else `--plain` might never end."""
    request, clock = read_request(_flags()), Clock(time.monotonic, lambda: 0)
    one, two = (Puppet(str(tmp_path / name), request, clock, Gpus("")) for name in "ab")
    Puppet.compares.set()
    shown: list[list[int | None]] = []
    held, holds = threading.Event(), threading.Event()

    def publish(frame: Frame) -> None:
        if threading.current_thread().name == "slow":
            held.set()
            holds.wait(0.5)  # the other thread has its frame meanwhile
        shown.append([run.snapshot.progress.epoch for run in frame.runs])

    feed = ManyFeed([one, two])
    feed.start(publish)
    for puppet in (one, two):
        puppet.publish(frame_at(12))
    later = frame_at(34)
    slow = threading.Thread(target=one.publish, args=(later,), name="slow")
    slow.start()
    assert held.wait(60)
    two.publish(later)
    holds.set()
    slow.join()
    assert shown[-1] == [later.snapshot.progress.epoch] * 2


def test_a_run_that_stopped_early_has_a_mark_and_an_impossible_rate_no_bar() -> None:
    shot = frame_at(12).snapshot
    rates = (5000.0, float("nan"), float("inf"), 5100.0)
    card = shot.card._replace(status=Status.INCOMPLETE)
    epochs = tuple(shot.epochs[n]._replace(throughput=rate) for n, rate in enumerate(rates))
    row = run_row(Frame(replace(shot, epochs=epochs, card=card)), 0, True, 120, "train.log")
    text = "".join(span.text for span in row)
    assert "◇ incomplete" in text and "▁█ " in text


def test_the_events_of_one_run_are_not_in_the_list_of_another() -> None:
    shots = [replace(frame_at(34).snapshot, name=name) for name in ("one.log", "two.log")]
    rows = tuple(Frame(shot) for shot in shots)
    one, two = (
        replace(frame_at(34), snapshot=shot, runs=rows, selected=n) for n, shot in enumerate(shots)
    )
    silent = replace(one, stalled=True, message="stalled: no new line for 7 min")

    async def run() -> list[str]:
        feed, texts = ScriptedFeed([one], frozenset({SELECT})), []
        app = SixdimApp(feed)
        async with app.run_test(size=(160, 60)) as pilot:
            await settle(pilot)
            assert feed.publish is not None
            for frame in (silent, two, one):
                feed.publish(frame)
                while app.announced is not frame:
                    await pilot.pause(0.02)
                await settle(pilot)
                texts.append("\n".join(app.events_panel.text()))
        return texts

    there, elsewhere, back = asyncio.run(run())
    assert "stalled" in there and "stalled" in back and "stalled" not in elsewhere


def listed(*presses: str, size: tuple[int, int] = (120, 40)) -> list[str]:
    shots = [frame_at(epochs).snapshot for epochs in (34, 50, 12)]
    names = ("train.log", "second.log", "third.log")
    one, two, three = (replace(shot, name=name) for shot, name in zip(shots, names, strict=True))
    three = replace(three, card=three.card._replace(status=Status.FAILED))
    rows = (Frame(one), Frame(two, stalled=True), Frame(three))
    feed = ScriptedFeed([replace(frame_at(34), runs=rows)], frozenset({SELECT}))
    shown = on_screen(feed, size, *presses)
    assert [item for item in feed.requests if item != "stop"] == [
        ("select", {"]": 1, "[": -1}[key]) for key in presses if key in "[]"
    ]
    return shown


def test_the_list_names_every_run_and_its_state() -> None:
    text = "\n".join(listed())
    assert "▸ ⠤ train.log" in text
    assert "second.log" in text and "! stalled" in text
    assert "third.log" in text and "✗ failed" in text
    assert "⠤ second.log   ⠤ third.log" in text
    assert {len(row) for row in listed(size=(80, 24))} == {80}
    assert any("[5 Runs]" in row for row in listed("5", size=(80, 24)))


@pytest.mark.parametrize(
    ("runs", "rows", "listed_runs"),
    [(2, 48, 2), (6, 48, 6), (10, 48, 10), (11, 48, 10), (6, 30, 5)],
)
def test_the_list_is_as_high_as_its_runs_up_to_a_quarter_of_the_screen(
    runs: int, rows: int, listed_runs: int
) -> None:
    shot = frame_at(12).snapshot
    every = tuple(Frame(replace(shot, name=f"run{number}.log")) for number in range(runs))
    feed = ScriptedFeed([replace(every[0], runs=every)], frozenset({SELECT}))
    shown = on_screen(feed, (160, rows))
    begin = next(n for n, row in enumerate(shown) if f"Runs, 1 of {runs}" in row)
    end = next(n for n, row in enumerate(shown) if n > begin and row.startswith("└"))
    names = [row[5:].split()[0] for row in shown[begin + 1 : end]]
    assert names == [f"run{number}.log" for number in range(listed_runs)]


def test_brackets_choose_a_run() -> None:
    listed("]", "]", "[")


def test_charts_over_time_end_where_the_run_does() -> None:
    """34 epochs of 283 s are 160 minutes: the ticks reach that far and no further."""
    plain, timed = "\n".join(listed()), "\n".join(listed("a"))
    assert "minutes of training" in timed and "minutes of training" not in plain
    axis = next(row for row in listed("a", "4", "z") if " 200" in row and " 100" in row)
    assert " 300" not in axis, "50 epochs of 283 s end at 236 minutes"


@pytest.mark.parametrize(
    ("values", "bars"),
    [([], ""), ([5.0], "▁"), ([1.0, 8.0], "▁█"), ([0.0, 1.0, 2.0, 8.0], "▁▂█"), ([3.0, 3.0], "▁▁")],
)
def test_sparkline(values: list[float], bars: str) -> None:
    assert sparkline(values, 3) == bars


@pytest.mark.parametrize("named", ["the folder", "each log"])
def test_logs_of_one_file_name_are_told_apart_by_their_folders(tmp_path: Path, named: str) -> None:
    logs, cards = tmp_path / "logs", tmp_path / "cards"
    for folder, name in zip(("a", "b"), FIVE, strict=False):
        (logs / folder).mkdir(parents=True)
        (logs / folder / "log.txt").write_bytes(sample_logs.path(name).read_bytes())
    given = ["logs"] if named == "the folder" else ["logs/a/log.txt", "logs/b/log.txt"]
    words = [sys.executable, "-m", "sixdim", "watch", *given, "--plain", "--json", str(cards)]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=180, check=True
    )
    begin = "" if named == "the folder" else "logs/"
    # The last evaluations of the two samples: 77.36 % and 76.816 %.
    assert f"{begin}a/log.txt: epoch   64     4812.7 img/s  acc1 77.36" in done.stdout
    assert f"{begin}b/log.txt: epoch   66     4947.5 img/s  acc1 76.82" in done.stdout
    assert f"\n{begin}b/log.txt · torchvision" in done.stdout
    file = f"{begin}b/log.txt.card.json".replace("/", "_")
    values = json.loads((cards / file).read_text())["dimensions"]["accuracy"]
    assert values["value"] == 76.816
    assert len([*cards.iterdir()]) == 2


def test_names_never_repeat_however_long_or_late() -> None:
    names = Names(["runs"])
    assert names.add(["runs/a.log", "runs/x/a.log"]) == ["a.log", "x/a.log"]
    assert names.add(["elsewhere/a.log"]) == ["elsewhere/a.log"]
    long = names.add([f"runs/{'x' * 200}{n}.log" for n in range(3)])
    assert len({*long}) == 3
    assert len(names) == 6


def test_no_two_watched_logs_write_one_card() -> None:
    """The card of `a/log.txt` is `a_log.txt.card.json`, which is that of `a_log.txt`, too."""
    names = Names(["runs"]).add(["runs/a/log.txt", "runs/a_log.txt"])
    assert len({card_file(name) for name in names}) == 2


def test_a_folder_in_plain_mode_writes_every_card(tmp_path: Path) -> None:
    logs, cards = tmp_path / "logs", tmp_path / "cards"
    logs.mkdir()
    cards.mkdir()
    for name in FIVE:
        (logs / name).write_bytes(sample_logs.path(name).read_bytes())
    words = [sys.executable, "-m", "sixdim", "watch", str(logs), "--plain", "--json", str(cards)]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=180, check=True
    )
    assert f"{FIVE[1]}: epoch   65" in done.stdout
    found = {path.name: json.loads(path.read_text()) for path in cards.iterdir()}
    assert set(found) == {f"{name}.card.json" for name in FIVE}
    assert {card["dimensions"]["stability"]["value"] for card in found.values()} == {1.0}


class Folder:
    """`sixdim watch FOLDER --plain` as a process, and what it has printed so far."""

    def __init__(self, tmp_path: Path) -> None:
        self.logs, self.cards = tmp_path / "logs", tmp_path / "cards"
        self.logs.mkdir()
        self.cards.mkdir()
        words = ["watch", str(self.logs), "--plain", "--json", str(self.cards)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sixdim", *words],
            cwd=Path(__file__).parents[3],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []

    def until(self, text: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if text in line:
                return
        raise AssertionError(f"{text!r} never came: {self.said}")


def test_logs_that_come_into_a_watched_folder_later_are_followed(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    whole = sample_logs.path(FIVE[0]).read_bytes()
    folder.until("waiting for a log in logs")
    lines = whole.splitlines(keepends=True)
    (folder.logs / "first.log").write_bytes(b"".join(lines[:1400]))
    folder.until("first.log: epoch   30")
    # None of these is another run.
    (folder.logs / "first.log.1").write_bytes(whole)
    (folder.logs / "first.log.sixdim.jsonl").write_text('{"sixdim": "telemetry"}\n')
    (folder.logs / "weights").write_bytes(bytes(5000))
    power = sample_logs.path("ixsmi_power.txt")
    (folder.logs / "a_power.txt").write_bytes(power.read_bytes())
    (folder.logs / "second.log").write_bytes(sample_logs.path(FIVE[1]).read_bytes())
    folder.until("second.log: epoch   65")
    with (folder.logs / "first.log").open("ab") as file:
        file.writelines(lines[1400:])
    rest, _ = folder.process.communicate(timeout=180)
    assert folder.process.returncode == 0
    assert {path.name for path in folder.cards.iterdir()} == {
        "first.log.card.json",
        "second.log.card.json",
    }
    printed = "".join(folder.said) + rest
    assert {line.split(":")[0] for line in printed.splitlines() if ": epoch " in line} == {
        "first.log",
        "second.log",
    }


@pytest.mark.slow
def test_of_more_new_logs_than_can_be_watched_as_many_as_fit_are_followed(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.until("waiting for a log in logs")
    for number in range(31):
        (folder.logs / f"{number:02}.log").write_text("nothing yet\n")
    time.sleep(2.5)  # the folder is looked through each second
    lines = sample_logs.path(FIVE[0]).read_bytes().splitlines(keepends=True)
    for name in ("a.log", "b.log", "c.log"):
        (folder.logs / name).write_bytes(b"".join(lines[:1400]))
    folder.until("not watched: b.log and 1 more (at most 32 logs at once)")
    if not any("a.log: epoch   30" in line for line in folder.said):
        folder.until("a.log: epoch   30")
    folder.process.terminate()
    folder.process.communicate(timeout=180)
    assert not [line for line in folder.said if line.startswith(("b.log", "c.log"))]


def test_of_more_logs_than_can_be_watched_the_newest_are_followed(tmp_path: Path) -> None:
    """A folder of old runs beside the one that trains: refusing it would help nobody."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(40):
        (logs / f"{number:02}.log").write_text("nothing yet\n")
        os.utime(logs / f"{number:02}.log", (1_700_000_000 + number,) * 2)
    (logs / "00.log").write_bytes(sample_logs.path(FIVE[0]).read_bytes())  # now the newest
    paths = [str(logs)], [str(path) for path in sorted(logs.iterdir())]
    for words in paths:
        process = subprocess.Popen(
            [sys.executable, "-m", "sixdim", "watch", *words, "--plain"],
            cwd=Path(__file__).parents[3],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(20)]
        process.terminate()
        process.communicate(timeout=180)
        # 32 of 40: 00, and 09 to 39.
        assert "not watched: 01.log and 7 more (at most 32 logs at once)\n" in said
        assert "00.log: format torchvision\n" in said


def test_a_log_that_comes_into_a_folder_on_the_screen_is_followed(tmp_path: Path) -> None:
    (tmp_path / "one.log").write_bytes(sample_logs.path(FIVE[0]).read_bytes())
    words = ["watch", str(tmp_path)]
    session = Session(f"import sys; from sixdim.tui.cli import main; sys.exit(main({words}))")
    assert session.wait_for(
        lambda: any("▸" in row and "one.log" in row for row in session.painted())
    )
    (tmp_path / "two.log").write_bytes(sample_logs.path(FIVE[1]).read_bytes())
    found = session.wait_for(
        lambda: any("two.log" in row and "converged" in row for row in session.painted())
    )
    assert found, session.painted()
    assert session.quit() == 0


GPUS_ABOVE = """\
| NVIDIA-SMI 580.95     Driver Version: 580.95     CUDA Version: 13.0 |
|   0  NVIDIA A100   On   | 00000000:16:00.0 Off |                    0 |
| N/A   30C    P0    42W / 300W |    5MiB / 32510MiB |      0%      Default |
"""


def test_a_log_that_shows_the_gpus_above_the_training_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "gpus.txt").write_text(GPUS_ABOVE)
    log = tmp_path / "train.log"
    log.write_text(GPUS_ABOVE)
    folders = Folders([str(tmp_path)])
    assert folders.fresh() == []
    log.write_text(GPUS_ABOVE + sample_logs.path(FIVE[0]).read_text())
    assert folders.fresh() == [str(log)]


def test_of_hundreds_of_files_only_the_newest_are_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def looks_recorded(path: Path) -> bool:
        opened.append(path.name)
        return path.suffix == ".txt"

    monkeypatch.setattr("sixdim.tui.batch.folder.looks_recorded", looks_recorded)
    names = [f"{number:03}.log" for number in range(300)]
    for number, name in enumerate([*names, "gpus.txt"]):
        (tmp_path / name).write_text("a line\n")
        os.utime(tmp_path / name, (1_700_000_000 + number,) * 2)
    folders = Folders([str(tmp_path)])
    logs, others = ([Path(one).name for one in found] for found in folders.newest([], 32))
    assert (logs, others) == (names[-32:], names[:-32])
    assert sorted(opened) == [*names[-32:], "gpus.txt"]
    assert folders.fresh() == []


def test_a_folder_that_may_not_be_entered_is_passed_over() -> None:
    with tempfile.TemporaryDirectory() as root:
        closed = Path(root, "closed")
        closed.mkdir()
        for log in (Path(root, "a.log"), closed / "b.log"):
            log.write_text("a line\n")
        Path(root).chmod(0o755)
        closed.chmod(0o444)
        before = os.geteuid()
        os.seteuid(before or 65534)  # root may enter it
        try:
            assert find_logs([root]) == [f"{root}/a.log"]
        finally:
            os.seteuid(before)
