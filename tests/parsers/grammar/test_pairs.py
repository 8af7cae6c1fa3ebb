"""The pair grammar without a delimiter, and glued units."""

from __future__ import annotations

from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Broken
from sixdim.parsers.grammar.shapes.skeleton import Skeleton

FREE = KeyValues(
    "epoch:{epoch:int}{}train step:{step:int}",
    delimiter=None,
    numbers={"loss": "loss", "seconds": "elapse", "speed": "ips"},
    glued=("s",),
)


def test_a_blank_parts_the_pairs_where_no_delimiter_is_given() -> None:
    found = FREE.match(
        "epoch:0   train step:7   loss:  6.9 top1: -0.1 elapse: 0.14s ips: 9e2 img/s."
    )
    assert isinstance(found, dict)
    assert (found["epoch"], found["step"], found["loss"]) == (0, 7, 6.9)
    assert (found["seconds"], found["speed"]) == (0.14, 900.0)
    assert found["pairs"]["ips"] == "9e2 img/s."


def test_a_unit_that_the_statement_does_not_name_is_not_dropped() -> None:
    assert FREE.match("epoch:0 train step:7 elapse: 140k") == Broken("elapse", "140k")


def test_a_line_without_pairs_has_none() -> None:
    assert FREE.match("epoch:0 train step:7") == {"epoch": 0, "step": 7, "pairs": {}}


def test_none_is_no_number_and_no_fault() -> None:
    found = FREE.match("epoch:0 train step:7 loss: 1.5 ips: None")
    assert isinstance(found, dict)
    assert "speed" not in found and found["loss"] == 1.5


def test_a_blank_between_key_and_value_needs_a_number() -> None:
    shape = KeyValues("E[{e:int}]", delimiter=None, separator=" ", numbers={"loss": "Loss"})
    found = shape.match("E[3]\tTime  0.3 ( 2.6)\tsee Loss nan (7.1)\tnote well")
    assert isinstance(found, dict)
    assert list(found["pairs"]) == ["Time", "Loss"]
    assert found["loss"] != found["loss"]


def test_a_unit_that_the_statement_names_may_be_glued_to_its_number() -> None:
    shape = Skeleton("total {t:float}s")
    assert shape.match("total 98.49s") == {"t": 98.49}
    assert not isinstance(shape.match("total 98.4.9s"), dict)
