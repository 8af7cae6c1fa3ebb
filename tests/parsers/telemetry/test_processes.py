"""What processes hold, and which are the run's: real ones, found by what they hold open."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.values.card import Dimension
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal_line import decode, encode
from sixdim.parsers.telemetry.recorded import read_recording
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.telemetry.writers import RENEW_US, LogWriters
from sixdim.tui.cli import main
from sixdim.tui.screen.panels.telemetry import columns_for, device_row
from tests.support.telemetry import folded

needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc here")
CORPUS = Path(os.environ.get("SIXDIM_CORPUS", "/nonexistent"))
needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="SIXDIM_CORPUS names no folder of real logs"
)


@contextmanager
def shell(script: str, log: Path) -> Iterator[list[int]]:
    """Runs a script whose `train`s print their process ids, and live until the block ends.

    `$LOG` is the log; `train` takes any words.
    """
    ids, writer = os.pipe()
    hold, end = os.pipe()
    train = log.parent / "train.py"
    train.write_text(f"import os\nos.write({writer}, b'%d\\n' % os.getpid())\nos.read({hold}, 1)\n")
    child = subprocess.Popen(
        ["bash", "-c", script.replace("train", f"{sys.executable} {train}")],
        env={**os.environ, "LOG": str(log)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[writer, hold],
    )
    for handle in (writer, hold):
        os.close(handle)
    try:
        with os.fdopen(ids) as lines:
            yield [int(lines.readline()) for _ in range(script.count("train"))]
    finally:
        os.close(end)
        child.wait(timeout=30)


@needs_proc
@pytest.mark.parametrize(
    "script",
    [
        "train > $LOG; true",
        "train >> $LOG; true",
        "{ exec 7> $LOG; train 7>&-; true; }",
        "train | tee $LOG",
        "train | cat -u | tee $LOG",
        "exec 7> $LOG; bash -c 'setsid -w train 7>&-; true'",
    ],
)
def test_who_writes_the_log_is_the_run(tmp_path: Path, script: str) -> None:
    log = tmp_path / "run.log"
    with shell(script, log) as (pid,):
        assert until_found(log, {pid, os.getpid()}) == {pid}


def until_found(log: Path, pids: set[int]) -> set[int]:
    """Who belongs to the run, once `tee` or the shell has opened the log."""
    for _ in range(600):
        if found := LogWriters(log).of(pids, 0):
            return found
        time.sleep(0.05)
    return set()


@needs_proc
@pytest.mark.parametrize(
    "script",
    [
        "touch $LOG; train < $LOG; true",
        "touch $LOG; train > $LOG.other; true",
        "train | tee $LOG.other",
        "tail -f $LOG | train & sleep 0; wait",
    ],
)
def test_a_reader_or_a_neighbour_is_not_the_run(tmp_path: Path, script: str) -> None:
    log = tmp_path / "run.log"
    log.touch()
    with shell(script.replace("tail -f", "timeout 5 tail -f"), log) as (pid,):
        assert LogWriters(log).of({pid, os.getpid()}, 0) == set()


@needs_proc
def test_the_other_ranks_are_the_run_and_another_run_of_the_same_shell_is_not(
    tmp_path: Path,
) -> None:
    log = tmp_path / "run.log"
    script = (
        "train --local_rank=0 --lr 1 > $LOG & train --local_rank=1 --lr 1 & train --lr 2 & wait"
    )
    with shell(script, log) as pids:
        ranks = {pid for pid in pids if b"--local_rank" in command(pid)}
        assert len(ranks) == 2
        assert until_found(log, set(pids)) == ranks


def command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@needs_proc
def test_a_log_that_comes_later_is_found_and_one_that_is_closed_is_let_go(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    writers = LogWriters(log)
    me = os.getpid()
    assert writers.of({me}, 0) == set()
    with log.open("w"):
        assert writers.of({me}, RENEW_US - 1) == set()
        assert writers.of({me}, RENEW_US) == {me}
    assert writers.of({me}, 2 * RENEW_US) == set()


def test_processes_that_nobody_can_look_into_are_nobodys(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.touch()
    assert LogWriters(log, tmp_path / "no-proc").of({1, 2, 4194305}, 0) == set()


def read(tmp_path: Path, text: str) -> tuple[Reading, ...]:
    path = tmp_path / "recording.txt"
    path.write_text(text)
    return read_recording(path).readings


XML_PROCESSES = (
    '<?xml version="1.0" ?>\n<nvidia_smi_log>\n<timestamp>Tue May 20 19:21:24 2025</timestamp>\n'
    '<gpu id="0:01:00.0"><fb_memory_usage><used>1500 MiB</used></fb_memory_usage><processes>{}'
    "</processes></gpu>\n</nvidia_smi_log>\n"
)
TEXT_PROCESSES = """\
==============NVSMI LOG==============
Timestamp                                 : Fri Jul  3 22:10:01 2026
GPU 00000000:83:00.0
    FB Memory Usage
        Used                              : 1500 MiB
    {}
