"""The JSON Schema of a card: what its readers may rely on."""

from __future__ import annotations

from sixdim.metrics.values.card import DIMENSIONS, SCHEMA, Json, State, Status

_NUMBER: dict[str, Json] = {"type": ["number", "null"]}
_TEXT: dict[str, Json] = {"type": "string"}
_COUNT: dict[str, Json] = {"type": "integer", "minimum": 0}
_LINES: dict[str, Json] = {"type": "array", "items": {"type": "integer", "minimum": 1}}


def _figure(*required: str) -> dict[str, Json]:
    """A figure: value, state, and whatever details its dimension adds."""
    return {
        "type": "object",
        "required": ["value", "state", *required],
        "properties": {
            "value": _NUMBER,
            "unit": _TEXT,
            "state": {"enum": [str(s) for s in State]},
            "reason": _TEXT,
        },
        # Unknown is a value with a reason: null and no word about it is not allowed.
        "if": {"properties": {"value": {"type": "null"}}},
        "then": {"required": ["reason"]},
    }


def _object(*required: str, **properties: Json) -> dict[str, Json]:
    """An object with some of its properties; it must have those named, or all."""
    needed = list(required or properties)
    return {"type": "object", "required": needed, "properties": properties}


def _or_null(schema: dict[str, Json]) -> dict[str, Json]:
    return {**schema, "type": [schema["type"], "null"]}


def _whole(**properties: Json) -> dict[str, Json]:
    """An object with these properties, all of them, and no others."""
    return {**_object(**properties), "additionalProperties": False}


def _array(items: Json) -> dict[str, Json]:
    return {"type": "array", "items": items}


_FOUND: dict[str, Json] = {
    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    "reasons": _array(_TEXT),
    "lines": _COUNT,
    "first_line": _COUNT,
}
_DETECTION = _object(
    "forced",
    forced={"type": "boolean"},
    **_FOUND,
    looked=_COUNT,
    beside=_array(_object("format", *_FOUND, format=_TEXT, **_FOUND)),
)
_RUN = _object(
    *("format", "unit", "scope", "devices", "epochs", "sources"),
    format=_TEXT,
    detection=_or_null(_DETECTION),
    unit=_TEXT,
    scope={"enum": ["job", "per device", "unknown"]},
    devices={"type": ["integer", "null"], "minimum": 1},
    epochs=_COUNT,
    samples_per_epoch={"type": ["integer", "null"], "minimum": 1},
    sources={"type": "object", "additionalProperties": _TEXT},
)
_TARGET = _object(
    *("condition", "source"),
    condition=_TEXT,
    source=_TEXT,
    epoch={"type": ["integer", "null"]},
    value=_NUMBER,
    time_to_train_s=_NUMBER,
    clock=_TEXT,
    line={"type": "integer", "minimum": 1},
)
_RUN_END = _object(run_time_s=_NUMBER, clock=_TEXT, epochs=_COUNT, last=_NUMBER, best=_NUMBER)
_WARNING = _object("kind", "text", "lines", kind=_TEXT, text=_TEXT, lines=_LINES, count=_COUNT)
_PROVENANCE = _object(
    sixdim=_TEXT,
    log=_TEXT,
    sha256={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    bytes=_COUNT,
    ended={"type": "boolean"},
)


def card_schema() -> dict[str, Json]:
    """The schema of one card (several cards are an array of them)."""
    evidence = _object("lines", lines=_LINES, count=_COUNT, log=_TEXT)
    dimensions = {name: _figure() for name in DIMENSIONS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sixdim scorecard",
        **_whole(
            schema={"const": SCHEMA},
            status={"enum": [str(s) for s in Status]},
            run=_RUN,
            target=_or_null(_TARGET),
            dimensions=_whole(**{**dimensions, "speed": _figure("protocol", "window", "dropped")}),
            end_to_end=_figure("epochs"),
            run_end=_or_null(_RUN_END),
            evidence={"type": "object", "additionalProperties": evidence},
            warnings=_array(_WARNING),
            provenance=_PROVENANCE,
        ),
    }
