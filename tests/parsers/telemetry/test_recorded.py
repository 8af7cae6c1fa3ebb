"""Recorded files: recognised by what is in them, or refused in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import sixdim
from sixdim import sample_logs
from sixdim.metrics.dimensions.telemetry.averages import Selection
from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.dimensions.telemetry.power import power
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.parsers.telemetry.journal import Journal
from sixdim.parsers.telemetry.recorded import BadRecordingError, Recording, read_recording
from tests.support.telemetry import folded, recorded

CORPUS = Path(os.environ.get("SIXDIM_CORPUS", "/nonexistent"))
needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="SIXDIM_CORPUS names no folder of real logs"
)

GREPPED = """\
$ ixsmi -q -i 3 -l | grep -E 'Power Draw'
        Power Draw                              : 161 W
        Power Draw                              : 169 W
        Power Draw                              : N/A
        Power Draw                              : 65535 W
$ ixsmi -q -l | grep Used.[^G]
   Used                                    : 30671  MiB
"""


def fold(recording: Recording) -> TelemetryFold:
    return folded(recording.readings)


def test_grepped_lines_with_the_command_above_them(tmp_path: Path) -> None:
    recording = recorded(tmp_path, GREPPED)
    assert [(r.device, r.power_w, r.memory_mib) for r in recording.readings] == [
        (3, 161.0, None),
        (3, 169.0, None),
        (3, None, None),
        (3, None, None),
        (0, None, 30671.0),
    ]
    assert recording.readings[2].missing == (("power_w", "N/A"),)
    assert recording.readings[3].missing == (
        ("power_w", "65535 W: the driver's mark of a lost card"),
    )
    assert recording.notes == ("the lines name no device: read as readings of device 0",)


def test_a_last_line_without_its_newline_counts(tmp_path: Path) -> None:
    assert len(recorded(tmp_path, " Power Draw : 161 W\n Power Draw : 162 W").readings) == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is empty"),
        (b"\x00\xff\xfe\x80" * 500, "it is not text"),
        (b"Epoch: [0]  [1/10]  loss: 3.2\n", "no known shape of readings"),
    ],
)
def test_what_is_no_recording_says_so_in_one_line(
    tmp_path: Path, content: bytes, words: str
) -> None:
    with pytest.raises(BadRecordingError) as caught:
        recorded(tmp_path, content)
    assert words in str(caught.value)
    assert str(caught.value).startswith("recording.txt: ")
    assert "\n" not in str(caught.value)


def test_a_recording_of_one_quantity_says_that_it_lacks_the_other(tmp_path: Path) -> None:
    lines = "".join(f"        Power Draw   : {watts} W\n" for watts in (161, 169))
    readings = fold(recorded(tmp_path, lines))
    assert power(readings).value == 165.0
    assert memory(readings).reason == "the readings have no memory"
    assert memory(TelemetryFold()).reason == "no memory readings"


def test_a_missing_file_a_directory_and_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("absent", ".", "pipe"):
        with pytest.raises(BadRecordingError):
            read_recording(tmp_path / name)


def test_a_journal_is_a_recording_too(tmp_path: Path) -> None:
    (source,) = recorded(tmp_path, " Power Draw : 161 W\n").readings
    path = tmp_path / "journal"
    journal = Journal.open(path, tmp_path / "t.log")
    journal.append([source])
    journal.close()
    assert read_recording(path) == Recording((source,), "sixdim journal")


def test_the_sample_recordings_carry_the_worked_example() -> None:
    samples = Path(__file__).parents[3] / "sample_logs"
    watts = power(fold(read_recording(samples / "ixsmi_power.txt")), Selection((6, 64)))
    mib = memory(fold(read_recording(samples / "ixsmi_memory.txt")), Selection((6, 64)))
    assert (watts.value, mib.value) == (165.6, 30670.6)


@needs_corpus
def test_the_worked_example_from_its_own_lines() -> None:
    whole = fold(read_recording(CORPUS / "telemetry" / "excerpt_ixsmi_q_l_grep.txt"))
    watts, mib = power(whole, Selection((6, 10))), memory(whole, Selection((6, 10)))
    assert (watts.value, mib.value) == (165.6, 30670.6)
    assert watts.details["devices"] == [0]
    assert (watts.details["readings"], mib.details["readings"]) == (5, 5)


def test_the_card_warns_of_what_a_recording_left_open(tmp_path: Path) -> None:
    recording = tmp_path / "smi.csv"
    recording.write_text("power.draw [W]\n150 W\n160 W, x\n")
    log = sample_logs.path(sample_logs.RUN)
    card = sixdim.score(log, telemetry=[str(recording)])
    assert card.power.value == 150.0
    assert [(w.kind, w.text) for w in card.warnings if w.kind == "recording"] == [
        ("recording", "smi.csv: the rows name no device: read as readings of device 0"),
        ("recording", "smi.csv: 1 rows with another number of columns left out"),
    ]


def test_powershell_writes_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "gpu.csv"
    rows = "timestamp, memory.used [MiB]\r\n2026/08/01 03:59:40.361, 10549 MiB\r\n"
    path.write_bytes((rows + "2026/08/01 03:59:41.371, 1764 MiB\r\n").encode("utf-16"))
    recording = read_recording(path)
    assert recording.format == "smi --query-gpu CSV"
    assert [one.memory_mib for one in recording.readings] == [10549.0, 1764.0]


def test_a_screen_that_watch_drew_has_only_its_first_picture_whole(tmp_path: Path) -> None:
    path = tmp_path / "gpu.log"
    table = (
        "\x1b[H\x1b[2JEvery 2.0s: nvidia-smi\x1b[3;1HFri Dec  5 10:01:25 2025\x1b[6;1H"
        "| NVIDIA-SMI 570.148.08 |\r\n|   0  NVIDIA H100   On |   00000000:01:00.0 Off |   0 |\r\n"
        "| N/A   27C    P0    70W /  700W |       0MiB /  81559MiB |      0%      Default |\r\n"
    )
    path.write_text(table + "".join(f"\x1b[3;1{at}H2\x1b[15;22H6{at}0" for at in range(9)))
    with pytest.raises(BadRecordingError, match="the screen of a terminal"):
        read_recording(path)
