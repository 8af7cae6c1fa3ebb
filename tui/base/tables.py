"""Tables of words: aligned for people, Markdown, or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

FORMATS = ("table", "markdown", "csv", "json")


def rendered(rows: Sequence[Sequence[str]], form: str) -> str:
    """The rows, the first of them the header, in one of the forms; with a final newline."""
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return out.getvalue()
    if form == "markdown":
        rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
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
