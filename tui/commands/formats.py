"""`sixdim formats`: every log format with an example line, and what is not read of it."""

from __future__ import annotations

import argparse

from parsers.format import Reader
from tui.errors import UserError
from tui.plugins import report_plugins

EXAMPLES = """examples:
  sixdim formats
  sixdim formats megatron                      one of them: what is read, what is not
  sixdim formats --markdown                    the table of docs/formats.md
  sixdim score train.log --format torchvision
"""
UNSAID = "the format does not say"
_LONGEST = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim formats`."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="this format alone")
    parser.add_argument("--markdown", action="store_true", help="as a table")


def run(args: argparse.Namespace) -> int:
    """Prints the list, or one format.

    Raises:
        UserError: There is no format of that name.
    """
    from parsers.registry import by_name, formats

    report_plugins()
    try:
        chosen = formats() if args.name is None else (by_name(args.name),)
    except KeyError as error:
        raise UserError(str(error.args[0])) from error
    if args.markdown:
        print("| Format | An example line | Lines read | Not read |\n| --- | --- | --- | --- |")
    for known in chosen:
        if args.markdown:
            print(_row(known))
        else:
            print(f"{known.name}\n    {known.title}\n    {known.example}")
            if args.name is not None:
                print(f"    read: {_read(known)}\n    not read: {known.unread or UNSAID}")
    return 0


def _read(known: type[Reader]) -> str:
    return ", ".join(dict.fromkeys(statement.what for statement in known.statements))


def _row(known: type[Reader]) -> str:
    example = known.example if len(known.example) <= _LONGEST else known.example[:_LONGEST] + "…"
    example = _cell(example)
    unread = _cell(known.unread or UNSAID)
    return f"| **{known.name}**: {known.title} | `{example}` | {_read(known)} | {unread} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
