"""Properties of the card's schema, each with its type, a description and a unit.

`x-unit` is the unit of a number: `s`, `W`, `MiB`, `%`, `1` for a ratio or a count, `line` for a
line number of the log, `label` for an epoch as the log counts it. `unit of the figure` and
`unit of the metric` stand for the text in the `unit` beside it.
"""

from __future__ import annotations

from typing import TypeAlias

from sixdim.metrics.values.card import Json

Schema: TypeAlias = dict[str, Json]
FIGURE_UNIT = "unit of the figure"
METRIC_UNIT = "unit of the metric"


def number(description: str, unit: str, **more: Json) -> Schema:
    """A figure, exact as computed."""
    return {"type": "number", "description": description, "x-unit": unit, **more}


def whole(description: str, unit: str = "1", **more: Json) -> Schema:
    """A whole number, by default one of at least 0."""
    return {"type": "integer", "minimum": 0, "description": description, "x-unit": unit, **more}


def label(description: str, **more: Json) -> Schema:
    """An epoch's label, which a log may begin to count anywhere."""
    return {"type": "integer", "description": description, "x-unit": "label", **more}


def line(description: str) -> Schema:
    """A line number of the log, counted from 1."""
    return whole(description, "line", minimum=1)


def text(description: str, **more: Json) -> Schema:
    """A text, sanitised: no control characters and no escape sequences."""
    return {"type": "string", "description": description, **more}


def flag(description: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": description}


def listed(description: str, items: Schema) -> Schema:
    """An array whose items are all of one kind."""
    return {"type": "array", "description": description, "items": items}


def by_name(description: str, values: Schema) -> Schema:
    """An object whose keys are names that the log or a person chose."""
    return {"type": "object", "description": description, "additionalProperties": values}


def record(description: str, *required: str, **properties: Schema) -> Schema:
    """An object with named properties; it must have those required, or all where none are named."""
    needed: list[Json] = list(required or properties)
    known: Schema = dict(properties)
    return {
        "type": "object",
        "description": description,
        "required": needed,
        "properties": known,
    }


def or_null(schema: Schema) -> Schema:
    """The same property where null says that it is unknown or absent."""
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


def fits(value: object, schema: Schema) -> bool:
    """Whether a value has the types that a property's schema asks for, all the way down.

    Bounds and fixed words are not looked at: an older card may have others.
    """
    kinds = schema.get("type", [])
    names = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(names, list) and names and not any(_is(value, str(name)) for name in names):
        return False
    if isinstance(value, list):
        items = schema.get("items")
        return not isinstance(items, dict) or all(fits(one, items) for one in value)
    if not isinstance(value, dict):
        return True
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and not all(fits(one, others) for one in value.values()):
        return False
    required = schema.get("required") or []
    properties = schema.get("properties") or {}
    assert isinstance(required, list)
    assert isinstance(properties, dict)
    inner = ((value[name], one) for name, one in properties.items() if name in value)
    return all(name in value for name in required) and all(fits(*pair) for pair in inner)


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])
