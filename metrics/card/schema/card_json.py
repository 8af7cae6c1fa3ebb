"""Reads a card from its JSON.

A card from a file is untrusted: each value is compared with the schema. Its size, depth and texts
were checked when it was decoded.
"""

from collections.abc import Mapping
from typing import Any

from sixdim.metrics.card.schema.property import schema_error
from sixdim.metrics.card.schema.schema import card_schema
from sixdim.metrics.values.card import (
    DIMENSIONS,
    NO_EVIDENCE,
    READABLE,
    SCHEMA,
    Card,
    Caution,
    Dimension,
    Evidence,
    State,
    Status,
)

_NOT_DETAILS = ("value", "unit", "state", "reason")
_OF_A_MET_TARGET = ("value", "time_to_train_s", "clock")
_OF_A_FOUND_FORMAT = ("reasons", "first_line")


class CardError(ValueError):
    """JSON that is no valid card; the message names the part that is wrong."""


def card_from_json(data: Any) -> Card:
    """Reads a card from decoded JSON; `Card.to_json` of the result gives the same data again.

    Raises:
        CardError: A part is missing or of the wrong type.
    """
    if not isinstance(data, dict) or data.get("schema") not in READABLE:
        raise CardError(f"its schema is none of {', '.join(READABLE)}")
    if wrong := schema_error({**data, "schema": SCHEMA}, card_schema()):
        raise CardError(wrong)
    target, detection = data["target"], data["run"].get("detection")
    if target is not None and "epoch" in target:
        _need(target, "target", _OF_A_MET_TARGET)
    if detection is not None and "confidence" in detection:
        _need(detection, "run detection", _OF_A_FOUND_FORMAT)
    figures, evidence = data["dimensions"], data["evidence"]
    return Card(
        status=Status(data["status"]),
        run=data["run"],
        target=target,
        dimensions={name: _dimension(name, figures[name], evidence) for name in DIMENSIONS},
        end_to_end=_dimension("end_to_end", data["end_to_end"], evidence),
        run_end=data["run_end"],
        warnings=tuple(
            Caution(one["kind"], one["text"], _lines(one, "a warning"), one.get("count", 0))
            for one in data["warnings"]
        ),
        provenance=data["provenance"],
    )


def _need(value: Mapping[str, object], what: str, names: tuple[str, ...]) -> None:
    for name in names:
        if name not in value:
            raise CardError(f"{what} has no {name}")


def _lines(value: Mapping[str, Any], what: str) -> tuple[int, ...]:
    if any(number < 1 for number in value["lines"]):
        raise CardError(f"the lines of {what} are no line numbers")
    return tuple(value["lines"])


def _dimension(name: str, figure: Mapping[str, Any], evidence: Mapping[str, Any]) -> Dimension:
    lines = NO_EVIDENCE
    if (found := evidence.get(name)) is not None:
        lines = Evidence(_lines(found, name), found.get("count", 0))
    value = None if figure["value"] is None else float(figure["value"])
    if value is not None and value < 0 and name != "accuracy":  # a reward may be negative
        raise CardError(f"{name} is negative")
    return Dimension(
        value=value,
        unit=figure.get("unit", ""),
        state=State(figure["state"]),
        reason=figure.get("reason", ""),
        details={k: v for k, v in figure.items() if k not in _NOT_DETAILS},
        evidence=lines,
    )
