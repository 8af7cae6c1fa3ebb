"""A format declared in settings: a table of statements becomes a reader, without any Python.

[format]
name = "ours"
iteration = "step {step:int} of {steps:int} loss {loss:float} {throughput:float} img/s"
evaluation = "eval {epoch:int}: top1 {acc1:float}% wer {wer:float}"
unit = "img/s"
scope = "job"
lower_is_better = ["wer"]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.shapes.figures import lower_is_better
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import Rows, ends, progress, starts
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_NAME = pattern(r"[a-z][a-z0-9_-]{0,30}")
_PATTERNS = ("iteration", "epoch_end", "evaluation", "start", "end")
_SETTINGS = frozenset({"name", "title", "unit", "scope", "lower_is_better", "metric_units"})
_SCOPES = {"job": Scope.JOB, "device": Scope.DEVICE, "unknown": Scope.UNKNOWN}
_COUNTS = ("epoch", "step", "steps")
_FIELDS = {
    "iteration": frozenset({*_COUNTS, "throughput", "loss", "duration"}),
    "epoch_end": frozenset({"epoch", "throughput", "train_time", "epoch_time"}),
    "evaluation": frozenset({"epoch", "step"}),
    "start": frozenset[str](),
    "end": frozenset({"duration"}),
}
_NUMBERS = ("int", "float", "duration")
_WEIGHT = 1.0
MOST_PATTERNS = 64
"""Largest number of patterns of a declared format: each line may be tried against all of them."""


class DeclarationError(ValueError):
    """A `[format]` table that is not valid; the message names the key and what is wrong."""


def declared(table: Mapping[str, Any]) -> type[Declared]:
    """Returns the reader class that a `[format]` table declares.

    Args:
        table: `name`, at least one of the patterns `iteration`, `epoch_end`, `evaluation`
            (each a statement as `parsers.grammar.shapes.skeleton.Skeleton` takes it, or a list of
            them), and optionally `start`, `end`, `title`, `unit` and `scope` (`job` or
            `device`) of the throughput, `metric_units` (hole to unit) and
            `lower_is_better` (holes).

    Raises:
        DeclarationError: The table is not valid.
    """
    unknown = sorted(set(table) - _SETTINGS - set(_PATTERNS))
    if unknown:
        known = ", ".join(sorted(_SETTINGS | set(_PATTERNS)))
        raise DeclarationError(f"unknown key {label(unknown[0], 40)!r}; known: {known}")
    name = _text(table, "name")
    if not _NAME.fullmatch(name):
        raise DeclarationError(
            "name must be a lower-case letter followed by letters, digits, - or _: "
            f"{label(name, 40)!r} is not"
        )
    scope = _text(table, "scope", "unknown").lower()
    if scope not in _SCOPES:
        raise DeclarationError(f"scope is {label(scope, 20)!r}; it must be job or device")
    rate = {"unit": label(_text(table, "unit", ""), 20), "scope": _SCOPES[scope]}
    units, lower = _units(table), _texts(table, "lower_is_better")
    texts = [(kind, text) for kind in _PATTERNS for text in _texts(table, kind)]
    statements = tuple(one for kind, text in texts for one in _rows(kind, text, rate, units, lower))
    if len(statements) > MOST_PATTERNS:
        raise DeclarationError(f"{len(statements)} patterns; a format has {MOST_PATTERNS} at most")
    if not {"iteration", "epoch end", "evaluation"} & {s.what for s in statements}:
        raise DeclarationError("give a pattern: iteration, epoch_end or evaluation")
    first = next(t for kind in _PATTERNS for t in _texts(table, kind))
    return type(
        f"Declared_{name.replace('-', '_')}",
        (Declared,),
        {
            "__doc__": f"The declared format {name}.",
            "name": name,
            "title": label(_text(table, "title", "declared in the settings")),
            "example": first,
            "declaration": dict(table),
            "statements": statements,
        },
    )


class Declared(Reader):
    """The base class of all declared formats.

    Class attributes:
        declaration: The table that declares it.
    """

    declaration: ClassVar[Mapping[str, Any]] = {}

    unread = "lines that none of its patterns fits"


def _rows(
    kind: str, text: str, rate: Mapping[str, Any], units: Mapping[str, str], lower: Collection[str]
) -> Rows:
    """Returns the statements of a pattern.

    Args:
        kind: One of `_PATTERNS`.
        text: The pattern.
        rate: Unit and scope of a throughput.
        units: Units of further figures, by their names.
        lower: Names of figures of which less is better.
    """
    shape = _skeleton(kind, text)
    what = kind.replace("_", " ")
    if kind == "start":
        return starts(shape, _WEIGHT, what)
    if kind == "end":
        return ends(shape, _WEIGHT)
    if kind == "iteration":
        figures = tuple(
            Gauge(hole, hole, units.get(hole, ""), not (hole in lower or lower_is_better(hole)))
            for hole, type_ in shape.holes.items()
            if hole not in _FIELDS[kind] and type_ in _NUMBERS
        )
        return progress(shape, NamedRecord(**rate, figures=figures), _WEIGHT, what)
    names = {hole: (hole, units.get(hole, "")) for hole in shape.holes}
    if kind == "epoch_end":
        return epoch_end(shape, _WEIGHT, what, **rate, names=names, lower=lower)
    return evaluation(shape, _WEIGHT, what, names=names, lower=lower)


def _skeleton(kind: str, text: str) -> Skeleton:
    try:
        skeleton = Skeleton(text)
        skeleton.check()
    except (ValueError, re.error) as error:
        raise DeclarationError(f"{kind}: {label(error)}") from error
    holes = skeleton.holes
    if not holes and kind not in ("start", "end"):
        raise DeclarationError(f"{kind}: no hole such as {{step:int}} in {label(text, 60)!r}")
    if not re.search(r"\w", re.sub(r"\{[^}]*\}", "", text)):
        raise DeclarationError(f"{kind}: {label(text, 60)!r} would match any line; add its words")
    for hole, type_ in holes.items():
        if hole in _COUNTS and type_ != "int":
            raise DeclarationError(f"{kind}: write {{{hole}:int}}, a count is a whole number")
        if hole in _FIELDS[kind] and type_ not in _NUMBERS:
            raise DeclarationError(f"{kind}: write {{{hole}:float}}, {hole} is a number")
    if kind == "evaluation" and not any(
        type_ in ("int", "float") and hole not in _FIELDS[kind] for hole, type_ in holes.items()
    ):
        raise DeclarationError("evaluation: no metric in it; name one, such as {acc1:float}")
    return skeleton


def _texts(table: Mapping[str, Any], key: str) -> list[str]:
    value = table.get(key, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(t, str) and t.strip() for t in texts):
        raise DeclarationError(f"{key} must be a text or a list of texts")
    return texts


def _text(table: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if value is None:
        raise DeclarationError(f"{key} is missing")
    if not isinstance(value, str):
        raise DeclarationError(f"{key} must be a text")
    return value


def _units(table: Mapping[str, Any]) -> dict[str, str]:
    units = table.get("metric_units", {})
    if not isinstance(units, Mapping) or not all(isinstance(u, str) for u in units.values()):
        raise DeclarationError('metric_units must be a table of texts, such as {acc1 = "%"}')
    return {str(hole): label(unit, 20) for hole, unit in units.items()}
