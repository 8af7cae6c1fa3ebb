"""Completion and manual: generated from the parsers, and understood by shells and roff."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim.tui.help.table import COMMANDS, parser_of

Sixdim = Callable[..., tuple[int, str, str]]


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} on this machine")
    return found


def in_bash(sixdim: Sixdim, *words: str) -> list[str]:
    """What bash offers for the last word."""
    _code, script, _err = sixdim("completion", "bash")
    quoted = " ".join(f"'{word}'" for word in ("sixdim", *words))
    ask = f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _sixdim; " + (
        "printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(
        [program("bash"), "-c", ask], capture_output=True, text=True, check=True, timeout=180
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_offers_commands_flags_and_values(sixdim: Sixdim) -> None:
    assert in_bash(sixdim, "") == list(COMMANDS)
    assert in_bash(sixdim, "sc") == [name for name in COMMANDS if name.startswith("sc")]
    assert in_bash(sixdim, "score", "a.log", "--requ") == ["--require"]
    assert in_bash(sixdim, "score", "--protocol", "deepspark-") == ["deepspark-example"]
    assert "torchvision" in in_bash(sixdim, "watch", "--format", "")
    assert in_bash(sixdim, "completion", "z") == ["zsh"]
    assert in_bash(sixdim, "score", "tra") == []  # bash's own file names follow


@pytest.mark.parametrize("name", list(COMMANDS))
def test_bash_offers_every_flag_of_every_command(sixdim: Sixdim, name: str) -> None:
    _module, parser = parser_of(name)
    words = {w for a in parser._actions for w in a.option_strings if w.startswith("--")}
    assert set(in_bash(sixdim, name, "--")) == words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_can_read_its_script(sixdim: Sixdim, tmp_path: Path, shell: str) -> None:
    script = tmp_path / f"sixdim.{shell}"
    script.write_text(sixdim("completion", shell)[1])
    done = subprocess.run([program(shell), "-n", script], capture_output=True, timeout=180)
    assert (done.returncode, done.stderr) == (0, b"")


def test_fish_offers_flags_and_values(sixdim: Sixdim, tmp_path: Path) -> None:
    script = tmp_path / "sixdim.fish"
    script.write_text(sixdim("completion", "fish")[1])

    def offered(line: str) -> list[str]:
        ask = f"source {script}; complete -C '{line}'"
        done = subprocess.run(
            [program("fish"), "--no-config", "-c", ask],
            capture_output=True, text=True, timeout=180,
        )  # fmt: skip
        return [entry.partition("\t")[0] for entry in done.stdout.splitlines()]

    assert set(offered("sixdim ")) == set(COMMANDS)
    assert offered("sixdim score --requ") == ["--require"]
    assert offered("sixdim score --protocol deepspark-") == ["deepspark-example"]


def test_an_unknown_shell_is_named(sixdim: Sixdim) -> None:
    code, out, err = sixdim("completion", "tcsh")
    assert (code, out) == (2, "")
    assert "tcsh" in err


def test_the_manual_names_every_flag(sixdim: Sixdim) -> None:
    text = sixdim("man")[1].replace("\\-", "-")
    for name in COMMANDS:
        assert f".SS sixdim {name}\n" in text
        _module, parser = parser_of(name)
        for action in parser._actions[1:]:
            assert all(rf"\fB{word}\fR" in text for word in action.option_strings)


def test_roff_has_nothing_to_complain_about(sixdim: Sixdim, tmp_path: Path) -> None:
    page = tmp_path / "sixdim.1"
    page.write_text(sixdim("man")[1])
    groff = [program("groff"), "-man", "-Kutf8", "-Tutf8", "-ww", "-P-cbou", str(page)]
    done = subprocess.run(groff, capture_output=True, text=True, timeout=180)
    assert (done.returncode, done.stderr) == (0, "")
    assert "sixdim score train.log --require 'speed>=4900'" in done.stdout


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself_with_examples(sixdim: Sixdim, name: str) -> None:
    code, out, _err = sixdim(name, "--help")
    assert code == 0
    assert f"sixdim {name}" in out.partition("examples:")[2]
