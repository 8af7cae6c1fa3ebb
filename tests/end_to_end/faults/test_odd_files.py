"""What is no file, or a file that cannot be read, under every flag that takes a file's name."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from sixdim import sample_logs
from sixdim.parsers.telemetry.journal import Journal
from tests.support.processes.forked import codes_of
from tests.support.processes.live import SAMPLE

ROOT = Path(__file__).parents[3]
RUN = str(sample_logs.path(sample_logs.RUN))
AS_A_LOG = (
    ["score", "@"],
    ["watch", "@", "--plain", "--no-gpus"],
    ["replay", "@", "--plain"],
    ["score", RUN, "--baseline", "@"],
    ["score", RUN, "--scaled", "@"],
    ["score", RUN, "--repeat", "@"],
    ["score", RUN, "--against", "@"],
    ["compare", RUN, "@"],
    ["report", "@", "-o", "report.html"],
    ["scaling", "@"],
    ["airank", "@"],
    ["teach", "@"],
    ["formats", "@"],
)
AS_ANOTHER_FILE = (
    ["score", RUN, "--telemetry", "@"],
    ["score", RUN, "--telemetry", "power=@"],
    ["score", RUN, "--config", "@"],
    ["scaling", "--runs", "@"],
)


Ended = Callable[[list[str], str, Path], tuple[int, str]]


@pytest.fixture
def ended(sixdim: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch) -> Ended:
    """Exit code and standard error; a command that waits for ever fails the test."""

    def call(words: list[str], name: str, folder: Path) -> tuple[int, str]:
        monkeypatch.chdir(folder)
        with within(120):
            code, _out, err = sixdim(*(word.replace("@", name) for word in words))
        return code, err

    return call


@contextmanager
def within(seconds: int) -> Iterator[None]:
    def late(*_signal: object) -> NoReturn:
        raise AssertionError(f"still at it after {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def one_line(said: str) -> bool:
    """Whether a complaint is one, or one for each of the few things that are wrong."""
    return 0 < said.count("\n") <= 2 and "Traceback" not in said and "fault" not in said


@pytest.fixture
def unconnected(tmp_path: Path) -> Iterator[Path]:
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        yield tmp_path / "door"


@pytest.mark.parametrize(
    "device", ["/dev/zero", pytest.param("/dev/urandom", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("words", [*AS_A_LOG, *AS_ANOTHER_FILE], ids=" ".join)
def test_an_endless_device_is_refused(
    words: list[str], device: str, tmp_path: Path, ended: Ended
) -> None:
    code, said = ended(words, device, tmp_path)
    assert code in (1, 2) and one_line(said), said


@pytest.mark.parametrize("words", AS_ANOTHER_FILE, ids=" ".join)
def test_a_pipe_that_nobody_writes_is_refused(
    words: list[str], tmp_path: Path, ended: Ended
) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, said = ended(words, "pipe", tmp_path)
    assert code == 2 and one_line(said), said


def test_a_socket_is_refused(unconnected: Path, ended: Ended) -> None:
    code, said = ended(["score", "@"], unconnected.name, unconnected.parent)
    assert (code, said) == (
        2,
        "sixdim: door is a device, not a log (- reads standard input)\n",
    )


@pytest.mark.parametrize("words", [*AS_A_LOG[:4], *AS_ANOTHER_FILE], ids=" ".join)
def test_a_link_that_leads_to_itself_is_refused(
    words: list[str], tmp_path: Path, ended: Ended
) -> None:
    if words[0] == "watch":
        pytest.skip("a watch waits for what is not there yet")
    (tmp_path / "loop").symlink_to("loop")
    code, said = ended(words, "loop", tmp_path)
    assert code == 2 and one_line(said), said


@pytest.mark.parametrize(
    "kind",
    [
        "pipe",
        "folder",
        *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("link to a pipe", "loop")),
    ],
)
def test_what_is_named_like_a_journal_and_is_none_is_passed_over(
    kind: str, tmp_path: Path, ended: Ended
) -> None:
    (tmp_path / "train.log").write_bytes(SAMPLE)
    journal = tmp_path / "train.log.sixdim.jsonl"
    if kind == "folder":
        journal.mkdir()
    elif kind == "loop":
        journal.symlink_to(journal.name)
    else:
        os.mkfifo(tmp_path / "pipe" if "link" in kind else journal)
        if "link" in kind:
            journal.symlink_to("pipe")
    for words in (["score", "@"], ["replay", "@", "--plain"], ["watch", "@", "--plain"]):
        assert ended(words, "train.log", tmp_path) == (0, ""), words


def test_a_journal_whose_source_never_answered_is_none(tmp_path: Path, ended: Ended) -> None:
    (tmp_path / "train.log").write_bytes(SAMPLE)
    Journal.open(tmp_path / "train.log.sixdim.jsonl", tmp_path / "train.log").close()
    for words in (["score", "@"], ["replay", "@", "--plain"]):
        assert ended(words, "train.log", tmp_path) == (0, ""), words
    named = ["score", "@", "--telemetry", "train.log.sixdim.jsonl"]
    code, said = ended(named, "train.log", tmp_path)
    assert code == 2 and "a journal without readings" in said


def test_a_name_that_is_no_utf8_is_a_name(tmp_path: Path) -> None:
    name = os.fsdecode(b"train\xff\xfe.log")
    (tmp_path / name).write_bytes(SAMPLE)
    commands, cards = [], []
    for words in (["score"], ["watch", "--plain", "--no-gpus"], ["replay", "--plain"]):
        card = os.fsdecode(b"card\xff.") + words[0]
        commands.append([*words, name, "--json", card])
        cards.append(tmp_path / card)
    with (tmp_path / "errors").open("wb") as errors:
        assert codes_of(commands, errors.fileno(), tmp_path) == [0, 0, 0]
    assert (tmp_path / "errors").read_bytes() == b""
    assert all(card.read_text().isascii() for card in cards)
