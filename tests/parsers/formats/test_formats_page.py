"""docs/formats.md lists exactly the formats there are, each with a line that it really reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sixdim.parsers.reader.registry import formats

PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text()


def test_the_table_is_what_the_command_prints(
    sixdim: Callable[..., tuple[int, str, str]],
) -> None:
    code, out, _err = sixdim("formats", "--markdown")
    assert code == 0
    assert out in PAGE, "sixdim formats --markdown prints another table than docs/formats.md"
    assert out.count("\n") == len(formats()) + 2


def test_every_format_has_a_row_and_says_what_it_does_not_read(
    sixdim: Callable[..., tuple[int, str, str]],
) -> None:
    for known in formats():
        code, out, _err = sixdim("formats", known.name)
        assert (code, out.splitlines()[0]) == (0, known.name)
        unread = out.partition("\n    not read: ")[2].strip()
        assert len(unread) > 20, known.name
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| **{known.name}**: ")]
        assert row.startswith(f"| **{known.name}**: {known.title} |")
        assert row.endswith(f" | {unread.replace('|', chr(92) + '|')} |"), known.name


def test_an_unknown_format_is_an_error(sixdim: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = sixdim("formats", "nosuch")
    assert (code, out) == (2, "")
    assert err == "sixdim: no format and no log 'nosuch'; sixdim formats lists them\n"
