"""sixdim.toml says what the flags say; flags win; what it cannot say is one clear line."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs
from sixdim.tui.base.settings.settings_file import MOST_BYTES

Sixdim = Callable[..., tuple[int, str, str]]
CardOf = Callable[..., dict[str, Any]]
LOG = sample_logs.path(sample_logs.RUN)
DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_setting_is_its_flag(here: Path, card_of: CardOf) -> None:
    by_flag = card_of(LOG, "--target", "acc1>=70", "--devices", 4, "--window", "2:5")
    (here / "sixdim.toml").write_text('target = "acc1>=70"\ndevices = 4\nwindow = [2, 5]\n')
    assert card_of(LOG) == by_flag
    assert by_flag["dimensions"]["speed"]["window"] == [2, 3, 4, 5]
    assert by_flag["run"]["devices"] == 4


def test_flags_win_and_what_was_used_is_reported(
    here: Path, sixdim: Sixdim, card_of: CardOf
) -> None:
    (here / "sixdim.toml").write_text("devices = 4\nnodes = 2\n")
    assert card_of(LOG, "--devices", 8)["run"]["devices"] == 8
    _code, _out, err = sixdim("score", LOG, "--devices", 8)
    assert "sixdim: settings of sixdim.toml: nodes\n" in err


def test_a_list_given_by_flag_replaces_the_list_of_the_file(here: Path, card_of: CardOf) -> None:
    repeats = [str(sample_logs.path(name)) for name in sample_logs.REPEATS]
    (here / "mine.toml").write_text(f"repeat = {repeats!r}\n")  # named: it may lead elsewhere
    assert card_of(LOG, "--config", "mine.toml")["dimensions"]["stability"]["runs"] == 5
    words = ("--config", "mine.toml", "--repeat", repeats[0])
    assert card_of(LOG, *words)["dimensions"]["stability"]["runs"] == 2


def test_where_it_is_looked_for(
    here: Path, card_of: CardOf, sixdim: Sixdim, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = here / "home" / "sixdim"
    own.mkdir(parents=True)
    (own / "sixdim.toml").write_text("devices = 2\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own.parent))
    assert card_of(LOG)["run"]["devices"] == 2
    (here / "sixdim.toml").write_text("nodes = 3\n")  # instead of the user's, not beside it
    card = card_of(LOG)
    assert card["run"]["nodes"] == 3
    assert card["run"]["devices"] != 2
    (here / "other.toml").write_text("devices = 5\n")
    assert card_of(LOG, "--config", "other.toml")["run"]["devices"] == 5
    assert "settings of" not in sixdim("score", LOG, "--config", os.devnull)[2]


def test_a_home_that_may_not_be_entered_has_no_settings(
    here: Path, card_of: CardOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = os.lstat

    def refuse(path: str | Path, **given: Any) -> os.stat_result:
        if Path(path).is_relative_to("/root-only"):
            raise PermissionError(13, "Permission denied", str(path))
        return look(path, **given)

    monkeypatch.setattr(os, "lstat", refuse)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/root-only")
    assert card_of(LOG)["run"]["devices"] == 8
    (here / "sixdim.toml").write_text("devices = 5\n")
    assert card_of(LOG)["run"]["devices"] == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("devises = 8", "no setting 'devises'; did you mean devices?"),
        ("zzz = 8", "no setting 'zzz'; there are target, window, format, run"),
        ("devices = 0", "devices: '0' is not a positive number"),
        ("devices = true", "devices must be a text or a number"),
        ("baseline = ''", "baseline is empty"),
        ("repeat = ['a.log', '']", "repeat is empty"),
        ("devices = [1, 2]", "devices takes one value, not a list"),
        ("devices = {a = 1}", "devices must be a text or a number"),
        ("json = 'card.json'", "no setting 'json'"),
        ("reduce = 'end'", "reduce 'end' is none of mean, median, last, max, elapsed"),
        ("global-batch = 1\nglobal_batch = 2", "is there twice"),
        ("devices = ", "is not TOML"),
        ("devices = 1\n\x1b[31m", "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
        ("format = 5", "format must be a name, a [format] table"),
        ("[format]\nname = 'x'", "[format] give a pattern"),
        ("[format]\nname = 'torchvision'\nend = 'bye'\niteration='s {step:int}'", "already"),
        ("# " + "x" * MOST_BYTES, "is larger than 256 KiB"),
    ],
)
def test_a_bad_file_is_one_line_with_its_name(
    here: Path, sixdim: Sixdim, text: str, message: str
) -> None:
    (here / "sixdim.toml").write_text(text)
    code, out, err = sixdim("score", LOG)
    assert (code, out) == (2, "")
    assert err.startswith("sixdim: sixdim.toml") and err.count("\n") == 1
    assert message in err
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Path.mkdir, "a directory"),
        (os.mkfifo, "no regular file"),
        (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
        (lambda path: path.symlink_to("nowhere"), "No such file"),
    ],
)
@pytest.mark.parametrize("where", [".", "home/sixdim"])
def test_what_has_its_name_and_is_no_file_is_one_line(
    here: Path,
    sixdim: Sixdim,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], object],
    message: str,
    where: str,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "home")
    (here / where).mkdir(parents=True, exist_ok=True)
    make(here / where / "sixdim.toml")
    code, out, err = sixdim("score", LOG)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"sixdim: cannot read {Path(where, 'sixdim.toml')}: ") and message in err


@pytest.mark.parametrize(("count", "read"), [(64, True), (65, False)])
def test_so_many_formats_are_read(here: Path, sixdim: Sixdim, count: int, read: bool) -> None:
    tables = (f"[[format]]\nname = 'f{n}'\niteration = 's{n} {{step:int}}'\n" for n in range(count))
    (here / "sixdim.toml").write_text("".join(tables))
    code, _out, err = sixdim("score", LOG)
    assert code == (0 if read else 2)
    assert read or err == "sixdim: sixdim.toml: 65 formats; at most 64 are read\n"


def test_a_byte_order_mark_is_passed_over(here: Path, card_of: CardOf) -> None:
    (here / "sixdim.toml").write_text("devices = 4\n", encoding="utf-8-sig")
    assert card_of(LOG)["run"]["devices"] == 4


def test_a_named_file_that_is_missing_or_no_text(here: Path, sixdim: Sixdim) -> None:
    assert "--config: no file none.toml" in sixdim("score", LOG, "--config", "none.toml")[2]
    (here / "b.toml").write_bytes(b"\xff\xfe\x00")
    assert "is not TOML" in sixdim("score", LOG, "--config", "b.toml")[2]
    assert "cannot read" in sixdim("score", LOG, "--config", here)[2]


CUSTOM = """
[format]
name = "custom"
iteration = "@ {step:int} of {steps:int} <> {loss:float} <> {throughput:float}"
evaluation = "seen {epoch:int} <> {acc1:float}"
unit = "img/s"
scope = "job"
"""


@pytest.mark.parametrize("words", [(), ("--format", "custom")])
def test_a_declared_format_reads_its_log(
    here: Path, card_of: CardOf, words: tuple[str, ...]
) -> None:
    (here / "sixdim.toml").write_text(CUSTOM)
    lines = [f"@ {step} of 4 <> 2.5 <> {100 + step}" for step in range(1, 5)]
    (here / "my.log").write_text("\n".join([*lines, "seen 0 <> 71.5", ""]))
    card = card_of("my.log", *words)
    assert card["run"]["format"] == "custom"
    # The first of few lines is left out.
    assert card["dimensions"]["speed"]["value"] == pytest.approx(
        3 / (1 / 102 + 1 / 103 + 1 / 104), rel=1e-15
    )
    assert card["dimensions"]["accuracy"]["value"] == 71.5


def test_the_examples_of_the_page_are_accepted(here: Path, sixdim: Sixdim) -> None:
    page = (DOCS / "settings.md").read_text()
    settings, declared = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    shutil.copy(sample_logs.path(sample_logs.BASELINE), here / "fp32_1.log")
    shutil.copy(sample_logs.path(sample_logs.POWER), here / "ixsmi_power.txt")
    shutil.copy(sample_logs.path(sample_logs.MEMORY), here / "ixsmi_memory.txt")
    (here / "sixdim.toml").write_text(settings + declared)
    code, _out, err = sixdim("score", LOG)
    assert code == 0, err
    for name in ("target", "window", "global-batch", "telemetry", "gpus", "format custom"):
        assert name in err


def custom_log(path: Path, speed: float) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"@ {step} of 9 <> 2.5 <> {speed}\n" for step in range(1, 10)))


def test_a_declared_format_is_read_in_a_folder_of_logs(here: Path, sixdim: Sixdim) -> None:
    """By several processes: what is declared must reach them."""
    (here / "sixdim.toml").write_text('protocol = "custom"\n' + CUSTOM)
    for number in range(1, 4):
        custom_log(here / "1n1g" / f"net_b8_fp32_{number}.log", 100.0 + number)
        custom_log(here / "1n4g" / f"net_b8_fp32_{number}.log", 300.0 + number)
    code, out, err = sixdim("scaling", "1n1g", "1n4g", "--format", "csv")
    assert out.splitlines()[1:] == ["1,1,102.00,1.00", "1,4,302.00,2.96"]
    assert code == 0 and "settings of sixdim.toml: protocol, format custom" in err
    _code, out, _err = sixdim("airank", "1n1g/net_b8_fp32_1.log", "--format", "json")
    assert json.loads(out)[0]["throughput"] == 101.0
    code, out, _err = sixdim("scaling", "1n4g", "--log-format", "custom", "--format", "csv")
    assert code == 0 and out.splitlines()[1] == "1,4,302.00,-"


def test_a_format_named_in_the_file_is_the_logs_and_not_the_tables(
    here: Path, sixdim: Sixdim
) -> None:
    (here / "sixdim.toml").write_text('format = "nosuch"\n')
    custom_log(here / "1n1g" / "net_b8_fp32_1.log", 100.0)
    code, _out, err = sixdim("scaling", "1n1g", "--format", "csv")
    assert code == 2 and "--log-format: no format 'nosuch'; sixdim formats lists them" in err


def test_formats_and_record_take_the_file(here: Path, sixdim: Sixdim) -> None:
    (here / "sixdim.toml").write_text('telemetry = ["power=a.txt"]\n' + CUSTOM)
    custom_log(here / "logs" / "my.log", 100.0)
    assert sixdim("formats", "logs/my.log")[1].startswith("my.log: custom\n  custom ")
    assert "\ncustom " in sixdim("formats")[1]
    _code, _out, err = sixdim("record", "logs/my.log", "--format", "nosuch")
    assert "settings of sixdim.toml: telemetry, format custom" in err
    assert "no format 'nosuch'; sixdim formats lists them" in err
    code, _out, err = sixdim("record", "a.log", "--telemetry", "b.txt")
    assert code == 2 and "b.txt is no source to poll" in err


def test_dev_null_means_no_settings_file(here: Path, sixdim: Sixdim) -> None:
    (here / "sixdim.toml").write_text('window = "20:24"\n')
    code, out, err = sixdim("score", LOG, "--config", "/dev/null")
    assert (code, err) == (0, "")
    assert "epochs 6–10" in out
