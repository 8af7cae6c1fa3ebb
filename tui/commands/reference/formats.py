"""`sixdim formats`: lists the log formats, describes one, or identifies that of a log."""

import argparse
import sys
from collections import deque

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.detection import Candidate
from sixdim.parsers.input.source import LogError, base_name, blocks
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.statements.format import Reader
from sixdim.tui.base.errors import DONE, USAGE
from sixdim.tui.base.plugins import known_formats, say_problems
from sixdim.tui.base.settings.card_flags import add_config_option

EXAMPLES = """examples:
  sixdim formats
  sixdim formats megatron              what is read of it, and what is not
  sixdim formats train.log             which formats recognise this log, and why
  sixdim formats --markdown            the table of docs/formats.md
  sixdim score train.log --format torchvision
"""
UNSAID = "the format does not say"
_LONGEST = 110


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim formats`."""
    parser.add_argument(
        "about",
        nargs="*",
        metavar="NAME|LOG",
        help="name of a format to describe, or log file to identify",
    )
    add_config_option(parser)
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")


def run(args: argparse.Namespace) -> int:
    """Prints the list, single formats, or the detection of a log; returns the exit code."""
    say_problems()
    known = known_formats(args)
    by_name = {reader.name: reader for reader in known}
    chosen = tuple(by_name[word] for word in args.about if word in by_name)
    logs = [word for word in args.about if word not in by_name]
    if args.markdown:
        print(
            "| Format | An example line | Lines read | Tried with | Not read |\n"
            "| --- | --- | --- | --- | --- |"
        )
    width = max(len(reader.name) for reader in known)
    entry = _entry if args.about else lambda reader: f"{reader.name:<{width}}  {reader.title}"
    for reader in chosen if args.about else known:
        print(_row(reader) if args.markdown else entry(reader))
    return max((_tell(path, known) for path in logs), default=DONE)


def _entry(known: type[Reader]) -> str:
    """Returns one format: its title, an example line, what is read and what is not."""
    head = f"{known.name}\n    {known.title}\n    {known.example}"
    return f"{head}\n    read: {_read(known)}\n    not read: {known.unread or UNSAID}"


def _tell(path: str, known: tuple[type[Reader], ...]) -> int:
    """Prints which formats recognise a log, best first; returns the exit code."""
    name = base_name(path)
    interpreter = Interpreter(known)
    try:
        for block in blocks(path):
            deque(interpreter.feed(block), maxlen=0)
    except LogError as error:
        said = str(error)
        if isinstance(error.__cause__, FileNotFoundError):
            meant = did_you_mean(
                path, (reader.name for reader in known), "sixdim formats lists them"
            )
            said = f"no format and no log {name!r}; {meant}"
        print(f"sixdim: {said}", file=sys.stderr)
        return USAGE
    deque(interpreter.end(), maxlen=0)
    found = interpreter.detection
    if found is None or not found.name:
        print(f"{name}: no known log format")
        return USAGE
    print(f"{name}: {found.name}")
    for candidate in found.candidates:
        print(f"  {_how_detected(candidate)}")
    if found.beside:
        print(f"beside it, in {found.looked} of the lines that {found.name} does not know:")
    for candidate in found.beside:
        print(f"  {_how_detected(candidate)}")
    return DONE


def _how_detected(found: Candidate) -> str:
    reasons = ", ".join(found.reasons)
    return f"{found.name:<18} {found.confidence:.2f}  {reasons}; from line {found.first_line}"


def _read(known: type[Reader]) -> str:
    return ", ".join(dict.fromkeys(statement.what for statement in known.statements))


def _row(known: type[Reader]) -> str:
    example = known.example if len(known.example) <= _LONGEST else known.example[:_LONGEST] + "…"
    example = _cell(example)
    unread = _cell(known.unread or UNSAID)
    head = f"| **{known.name}**: {known.title} | `{example}` | {_read(known)}"
    return f"{head} | {_cell(known.tried) or '–'} | {unread} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
