"""Formats from outside: declared in settings, and brought by other packages."""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Problem,
    RunEnd,
    RunStart,
    Scope,
)
from sixdim.parsers.reader.announced import GROUP
from sixdim.parsers.reader.declared import DeclarationError, declared
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import assemble, formats
from sixdim.parsers.statements.format import Reader
from tests.support.formats import by_name

TABLE: dict[str, Any] = {
    "name": "house",
    "iteration": "step {step:int} of {steps:int}: loss {loss:float} lr {lr:float} "
    "{throughput:float} img/s in {duration:float}s",
    "evaluation": ["eval {epoch:int}: top1 {acc1:float} wer {wer:float}", "test wer {wer:float}"],
    "epoch_end": "epoch {epoch:int} took {epoch_time:duration}",
    "start": "go!",
    "end": "bye after {duration:duration}",
    "unit": "img/s",
    "scope": "job",
    "metric_units": {"acc1": "%"},
}


def read(reader: type[Reader], *lines: str, forced: bool = True) -> list[Event]:
    interpreter = Interpreter((*formats(), reader), forced=reader if forced else None)
    data = "".join(f"{line}\n" for line in lines).encode()
    return [*interpreter.read(data), *interpreter.end()]


LINES = (
    "go!",
    "2030-01-02 03:04:05,678 - root - INFO - "
    "step 10 of 200: loss 2.5 lr 1e-3 1234.5 img/s in 0.25s",
    "step 20 of 200: loss nan lr 1e-3 1234.5 img/s in 0.25s",
    "step 30 of 200: loss x2.5 lr 1e-3 1234.5 img/s in 0.25s",
    "epoch 1 took 0:10:00",
    "eval 1: top1 75.5 wer 0.25",
    "bye after 1:00:00",
)


def test_less_is_better_for_the_figures_that_the_table_names_on_all_lines() -> None:
    table = {
        "name": "gaps",
        "iteration": "step {step:int} gap {gap:float} score {score:float}",
        "evaluation": "test gap {gap:float} score {score:float}",
        "lower_is_better": ["gap"],
    }
    iteration, evaluation = read(
        declared(table), "step 1 gap 0.5 score 0.25", "test gap 0.5 score 0.25"
    )[:2]
    assert isinstance(iteration, Iteration) and isinstance(evaluation, Evaluation)
    for figures in (iteration.values, evaluation.metrics):
        assert [(one.name, one.higher_is_better) for one in figures] == [
            ("gap", False),
            ("score", True),
        ]


@pytest.mark.parametrize("forced", [True, False])
def test_a_declared_format_reads_like_any_other(forced: bool) -> None:
    events = read(declared(TABLE), *LINES, forced=forced)
    steps = [e for e in events if isinstance(e, Iteration)]
    assert [(e.step, e.steps, str(e.loss), e.throughput, e.duration) for e in steps] == [
        (10, 200, "2.5", 1234.5, 0.25),
        (20, 200, "nan", 1234.5, 0.25),
    ]
    assert (steps[0].unit, steps[0].scope, steps[0].at.time_us) == (
        "img/s",
        Scope.JOB,
        1_893_553_445_678_000,
    )
    assert [(m.name, m.value) for m in steps[0].values] == [("lr", 0.001)]
    assert [(e.epoch, e.epoch_time) for e in events if isinstance(e, EpochEnd)] == [(1, 600.0)]
    (one,) = [e for e in events if isinstance(e, Evaluation)]
    assert [(m.name, m.value, m.unit, m.higher_is_better) for m in one.metrics] == [
        ("acc1", 75.5, "%", True),
        ("wer", 0.25, "", False),
    ]
    assert sum(isinstance(e, RunStart) for e in events) == 1
    assert [e.duration for e in events if isinstance(e, RunEnd)] == [3600.0]
    assert [(e.kind, e.at.line) for e in events if isinstance(e, Problem)] == [("broken_number", 4)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": None}, "name is missing"),
        ({"name": "My Format"}, "name must be"),
        ({"name": 3}, "name must be a text"),
        ({"iterations": "x {step:int}"}, "unknown key 'iterations'; known: end"),
        ({"iteration": "step {step:integer}"}, "iteration: unknown hole type 'integer'"),
        ({"iteration": "step {}{step:int}"}, "iteration: a skip must be followed"),
        ({"iteration": "{step:int} {loss:float}"}, "would match any line"),
        ({"iteration": "step {step:int} {step:int}"}, "iteration: "),
        ({"iteration": "step {step:float}"}, "write {step:int}"),
        ({"iteration": "step {step:int} loss {loss}"}, "write {loss:float}"),
        ({"iteration": "nothing in it"}, "no hole such as {step:int}"),
        ({"iteration": 7}, "iteration must be a text"),
        ({"iteration": ["", "x {step:int}"]}, "iteration must be a text"),
        ({"evaluation": "eval {epoch:int}"}, "evaluation: no metric in it"),
        ({"scope": "node"}, "scope is 'node'; it must be job or device"),
        ({"metric_units": "%"}, "metric_units must be a table"),
        ({"iteration": [], "evaluation": [], "epoch_end": []}, "give a pattern"),
    ],
)
def test_a_wrong_table_says_what_to_change(change: dict[str, Any], says: str) -> None:
    table = {key: value for key, value in {**TABLE, **change}.items() if value is not None}
    with pytest.raises(DeclarationError, match=re.escape(says)) as error:
        declared(table)
    assert "\n" not in str(error.value)


