"""The scorecard as a value: what it holds, and its JSON.

A card is plain, immutable data. An unknown figure is None with a reason, never 0. Figures are not
rounded; that is done where they are printed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

SCHEMA = "sixdim/scorecard/2"
READABLE = ("sixdim/scorecard/1", SCHEMA)
"""Versions of cards that every command reads."""
MARK = b'"sixdim/scorecard/'
"""Text near the beginning of every card file."""

Json: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None


class State(StrEnum):
    """How final a figure is."""

    WAITING = "waiting"
    """Nothing has been measured yet."""
    RUNNING = "running"
    """Provisional: the window is not complete."""
    SHORT = "short"
    """The log has less than the method asks for, and will not have more."""
    FINAL = "final"
    """Computed as the method asks; it will not change."""
    UNKNOWN = "unknown"
    """Cannot be computed; the reason says what is missing."""


class Status(StrEnum):
    """The status of the run."""

    WAITING = "waiting"
    TRAINING = "training"
    CONVERGED = "converged"
    FINISHED = "finished"
    INCOMPLETE = "incomplete"
    """The log ended without a closing line or a sign that the run was done."""
    FAILED = "failed"


DIMENSIONS = ("speed", "accuracy", "linearity", "power", "memory", "stability")
FIGURES = (*DIMENSIONS, "end_to_end", "time_to_train")
"""Every figure by which runs are compared."""
REQUIRABLE = (*FIGURES, "run_time", "best")
"""Every figure that a gate may require."""


class Evidence(NamedTuple):
    """The lines that a figure was computed from.

    Attributes:
        lines: Line numbers, or the first and last of many (then `count` is larger).
        count: How many lines there are in all.
    """

    lines: tuple[int, ...] = ()
    count: int = 0  # type: ignore[assignment]  # a tuple has a method of this name

    def to_json(self) -> dict[str, Json]:
        """Returns `{"lines": [...]}`, with `count` only where there are more."""
        out: dict[str, Json] = {"lines": list(self.lines)}
        if self.count > len(self.lines):
            out["count"] = self.count
        return out


NO_EVIDENCE = Evidence()


class Dimension(NamedTuple):
    """One of the six, or another figure of the same kind.

    Attributes:
        value: The figure, exact; None where unknown.
        unit: `img/s`, `%`, `W`, `MiB`, or empty for a ratio.
        state: How final it is.
        reason: Why it is unknown, waiting or short; empty when it is final.
        details: Further facts in the order of the JSON: window, dropped, protocol, ….
        evidence: The lines that it was computed from.
    """

    value: float | None
    unit: str
    state: State
    reason: str = ""
    details: Mapping[str, Any] = {}
    evidence: Evidence = NO_EVIDENCE

    def to_json(self) -> dict[str, Json]:
        """Returns value, unit, details, state and, if there is one, the reason."""
        out: dict[str, Json] = {"value": finite(self.value)}
        if self.unit:
            out["unit"] = self.unit
        out.update(self.details)
        out["state"] = str(self.state)
        if self.reason:
            out["reason"] = self.reason
        return out


def unknown(
    reason: str, unit: str = "", details: Mapping[str, Any] = {}, *, over: bool = True
) -> Dimension:
    """Returns a figure without a value, which waits for one as long as the run is not over."""
    return Dimension(None, unit, State.UNKNOWN if over else State.WAITING, reason, details)


MOST_LINES = 10
"""Most lines that a warning names."""


class Caution(NamedTuple):
    """A warning: a sanity check that failed.

    Attributes:
        kind: Identifier, e.g. `nan_loss`.
        text: One sentence.
        lines: The first few lines that it is about.
        count: How many lines in all.
    """

    kind: str
    text: str
    lines: tuple[int, ...] = ()
    count: int = 0  # type: ignore[assignment]  # a tuple has a method of this name

    @classmethod
    def of_lines(cls, kind: str, text: str, lines: Sequence[int], count: int = 0) -> Caution:
        """Makes a warning about lines; it names the first few of them."""
        return cls(kind, text, tuple(lines[:MOST_LINES]), count or len(lines))

    def to_json(self) -> dict[str, Json]:
        """Returns the warning as it is on the card."""
        lines = Evidence(self.lines, self.count)
        return {"kind": self.kind, "text": self.text, **lines.to_json()}


class Card(NamedTuple):
    """A run's scorecard; the field names are the contract of its JSON, the schema their types.

    Attributes:
        status: Where the run stands.
        run: Format, unit, scope, devices, epochs, … and `sources`: where each fact came from.
        target: Condition, source, and once met: epoch, value, time; None without a target.
        dimensions: The six, under the names of `DIMENSIONS`.
        end_to_end: Samples per epoch x epochs / total training time.
        run_end: Filled when the run ended; None before.
        warnings: What looks wrong, with lines.
        provenance: Which bytes it was computed from, and by which version: `sixdim`, `log`,
            `sha256`, `bytes`, `ended`.
    """

    status: Status
    run: Mapping[str, Any]
    target: Mapping[str, Any] | None
    dimensions: Mapping[str, Dimension]
    end_to_end: Dimension
    run_end: Mapping[str, Any] | None
    warnings: tuple[Caution, ...]
    provenance: Mapping[str, Any]

    @property
    def frozen(self) -> bool:
        """Whether the target is met; the six figures do not change after that."""
        return self.status is Status.CONVERGED

    def figures(self) -> dict[str, Dimension]:
        """Returns the six by name, in their order, and `end_to_end`."""
        six = {name: self.dimensions[name] for name in DIMENSIONS}
        return {**six, "end_to_end": self.end_to_end}

    def figure(self, name: str) -> Dimension:
        """Returns one of the six, or `end_to_end`."""
        return self.end_to_end if name == "end_to_end" else self.dimensions[name]

    def to_json(self) -> dict[str, Json]:
        """Returns the card as JSON data, in a fixed order."""
        evidence = {
            name: figure.evidence.to_json()
            for name, figure in self.figures().items()
            if figure.evidence.lines
        }
        return {
            "schema": SCHEMA,
            "status": str(self.status),
            "run": dict(self.run),
            "target": None if self.target is None else dict(self.target),
            "dimensions": {name: self.dimensions[name].to_json() for name in DIMENSIONS},
            "end_to_end": self.end_to_end.to_json(),
            "run_end": None if self.run_end is None else dict(self.run_end),
            "evidence": evidence,
            "warnings": [warning.to_json() for warning in self.warnings],
            "provenance": dict(self.provenance),
        }


def dumps(card: Card | list[Card]) -> str:
    """Returns the text of a card file: ASCII, indented, without NaN, with a final newline."""
    import json

    data: Json = [c.to_json() for c in card] if isinstance(card, list) else card.to_json()
    return json.dumps(data, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def finite(value: float | None) -> float | None:
    """Returns None for a figure that is not finite, because JSON has no nan."""
    return value if value is not None and math.isfinite(value) else None
