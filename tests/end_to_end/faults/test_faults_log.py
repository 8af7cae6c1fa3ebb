"""Everything that may happen to a growing log, done to a real file under a real feed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sixdim.parsers.input.follow import Tail
from sixdim.tui.base.clock import Clock
from tests.support.processes.live import LINES, OTHER, SAMPLE, Live, card_of

pytestmark = pytest.mark.slow  # kills, and waits for what a machine does late
ROOT = Path(__file__).parents[3]
HALF = b"".join(LINES[:1400])
WATCH = [sys.executable, "-m", "sixdim", "watch", "--plain", "--no-gpus"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "train.log"


def test_the_log_and_its_folder_appear_late(tmp_path: Path) -> None:
    log = tmp_path / "runs" / "train.log"
    with Live(log, json=tmp_path / "live.json") as live:
        live.wait(lambda frame: frame.message == "waiting for train.log (no such folder)")
        log.parent.mkdir()
        log.write_bytes(SAMPLE)
        live.wait_for_bytes(len(SAMPLE))
        assert live.card() == card_of(SAMPLE)


def test_single_bytes(log: Path) -> None:
    data = b"".join(LINES[:30])
    with Live(log) as live, log.open("ab", buffering=0) as file:
        for position in range(len(data)):
            file.write(data[position : position + 1])
        live.wait_for_bytes(len(data))
        assert live.card() == card_of(data)


def test_many_megabytes_at_once(log: Path) -> None:
    noise = b"[rank3]: " + b"nothing that any format knows, " * 6 + b"\n"
    data = HALF + noise * (20_000_000 // len(noise)) + SAMPLE[len(HALF) :]
    with Live(log) as live:
        log.write_bytes(data)
        live.wait_for_bytes(len(data), 60)
        assert live.card() == card_of(data)


def test_a_line_of_50_mb_costs_only_itself(log: Path) -> None:
    data = HALF + b"x" * 50_000_000 + b"\n" + SAMPLE[len(HALF) :]
    with Live(log) as live:
        log.write_bytes(data)
        frame = live.wait_for_bytes(len(data), 60)
        assert max(len(text) for _number, text in frame.log_lines) <= 256 * 1024
        card = live.card()
    assert card == card_of(data)
    assert '"value": 4938.923798404513' in card


def test_a_half_written_line_waits_for_its_end(log: Path) -> None:
    end = next(i for i, line in enumerate(LINES) if b"Epoch: [0] Avg" in line)
    head, line = b"".join(LINES[:end]), LINES[end]
    with Live(log) as live, log.open("ab", buffering=0) as file:
        file.write(head + line[:-6])
        frame = live.wait_for_bytes(len(head) + len(line) - 6)
        assert frame.snapshot.epochs[0].derived  # from the duration: the figure is not yet there
        file.write(line[-6:])
        frame = live.wait_for_bytes(len(head) + len(line))
        assert not frame.snapshot.epochs[0].derived


def test_progress_bars_that_redraw_with_carriage_returns(log: Path) -> None:
    bars = b"".join(b"\r%3d%%|#####     | it/s" % share for share in range(101))
    data = b"".join(line + (bars if i % 50 == 0 else b"") for i, line in enumerate(LINES))
    with Live(log) as live, log.open("ab", buffering=0) as file:
        for begin in range(0, len(data), 7919):
            file.write(data[begin : begin + 7919])
        live.wait_for_bytes(len(data))
        assert live.card() == card_of(data)


@pytest.mark.parametrize("events", [True, False], ids=["events", "heartbeat alone"])
def test_truncated_in_place(log: Path, events: bool) -> None:
    log.write_bytes(HALF)
    with Live(log, events=events) as live:
        live.wait_for_bytes(len(HALF))
        os.truncate(log, 0)
        log.write_bytes(OTHER)
        frame = live.wait_for_bytes(len(OTHER))
        assert frame.restarts == 1
        assert live.card() == card_of(OTHER)


def test_a_rewrite_to_the_same_size_is_seen() -> None:
    # Between two looks, and with the same first bytes: two runs of one script begin alike.
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "train.log"
        log.write_bytes(b"Namespace(lr=0.1)\n" * 40 + b"loss 1.0\n" * 40)
        tail = Tail(str(log), time.monotonic)
        first = tail.look()
        log.write_bytes(b"Namespace(lr=0.1)\n" * 40 + b"loss 2.0\n" * 40)
        os.utime(log, ns=(1, 1))
        second = tail.look()
        assert (first.restarted, second.restarted) == (False, True)
        assert second.data.endswith(b"loss 2.0\n")
        tail.close()


EDITED = SAMPLE.replace(b"Acc@1 69.", b"Acc@1 68.")
"""Another log with the same length, the same first lines and the same last ones."""


def test_a_rewrite_of_the_middle_alone_is_seen(log: Path) -> None:
    assert EDITED != SAMPLE and EDITED[-256:] == SAMPLE[-256:]
    log.write_bytes(SAMPLE)
    with Live(log, events=False) as live:
        live.wait_for_bytes(len(SAMPLE))
        time.sleep(0.1)  # the clock of a file system may tick a few times a second
        with log.open("r+b") as file:
            file.write(EDITED)
        frame = live.wait(lambda frame: frame.restarts == 1, 20.0)
        frame = live.wait_for_bytes(len(EDITED))
        assert frame.message == "the log was replaced or truncated: reading it anew"
        assert live.card() == card_of(EDITED)


def test_the_screen_says_for_ten_seconds_that_the_log_was_replaced(log: Path) -> None:
    log.write_bytes(HALF)
    ahead = [0.0]
    clock = Clock(lambda: time.monotonic() + ahead[0])
    with Live(log, clock=clock, events=False) as live:
        live.wait_for_bytes(len(HALF))
        log.write_bytes(HALF[: len(HALF) // 2])
        live.wait(lambda frame: frame.restarts == 1)
        ahead[0] = 4.0
        frame = live.wait_for_bytes(len(HALF) // 2)
        assert frame.message == "the log was replaced or truncated: reading it anew"
        ahead[0] = 10.0
        live.wait(lambda frame: not frame.message)


def test_a_rewrite_that_growth_hides_is_seen_before_the_last_card(log: Path) -> None:
    begin = HALF[:-256].replace(b"loss: 2.", b"loss: 3.") + HALF[-256:]
    assert begin[:64] == HALF[:64] and begin != HALF
    rest = SAMPLE[len(HALF) :]
    log.write_bytes(HALF)
    with Live(log) as live:
        live.wait_for_bytes(len(HALF))
        with log.open("r+b") as file:
            file.write(begin + rest)
        live.wait(lambda frame: frame.snapshot.ended or frame.snapshot.bytes == len(SAMPLE))
        assert live.card() == card_of(begin + rest)


def test_a_touch_costs_one_check_and_nothing_else(log: Path) -> None:
    log.write_bytes(SAMPLE)
    now = [0.0]
    tail = Tail(str(log), lambda: now[0])
    while tail.look().data:
        pass
    os.utime(log, ns=(1, 1))
    looks = [tail.look() for _ in range(3)]
    assert not any(look.restarted or look.data for look in looks)
    log.write_bytes(EDITED)
    os.utime(log, ns=(2, 2))
    assert not tail.look().restarted, "a second check may begin after five seconds only"
    now[0] = 4.9
    assert not tail.look().restarted
    now[0] = 5.0
    assert tail.look().restarted
    tail.close()


def test_rotated_by_rename(log: Path) -> None:
    with Live(log) as live:
        log.write_bytes(HALF)
        live.wait_for_bytes(len(HALF))
        with log.open("ab") as file:  # written after the look, before the rename
            file.write(LINES[1400])
        log.rename(log.with_suffix(".log.1"))
        log.write_bytes(b"".join(LINES[1401:]))
        frame = live.wait_for_bytes(len(SAMPLE))
        assert frame.restarts == 0
        assert live.card() == card_of(SAMPLE)


def test_rotated_by_copy_and_truncate_begins_a_new_stream(log: Path) -> None:
    rest = b"".join(LINES[1400:])
    log.write_bytes(HALF)
    with Live(log) as live:
        live.wait_for_bytes(len(HALF))
        log.with_suffix(".log.1").write_bytes(log.read_bytes())
        os.truncate(log, 0)
        with log.open("ab") as file:
            file.write(rest)
        live.wait_for_bytes(len(rest))
        assert live.card() == card_of(rest)


def test_replaced_atomically(log: Path) -> None:
    log.write_bytes(HALF)
    with Live(log) as live:
        live.wait_for_bytes(len(HALF))
        fresh = log.with_suffix(".tmp")
        fresh.write_bytes(OTHER)
        fresh.replace(log)
        live.wait_for_bytes(len(OTHER))
        assert live.card() == card_of(OTHER)


def test_deleted_and_created_again(log: Path) -> None:
    log.write_bytes(HALF)
    with Live(log) as live:
        live.wait_for_bytes(len(HALF))
        log.unlink()
        time.sleep(0.6)
        log.write_bytes(OTHER)
        live.wait_for_bytes(len(OTHER))
        assert live.card() == card_of(OTHER)


@pytest.fixture
def common_folder() -> Iterator[Path]:
    """A folder that any user may enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


