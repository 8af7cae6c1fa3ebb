"""Explains in words how a figure was computed, for a dialog and the clipboard."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from sixdim.metrics.card.schema.definitions import definition_of
from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.card import Evidence, Json
from sixdim.parsers.text.lines import label
from sixdim.tui.base import figures

MOST_LINES = 400
"""Most lines of the log that are read for one figure."""


class Explanation(NamedTuple):
    """One figure, and what it was computed from.

    Attributes:
        title: What it is.
        facts: (name, text), in order.
        lines: Line numbers of the log to show; the first and last where there are too many.
        missing: Why there are no lines, or not all of them; empty where there are.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    lines: tuple[int, ...] = ()
    missing: str = ""

    def text(self, found: Iterable[tuple[int, str]] = ()) -> str:
        """Returns everything as plain text, with the lines at the end."""
        rows = [self.title, *(f"  {name}: {text}" for name, text in self.facts)]
        rows += [f"  {number}: {text}" for number, text in found]
        if self.missing:
            rows.append(f"  {self.missing}")
        return "\n".join(rows) + "\n"


def exact(value: float | None, unit: str) -> str:
    """Returns a figure with all its digits."""
    return figures.UNKNOWN if value is None else f"{value!r} {unit}".strip()


def explain_figure(snapshot: Snapshot, name: str) -> Explanation:
    """Explains how a dimension was computed."""
    figure = snapshot.card.figure(name)
    of = definition_of(name, figure)
    facts = [(name.replace("_", " "), exact(figure.value, figure.unit)), ("state", figure.state)]
    if figure.reason:
        facts.append(("because", figure.reason))
    facts += list(_details(figure.details))
    facts += [("formula", of.formula), ("source", of.source), ("note", of.pitfall)]
    facts.append(("rests on", evidence_text(snapshot.name, figure.evidence)))
    lines = figure.evidence.lines
    some = figure.evidence.count > len(lines)
    missing = "these are the first and the last of them" if some else ""
    title = f"{name.replace('_', ' ').capitalize()} of {snapshot.name}"
    return Explanation(title, _plain(facts), lines, missing)


def explain_epoch(snapshot: Snapshot, number: int) -> Explanation:
    """Explains an epoch, or a window of a run without epochs: its figures and its lines."""
    title = f"{snapshot.point_kind.capitalize()} {number} of {snapshot.name}"
    point = next((p for p in snapshot.points if p.label == number), None)
    if point is None:
        return Explanation(title, (), (), f"the log has no such {snapshot.point_kind}")
    unit = snapshot.unit
    facts = [
        ("throughput", exact(point.throughput, unit) + (" (derived)" if point.derived else "")),
        ("took", figures.duration(point.duration)),
        ("last loss", exact(point.loss, "")),
        ("progress lines", str(point.iterations)),
    ]
    facts += [
        (snapshot.metric, f"{exact(e.value, '')}, line {e.line}")
        for e in snapshot.evaluations
        if e.epoch == number
    ]
    if not point.complete:
        facts.append(("state", "still training"))
    facts.append(("lines", f"{point.first_line} to {point.last_line}"))
    lines = range(point.first_line, point.last_line + 1)
    if len(lines) <= MOST_LINES:
        return Explanation(title, _plain(facts), tuple(lines))
    half = MOST_LINES // 2
    missing = f"{len(lines) - 2 * half} lines in the middle are left out"
    return Explanation(title, _plain(facts), (*lines[:half], *lines[-half:]), missing)


def explain_card(snapshot: Snapshot) -> Explanation:
    """Explains the whole card, one figure on each line."""
    facts = [("status", str(snapshot.card.status))]
    for name, figure in snapshot.card.figures().items():
        why = f": {figure.reason}" if figure.reason else ""
        lines = f", {evidence_text(snapshot.name, figure.evidence)}"
        said = f"{exact(figure.value, figure.unit)} ({figure.state}{why}){lines}"
        facts.append((name.replace("_", " "), said))
    return Explanation(f"Scorecard of {snapshot.name}", _plain(facts))


def evidence_text(log: str, evidence: Evidence) -> str:
    """Returns `train.log lines 101, 120`, or the first and last of many with their number."""
    if not evidence.lines:
        return "no line of the log"
    numbers = ", ".join(map(str, evidence.lines))
    if evidence.count > len(evidence.lines):
        numbers = f"{evidence.lines[0]} to {evidence.lines[-1]} ({evidence.count} lines)"
    return f"{log} line{'s' if len(evidence.lines) > 1 else ''} {numbers}"


def _details(details: Mapping[str, Json]) -> Iterable[tuple[str, str]]:
    for name, value in details.items():
        if value in (None, [], {}) or name in ("rule", "source"):  # they are in the definition
            continue
        if isinstance(value, list):
            text = ", ".join(map(str, value))
        elif isinstance(value, dict):
            text = ", ".join(f"{key} {item}" for key, item in value.items())
        else:
            text = str(value)
        yield name.replace("_", " "), text


def _plain(facts: Collection[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label(name, 40), label(text, 400)) for name, text in facts)
