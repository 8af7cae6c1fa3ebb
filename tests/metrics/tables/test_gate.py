"""The gate: exit codes, one line a failure, JUnit and a summary; unknown never passes."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs

Sixdim = Callable[..., tuple[int, str, str]]
RUN = sample_logs.path(sample_logs.RUN)


def test_requirements_that_hold(sixdim: Sixdim) -> None:
    code, _out, err = sixdim(
        "score", RUN, "--require", "speed>=4900", "--require", "accuracy>=75.9"
    )
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("speed>=4938.923798404513", 0),  # the exact figure: the bound itself is allowed
        ("speed>4938.923798404513", 1),
        ("accuracy>=77.36", 0),
        ("accuracy>77.36", 1),
        ("time_to_train<=18330", 0),
        ("time_to_train<18330", 1),
        ("run_time<=18363", 0),
        ("end_to_end>=4534.980939933562", 0),
        ("end_to_end>=4535", 1),
        ("best>=77.36", 0),
    ],
)
def test_the_bounds_are_exact(sixdim: Sixdim, condition: str, code: int) -> None:
    assert sixdim("score", RUN, "--require", condition)[0] == code


def test_one_line_for_each_failure(sixdim: Sixdim) -> None:
    words = ("--require", "speed>=6000", "--require", "power<=170", "--require", "accuracy>=75.9")
    code, out, err = sixdim("score", RUN, *words)
    assert code == 1
    assert err.splitlines() == [
        "sixdim: resnet50_amp_8card.log: required speed>=6000, got 4938.9 img/s",
        "sixdim: resnet50_amp_8card.log: required power<=170, got n/a: "
        "needs GPU readings: --telemetry FILE",
    ]
    assert "4938.9 img/s" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--require", "very fast"], "speed>=4900"),
        (["--require", "velocity>=3"], "no figure 'velocity'"),
        (["--require", "speed>=nan"], "not figure, comparison, number"),
        (["--against", "BASE", "--tolerance", "much"], "not a share"),
        (["--against", "BASE", "--tolerance", "100%"], "not a share"),
        (["--against", "BASE", "--tolerance", "velocity=1%"], "no dimension 'velocity'"),
        (["--tolerance", "1%"], "belongs to --against"),
        (["--junit", "x.xml"], "needs a requirement"),
        (["--against", "/nowhere/base.json"], "no log base.json"),
    ],
)
def test_a_gate_that_cannot_be_read(sixdim: Sixdim, words: list[str], says: str) -> None:
    given = [str(RUN) if word == "BASE" else word for word in words]
    code, out, err = sixdim("score", RUN, *given)
    assert (code, out) == (2, "")
    assert says in err and len(err.splitlines()) == 1


@pytest.fixture
def base(card_of: Callable[..., dict[str, Any]], tmp_path: Path) -> Callable[..., Path]:
    """The run's own card with some dimensions replaced."""

    def made(**values: float) -> Path:
        card = card_of(
            RUN,
            "--telemetry",
            f"power={sample_logs.path(sample_logs.POWER)}",
        )
        for name, value in values.items():
            card["dimensions"][name]["value"] = value
        path = tmp_path / "base.json"
        path.write_text(json.dumps(card))
        return path

    return made


def against(sixdim: Sixdim, base: Path, *words: str) -> tuple[int, list[str]]:
    power = f"power={sample_logs.path(sample_logs.POWER)}"
    code, _out, err = sixdim("score", RUN, "--telemetry", power, "--against", base, *words)
    return code, err.splitlines()


def test_a_run_is_never_worse_than_itself(sixdim: Sixdim, base: Callable[..., Path]) -> None:
    assert against(sixdim, base(), "--tolerance", "0%") == (0, [])