def test_unreadable_for_a_while(common_folder: Path) -> None:
    log = common_folder / "train.log"
    with Live(log) as live:
        live.wait(lambda frame: "waiting" in frame.message)
        me = os.geteuid()
        if me == 0:
            os.seteuid(65534)  # root may read everything
        try:
            os.close(os.open(log, os.O_CREAT | os.O_WRONLY, 0))
            live.wait(lambda frame: frame.message == "cannot read train.log: Permission denied")
            log.chmod(0o600)
            log.write_bytes(SAMPLE)
            live.wait_for_bytes(len(SAMPLE))
        finally:
            os.seteuid(me)
        assert live.card() == card_of(SAMPLE)


def test_a_folder_in_its_place_for_a_while(log: Path) -> None:
    with Live(log) as live:
        log.mkdir()
        live.wait(lambda frame: "it is a folder" in frame.message)
        log.rmdir()
        log.write_bytes(SAMPLE)
        live.wait_for_bytes(len(SAMPLE))


def test_without_events_growth_is_found_within_a_second(log: Path) -> None:
    log.write_bytes(HALF)
    with Live(log, events=False) as live:
        live.wait_for_bytes(len(HALF))
        for line in LINES[1400:1404]:
            size = log.stat().st_size + len(line)
            with log.open("ab") as file:
                file.write(line)
            live.wait_for_bytes(size, seconds=1.0)
            time.sleep(random.Random(size).random() / 2)


