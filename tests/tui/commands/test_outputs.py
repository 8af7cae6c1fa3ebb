"""Every output path is checked before anything is read, and every --json is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.parsers.input.source import LogFile
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.session import Session
from tests.support.processes.live import SAMPLE, card_of

Cli = Callable[..., tuple[int, str, str]]
RUN = sample_logs.path(sample_logs.RUN)
COMMANDS = (
    ("score", RUN, "--json"),
    ("score", RUN, "--markdown"),
    ("score", RUN, "--csv"),
    ("score", RUN, "--prometheus"),
    ("score", RUN, "--require", "speed>=1", "--junit"),
    ("score", RUN, "--require", "speed>=1", "--summary"),
    ("watch", RUN, "--plain", "--no-gpus", "--json"),
    ("replay", RUN, "--plain", "--json"),
    ("compare", RUN, RUN, "--json"),
    ("compare", RUN, RUN, "--svg"),
    ("report", RUN, "-o"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: f"{words[0]} {words[-1]}")
def test_a_path_that_cannot_be_written_is_said_before_anything_is_read(
    tmp_path: Path, sixdim: Cli, words: tuple[object, ...]
) -> None:
    code, out, err = sixdim(*words, tmp_path / "nowhere" / "file")
    assert (code, out) == (2, "")
    assert err.strip().startswith("sixdim: cannot write ")
    assert "mkdir -p" in err
    code, out, err = sixdim(*words, tmp_path)
    assert (code, out) == (2, "")
    assert "is a folder" in err


def test_a_replay_without_a_screen_writes_its_card(tmp_path: Path, sixdim: Cli) -> None:
    card = tmp_path / "card.json"
    log = tmp_path / "train.log"
    log.write_bytes(SAMPLE)
    assert sixdim("replay", log, "--plain", "--json", card)[0] == 0
    assert card.read_text() == card_of(SAMPLE)
    code, out, _err = sixdim("replay", log, "--plain", "--json", "-")
    assert (code, out) == (0, card_of(SAMPLE))


def test_several_logs_make_the_folder_of_their_cards(tmp_path: Path, sixdim: Cli) -> None:
    logs = [sample_logs.path(name) for name in sample_logs.REPEATS[:2]]
    folder = tmp_path / "new" / "cards"
    assert sixdim("watch", *logs, "--plain", "--no-gpus", "--json", folder)[0] == 0
    cards = sorted(folder.iterdir())
    assert [card.name for card in cards] == sorted(f"{log.name}.card.json" for log in logs)
    assert all(json.loads(card.read_text())["status"] == "converged" for card in cards)


@pytest.mark.parametrize("command", ["score", "scaling", "airank"])
def test_a_batch_of_nothing_is_refused(
    command: str, sixdim: Callable[..., tuple[int, str, str]]
) -> None:
    code, out, err = sixdim(command, sample_logs.path("resnet50_fp32_8card.log"), "--batch", "0")
    assert (code, out) == (2, "") and "'0' is not a positive number" in err


@pytest.mark.parametrize("command", ["scaling", "airank"])
@pytest.mark.parametrize("flag", ["framework", "model", "precision", "metric"])
def test_no_flag_brings_an_escape_sequence_to_the_terminal(
    sixdim: Cli, command: str, flag: str
) -> None:
    code, out, err = sixdim(command, RUN, f"--{flag}", "\x1b[31mred")
    assert code in (0, 1) and "\x1b" not in out + err
    assert "red" in (out + err).lower() or flag == "metric"


@pytest.mark.usefixtures("faults_contained")
def test_a_fault_at_one_of_many_logs_loses_no_other(
    tmp_path: Path, sixdim: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = tmp_path / "good.log", tmp_path / "bad.log"
    for log in (good, bad):
        log.write_bytes(SAMPLE)

    def read(session: Session, source: LogFile) -> Session:
        read_whole(session, source)
        if session.name == "bad.log":
            raise OverflowError("too \x1b[31mlarge")
        return session

    monkeypatch.setattr("sixdim.tui.batch.log_figures.read_whole", read)
    code, out, err = sixdim("scaling", good, bad)
    assert code == 0 and "good.log" in out and "bad.log" not in out
    said = "left out: a fault inside sixdim: OverflowError: too large (test_outputs.py"
    assert f"warning: {bad}: {said}" in err
