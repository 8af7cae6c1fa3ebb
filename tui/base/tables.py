"""Tables as aligned text, Markdown, or CSV."""

import io
import re
from collections.abc import Sequence

FORMATS = ("table", "markdown", "csv", "json")
_MARKUP = re.compile(r"[\\`*\[\]<>|#!&~]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown may read as markup: an underscore within a word is none."""
_FIGURE = re.compile(r"-|[-+][\d.,]+(?:e[-+]?\d+)?(?: ?%)?", re.IGNORECASE)


def rendered(rows: Sequence[Sequence[str]], form: str) -> str:
    """Returns the rows, of which the first is the header, in one of the forms."""
    if form == "csv":
        return as_csv(rows)
    if form == "markdown":
        rows = [[escape(cell) for cell in row] for row in rows]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        if form == "markdown":
            lines.append("| " + " | ".join(padded) + " |")
            if number == 0:
                lines.append("| " + " | ".join("-" * width for width in widths) + " |")
        else:
            lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Returns untrusted text escaped, so that Markdown has no link, tag or table border in it."""
    return _MARKUP.sub(r"\\\g<0>", text)


def one_csv(tables: Sequence[tuple[str, Sequence[Sequence[str]]]]) -> str:
    """Returns several titled tables as one CSV table.

    The column `table` has the title of each row's table. The others are the columns of all tables,
    empty where a table has no such column. A single table is returned without the extra column.
    """
    if len(tables) == 1:
        return as_csv(tables[0][1])
    columns = list(dict.fromkeys(name for _, (head, *_) in tables for name in head))
    out: list[Sequence[str]] = [["table", *columns]]
    for title, (head, *rows) in tables:
        for row in rows:
            cells = dict(zip(head, row, strict=True))
            out.append([title, *(cells.get(name, "") for name in columns)])
    return as_csv(out)


def harmless(text: str) -> str:
    """Returns a text that no spreadsheet reads as a formula; a figure with its sign stays."""
    signed = text.startswith(("+", "-")) and not _FIGURE.fullmatch(text)
    return f"'{text}" if signed or text.startswith(("=", "@", "\t")) else text


def as_csv(rows: Sequence[Sequence[object]]) -> str:
    """Returns rows of texts and of numbers, which are written exactly; None is an empty cell."""
    import csv

    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return out.getvalue()