@pytest.mark.parametrize("limit", ["max_inotify_instances", "max_inotify_watches"])
def test_inotify_exhausted(log: Path, limit: str) -> None:
    # A user namespace has limits of its own: none are left in this one.
    shell = f'echo 0 > /proc/sys/user/{limit} && exec "$@"'
    inside = ["unshare", "--user", "--map-root-user", "sh", "-c", shell, "sh"]
    if subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("no user namespaces here: inotify's limits cannot be lowered")
    watch = subprocess.Popen(
        [*inside, *WATCH, str(log), "--json", str(log.parent / "live.json")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    time.sleep(0.5)
    log.write_bytes(SAMPLE)
    out, _ = watch.communicate(timeout=180)
    assert watch.returncode == 0
    assert "4938.9 img/s" in out
    assert (log.parent / "live.json").read_text() == card_of(SAMPLE)


def test_two_runs_appended_into_one_file(log: Path) -> None:
    watch = subprocess.Popen([*WATCH, str(log)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    first = b"".join(LINES[:1400])  # never finished: started again after it
    log.write_bytes(first)
    time.sleep(0.5)
    with log.open("ab") as file:
        file.write(OTHER)
    out, _ = watch.communicate(timeout=180)
    assert watch.returncode == 0
    printed = [line.split()[1] for line in out.splitlines() if line.startswith("epoch ")]
    labels = [str(epoch) for epoch in range(90)]
    again = (
        len(printed) - 1 - printed[::-1].index("0")
    )  # the second run is printed from its epoch 0 on
    assert printed[again:] == labels[: len(printed) - again]
    with Live(log) as live:
        live.wait_for_bytes(len(first + OTHER))
        assert live.card() == card_of(first + OTHER)


RANK = """
import os, sys
rank, log, source = int(sys.argv[1]), sys.argv[2], sys.argv[3]
out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
for number, line in enumerate(open(source, "rb")):
    os.write(out, line if rank == 0 else b"[rank%d]: step %d done\\n" % (rank, number))
"""


def test_eight_ranks_write_at_once(log: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(SAMPLE)
    with Live(log) as live:
        ranks = [
            subprocess.Popen([sys.executable, "-c", RANK, str(rank), str(log), str(source)])
            for rank in range(8)
        ]
        assert [rank.wait(180) for rank in ranks] == [0] * 8
        live.wait_for_bytes(log.stat().st_size)
        card = live.card()
    assert card == card_of(log.read_bytes())
    assert '"value": 4938.923798404513' in card
