"""What the statement language reads beyond plain numbers: moments, glued units, `k : v unit`."""

from __future__ import annotations

import pytest

from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Broken
from sixdim.parsers.grammar.shapes.skeleton import Skeleton


@pytest.mark.parametrize(
    ("printed", "microseconds"),
    [
        ("2024-05-01 10:00:00", 1_714_557_600_000_000),
        ("2024-05-01 10:00:00.5", 1_714_557_600_500_000),
        ("2024-05-01 10:00:00,123456", 1_714_557_600_123_456),
        ("2024-05-01T12:00:00.000001+02:00", 1_714_557_600_000_001),
    ],
)
def test_moments_are_exact(printed: str, microseconds: int) -> None:
    assert Skeleton("at {at:moment} end").match(f"at {printed} end") == {"at": microseconds}


def test_a_moment_that_never_was_is_broken() -> None:
    assert isinstance(Skeleton("at {at:moment}").match("at 2024-02-30 10:00:00"), Broken)


def test_seconds_since_1970_keep_their_digits() -> None:
    shape = Skeleton("{at:unix} go")
    assert shape.match("1543785258.927179813 go") == {"at": 1_543_785_258_927_179}
    assert shape.match("1543785258 go") == {"at": 1_543_785_258_000_000}
    assert not isinstance(shape.match("x go"), dict)


@pytest.mark.parametrize("printed", ["8.03sec", "8.03 sec", "8.03"])
def test_a_unit_may_be_glued_to_its_number(printed: str) -> None:
    fields = Skeleton("time:{value:amount}{unit:text}").match(f"time:{printed}")
    assert isinstance(fields, dict)
    assert fields["value"] == 8.03
    assert fields["unit"] in ("sec", "")


def test_pairs_parted_by_the_next_key_alone() -> None:
    shape = KeyValues(
        "S: ",
        numbers={"loss": "loss", "rate": "rate", "top": "top"},
        delimiter=None,
        separator=" : ",
        absent=("None",),
    )
    fields = shape.match("S: loss : 9.5 nat rate : 12.25 img/s list : [1, 2]  top : None %")
    assert isinstance(fields, dict)
    assert (fields["loss"], fields["rate"]) == (9.5, 12.25)
    assert "top" not in fields
    assert fields["pairs"] == {
        "loss": "9.5 nat",
        "rate": "12.25 img/s",
        "list": "[1, 2]",
        "top": "None %",
    }
    assert shape.match("S: loss : 9..5 nat") == Broken("loss", "9..5")
