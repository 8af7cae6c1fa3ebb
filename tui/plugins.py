"""What became of the formats that other packages bring."""

from __future__ import annotations

import sys

from parsers.registry import problems


def report_plugins() -> None:
    """Says on standard error which were left out, and why."""
    for problem in problems():
        print(f"sixdim: {problem}", file=sys.stderr)
