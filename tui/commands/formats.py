"""`sixdim formats`: every log format with an example line."""

from __future__ import annotations

import argparse

from parsers.format import Reader
from tui.plugins import report_plugins

EXAMPLES = """examples:
  sixdim formats
  sixdim formats --markdown                    the table of docs/formats.md
  sixdim score train.log --format torchvision
"""
_LONGEST = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim formats`."""
    parser.add_argument("--markdown", action="store_true", help="as a table")


def run(args: argparse.Namespace) -> int:
    """Prints the list."""
    from parsers.registry import formats

    report_plugins()
    if args.markdown:
        print("| Format | An example line | Lines read |\n| --- | --- | --- |")
    for known in formats():
        if args.markdown:
            print(_row(known))
        else:
            print(f"{known.name}\n    {known.title}\n    {known.example}")
    return 0


def _row(known: type[Reader]) -> str:
    example = known.example if len(known.example) <= _LONGEST else known.example[:_LONGEST] + "…"
    example = " ".join(example.split()).replace("|", "\\|")
    read = ", ".join(dict.fromkeys(statement.what for statement in known.statements))
    return f"| **{known.name}**: {known.title} | `{example}` | {read} |"
