"""Which lines are headers of a table."""

from __future__ import annotations

from sixdim.parsers.formats.generic_table import Table


def test_the_end_of_a_call_that_a_program_prints_is_no_header() -> None:
    assert not Table().header("train_loss, valid_loss, test_loss))")
    assert Table().header("train_loss, valid_loss, test_loss")
    assert Table().header("epoch | time (s) | val loss | val acc (%)")
