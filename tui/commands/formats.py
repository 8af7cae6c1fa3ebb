"""`sixdim formats`: every log format with an example line."""

from __future__ import annotations

import argparse
import sys
from collections import deque

from parsers.detection import Candidate
from parsers.format import Reader
from parsers.interpret import Interpreter
from parsers.source import LogError, base_name, blocks
from tui.errors import DONE, USAGE
from tui.plugins import known_formats
from tui.settings_file import add_config_option

EXAMPLES = """examples:
  sixdim formats
  sixdim formats train.log                     which of them read a log, and why
  sixdim formats --markdown                    the table of docs/formats.md
  sixdim score train.log --format torchvision
"""
_LONGEST = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim formats`."""
    parser.add_argument("logs", nargs="*", metavar="LOG", help="say how its format is told")
    add_config_option(parser)
    parser.add_argument("--markdown", action="store_true", help="as a table")


def run(args: argparse.Namespace) -> int:
    """Prints the list, or how each log is told; returns the exit code."""
    known_ones = known_formats(args)
    if args.logs:
        return max([_tell(path, known_ones) for path in args.logs])
    if args.markdown:
        print("| Format | An example line | Lines read |\n| --- | --- | --- |")
    for known in known_ones:
        if args.markdown:
            print(_row(known))
        else:
            print(f"{known.name}\n    {known.title}\n    {known.example}")
    return DONE


def _tell(path: str, known: tuple[type[Reader], ...]) -> int:
    """Prints which formats recognise a log, best first; returns the exit code."""
    name = base_name(path)
    interpreter = Interpreter(known)
    try:
        for block in blocks(path):
            deque(interpreter.feed(block), maxlen=0)
    except LogError as error:
        print(f"sixdim: {error}", file=sys.stderr)
        return USAGE
    deque(interpreter.end(), maxlen=0)
    found = interpreter.detection
    if found is None or not found.name:
        print(f"{name}: no known log format")
        return USAGE
    print(f"{name}: {found.name}")
    for candidate in found.candidates:
        print(f"  {_story(candidate)}")
    if found.beside:
        print(f"beside it, in {found.looked} of the lines that {found.name} does not know:")
    for candidate in found.beside:
        print(f"  {_story(candidate)}")
    return DONE


def _story(found: Candidate) -> str:
    reasons = ", ".join(found.reasons)
    return f"{found.name:<18} {found.confidence:.2f}  {reasons}; from line {found.first_line}"


def _row(known: type[Reader]) -> str:
    example = known.example if len(known.example) <= _LONGEST else known.example[:_LONGEST] + "…"
    example = " ".join(example.split()).replace("|", "\\|")
    read = ", ".join(dict.fromkeys(statement.what for statement in known.statements))
    return f"| **{known.name}**: {known.title} | `{example}` | {read} |"