def test_terminal_codes_in_settings_do_not_come_out_again() -> None:
    with pytest.raises(DeclarationError) as error:
        declared({**TABLE, "iteration": "\x1b[31m step"})
    assert "\x1b" not in str(error.value)


def plugin(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, f"outside_formats:{value}", GROUP)


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("outside_formats")
    monkeypatch.setitem(sys.modules, "outside_formats", module)
    return module


def test_a_plugin_brings_a_format(outside: ModuleType) -> None:
    outside.House = declared(TABLE)  # type: ignore[attr-defined]  # a module
    found = assemble([plugin("house", "House")])
    assert "house" in [f.name for f in found.formats]
    assert found.problems == ()


def test_a_module_of_formats_is_a_plugin_too(outside: ModuleType) -> None:
    outside.House = declared(TABLE)  # type: ignore[attr-defined]  # a module
    outside.Other = declared({**TABLE, "name": "other"})  # type: ignore[attr-defined]  # a module
    found = assemble([EntryPoint("both", "outside_formats", GROUP)])
    assert {"house", "other"} <= {f.name for f in found.formats}


def test_a_broken_plugin_is_left_out_and_reported(outside: ModuleType) -> None:
    class NoExample(Reader):
        name = "noexample"

    class Raises(declared({**TABLE, "name": "raises"})):  # type: ignore[misc]  # made at run time
        def read(self, line: object) -> None:
            raise RuntimeError("inside \x1b[2Jthe plugin")

    outside.NoExample, outside.Raises, outside.text = NoExample, Raises, "text"  # type: ignore[attr-defined]  # a module
    outside.Again = declared({**TABLE, "name": "torchvision"})  # type: ignore[attr-defined]  # a module
    found = assemble(
        [
            plugin("a", "Missing"),
            plugin("b", "NoExample"),
            plugin("c", "Raises"),
            plugin("d", "text"),
            plugin("e", "Again"),
            EntryPoint("f", "no_such_package_anywhere", GROUP),
        ]
    )
    assert [f.name for f in found.formats] == [f.name for f in formats()]
    assert by_name("torchvision") in found.formats
    said = [problem.split(" left out: ") for problem in found.problems]
    assert [who for who, _ in said] == [f"format plugin {letter}" for letter in "abcdef"]
    assert "Missing" in said[0][1]
    assert "NoExample has no title" in said[1][1]
    assert said[2][1] == "RuntimeError: inside the plugin"
    assert said[3][1] == "it has no Reader"
    assert said[4][1] == "there is a format 'torchvision' already"
    assert "no_such_package_anywhere" in said[5][1]
