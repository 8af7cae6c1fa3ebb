"""The journal: nothing lost but the last reading, nothing believed that is not a record."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal import Journal, JournalBusyError, JournalReader, read_header
from sixdim.parsers.telemetry.journal_line import (
    Header,
    decode,
    encode,
    encode_header,
)
from sixdim.parsers.telemetry.journal_places import find_journals, open_journal
from sixdim.parsers.telemetry.logkey import LogKey
from sixdim.tui.base.readings import readings_beside

ROOT = Path(__file__).parents[3]

figures = st.none() | st.floats(min_value=0.001, max_value=100)
words = st.text(st.sampled_from("GPU-0123é漢"), max_size=20)
readings = st.builds(
    Reading,
    device=st.integers(0, 1000),
    host=words,
    source=words,
    name=words,
    uuid=words,
    time_us=st.none() | st.integers(0, 2**52),
    epoch=st.none() | st.integers(0, 10**6),
    power_w=figures,
    power_limit_w=figures,
    memory_mib=figures,
    memory_total_mib=figures,
    process_mib=figures,
    process_scope=words,
    utilisation=figures,
    temperature_c=figures,
    throttle=st.lists(words, max_size=4).map(tuple),
    energy_j=figures,
    missing=st.lists(st.tuples(words, words), max_size=4).map(tuple),
)
hostile = st.text(st.sampled_from('ab\x1b\x07\x9b\u202e\ud800é[]{}:,"0'), max_size=30)
scalars = st.none() | st.booleans() | st.floats() | st.integers() | hostile
json_values = scalars | st.lists(scalars | st.lists(scalars, max_size=3), max_size=3)
fields = st.sampled_from(Reading._fields)


def write(path: Path, log: Path, *what: Reading) -> None:
    journal = Journal.open(path, log)
    journal.append(what)
    journal.close()


def record(log: Path, *what: Reading, state: Path | None = None) -> Path:
    journal = open_journal(log, {"XDG_STATE_HOME": str(state)})
    journal.append(what)
    journal.close()
    return journal.path


@given(readings)
def test_a_reading_survives_its_line(reading: Reading) -> None:
    line = encode(reading)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line.decode()) == reading


@given(st.dictionaries(fields, json_values))
def test_hostile_fields_never_raise_and_never_steer_a_terminal(data: dict[str, object]) -> None:
    record = decode(json.dumps(data))
    if isinstance(record, Reading):
        assert all(text.isprintable() for text in (record.name, record.host, *record.throttle))
        assert decode(encode(record).decode()) == record


@given(hostile)
def test_any_text_is_a_record_or_none(text: str) -> None:
    assert isinstance(decode(text), Reading | Header | None)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"device":-1}',
        '{"device":true}',
        '{"device":0.5}',
        '{"device":0,"power_w":NaN}',
        '{"device":0,"power_w":1e999}',
        '{"device":0,"power_w":-1}',
        '{"device":0,"power_w":65535}',
        '{"device":0,"power_w":"161"}',
        '{"device":0,"epoch":' + "9" * 5000 + "}",
        '{"device":0,"missing":[["a"]]}',
        '{"device":0,"throttle":"x"}',
        '{"device":0,"throttle":' + json.dumps(["x"] * 33) + "}",
        "[" * 10_000,
        '{"device":0,"name":"' + "x" * 20_000 + '"}',
        '{"sixdim":"telemetry","version":2}',
        '{"sixdim":"telemetry","version":1,"log":"a","log_bytes":9,"log_sha256":"zz"}',
    ],
)
def test_what_is_no_record(line: str) -> None:
    assert decode(line) is None


def test_unknown_keys_are_left_for_a_later_version() -> None:
    assert decode('{"device":3,"power_w":1,"fan":99}') == Reading(3, power_w=1.0)


def test_a_journal_is_private_and_says_which_log_it_is_of(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(b"x" * 5000)
    old = os.umask(0)
    try:
        path = record(log, Reading(0, power_w=161.0, epoch=6))
    finally:
        os.umask(old)
    assert path == tmp_path / "train.log.sixdim.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(JournalReader(path).poll()) == [Reading(0, power_w=161.0, epoch=6)]
    header = read_header(path)
    assert header is not None
    assert header.key is not None
    assert header.key.length == 5000
    assert find_journals(log, {}) == [path]


def test_no_symbolic_link_is_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = tmp_path / "train.log.sixdim.jsonl"
    path.symlink_to(victim)
    with pytest.raises(OSError, match="symbolic"):
        Journal.open(path, tmp_path / "train.log")
    assert victim.read_text() == "precious"


def test_a_pipe_of_that_name_neither_blocks_nor_is_written(tmp_path: Path) -> None:
    path = tmp_path / "train.log.sixdim.jsonl"
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a file of ours"):
        Journal.open(path, tmp_path / "train.log")
    assert read_header(path) is None


def test_reopening_goes_on_after_a_half_written_line(tmp_path: Path) -> None:
    log, path = tmp_path / "t.log", tmp_path / "t.log.sixdim.jsonl"
    log.write_bytes(b"a" * 4096)
    write(path, log, Reading(0, power_w=1.0))
    with path.open("ab") as file:
        file.write(b'{"device":0,"pow')
    assert list(JournalReader(path).poll()) == [Reading(0, power_w=1.0)]
    write(path, log, Reading(0, power_w=2.0))
    reader = JournalReader(path)
    assert [r.power_w for r in reader.poll()] == [1.0, 2.0]
    assert reader.broken == 1


def test_a_growing_journal_is_read_as_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "t.log.sixdim.jsonl"
    journal = Journal.open(path, tmp_path / "t.log")
    reader = JournalReader(path)
    assert list(reader.poll()) == []
    journal.append([Reading(0, power_w=1.0)])
    assert [r.power_w for r in reader.poll()] == [1.0]
    with path.open("ab") as file:
        file.write(b'{"device":0,"power_w":2')
        file.flush()
        assert list(reader.poll()) == []
        file.write(b"}\n")
    assert [r.power_w for r in reader.poll()] == [2.0]
    journal.close()


def test_a_second_writer_is_warned(tmp_path: Path) -> None:
    path = tmp_path / "t.log.sixdim.jsonl"
    first = Journal.open(path, tmp_path / "t.log")
    with pytest.raises(JournalBusyError):
        Journal.open(path, tmp_path / "t.log")
    first.close()
    Journal.open(path, tmp_path / "t.log").close()


def test_the_key_is_learnt_as_the_log_grows(tmp_path: Path) -> None:
    log, path = tmp_path / "t.log", tmp_path / "t.log.sixdim.jsonl"
    journal = Journal.open(path, log)
    journal.append([Reading(0)])
    assert (read_header(path) or Header("", None)).key is None
    lengths = []
    for size in (10, 5000, 9000):
        log.write_bytes(b"z" * size)
        journal.append([Reading(0)])
        header = read_header(path)
        assert header is not None
        assert header.key is not None
        assert header.key.fits(log)
        lengths.append(header.key.length)
    journal.close()
    assert lengths == [10, 4096, 4096]
    assert len(list(JournalReader(path).poll())) == 4


def test_a_log_copied_under_another_name_keeps_its_journal(tmp_path: Path) -> None:
    log = tmp_path / "a" / "train.log"
    log.parent.mkdir()
    log.write_bytes(os.urandom(5000))
    journal = record(log, Reading(0))
    moved = tmp_path / "b" / "renamed.log"
    moved.parent.mkdir()
    moved.write_bytes(log.read_bytes() + b"more")
    copied = moved.parent / "train.log.sixdim.jsonl"
    copied.write_bytes(journal.read_bytes())
    assert find_journals(moved, {}) == [copied]


def test_a_new_run_under_an_old_name_does_not_mix_with_its_journal(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(b"first run" * 1000)
    first = record(log, Reading(0, power_w=1.0))
    log.write_bytes(b"other run" * 1000)
    assert find_journals(log, {}) == []
    second = record(log, Reading(0, power_w=2.0))
    assert second != first
    assert find_journals(log, {}) == [second]
    log.write_bytes(b"first run" * 1000)
    assert find_journals(log, {}) == [first]


def test_where_the_place_beside_the_log_is_refused_the_state_folder_serves(tmp_path: Path) -> None:
    log, state = tmp_path / "train.log", tmp_path / "state"
    log.write_bytes(b"x" * 5000)
    (tmp_path / "train.log.sixdim.jsonl").symlink_to(tmp_path / "elsewhere")
    path = record(log, Reading(0), state=state)
    assert path.parent == state / "sixdim"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not (tmp_path / "elsewhere").exists()
    assert find_journals(log, {"XDG_STATE_HOME": str(state)}) == [path]


WRITER = """
import sys
from pathlib import Path
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal import Journal
journal = Journal.open(Path(sys.argv[1]), Path(sys.argv[2]))
for count in range(10**9):
    journal.append([Reading(0, power_w=161.0, time_us=count)])
    print(count, flush=True)
