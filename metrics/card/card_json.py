"""A card read back from its JSON: cards compose, and a published one can be checked.

A card from a file is untrusted: its shape is checked value by value. Its size, depth and texts were
checked when it was decoded.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from sixdim.metrics.card.figure_schema import DETAILS, NEEDED
from sixdim.metrics.card.property import fits
from sixdim.metrics.values.card import (
    DIMENSIONS,
    NO_EVIDENCE,
    READABLE,
    Card,
    Caution,
    Dimension,
    Evidence,
    State,
    Status,
)

_Word = TypeVar("_Word", bound=StrEnum)
_NOT_DETAILS = ("value", "unit", "state", "reason")


class CardError(ValueError):
    """JSON that is no whole card; the message names the part that is wrong."""


def card_from_json(data: object) -> Card:
    """Reads a card from decoded JSON; `Card.to_json` of the result gives the same data again.

    Raises:
        CardError: A part is missing or of the wrong type.
    """
    card = _object(data, "the card")
    if card.get("schema") not in READABLE:
        raise CardError(f"its schema is none of {', '.join(READABLE)}")
    evidence = _object(card.get("evidence"), "evidence")
    figures = _object(card.get("dimensions"), "dimensions")
    run = _object(card.get("run"), "run")
    provenance = _object(card.get("provenance"), "provenance")
    _need(run, "run", "format", "unit", "scope", "devices", "epochs", "sources")
    _need(provenance, "provenance", "sixdim", "log", "sha256", "bytes", "ended")
    _detection(run.get("detection"))
    target, end = card.get("target"), card.get("run_end")
    return Card(
        status=_one_of(Status, card.get("status"), "status"),
        run=run,
        target=None if target is None else _target(target),
        dimensions={n: _dimension(n, figures.get(n), evidence.get(n)) for n in DIMENSIONS},
        end_to_end=_dimension("end_to_end", card.get("end_to_end"), evidence.get("end_to_end")),
        run_end=None if end is None else _run_end(end),
        warnings=tuple(_caution(w) for w in _list(card.get("warnings"), "warnings")),
        provenance=provenance,
    )


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CardError(f"{what} is missing or no object")
    return value


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise CardError(f"{what} is missing or no list")
    return value


def _need(value: Mapping[str, object], what: str, *names: str) -> None:
    for name in names:
        if name not in value:
            raise CardError(f"{what} has no {name}")


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise CardError(f"{what} is missing or no text")
    return value


def number(value: object, what: str) -> float | None:
    """A figure or None; anything else is no card."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CardError(f"{what} is no number")
    return float(value)


def _lines(value: object, what: str) -> tuple[int, ...]:
    lines = _list(value, what)
    if not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in lines):
        raise CardError(f"{what} are no line numbers")
    return tuple(lines)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _one_of(known: type[_Word], value: object, what: str) -> _Word:
    try:
        return known(_text(value, what))
    except ValueError as error:
        raise CardError(f"{what} is none of {', '.join(known)}") from error


def _target(value: object) -> dict[str, Any]:
    target = _object(value, "target")
    _need(target, "target", "condition", "source")
    if "epoch" in target:
        _need(target, "target", "value", "time_to_train_s", "clock")
        number(target["value"], "target value")
        number(target["time_to_train_s"], "target time_to_train_s")
    return target


def _run_end(value: object) -> dict[str, Any]:
    end = _object(value, "run_end")
    _need(end, "run_end", "run_time_s", "clock", "epochs", "last", "best")
    for name in ("run_time_s", "last", "best"):
        number(end[name], f"run_end {name}")
    return end


def _detection(value: object) -> None:
    """How the format was found, where the card says it."""
    if value is None:
        return
    found = _object(value, "run detection")
    _need(found, "run detection", "forced")
    if "confidence" not in found:
        return
    if number(found["confidence"], "run detection confidence") is None:
        raise CardError("run detection has no confidence")
    for reason in _list(found.get("reasons"), "run detection reasons"):
        _text(reason, "a reason of run detection")
    if not isinstance(found.get("first_line"), int):
        raise CardError("run detection has no first_line")


def _dimension(name: str, given: object, evidence: object) -> Dimension:
    figure = _object(given, name)
    _need(figure, name, "value", "state")
    value = number(figure["value"], f"{name} value")
    for detail, schema in DETAILS[name].items():
        if detail in figure and not fits(figure[detail], schema):
            raise CardError(f"{name} has no proper {detail}")
    if value is not None:
        _need(figure, name, *NEEDED[name])
    return Dimension(
        value=value,
        unit=_text(figure.get("unit", ""), f"{name} unit"),
        state=_one_of(State, figure["state"], f"{name} state"),
        reason=_text(figure.get("reason", ""), f"{name} reason"),
        details={k: v for k, v in figure.items() if k not in _NOT_DETAILS},
        evidence=NO_EVIDENCE if evidence is None else _evidence(name, evidence),
    )


def _evidence(name: str, value: object) -> Evidence:
    found = _object(value, f"evidence of {name}")
    return Evidence(
        _lines(found.get("lines"), f"evidence lines of {name}"),
        _count(found.get("count")),
        _text(found.get("log", ""), f"evidence log of {name}"),
    )


def _caution(value: object) -> Caution:
    found = _object(value, "a warning")
    return Caution(
        _text(found.get("kind"), "a warning's kind"),
        _text(found.get("text"), "a warning's text"),
        _lines(found.get("lines"), "a warning's lines"),
        _count(found.get("count")),
    )
