"""The commands that write the samples, whole or line by line, and what they say of bad input."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.sample_logs import generate
from sixdim.sample_logs.grow import grow
from sixdim.sample_logs.grow import main as grow_main


class Clock:
    """Time that passes only in `sleep`; notes how much of the target was there at each."""

    def __init__(self, target: Path) -> None:
        self.now = 1000.0
        self.target = target
        self.seen: list[tuple[float, bytes]] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, duration: float) -> None:
        assert duration > 0
        self.seen.append((self.now - 1000.0, self.target.read_bytes()))
        self.now += duration


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "source.log"
    file.write_bytes(b"one\ntwo\nthree\nfo")
    return file


def test_a_log_grows_line_by_line_at_the_pace_given(tmp_path: Path, source: Path) -> None:
    target = tmp_path / "out.log"
    clock = Clock(target)
    grow(target, source, seconds=8, clock=clock, sleep=clock.sleep)
    assert clock.seen == [
        (0.0, b""),
        (2.0, b"one\n"),
        (4.0, b"one\ntwo\n"),
        (6.0, b"one\ntwo\nthree\n"),
    ]
    assert clock.now == 1008.0
    assert target.read_bytes() == source.read_bytes()


def test_lines_per_second_sets_the_length(tmp_path: Path, source: Path) -> None:
    clock = Clock(tmp_path / "out.log")
    grow(clock.target, source, lines_per_second=0.5, clock=clock, sleep=clock.sleep)
    assert clock.now == 1006.0


def test_chunks_cut_inside_lines(tmp_path: Path, source: Path) -> None:
    clock = Clock(tmp_path / "out.log")
    grow(clock.target, source, seconds=3, chunk=6, clock=clock, sleep=clock.sleep)
    assert [content for _, content in clock.seen] == [b"", b"one\ntw", b"one\ntwo\nthre"]
    assert clock.target.read_bytes() == source.read_bytes()


def test_a_slow_disk_does_not_delay_the_end(tmp_path: Path, source: Path) -> None:
    clock = Clock(tmp_path / "out.log")

    def oversleep(duration: float) -> None:
        clock.sleep(duration)
        if len(clock.seen) == 1:
            clock.now += 3.5

    grow(clock.target, source, seconds=8, clock=clock, sleep=oversleep)
    assert clock.now == 1008.0


def test_the_grow_command_writes_a_sample(tmp_path: Path) -> None:
    target = tmp_path / "out.log"
    command = [str(target), "--source", sample_logs.SCALED, "--seconds", "0.01", "--chunk", "997"]
    assert grow_main(command) == 0
    assert target.read_bytes() == sample_logs.path(sample_logs.SCALED).read_bytes()
    assert grow_main([*command, "--overwrite"]) == 0
    assert target.read_bytes() == sample_logs.path(sample_logs.SCALED).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["OUT", "--source", "nowhere.log"], "'nowhere.log': No such file or directory"),
        (["OUT", "--source", "."], "'.': Is a directory"),
        (["no/such/folder/out.log"], "'no/such/folder/out.log': No such file or directory"),
        (["."], "'.' exists"),
        (["OUT", "--seconds", "0"], "argument --seconds: 0 is not a positive number"),
        (["OUT", "--lines-per-second", "nan"], "nan is not a positive number"),
        (["OUT", "--seconds", "soon"], "argument --seconds: soon is not a positive number"),
        (["OUT", "--chunk", "0"], "0 is not a positive whole number"),
        (["OUT", "--chunk", "1.5"], "1.5 is not a positive whole number"),
        (["OUT", "--seconds", "1", "--lines-per-second", "1"], "not allowed with"),
        ([], "required: OUT"),
        (["source.log", "--source", "source.log", "--overwrite"], "OUT is the source itself"),
        (["OUT", "--seconds", "1e300"], "longer than a clock can count"),
        (["OUT", "two\nlines\x1b[2J"], "unrecognized arguments: two\\nlines\\x1b[2J"),
        (["source.log", "--seconds", "1"], "'source.log' exists; --overwrite empties it first"),
    ],
)
def test_bad_input_of_grow_gives_one_line(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        grow_main(arguments)
    assert stopped.value.code == 2
    stderr = capsys.readouterr().err
    assert said in stderr
    assert stderr.count("\n") == 1
    assert source.read_bytes() == b"one\ntwo\nthree\nfo"


def test_a_growing_log_that_fills_the_disk_gives_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this machine has no /dev/full")
    with pytest.raises(SystemExit) as stopped:
        grow_main([str(full), "--overwrite", "--seconds", "0.001"])
    assert stopped.value.code == 2
    stderr = capsys.readouterr().err
    assert stderr.count("\n") == 1
    assert f"'/dev/full': {OSError(errno.ENOSPC, 'No space left on device').strerror}" in stderr


def test_bad_input_of_generate_gives_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a-file\x1b[2J"
    file.touch()
    with pytest.raises(SystemExit) as stopped:
        generate.main([str(file)])
    assert stopped.value.code == 2
    stderr = capsys.readouterr().err
    assert stderr.count("\n") == 1
    assert "File exists" in stderr
    assert "\x1b" not in stderr


@pytest.mark.parametrize("module", ["sixdim.sample_logs.generate", "sixdim.sample_logs.grow"])
def test_help_shows_examples(module: str) -> None:
    root = Path(__file__).parents[2]
    said = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=root, capture_output=True, text=True
    )
    assert said.returncode == 0
    assert f"examples:\n  python -m {module}" in said.stdout
