"""A card read back is the same card, and nothing that is no card gets in."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs
from sixdim.metrics.card.schema.card_json import CardError, card_from_json
from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.settings import Settings
from sixdim.tui.base.errors import UserError
from sixdim.tui.export.printed import printed
from sixdim.tui.session.cards import read_one
from sixdim.tui.session.request import Request

Card = dict[str, Any]


@pytest.mark.parametrize("name", [sample_logs.RUN, sample_logs.DIVERGED, sample_logs.CUT])
def test_reading_and_writing_a_card_changes_no_byte(
    name: str, sixdim: Callable[..., tuple[int, str, str]]
) -> None:
    path = sample_logs.path
    _code, text, _err = sixdim(
        "score",
        path(name),
        "--baseline",
        path(sample_logs.BASELINE),
        "--telemetry",
        path(sample_logs.POWER),
        "--json",
        "-",
    )
    assert dumps(card_from_json(json.loads(text))) == text


@pytest.fixture
def card(sample_card: Callable[..., Card]) -> Card:
    return sample_card(sample_logs.path(sample_logs.RUN))


def leaves(value: Any, where: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [where]
    items: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        found += leaves(inner, (*where, key))
    return found


def replaced(card: Card, where: tuple[Any, ...], new: Any) -> Any:
    copy: Any = json.loads(json.dumps(card))
    if not where:
        return new
    inner = copy
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = new
    return copy


def test_a_card_over_records_is_read_back_too(
    sixdim: Callable[..., tuple[int, str, str]],
) -> None:
    words = (sample_logs.path(sample_logs.RUN), "--protocol", "paddle-tipc", "--json", "-")
    _code, text, _err = sixdim("score", *words)
    assert dumps(card_from_json(json.loads(text))) == text


@pytest.mark.parametrize("new", [None, "text", -1, 1.5, [], {}, [None], {"a": []}, True])
def test_any_part_replaced_by_anything_is_refused_or_can_be_shown(card: Card, new: Any) -> None:
    for where in leaves(card):
        try:
            read = card_from_json(replaced(card, where, new))
        except CardError:
            continue
        assert printed(read), where


@pytest.mark.parametrize(
    ("where", "new", "says"),
    [
        (("schema",), "other/1", "schema"),
        (("dimensions", "speed", "value"), "fast", "speed value is no number"),
        (("dimensions", "speed", "state"), "great", "speed state"),
        (("dimensions", "power"), None, "power is missing"),
        (("evidence", "speed", "lines"), [0], "line numbers"),
        (("status",), "winning", "status"),
    ],
)
def test_the_complaint_names_the_part(
    card: Card, where: tuple[str, ...], new: Any, says: str
) -> None:
    with pytest.raises(CardError, match=says):
        card_from_json(replaced(card, where, new))


@pytest.mark.parametrize(("depth", "refused"), [(14, False), (15, True), (400, True)])
def test_a_card_that_nests_too_deep_is_refused(
    card: Card, tmp_path: Path, depth: int, refused: bool
) -> None:
    """Sixteen levels, the card and its run among them."""
    deep: Any = 1
    for _ in range(depth):
        deep = [deep]
    file = tmp_path / "card.json"
    file.write_text(json.dumps(replaced(card, ("run", "extra"), deep)))
    with pytest.raises(UserError, match="deep") if refused else nullcontext():
        read_one(str(file), Request(Settings()))


@pytest.mark.parametrize("name", ["speed", "accuracy"])
@pytest.mark.parametrize("value", [0.0, -0.5])
def test_only_a_metric_may_be_negative(card: Card, name: str, value: float) -> None:
    figure = {**card["dimensions"][name], "value": value}
    changed = {**card, "dimensions": {**card["dimensions"], name: figure}}
    wrong = name != "accuracy" and value < 0
    with pytest.raises(CardError, match="speed is negative") if wrong else nullcontext():
        card_from_json(changed)


def test_a_card_with_a_byte_order_mark_is_read(card: Card, tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    path.write_text(json.dumps(card), encoding="utf-8-sig")
    assert read_one(str(path), Request(Settings())).card.to_json() == card


def test_no_escape_of_a_card_reaches_the_reader(card: Card, tmp_path: Path) -> None:
    card["run"]["model"] = "res\x1b]0;owned\x07net\x1b[31m"
    card["provenance"]["log"] = "a\nb\u202etxt.log"
    (tmp_path / "card.json").write_text(json.dumps(card))
    scored = read_one(str(tmp_path / "card.json"), Request(Settings()))
    assert scored.name == "abtxt.log"
    assert scored.card.run["model"] == "resnet"