"""


def test_kill_9_loses_at_most_one_reading(tmp_path: Path) -> None:
    log, path = tmp_path / "t.log", tmp_path / "t.log.sixdim.jsonl"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(log)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    for line in writer.stdout:
        if int(line) >= 200:
            break
    writer.send_signal(signal.SIGKILL)
    acknowledged = [int(line) for line in writer.stdout.read().split("\n")[:-1] if line]
    writer.stdout.close()
    assert writer.wait() == -signal.SIGKILL
    written = [r.time_us for r in JournalReader(path).poll()]
    assert written == list(range(len(written)))
    last_acknowledged = max(acknowledged, default=200)
    assert last_acknowledged <= len(written) - 1 <= last_acknowledged + 1
    write(path, log, Reading(0, power_w=1.0))
    assert len(list(JournalReader(path).poll())) == len(written) + 1


FULL = """
import resource, signal, sys
from pathlib import Path
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal import Journal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal.open(Path(sys.argv[1]), Path(sys.argv[2]))
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
journal.append([Reading(0, time_us=k) for k in range(20)])
full = (journal.lost, journal.problem)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
journal.append([Reading(0, time_us=99)])
print(full[0], bool(full[1]), repr(journal.problem))
"""


def test_a_full_disk_is_said_and_survived(tmp_path: Path) -> None:
    path = tmp_path / "t.log.sixdim.jsonl"
    assert resource.RLIMIT_FSIZE is not None
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(tmp_path / "t.log")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
    )
    lost, said, after = done.stdout.split()
    assert (said, after) == ("True", "''"), done.stderr
    kept = [r.time_us for r in JournalReader(path).poll()]
    assert kept == [*range(20 - int(lost)), 99]


CHANGED = """
import resource, signal, sys
from pathlib import Path
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.journal import Journal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal.open(Path(sys.argv[1]), Path(sys.argv[2]))
journal.append([Reading(0, time_us=number) for number in range(20)])
room = Path(sys.argv[1]).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
print(journal.change_last(5, lambda latest: [one._replace(epoch=7) for one in latest]))
print(bool(journal.problem), len([*Path(sys.argv[1]).parent.iterdir()]))
"""


def test_a_disk_that_is_full_while_epochs_change_costs_no_reading(tmp_path: Path) -> None:
    path = tmp_path / "t.log.sixdim.jsonl"
    words = [sys.executable, "-c", CHANGED, str(path), str(tmp_path / "t.log")]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=180)
    assert done.stdout.split() == ["False", "True", "1"], done.stderr
    assert [(r.time_us, r.epoch) for r in JournalReader(path).poll()] == [
        (number, None) for number in range(20)
    ]


@pytest.mark.parametrize("count", [1, 3, 2500, 4000])
def test_the_last_readings_get_other_epochs(tmp_path: Path, count: int) -> None:
    log, path = tmp_path / "t.log", tmp_path / "t.log.sixdim.jsonl"
    log.write_text("x\n" * 3000)
    journal = Journal.open(path, log)
    journal.append(Reading(0, time_us=number, power_w=100.0) for number in range(3000))
    assert journal.change_last(count, lambda last: [one._replace(epoch=7) for one in last])
    journal.append([Reading(0, time_us=3000)])
    with pytest.raises(JournalBusyError):
        Journal.open(path, log)
    journal.close()
    expected = [7 if number >= 3000 - count else None for number in range(3000)]
    assert [r.epoch for r in JournalReader(path).poll()] == [*expected, None]
    assert [r.time_us for r in JournalReader(path).poll()] == [*range(3001)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert find_journals(log, {}) == [path]


def test_a_journal_that_is_removed_is_begun_again(tmp_path: Path) -> None:
    log, path = tmp_path / "t.log", tmp_path / "t.log.sixdim.jsonl"
    log.write_text("x\n" * 3000)
    journal = Journal.open(path, log)
    journal.append([Reading(0, time_us=1)])
    path.unlink()
    assert not journal.change_last(1, lambda latest: latest)
    assert journal.problem
    journal.append([Reading(0, time_us=2)])
    assert [r.time_us for r in JournalReader(path).poll()] == [2]
    assert find_journals(log, {}) == [path]
    path.unlink()
    log.unlink()  # the run is removed: a new one at its path has a journal of its own
    journal.append([Reading(0, time_us=3)])
    assert not path.exists()
    journal.close()


CONFIGURATION = b"the same configuration of every run of this script\n" * 200


def test_a_run_that_begins_alike_has_no_part_in_anothers_journal(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(CONFIGURATION + b"epoch 0 loss 1.5\n" * 50)
    journal = record(log, Reading(0, power_w=400.0))
    copy = tmp_path / "elsewhere" / "copy.log"
    copy.parent.mkdir()
    copy.write_bytes(log.read_bytes())
    (copy.parent / journal.name).write_bytes(journal.read_bytes())
    assert find_journals(copy, {}) == [copy.parent / journal.name]
    log.write_bytes(log.read_bytes() + b"epoch 1 loss 1.4\n")
    assert find_journals(log, {}) == [journal]
    log.write_bytes(CONFIGURATION + b"epoch 0 loss 1.6\n" * 50)
    assert find_journals(log, {}) == []
    assert record(log, Reading(0, power_w=100.0)) != journal


@pytest.mark.parametrize(("size", "doubtful"), [(8192, False), (8193, True)])
def test_what_cannot_be_distinct_names_is_no_figure(
    tmp_path: Path, size: int, doubtful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal as older versions wrote it: its key covers 4 KiB."""
    log = tmp_path / "train.log"
    log.write_bytes(CONFIGURATION[:size] + b"x" * (size - len(CONFIGURATION)))
    key = LogKey.of(log)
    assert key is not None and key.length == 4096
    path = tmp_path / "train.log.sixdim.jsonl"
    path.write_bytes(encode_header("train.log", key) + encode(Reading(0, power_w=400.0)))
    readings = readings_beside(str(log))
    assert (len(readings.power) == 0) is doubtful
    assert ("the journal may be another run's" in readings.doubt) is doubtful
