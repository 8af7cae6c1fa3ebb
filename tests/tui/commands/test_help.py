"""Help, exit codes and hints of the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.metrics.values.nearest import nearest
from sixdim.tui.help.table import COMMANDS, parser_of

Sixdim = Callable[..., tuple[int, str, str]]
RUN = sample_logs.path(sample_logs.RUN)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_the_help_of_a_command_fits_one_screen(
    name: str, sixdim: Sixdim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _err = sixdim(name, "--help")
    assert code == 0
    assert len(out.splitlines()) <= 24
    assert sixdim("help", name) == (0, out, "")
    for line in (out + sixdim(name, "--help-all")[1]).splitlines():
        assert len(line) <= 80, line


@pytest.mark.parametrize("name", list(COMMANDS))
def test_all_flags_are_listed_on_request_the_common_ones_first(name: str, sixdim: Sixdim) -> None:
    module, parser = parser_of(name)
    code, out, _err = sixdim(name, "--help-all")
    assert code == 0
    for action in parser._actions:
        assert all(word in out for word in action.option_strings)
    common = getattr(module, "COMMON", ())
    assert len(common) <= 10
    places = [out.index(f"{word} ") for word in common]
    assert places == sorted(places)
    short = sixdim(name, "--help")[1]
    assert not common or f"sixdim {name} --help-all" in short
    assert all(word in short for word in common)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("scor", "x.log"), "did you mean score?"),
        (("help", "wach"), "did you mean watch?"),
        (("score", RUN, "--targt", "acc1>75"), "did you mean --target?"),
        (("score", RUN, "--tolerence=1%"), "did you mean --tolerance?"),
        (("score", RUN, "--reduce", "medain"), "did you mean median?"),
        (("score", RUN, "--protocol", "deepsprak"), "did you mean deepspark?"),
        (("score", RUN, "--protocol", "zzz"), "sixdim protocols lists them"),
        (("score", RUN, "--format", "Torchvison"), "did you mean torchvision?"),
        (("score", RUN, "--format", "zzz"), "sixdim formats lists them"),
        (("score", RUN, "--target", "ac1>75"), "did you mean acc1?"),
        (("score", RUN, "--target", "acc1=>75.9"), "did you mean acc1>=75.9?"),
        (("score", RUN, "--target", "acc1==75.9"), "did you mean acc1=75.9?"),
        (("score", RUN, "--target", "acc1 75.9"), "did you mean acc1>=75.9?"),
        (("score", RUN, "--target", "75.9"), "acc1>75.9 or wer<=3.72"),
        (("score", RUN, "--require", "sped>=1"), "did you mean speed?"),
        (("score", RUN, "--against", RUN, "--tolerance", "memry=1%"), "did you mean memory?"),
        (("protocols", "mlpref"), "did you mean mlperf?"),
        (("completion", "bsh"), "did you mean bash?"),
        (("formats", "torchvison"), "did you mean torchvision?"),
        (("watch", RUN, "--theme", "drak"), "did you mean dark?"),
        (("watch", RUN, "--on", "finnished=true"), "did you mean finished?"),
    ],
    ids=lambda value: (
        " ".join(str(word) for word in value[-2:]) if isinstance(value, tuple) else ""
    ),
)
def test_a_mistyped_word_gets_a_hint_in_one_line(
    words: tuple[object, ...], hint: str, sixdim: Sixdim
) -> None:
    code, _out, err = sixdim(*words)
    assert code in (1, 2)
    assert hint in err
    assert len(err) < 400


def test_a_mistyped_setting_gets_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sixdim: Sixdim
) -> None:
    (tmp_path / "sixdim.toml").write_text('targte = "acc1>75"\n')
    monkeypatch.chdir(tmp_path)
    assert "no setting 'targte'; did you mean target?" in sixdim("score", RUN)[2]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("score", RUN, "--bogus"), "no flag --bogus; sixdim score --help-all lists them"),
        (("run", RUN), "no command 'run'; sixdim --help lists them"),
        ((RUN,), "to read that log: sixdim score LOG, or sixdim watch LOG"),
        (("score", RUN, "--format", "tensorboard"), "sixdim formats lists them"),
        (("score", RUN, "--target", "acc2>1"), "the log has no metric 'acc2'; it has acc1, acc5"),
        (("score", RUN, "--require", "spread>=1"), "no figure 'spread'; there are speed, accuracy"),
        (("score", RUN, "--reduce", "min"), "--reduce 'min' is none of mean, median, last, max"),
        (("protocols", "mlcommons"), "sixdim protocols lists them"),
        (("score", "a", "--join", "b.log"), "b.log stands after a flag: name it before the flags"),
        (("report", "a", "-o", "b", "c.log"), "report: c.log is one argument too many"),
        (("schema", "c.log"), "schema: c.log is one argument too many"),
        (("score", RUN, "--run", "2"), "the log holds 1 run, so there is no run 2"),
        (("score", RUN, "--against", ""), "--against: its value is empty"),
        (("score", RUN, "--baseline="), "--baseline: its value is empty"),
        (("score", RUN, "--repeat", RUN, ""), "--repeat: its value is empty"),
        (("score", ""), "LOG: its value is empty"),
        (("demo", "--write", ""), "--write: its value is empty"),
        (("score", RUN, "--run", "1", "--run", "2"), "--run is given twice, with different values"),
    ],
    ids=lambda value: (
        " ".join(str(word) for word in value[-2:]) if isinstance(value, tuple) else ""
    ),
)
def test_a_word_that_is_near_to_nothing_gets_the_list(
    words: tuple[object, ...], says: str, sixdim: Sixdim
) -> None:
    err = sixdim(*words)[2]
    assert says in err
    assert "did you mean" not in err


def test_a_flag_may_be_repeated_with_the_same_value(sixdim: Sixdim) -> None:
    flag = ("--target", "acc1>75.9")
    assert sixdim("score", RUN, *flag, *flag) == sixdim("score", RUN, *flag)


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("SCORE", "score", True),
        ("scor", "score", True),
        ("scroe", "score", True),
        ("scorre", "score", True),
        ("store", "score", True),
        ("stor", "score", False),  # two mistakes in four letters
        ("deepsprak", "deepspark", True),
        ("depsprak", "deepspark", True),  # two in eight
        ("depspkra", "deepspark", False),
        ("acc1", "acc5", False),  # another digit is another metric
        ("ac1", "acc1", True),
        ("hugging", "huggingface", True),  # how it begins
        ("face", "huggingface", False),
        ("bogus", "no-gpus", False),
        ("record", "report", False),
        ("me", "mem", False),
        ("", "score", False),
        ("score" * 10_000, "score", False),
    ],
)
def test_only_a_near_name_is_meant(word: str, known: str, meant: bool) -> None:
    assert nearest(f"--{word}", ["--xyzzyplugh", f"--{known}"]) == (f"--{known}" if meant else "")


def test_a_beginning_that_two_names_share_means_neither() -> None:
    assert nearest("skip", ["--skip-start", "--skip-end"]) == ""
    assert nearest("skip-e", ["--skip-start", "--skip-end"]) == "--skip-end"


def test_no_command_is_taken_for_a_misspelling_of_another() -> None:
    for name in COMMANDS:
        assert nearest(name, {*COMMANDS} - {name}) == ""


def test_the_demo_writes_the_logs_of_the_documentation(tmp_path: Path, sixdim: Sixdim) -> None:
    folder = tmp_path / "demo"
    assert sixdim("demo", "--write", folder)[0] == 0
    assert {file.name for file in folder.iterdir()} == {*sample_logs.EXAMPLE_NAMES}
    assert (folder / "train.log").read_bytes() == RUN.read_bytes()


def test_the_demo_replaces_no_file(tmp_path: Path, sixdim: Sixdim) -> None:
    (tmp_path / "cut.log").write_text("mine")
    code, _out, err = sixdim("demo", "--write", tmp_path)
    assert code == 2
    assert "has a cut.log" in err
    assert [file.name for file in tmp_path.iterdir()] == ["cut.log"]
    assert (tmp_path / "cut.log").read_text() == "mine"


@pytest.mark.parametrize("command", ["formats", "protocols"])
def test_a_list_has_one_line_for_each(command: str, sixdim: Sixdim) -> None:
    out = sixdim(command)[1]
    names = [line.split()[0] for line in out.splitlines()]
    assert len(names) == len({*names}) > 30
    assert not any(line.startswith(" ") for line in out.splitlines())
