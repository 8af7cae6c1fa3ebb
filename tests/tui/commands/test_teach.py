"""`sixdim teach`: from a log that no format knows to its figures, without any Python."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.reader.propose import propose

Sixdim = Callable[..., tuple[int, str, str]]
CardOf = Callable[..., dict[str, Any]]
ROOT = Path(__file__).parents[3]
TRAIN = "> ep 3 | step 17/40 | seed 99 | loss 2.25 | 1234.5 images/sec | /data/x"
LOG = "".join(
    f"> ep {e} | step {s}/40 | seed {7 * s} | loss {2 / (e + s):.3f} | {1000 + s} images/sec | /d\n"
    + (f"checked ep {e}: top1 {60 + e}.5 top5 {80 + e}.25\n" if s == 4 else "")
    for e in (1, 2)
    for s in (1, 2, 3, 4)
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.log").write_text(LOG)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "kind", "pattern", "read"),
    [
        (
            TRAIN,
            "iteration",
            "> ep {epoch:int} | step {step:int}/{steps:int} | seed {} | loss {loss:float} | "
            "{throughput:float} images/sec | /data/x",
            {"epoch": 3, "step": 17, "steps": 40, "loss": 2.25, "throughput": 1234.5},
        ),
        (
            "val: acc 71.5 loss 1.25 in 33 files",
            "evaluation",
            "val: acc {acc1:float} loss {loss:float}...",
            {"acc1": 71.5, "loss": 1.25},
        ),
        ("nothing 1 2 3", "iteration", "", None),
        (
            "Epoch 1 | train:  10%|█▏ | 10/400 [00:01<00:09,  2.50s/it, loss=1.5]",
            "iteration",
            "Epoch {epoch:int} | train:  {}%|{}| {step:int}/{steps:int} [{}:{}<{}:{},  "
            "{duration:float}s/it, loss={loss:float}]",
            {"epoch": 1, "step": 10, "steps": 400, "duration": 2.5, "loss": 1.5},
        ),
        (
            '{"time": "2024-01-01T00:00:01Z", "step": 1, "loss": 1.5}',
            "iteration",
            '{"time": "{}-{}-{}T00:{}:{}Z", "step": {step:int}, "loss": {loss:float}}',
            {"step": 1, "loss": 1.5},
        ),
        (
            "step 3 | 1234 tokens/s/gpu | 9872 tokens/s",
            "iteration",
            "step {step:int} | {} tokens/s/gpu | {throughput:float} tokens/s",
            {"step": 3, "throughput": 9872},
        ),
        (
            "Test set: Accuracy: 9832/10000 (98%)",
            "evaluation",
            "Test set: Accuracy: {}/{} ({acc1:float}%)",
            {"acc1": 98},
        ),
        (
            "  5%|▌         | 75/1500 [00:01<00:29, 48.30it/s]",  # is not indented at 100 %
            "iteration",
            "{}%|{}| {step:int}/{steps:int} [{}:{}<{}:{}, {throughput:float}it/s]",
            {"step": 75, "steps": 1500, "throughput": 48.3},
        ),
    ],
)
def test_a_proposal_reads_the_line_it_was_made_from(
    line: str, kind: str, pattern: str, read: dict[str, float] | None
) -> None:
    assert propose(line, kind) == pattern
    if read is not None:
        assert Skeleton(pattern).match(line) == read


def test_taught_once_read_ever_after(here: Path, sixdim: Sixdim, card_of: CardOf) -> None:
    code, out, err = sixdim("teach", "my.log", "--scope", "job", "--write", "sixdim.toml")
    assert (code, out) == (0, "")
    assert "matches 8 lines" in err and "matches 2 lines" in err
    card = card_of("my.log")
    assert card["run"]["format"] == "custom"
    assert card["run"]["scope"] == "job"
    # Four iterations of equal work at the rates of the lines; the two epochs are alike.
    seconds = 1 / 1001 + 1 / 1002 + 1 / 1003 + 1 / 1004
    assert card["dimensions"]["speed"]["value"] == pytest.approx(4 / seconds, rel=1e-15)
    assert card["dimensions"]["speed"]["unit"] == "img/s"
    assert card["dimensions"]["accuracy"]["value"] == 62.5


def test_of_a_log_without_named_figures_the_lines_that_repeat_are_patterns_to_complete(
    here: Path, sixdim: Sixdim, card_of: CardOf
) -> None:
    lines = [f"gen {i} :: fitness={-9 + i / 4} wall {i * 2}\n" for i in range(8)]
    (here / "odd.log").write_text("seed 1\n" + "".join(lines))
    code, out, err = sixdim("teach", "odd.log")
    assert (code, out) == (2, "")
    assert "8x with other numbers:\n  gen {} :: fitness={} wall {}\n" in err
    assert "seed" not in err
    pattern = "gen {step:int} :: fitness={loss:float} wall {}"
    assert sixdim("teach", "odd.log", "--iteration", pattern, "--write", "sixdim.toml")[0] == 0
    assert card_of("odd.log")["run"]["format"] == "custom"


def test_the_table_is_standard_output_and_shows_what_was_recognised(
    here: Path, sixdim: Sixdim
) -> None:
    _code, out, err = sixdim("teach", "my.log")
    table = tomllib.loads(out)["format"]
    assert table["unit"] == "img/s"
    assert set(table) == {"name", "iteration", "evaluation", "unit"}
    assert "8x, first on line 1:" in err
    assert "1001 img/s is rate" in err and "61.5 is acc1 (top1)" in err


def test_the_accuracy_of_an_evaluation_is_proposed_before_that_of_its_parts(
    here: Path, sixdim: Sixdim
) -> None:
    epoch = "Test [0/14] top1 {a}.5 |\nTest [10/14] top1 {a}.5 |\n=> top1 {b}.5 of the test\n"
    lines = [epoch.format(a=10 + n, b=60 + n) for n in range(3)]
    (here / "parts.log").write_text("".join(lines))
    _code, out, _err = sixdim("teach", "parts.log")
    assert tomllib.loads(out)["format"]["evaluation"] == "=> top1 {acc1:float} of the test"


def test_a_pattern_is_checked_against_the_log(here: Path, sixdim: Sixdim) -> None:
    wrong = ("teach", "my.log", "--iteration", "> ep {epoch:int} | step {step:int}")
    code, _out, err = sixdim(*wrong)
    assert code == 1
    assert "matches 0 lines" in err and "misses line 1: > ep 1" in err
    code, _out, err = sixdim(*wrong, "--write", "sixdim.toml")
    assert code == 1
    assert "nothing written to sixdim.toml: a pattern matches no line" in err
    assert not (here / "sixdim.toml").exists()
    code, _out, err = sixdim(
        "teach", "my.log", "--evaluation", "checked ep {epoch:int}: top1 {acc1:float} ..."
    )
    assert code == 0
    assert "line 5: epoch 1, acc1 61.5" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--iteration", "{}{}"), "[format] iteration: a skip must be followed by a literal"),
        (("--iteration", "ep {epoch:float}"), "[format] iteration: write {epoch:int}"),
        (("--iteration", "{loss:float}"), "would match any line"),
        (("--name", "My Format"), "name must be a lower-case letter"),
    ],
)
def test_what_is_no_pattern_is_said(
    here: Path, sixdim: Sixdim, words: tuple[str, ...], message: str
) -> None:
    code, _out, err = sixdim("teach", "my.log", *words)
    assert code == 2
    assert message in err.splitlines()[-1]


def test_a_log_without_figures(here: Path, sixdim: Sixdim) -> None:
    (here / "prose.log").write_text("hello\nworld 5\n")
    code, out, err = sixdim("teach", "prose.log")
    assert (code, out) == (2, "")
    assert "give a pattern" in err
    assert sixdim("teach", "none.log")[0] == 2


def test_a_second_format_joins_the_first_and_the_rest_stays(here: Path, sixdim: Sixdim) -> None:
    settings = here / "sixdim.toml"
    settings.write_text('# ours\ndevices = 8 # of them\n\n[format] # one\nname = "a"\nend = "x"\n')
    settings.write_text(settings.read_text() + 'iteration = "it {step:int}"')
    assert sixdim("teach", "my.log", "--write", "sixdim.toml")[0] == 0
    text = settings.read_text()
    assert text.startswith("# ours\ndevices = 8 # of them\n")
    assert [one["name"] for one in tomllib.loads(text)["format"]] == ["a", "custom"]
    code, _out, err = sixdim("teach", "my.log", "--write", "sixdim.toml")
    assert code == 2 and "there is a format 'custom' already" in err
    assert settings.read_text() == text


def test_what_is_not_written_to(here: Path, sixdim: Sixdim) -> None:
    real = here / "real.toml"
    real.write_text("devices = 8\n")
    (here / "link.toml").symlink_to(real)
    code, _out, err = sixdim("teach", "my.log", "--write", "link.toml")
    assert code == 2 and "is a link" in err
    assert real.read_text() == "devices = 8\n"
    (here / "broken.toml").write_text("devices = \n")
    assert sixdim("teach", "my.log", "--write", "broken.toml")[0] == 2
    assert (here / "broken.toml").read_text() == "devices = \n"
    inline = here / "inline.toml"
    inline.write_text('format = {name = "a", iteration = "it {step:int}"}\n')
    assert sixdim("teach", "my.log", "--write", "inline.toml")[0] == 2
    assert inline.read_text().count("format") == 1


def test_hostile_lines_reach_neither_terminal_nor_file_raw(here: Path, sixdim: Sixdim) -> None:
    (here / "bad.log").write_bytes(b'\x1b[2J"""x loss 1.5 \\ \x1b]0;t\x07 \x7f acc 5 [red]\n' * 3)
    code, out, err = sixdim("teach", "bad.log")
    assert "\x1b" not in out + err
    assert code == 0 and tomllib.loads(out)["format"]["name"] == "custom"


def test_on_a_terminal_a_pattern_is_typed_and_checked(here: Path) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, b"> ep {epoch:int} | step {step:int}/40 | ... \n\n-\n\n")
    done = subprocess.run(
        [sys.executable, "-m", "sixdim", "teach", "my.log", "--write", "sixdim.toml"],
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=180,
    )
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0
    table = tomllib.loads((here / "sixdim.toml").read_text())["format"]
    assert table["iteration"] == "> ep {epoch:int} | step {step:int}/40 | ..."
    assert "epoch_end" not in table
    assert table["evaluation"].startswith("checked ep {epoch:int}: top1 {acc1:float}")


def test_a_devices_rate_gives_the_scope(tmp_path: Path, sixdim: Sixdim) -> None:
    log = tmp_path / "my.log"
    log.write_text("".join(f"step {n}: loss 2.5, {1000 + n} tokens/s/gpu\n" for n in range(1, 9)))
    code, out, _err = sixdim("teach", log)
    table = tomllib.loads(out)["format"]
    assert (code, table["unit"], table["scope"]) == (0, "tokens/s", "device")
