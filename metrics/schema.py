"""The JSON Schema of a card: what its readers may rely on."""

from __future__ import annotations

from metrics.card import DIMENSIONS, SCHEMA, Json, State, Status

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


_FOUND: dict[str, Json] = {
    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    "reasons": {"type": "array", "items": _TEXT},
    "lines": _COUNT,
    "first_line": _COUNT,
}


def card_schema() -> dict[str, Json]:
    """The schema of one card (several cards are an array of them)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sixdim scorecard",
        "type": "object",
        "required": [
            "schema",
            "status",
            "run",
            "target",
            "dimensions",
            "end_to_end",
            "run_end",
            "evidence",
            "warnings",
            "provenance",
        ],
        "additionalProperties": False,
        "properties": {
            "schema": {"const": SCHEMA},
            "status": {"enum": [str(s) for s in Status]},
            "run": {
                "type": "object",
                "required": ["format", "unit", "scope", "devices", "epochs", "sources"],
                "properties": {
                    "format": _TEXT,
                    "detection": {
                        "type": ["object", "null"],
                        "required": ["forced"],
                        "properties": {
                            "forced": {"type": "boolean"},
                            **_FOUND,
                            "looked": _COUNT,
                            "beside": {
                                "type": "array",
                                "items": {
                                    "type": "object",
                                    "required": ["format", *_FOUND],
                                    "properties": {"format": _TEXT, **_FOUND},
                                },
                            },
                        },
                    },
                    "unit": _TEXT,
                    "scope": {"enum": ["job", "per device", "unknown"]},
                    "devices": {"type": ["integer", "null"], "minimum": 1},
                    "epochs": _COUNT,
                    "samples_per_epoch": {"type": ["integer", "null"], "minimum": 1},
                    "sources": {"type": "object", "additionalProperties": _TEXT},
                },
            },
            "target": {
                "type": ["object", "null"],
                "required": ["condition", "source"],
                "properties": {
                    "condition": _TEXT,
                    "source": _TEXT,
                    "epoch": {"type": ["integer", "null"]},
                    "value": _NUMBER,
                    "time_to_train_s": _NUMBER,
                    "clock": _TEXT,
                    "line": {"type": "integer", "minimum": 1},
                },
            },
            "dimensions": {
                "type": "object",
                "required": list(DIMENSIONS),
                "additionalProperties": False,
                "properties": {
                    "speed": _figure("protocol", "window", "dropped"),
                    **{name: _figure() for name in DIMENSIONS if name != "speed"},
                },
            },
            "end_to_end": _figure("epochs"),
            "run_end": {
                "type": ["object", "null"],
                "required": ["run_time_s", "clock", "epochs", "last", "best"],
                "properties": {
                    "run_time_s": _NUMBER,
                    "clock": _TEXT,
                    "epochs": _COUNT,
                    "last": _NUMBER,
                    "best": _NUMBER,
                },
            },
            "evidence": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "required": ["lines"],
                    "properties": {"lines": _LINES, "count": _COUNT, "log": _TEXT},
                },
            },
            "warnings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["kind", "text", "lines"],
                    "properties": {"kind": _TEXT, "text": _TEXT, "lines": _LINES, "count": _COUNT},
                },
            },
            "provenance": {
                "type": "object",
                "required": ["sixdim", "log", "sha256", "bytes", "ended"],
                "properties": {
                    "sixdim": _TEXT,
                    "log": _TEXT,
                    "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                    "bytes": _COUNT,
                    "ended": {"type": "boolean"},
                },
            },
        },
    }
