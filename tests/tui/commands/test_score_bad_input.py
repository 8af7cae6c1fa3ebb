"""Bad input: one clear line on stderr, the documented exit code, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs

Sixdim = Callable[..., tuple[int, str, str]]
RUN = sample_logs.path(sample_logs.RUN)


def only_line(err: str) -> str:
    lines = err.splitlines()
    assert len(lines) == 1, err
    return lines[0]


def test_a_missing_log(sixdim: Sixdim, tmp_path: Path) -> None:
    code, out, err = sixdim("score", tmp_path / "none.log")
    assert (code, out) == (2, "")
    assert only_line(err).startswith(f"sixdim: no log none.log in {tmp_path}: check the path")


@pytest.mark.parametrize("words", [["--devices", "0"], ["--run", "x"], ["--nosuch"], ["--repeat"]])
def test_a_flag_that_is_wrong_is_not_buried_under_the_usage(
    sixdim: Sixdim, words: list[str]
) -> None:
    code, out, err = sixdim("score", "train.log", *words)
    assert (code, out) == (2, "")
    assert words[0] in only_line(err)
    assert "sixdim score --help" in only_line(err)


@pytest.mark.parametrize("hole", [1, 9_000, 200_000])
def test_a_log_that_was_emptied_under_its_writer(sixdim: Sixdim, tmp_path: Path, hole: int) -> None:
    """The writer goes on at its old place: what is before it reads as NULs."""
    log = tmp_path / "train.log"
    lines = "".join(f"iter {n}: loss 2.5000, time 500.00ms, mfu 41.25%\n" for n in range(9))
    log.write_bytes(b"\0" * hole + lines.encode())
    code, out, _err = sixdim("score", str(log), "--json", "-")
    assert (code, '"nanogpt"' in out) == (0, True)


def test_a_log_with_holes_between_its_lines(sixdim: Sixdim, tmp_path: Path) -> None:
    """It was copied from a shared disk while it grew."""
    lines = [f"iter {n}: loss 2.5000, time 500.00ms, mfu 41.25%\n".encode() for n in range(9)]
    log = tmp_path / "train.log"
    log.write_bytes(bytes(3_778).join(lines))
    code, out, _err = sixdim("score", str(log), "--json", "-")
    assert (code, '"nanogpt"' in out) == (0, True)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("report.html", b"<!DOCTYPE html>\n<html><body>loss: 0.5</body></html>\n", "an HTML page"),
        ("page", b"\n<HTML><body>acc: 71.5</body></html>\n", "an HTML page"),
        ("random", bytes((n * 167 + n // 256) % 256 for n in range(20_000)), "a binary file"),
        ("mlflow.runName", b"resnet50", "no known log format"),
        ("empty.log", b"", "empty.log is empty"),
        ("model.pt", b"PK\x03\x04" + bytes(1000), "model.pt is a zip archive"),
        ("notes.txt", b"bread and milk\n" * 30, "notes.txt: no known log format among"),
        (
            "diary.log",
            b"Dear diary,\ntoday nothing was trained.\n",
            "(sixdim formats lists them, sixdim teach proposes one)",
        ),
        (
            "x.log",
            b"Traceback (most recent call last):\n  at\nValueError: none\n",
            "the program failed: ValueError: none (line 3)",
        ),
        (
            "typescript",
            b"Traceback (most recent call last):\n  at\nKeyError: 'x'\n\n"
            b'Script done on 2026-01-02 03:04:05+00:00 [COMMAND_EXIT_CODE="1"]\n',
            "the program failed: KeyError: 'x' (line 3)",
        ),
    ],
)
def test_what_is_no_log_is_refused_with_one_line(
    sixdim: Sixdim, tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    code, out, err = sixdim("score", tmp_path / name)
    assert (code, out) == (2, "")  # a card of nothing but n/a would look like an answer
    assert says in only_line(err)


@pytest.mark.parametrize(
    ("words", "code", "says", "printed"),
    [
        (["--format", "megatron"], 2, "none of its lines is one of the format megatron", ""),
        (["--format", "nonsense"], 2, "no format 'nonsense'; sixdim formats lists them", ""),
        (["--target", "bleu>=25"], 1, "no metric 'bleu'; it has acc1, acc5", "4938.9 img/s"),
        (["--target", "acc1>=80"], 1, "target acc1>=80 not met", "4938.9 img/s"),
        (["--target", "bleu>=25"], 1, "no metric 'bleu'", "bleu>=25 (--target): unknown (the log"),
        (["--target", "acc1>=80"], 1, "not met", "target acc1>=80 (--target): not met"),
        (["--target", "very good"], 2, "acc1>75.9", ""),
        (
            ["--window", "60:80"],
            0,
            "the log meets its target before epochs 60 to 80 are over",
            "short",
        ),
        (
            ["--window", "100:104"],
            0,
            "before epochs 100 to 104 are over; it has 0 to 64 until then",
            "speed      n/a",
        ),
        *(
            (["--window", window], 2, "--window", "")
            for window in ("6", "a:b", "10:6", "6:10:12", "²:³")
        ),
        (["--telemetry", f"power={RUN}"], 2, "--telemetry", ""),
    ],
)
def test_what_a_flag_asks_in_vain_is_one_line(
    sixdim: Sixdim, words: list[str], code: int, says: str, printed: str
) -> None:
    ended, out, err = sixdim("score", RUN, *words)
    assert (ended, bool(out)) == (code, bool(printed))
    assert says in only_line(err)
    assert printed in out


def test_a_card_is_shown_again(sixdim: Sixdim, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    code, printed, _err = sixdim("score", RUN, "--json", card)
    assert code == 0
    said = f"sixdim: {RUN.name}: a card, printed as it was written"
    assert sixdim("score", card) == (0, printed, said + "\n")
    assert sixdim("score", card, "--json", "-")[1] == card.read_text()
    code, _out, err = sixdim("score", card, "--require", "speed>=4939")
    assert code == 1
    assert err.splitlines()[1].endswith("required speed>=4939, got 4938.9 img/s")
    assert sixdim("score", card, "--target", "acc1>75.9")[0] == 0
    code, out, err = sixdim("score", card, "--target", "acc1>=75.9")
    assert (code, out) == (2, "")
    assert only_line(err).endswith("its card was made for another target: score the log")


@pytest.mark.parametrize("command", ["watch", "replay"])
def test_a_card_is_no_log_to_follow(sixdim: Sixdim, tmp_path: Path, command: str) -> None:
    card = tmp_path / "card.json"
    sixdim("score", RUN, "--json", card)
    code, out, err = sixdim(command, card, "--plain")
    assert (code, out) == (2, "")
    assert only_line(err) == (
        "sixdim: card.json is a card, not a log: sixdim score card.json shows it"
    )


@pytest.mark.skipif(not Path("/dev/urandom").exists(), reason="no such device on this machine")
def test_an_endless_device_is_refused_at_once(sixdim: Sixdim) -> None:
    code, out, err = sixdim("score", "/dev/urandom")
    assert (code, out) == (2, "")
    assert "is a device, not a log" in only_line(err)


@pytest.mark.parametrize(("stray", "code"), [(8, 0), (9, 2)])
def test_a_few_stray_nuls_are_a_logs_own(
    sixdim: Sixdim, tmp_path: Path, stray: int, code: int
) -> None:
    lines = [f"epoch {n}: train loss 2.5, val acc 31.5%\n" for n in range(4)]
    (tmp_path / "few.log").write_bytes("".join(lines).encode() + b"\0" * stray + b"\n")
    assert sixdim("score", tmp_path / "few.log")[0] == code


def test_a_folder(sixdim: Sixdim, tmp_path: Path) -> None:
    code, _out, err = sixdim("score", tmp_path)
    assert code == 2
    assert "is a folder" in only_line(err)


def test_an_unreadable_log(sixdim: Sixdim, tmp_path: Path) -> None:
    secret = tmp_path / "secret.log"
    secret.write_text("Start training\n")
    secret.chmod(0)
    if os.access(secret, os.R_OK):
        # root reads everything: a folder without search permission is as good for others,
        # and /proc holds a file that refuses even root.
        refused = Path("/proc/self/mem")
        code, _out, err = sixdim("score", refused)
        assert code == 2
        assert "cannot read /proc/self/mem" in only_line(err)
        return
    code, _out, err = sixdim("score", secret)
    assert code == 2
    assert "no permission to read secret.log" in only_line(err)


def test_a_run_whose_loss_becomes_nan(sixdim: Sixdim) -> None:
    code, out, err = sixdim("score", sample_logs.path(sample_logs.DIVERGED))
    assert code == 0
    assert "nan" in only_line(err) and "line " in err
    assert "FAILED" in out
    assert "over epochs 0 to 2" in out


def test_a_log_that_ends_in_mid_line(sixdim: Sixdim) -> None:
    code, out, err = sixdim("score", sample_logs.path(sample_logs.CUT))
    assert code == 0
    assert "the last line has no newline" in only_line(err)
    assert "epochs 6–10 without" in out and "final" in out  # these five are whole
    assert "12 epochs" in out  # 0 to 11; the cut one is not among them


def test_several_logs_of_which_one_is_missing(sixdim: Sixdim, tmp_path: Path) -> None:
    cards = tmp_path / "cards.json"
    code, _out, err = sixdim("score", RUN, tmp_path / "gone.log", "--json", cards)
    assert code == 2
    assert "gone.log" in only_line(err)
    assert [c["provenance"]["log"] for c in json.loads(cards.read_text())] == [RUN.name]


def test_a_card_that_is_none(sixdim: Sixdim, tmp_path: Path) -> None:
    fake = tmp_path / "fake.json"
    fake.write_text('{"schema": "sixdim/scorecard/1", "dimensions": {"speed": []}}')
    code, _out, err = sixdim("score", RUN, "--baseline", fake)
    assert code == 2
    assert "fake.json is not a whole sixdim card" in only_line(err)


def test_several_cards_are_no_baseline(sixdim: Sixdim, tmp_path: Path) -> None:
    cards = tmp_path / "cards.json"
    sixdim("score", RUN, RUN, "--json", cards)
    code, _out, err = sixdim("score", RUN, "--baseline", cards)
    assert (code, only_line(err)) == (2, "sixdim: cards.json holds 2 cards, not one")


def test_an_export_that_cannot_be_written(sixdim: Sixdim, tmp_path: Path) -> None:
    code, _out, err = sixdim("score", RUN, "--json", tmp_path / "no" / "such" / "card.json")
    assert code == 2
    assert "cannot write" in only_line(err)


def test_an_unknown_command_and_none(sixdim: Sixdim) -> None:
    assert sixdim("scroe")[0] == 2
    code, out, _err = sixdim()
    assert code == 2
    assert "sixdim watch train.log" in out


def test_a_reader_that_has_seen_enough() -> None:
    shown = subprocess.run(
        f"{sys.executable} -m sixdim formats | head -1", shell=True, capture_output=True, text=True
    )
    assert (shown.returncode, shown.stderr) == (0, "")


@pytest.mark.parametrize("command", ["watch", "replay", "score", "demo", "formats", "schema"])
def test_help_has_examples(sixdim: Sixdim, command: str) -> None:
    code, out, _err = sixdim(command, "--help")
    assert code == 0
    assert f"sixdim {command}" in out.partition("examples:")[2]
