"""The published schema says what each property of a card is, and no card has any other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest

from sixdim import sample_logs
from sixdim.metrics.card.schema.figure_schema import DETAILS, NEEDED, figure
from sixdim.metrics.card.schema.property import schema_error
from sixdim.metrics.card.schema.schema import card_schema
from sixdim.metrics.values.card import DIMENSIONS
from tests.support.schema import undescribed

Schema = dict[str, Any]
SAMPLE = [
    *(sample_logs.RUN, "--scaled", sample_logs.SCALED, "--baseline", sample_logs.BASELINE),
    *("--telemetry", f"power={sample_logs.POWER}", "--telemetry", f"memory={sample_logs.MEMORY}"),
    *("--repeat", *sample_logs.REPEATS),
]


def properties(schema: Schema, where: str = "") -> Iterator[tuple[str, Schema]]:
    """Every property of the schema, and what each array or map is made of."""
    for name, one in schema.get("properties", {}).items():
        yield f"{where}.{name}", one
        yield from properties(one, f"{where}.{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield f"{where}[]", schema[key]
            yield from properties(schema[key], f"{where}[]")


def test_it_is_a_schema_with_a_name() -> None:
    schema = card_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == "urn:sixdim:scorecard:2"


def test_every_property_has_a_description_and_every_number_a_unit() -> None:
    found = dict(properties(card_schema()))
    assert ".dimensions.power.per_device[].energy_j" in found
    for where, one in found.items():
        assert one.get("description", "").endswith("."), where
        kinds = one.get("type", [])
        if {"number", "integer"} & {*([kinds] if isinstance(kinds, str) else kinds)}:
            assert one.get("x-unit"), where


@pytest.mark.parametrize(
    "words",
    [
        SAMPLE,
        [sample_logs.DIVERGED],
        [sample_logs.CUT],
        [sample_logs.RUN, "--protocol", "paddle-tipc"],
        [sample_logs.RUN, "--peak-flops", "312e12", "--model-flops-per-sample", "12e9"],
    ],
    ids=["all six", "diverged", "cut", "records", "utilisation"],
)
def test_no_card_has_a_property_without_a_description(
    words: list[str], card_of: Callable[..., dict[str, Any]]
) -> None:
    def path(word: str) -> str:
        kind, equals, name = word.rpartition("=")
        return f"{kind}{equals}{sample_logs.path(name)}" if name in sample_logs.NAMES else word

    assert undescribed(card_of(*map(path, words)), card_schema()) == []


def test_each_figure_says_what_a_value_comes_with() -> None:
    assert {*DETAILS} == {*NEEDED} == {*DIMENSIONS, "end_to_end"}
    for name, needed in NEEDED.items():
        assert {*needed} <= {*DETAILS[name]}


def test_a_value_without_its_window_and_an_unknown_without_a_reason_are_no_figures(
    card_of: Callable[..., dict[str, Any]],
) -> None:
    card = card_of(sample_logs.path(sample_logs.RUN))
    for name, broken in (
        ("speed", {"value": 1.0, "state": "final", "protocol": "x", "dropped": []}),
        ("power", {"value": None, "state": "unknown"}),
        ("power", {"value": 1.0, "state": "final"}),
    ):
        changed = json.loads(json.dumps(card))
        changed["dimensions"][name] = broken
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(changed, card_schema())


@pytest.mark.parametrize(
    ("value", "schema", "fitting"),
    [
        (1, {"type": "number"}, True),
        (True, {"type": "number"}, False),
        (1.0, {"type": "integer"}, False),
        (None, {"type": ["string", "null"]}, True),
        ([1, None], {"type": "array", "items": {"type": "integer"}}, False),
        ({"a": 1}, {"type": "object", "required": ["a", "b"]}, False),
        ({"a": 1}, {"type": "object", "properties": {"a": {"type": "string"}}}, False),
        ({"a": 1}, {"type": "object", "additionalProperties": {"type": "number"}}, True),
        ("b", {"enum": ["a", "b"]}, True),
        ("c", {"enum": ["a", "b"]}, False),
        ({"value": 1.0}, figure("power"), False),
        ({"value": None, "state": "unknown"}, figure("power"), False),
        ({"value": None, "state": "unknown", "reason": "no readings"}, figure("power"), True),
    ],
)
def test_a_value_is_compared_with_its_schema(value: Any, schema: Schema, fitting: bool) -> None:
    assert (schema_error(value, schema) == "") is fitting
