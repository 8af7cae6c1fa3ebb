"""What the tests of the log formats share: text or a real file in, events out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TypeVar

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration, RunInfo
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.formats import by_name
from tests.support.processes.live import card_of

E = TypeVar("E")


def read(text: str, name: str) -> list[Event]:
    """The events of `text` read as format `name`."""
    interpreter = Interpreter(formats(), by_name(name))
    return [*interpreter.read(text.encode()), *interpreter.end()]


def detected(text: str) -> str:
    """The format that `text` is taken for; empty for none."""
    interpreter = Interpreter(formats())
    for _ in (*interpreter.feed(text.encode()), *interpreter.end()):
        pass
    assert interpreter.detection is not None
    return interpreter.detection.name


def real(path: str) -> tuple[str, list[Event]]:
    """The detected format and the events of a real log below $SIXDIM_CORPUS."""
    root = os.environ.get("SIXDIM_CORPUS")
    if not root:
        pytest.skip("SIXDIM_CORPUS is not set: no real logs to read")
    file = Path(root) / path
    if not file.exists():
        pytest.skip(f"{path} is not in SIXDIM_CORPUS")
    interpreter = Interpreter(formats())
    events = [*interpreter.read(file.read_bytes()), *interpreter.end()]
    assert interpreter.detection is not None
    return interpreter.detection.name, events


def iterations(events: list[Event]) -> list[Iteration]:
    return only(events, Iteration)


def evaluations(events: list[Event]) -> list[Evaluation]:
    return only(events, Evaluation)


def epoch_ends(events: list[Event]) -> list[EpochEnd]:
    return only(events, EpochEnd)


def only(events: list[Event], kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def score(evaluation: Evaluation, name: str) -> float:
    """One figure of an evaluation."""
    return next(metric.value for metric in evaluation.metrics if metric.name == name)


def scores_by_epoch(
    events: list[Event],
) -> list[tuple[int | None, dict[str, tuple[float, str]]]]:
    """Epoch of each evaluation, with the value and the unit of its figures."""
    return [(e.epoch, {m.name: (m.value, m.unit) for m in e.metrics}) for e in evaluations(events)]


def scores_by_step(events: list[Event]) -> list[tuple[int | None, dict[str, float]]]:
    """Step of each evaluation, with the values of its figures."""
    return [(e.step, {m.name: m.value for m in e.metrics}) for e in evaluations(events)]


def scores(text: str, name: str) -> list[tuple[int | None, dict[str, tuple[float, str]]]]:
    """As `scores_by_epoch`, of `text` read as format `name`."""
    return scores_by_epoch(read(text, name))


def values(one: Iteration) -> dict[str, tuple[float, str]]:
    """Value and unit of a progress line's further figures."""
    return {m.name: (m.value, m.unit) for m in one.values}


def bar(label: str, step: int, steps: int, pace: str, rest: str = "") -> str:
    """A bar as tqdm draws it after ten seconds."""
    share, drawn = 100 * step // steps, "█" * (25 * step // steps)
    return f"{label}{share:3d}%|{drawn:25}| {step}/{steps} [00:10<00:20, {pace}{rest}]"


def facts(events: list[Event]) -> dict[str, str | int | float]:
    """The run's facts, the last value under each name."""
    return {info.name: info.value for info in only(events, RunInfo)}


def scored(text: str, name: str = "train.log") -> dict[str, Any]:
    """The card of a finished log, by detection."""
    loaded: dict[str, Any] = json.loads(card_of(text.encode(), name))
    return loaded
