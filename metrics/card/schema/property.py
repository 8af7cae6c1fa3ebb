"""Properties of the card's schema, each with its type, a description and a unit.

`x-unit` is the unit of a number: `s`, `W`, `MiB`, `%`, `1` for a ratio or a count, `line` for a
line number of the log, `label` for an epoch as the log counts it. `unit of the figure` and
`unit of the metric` stand for the text in the `unit` beside it.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from sixdim.metrics.values.card import Json

Schema: TypeAlias = dict[str, Json]
FIGURE_UNIT = "unit of the figure"
METRIC_UNIT = "unit of the metric"


def number(description: str, unit: str, **more: Json) -> Schema:
    """Returns the schema of a figure, exact as computed."""
    return {"type": "number", "description": description, "x-unit": unit, **more}


def whole(description: str, unit: str = "1", **more: Json) -> Schema:
    """Returns the schema of a whole number, by default one of at least 0."""
    return {"type": "integer", "minimum": 0, "description": description, "x-unit": unit, **more}


def label(description: str, **more: Json) -> Schema:
    """Returns the schema of an epoch's label, which a log may begin to count anywhere."""
    return {"type": "integer", "description": description, "x-unit": "label", **more}


def line(description: str) -> Schema:
    """Returns the schema of a line number of the log, counted from 1."""
    return whole(description, "line", minimum=1)


def text(description: str, **more: Json) -> Schema:
    """Returns the schema of a text without control characters and escape sequences."""
    return {"type": "string", "description": description, **more}


def flag(description: str) -> Schema:
    """Returns the schema of true or false."""
    return {"type": "boolean", "description": description}


def listed(description: str, items: Schema) -> Schema:
    """Returns the schema of an array whose items are all of one kind."""
    return {"type": "array", "description": description, "items": items}


def by_name(description: str, values: Schema) -> Schema:
    """Returns the schema of an object whose keys are names from the log or the user."""
    return {"type": "object", "description": description, "additionalProperties": values}


def record(description: str, *required: str, **properties: Schema) -> Schema:
    """Returns the schema of an object with named properties; by default all are required."""
    needed: list[Json] = list(required or properties)
    known: Schema = dict(properties)
    return {
        "type": "object",
        "description": description,
        "required": needed,
        "properties": known,
    }


def or_null(schema: Schema) -> Schema:
    """Returns the same schema, in which null says that the property is unknown or absent."""
    return {**schema, "type": [schema["type"], "null"]}


_TYPES: dict[str, tuple[type, ...]] = {
    "number": (int, float),
    "integer": (int,),
    "string": (str,),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def schema_error(value: Any, schema: Mapping[str, Any], where: str = "the card") -> str:
    """Returns which part of a value does not fit its schema, and why; empty if all fit.

    The keywords that a card's schema uses are checked, but no bounds: those of an older card may
    differ.
    """
    kinds = [kinds] if isinstance(kinds := schema.get("type", []), str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return f"{where} {'is no' if 'null' in kinds else 'is missing or no'} {kinds[0]}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is none of {', '.join(schema['enum'])}"
    if "if" in schema:
        branch = "else" if schema_error(value, schema["if"]) else "then"
        if wrong := schema_error(value, schema[branch], where):
            return wrong
    parts: list[tuple[str, Any, Mapping[str, Any]]] = []
    if isinstance(value, list) and "items" in schema:
        parts = [(f"a part of {where}", one, schema["items"]) for one in value]
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                return f"{where} has no {name}"
        known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        inside = "" if where == "the card" else f"{where} "
        parts = [(f"{inside}{name}", one, known.get(name, others)) for name, one in value.items()]
    return next((wrong for name, one, of in parts if (wrong := schema_error(one, of, name))), "")


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])