def test_one_percent_is_the_default_and_can_be_moved(
    sixdim: Sixdim, base: Callable[..., Path]
) -> None:
    # 4938.92 is 1.22 % below 5000 and 0.98 % below 4988.
    assert against(sixdim, base(speed=4988.0))[0] == 0
    code, lines = against(sixdim, base(speed=5000.0))
    assert code == 1
    (line,) = lines
    assert "required speed within 1% of resnet50_amp_8card.log, got 4938.9 img/s" in line
    assert "5000" in line and "-1.22 %" in line
    assert against(sixdim, base(speed=5000.0), "--tolerance", "speed=2%")[0] == 0
    assert against(sixdim, base(speed=5000.0), "--tolerance", "2%")[0] == 0
    assert against(sixdim, base(speed=5000.0), "--tolerance", "0.02")[0] == 0
    assert against(sixdim, base(speed=5000.0), "--tolerance", "0.01")[0] == 1
    assert against(sixdim, base(speed=5000.0), "--tolerance", "2%", "--tolerance", "speed=1%")[0]


def test_less_power_is_better(sixdim: Sixdim, base: Callable[..., Path]) -> None:
    assert against(sixdim, base(power=300.0))[0] == 0
    assert against(sixdim, base(power=164.0))[0] == 0  # 165.6 is 0.98 % more
    code, lines = against(sixdim, base(power=160.0))
    assert code == 1 and "power" in lines[0] and "+3.50 %" in lines[0]


def test_what_the_base_knows_and_the_run_does_not_fails(
    sixdim: Sixdim, base: Callable[..., Path]
) -> None:
    code, _out, err = sixdim("score", RUN, "--against", base())
    assert code == 1
    assert "power within 1%" in err and "needs GPU readings" in err


def test_other_units_are_a_failure_not_a_ratio(sixdim: Sixdim, base: Callable[..., Path]) -> None:
    path = base()
    card = json.loads(path.read_text())
    card["dimensions"]["speed"]["unit"] = "seq/s"
    path.write_text(json.dumps(card))
    code, lines = against(sixdim, path)
    assert code == 1
    assert "units differ: img/s, the reference has seq/s" in lines[0]


def test_junit_and_summary_tell_the_same(sixdim: Sixdim, tmp_path: Path) -> None:
    junit, summary = tmp_path / "gate.xml", tmp_path / "gate.md"
    words = ("--require", "speed>=6000", "--require", "accuracy>=75.9", "--target", "acc1>=75.9")
    code, _out, _err = sixdim("score", RUN, *words, "--junit", junit, "--summary", summary)
    assert code == 1
    suites = ET.parse(junit).getroot()
    assert (suites.tag, suites.get("tests"), suites.get("failures")) == ("testsuites", "3", "1")
    cases = suites.findall("testsuite/testcase")
    assert [c.get("name") for c in cases] == ["target acc1>=75.9", "speed>=6000", "accuracy>=75.9"]
    assert [c.find("failure") is not None for c in cases] == [False, True, False]
    text = summary.read_text()
    assert text.startswith("# resnet50_amp_8card.log: 1 of 3 failed")
    unaligned = re.sub(" +", " ", text)
    assert "| speed\\>=6000 | 4938.9 img/s | FAILED |" in unaligned
    assert "| Accuracy | 77.36 % | final |" in unaligned


def test_a_target_missed_is_a_failed_case(sixdim: Sixdim, tmp_path: Path) -> None:
    junit = tmp_path / "gate.xml"
    code, _out, err = sixdim("score", RUN, "--target", "acc1>=80", "--junit", junit)
    assert code == 1
    assert len(err.splitlines()) == 1
    (failure,) = ET.parse(junit).getroot().findall("testsuite/testcase/failure")
    assert "acc1>=80 not met" in str(failure.get("message"))


def test_a_hostile_name_stays_a_name_in_xml(sixdim: Sixdim, tmp_path: Path) -> None:
    log = tmp_path / 'a"><x y="&\ufffe.log'
    log.write_bytes(RUN.read_bytes())
    junit = tmp_path / "gate.xml"
    sixdim("score", log, "--require", "speed>=1", "--junit", junit)
    (suite,) = ET.parse(junit).getroot()
    assert suite.get("name") == 'a"><x y="&.log'