"""


def xml_process(kind: str, held: str) -> str:
    return (
        f"<process_info><pid>1</pid><type>{kind}</type><process_name>x</process_name>"
        f"<used_memory>{held}</used_memory></process_info>"
    )


def text_process(pid: int, kind: str, held: str) -> str:
    return (
        f"        Process ID                        : {pid}\n"
        f"            Type                          : {kind}\n"
        "            Name                          : python train.py\n"
        f"            Used GPU Memory               : {held}\n"
    )


NOBODY = "no compute process listed: none runs, or only in another container"
UNTOLD = "the driver does not report the memory of a process"


@pytest.mark.parametrize(
    ("text", "held", "reason"),
    [
        (
            XML_PROCESSES.format(
                xml_process("C", "1000 MiB")
                + xml_process("G", "90 MiB")
                + xml_process("C+G", "200 MiB")
            ),
            1200.0,
            "",
        ),
        (XML_PROCESSES.format(xml_process("C", "N/A")), None, UNTOLD),
        (XML_PROCESSES.format(""), None, NOBODY),
        (
            TEXT_PROCESSES.format(
                "Processes\n"
                + text_process(7, "C", "1000 MiB")
                + text_process(8, "G", "90 MiB")
                + text_process(9, "M+C", "200 MiB")
            ),
            1200.0,
            "",
        ),
        (TEXT_PROCESSES.format("Processes : None"), None, NOBODY),
        (
            TEXT_PROCESSES.format("Processes\n" + text_process(7, "C", "Not available in WDDM")),
            None,
            UNTOLD,
        ),
        (TEXT_PROCESSES.format(""), None, ""),
    ],
)
def test_what_processes_hold_in_q_text_and_xml(
    tmp_path: Path, text: str, held: float | None, reason: str
) -> None:
    (one,) = read(tmp_path, text)
    assert (one.memory_mib, one.process_mib) == (1500.0, held)
    assert one.process_scope == ("device" if held is not None else "")
    assert dict(one.missing).get("process_mib", "") == reason


@needs_corpus
def test_what_a_process_holds_in_a_real_recording() -> None:
    found = read_recording(CORPUS / "deepspark/ixsmi/mr-v100-2gpu_driver4.2.0_ixsmi-q-x.xml")
    assert [r.process_mib for r in found.readings] == [27664.0, 27600.0]


APPS = (
    "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
    "2026/01/03 15:36:53.507, GPU-a, 11, python, 1000 MiB\n"
    "2026/01/03 15:36:53.509, GPU-a, 12, python -c a, b, 200 MiB\n"
    "2026/01/03 15:36:53.511, GPU-b, 13, python, 300 MiB\n"
    "2026/01/03 15:36:54.507, GPU-b, 13, python, 310 MiB\n"
    "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
    "2026/01/03 15:36:55.507, GPU-a, 14, python, [N/A]\n"
    "2026/01/03 15:36:55.508, GPU-b, 13, pyth"
)


def test_a_recording_of_compute_apps_sums_the_processes_of_a_moment(tmp_path: Path) -> None:
    readings = read(tmp_path, APPS)
    assert [(r.device, r.uuid, r.process_mib) for r in readings] == [
        (0, "GPU-a", 1200.0),
        (1, "GPU-b", 300.0),
        (1, "GPU-b", 310.0),
        (0, "GPU-a", None),
    ]
    assert dict(readings[-1].missing) == {"process_mib": UNTOLD}
    assert readings[0].time_us == time_of("2026/01/03 15:36:53.507")


def test_without_times_a_process_that_comes_again_begins_the_next_sample(tmp_path: Path) -> None:
    text = "pid, used_memory [MiB]\n11, 100\n12, 50\n11, 110\n12, 60\n12, 70\n"
    assert [r.process_mib for r in read(tmp_path, text)] == [150.0, 170.0, 70.0]


def card(readings: tuple[Reading, ...]) -> Dimension:
    return memory(folded(readings))


def test_the_card_says_whose_the_memory_is() -> None:
    run = Reading(0, memory_mib=1000.0, process_mib=800.0, process_scope="run")
    details = card((run, run._replace(process_mib=900.0))).details
    assert (details["process_mean"], details["process_peak"]) == (850.0, 900.0)
    assert details["process_scope"] == "the run's own processes"
    other = run._replace(device=1, process_scope="device")
    assert (
        card((run, other)).details["process_scope"]
        == "every compute process on the device and the run's own processes"
    )
    hostile = run._replace(process_scope="[b]x\x1b[2J")
    assert card((hostile,)).details["process_scope"] == "processes"


def test_the_card_says_why_it_is_not_known() -> None:
    plain = Reading(0, memory_mib=1000.0)
    assert (
        card((plain,)).details["process_reason"]
        == "the readings do not have the memory of processes"
    )
    refused = plain._replace(missing=(("process_mib", "Insufficient Permissions"),))
    assert card((refused,)).details["process_reason"] == "device 0: Insufficient Permissions"


def test_the_panel_shows_it_where_there_is_room() -> None:
    run = Reading(0, power_w=300.0, memory_mib=2048.0, process_mib=1536.0, process_scope="run")
    assert [column.heading for column in columns_for(60, (run,))][-1] == "by run"
    assert [column.heading for column in columns_for(38, (run,))][-1] == "temp"
    assert [column.heading for column in columns_for(60, (Reading(0),))][-1] == "temp"
    both = (run, run._replace(process_scope="device"))
    assert [column.heading for column in columns_for(60, both)][-1] == "by procs"
    assert "1.5 GiB" in device_row(run, columns_for(60, (run,)), 60)[0].text


def test_a_journal_keeps_whose_it_is() -> None:
    reading = Reading(0, process_mib=1536.0, process_scope="run")
    assert decode(encode(reading).decode()) == reading


def test_processes_alone_are_not_the_boards_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    apps, board = tmp_path / "apps.csv", tmp_path / "board.csv"
    apps.write_text("gpu_uuid, pid, used_gpu_memory [MiB]\nGPU-a, 7, 300 MiB\nGPU-a, 7, 500 MiB\n")
    board.write_text("uuid, memory.used [MiB]\nGPU-a, 1000 MiB\n")
    log = str(sample_logs.path(sample_logs.RUN))
    cards = []
    for files in ([apps], [apps, board]):
        flags = [flag for file in files for flag in ("--telemetry", f"memory={file}")]
        assert main(["score", log, "--json", "-", *flags]) == 0
        cards.append(json.loads(capsys.readouterr().out)["dimensions"]["memory"])
    alone, both = cards
    assert (alone["value"], alone["process_mean"]) == (None, 400.0)
    assert alone["reason"].startswith("the readings have the memory of processes")
    assert (both["value"], both["process_mean"], both["devices"]) == (1000.0, 400.0, [0])
