"""What the detection found out about the forms of a log's lines need not be found out again."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.parsers.events import Iteration
from sixdim.parsers.grammar.meaning import plans
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats


def test_the_forms_of_lines_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_out: list[tuple[str, ...]] = []
    planned = plans._planned

    def noted(between: tuple[str, ...], *others: Any) -> plans.Planned:
        worked_out.append(between)
        return planned(between, *others)

    monkeypatch.setattr(plans, "_planned", noted)
    lines = [f"step {n} of the cat: loss {1 / n:.3f}, accuracy {n / 99:.2f}" for n in range(1, 60)]
    interpreter = Interpreter(formats())
    events = [*interpreter.feed("\n".join([*lines, ""]).encode()), *interpreter.end()]
    assert interpreter.detection is not None and interpreter.detection.name == "generic"
    assert [event.loss for event in events if isinstance(event, Iteration)][-1] == 0.017
    assert len(worked_out) == len({*worked_out})
