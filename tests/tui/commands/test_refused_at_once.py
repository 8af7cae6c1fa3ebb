"""What a person gets for flags and paths that cannot be right: one line, at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from sixdim.parsers.input.follow import Tail
from sixdim.parsers.input.remote import how_to_read_remote
from sixdim.tui.cli import main


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--plain", "--inline"), "--plain prints lines and --inline draws a screen: one of them"),
        (("--plain", "--theme", "nope"), "no theme 'nope'; there are dark, light"),
        (("--theme", "nope"), "no theme 'nope'; there are dark, light"),
    ],
)
@pytest.mark.parametrize("command", ["watch", "replay"])
def test_flags_that_exclude_each_other_or_name_nothing(
    command: str, flags: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "no-such.log", *flags]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.err.count("\n") == 1
    assert printed.out == ""


def test_a_watch_writes_no_file_of_the_name_of_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["watch", "train.log", "--plain", "--json", "-"]) == 2
    assert "sixdim score LOG --json -" in capsys.readouterr().err
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("command", ["watch", "score", "replay"])
def test_a_log_on_another_machine_says_how_it_is_read_from_here(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "me@gpu7:/data/train.log"]) == 2
    said = capsys.readouterr().err
    assert "ssh me@gpu7 tail -n +1 -F /data/train.log | sixdim watch -" in said


@pytest.mark.parametrize("command", ["watch", "score", "replay"])
@pytest.mark.parametrize(
    ("address", "says"),
    [
        (
            "https://host/a/train.log?x=1&y=2",
            "curl -sSL 'https://host/a/train.log?x=1&y=2' | sixdim",
        ),
        ("HTTP://host/train.log", "curl -sSL HTTP://host/train.log | sixdim score -"),
        ("s3://bucket/train.log", "s3://bucket/train.log is an address, not a file: copy it here"),
    ],
)
def test_an_address_is_refused_with_the_way_to_read_it(
    command: str, address: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, address]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "path",
    ["train.log", "/data/12:30/train.log", "a:b.log", "run:1", "c:", "c://"],
)
def test_a_path_of_this_machine_is_not_taken_for_another_s(path: str) -> None:
    assert how_to_read_remote(path) == ""


def test_a_file_that_is_there_is_read_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "me@gpu7:train.log").write_text("")
    assert how_to_read_remote("me@gpu7:train.log") == ""
    assert how_to_read_remote("me@gpu8:train.log") != ""


def test_a_blank_in_a_remote_path_survives_both_shells() -> None:
    assert "tail -n +1 -F ''\"'\"'/my data/train.log'\"'\"'' |" in how_to_read_remote(
        "me@gpu7:/my data/train.log"
    )


def test_a_mistyped_folder_is_named(tmp_path: Path) -> None:
    tail = Tail(str(tmp_path / "nowhere" / "train.log"), time.monotonic)
    assert tail.look().trouble == "waiting for train.log (no such folder)"
    assert (
        Tail(str(tmp_path / "train.log"), time.monotonic).look().trouble == "waiting for train.log"
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (bytes(range(256)) * 40, "train.log is a binary file, not a log"),
        (b"<!DOCTYPE html><html>log in first</html>", "train.log is an HTML page, not a log"),
    ],
)
def test_a_watch_of_no_text_says_what_it_is(
    content: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It used to propose `sixdim teach`, which says the same."""
    log = tmp_path / "train.log"
    log.write_bytes(content)
    assert main(["watch", str(log), "--plain", "--no-gpus"]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"sixdim: {says}\n")
