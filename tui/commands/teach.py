"""`sixdim teach`: proposes and checks a format for a log that no format reads."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.grammar.shapes.shape import Broken
from sixdim.parsers.input.source import blocks, is_stdin
from sixdim.parsers.reader.declared import DeclarationError, declared
from sixdim.parsers.reader.propose import LineKind, line_kinds, repeated_lines
from sixdim.parsers.text.lines import Line, LineSplitter, label
from sixdim.tui.base.errors import DONE, FAILED, UserError
from sixdim.tui.base.settings.declaring import add_to, as_toml

EXAMPLES = """examples:
  sixdim teach my.log                     propose a [format] table for its lines
  sixdim teach my.log --iteration 'step {step:int} loss {loss:float} ...'
  sixdim teach my.log --write sixdim.toml

The table is printed on standard output, all else on standard error. On a
terminal, patterns that are not given can be typed; Enter accepts the proposal.

exit codes: 0 every pattern matches lines of the log; 1 one matches none, and
--write writes nothing; 2 wrong usage
"""
_KINDS = {
    "iteration": "pattern of a progress line",
    "epoch_end": "pattern of the line that ends an epoch",
    "evaluation": "pattern of an evaluation",
}
_MOST_LINES = 50_000
_MOST_KINDS = 8
_EXAMPLES = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim teach`."""
    parser.add_argument("log", metavar="LOG", help="log file, or - for standard input")
    for kind, what in _KINDS.items():
        parser.add_argument(f"--{kind.replace('_', '-')}", metavar="PATTERN", help=what)
    parser.add_argument("--name", default="custom", help="name of the format (default: custom)")
    parser.add_argument(
        "--unit", metavar="UNIT", help="unit of the throughput, such as img/s or tokens/s"
    )
    parser.add_argument(
        "--scope", choices=("job", "device"), help="whose throughput the log prints"
    )
    parser.add_argument(
        "--write", metavar="FILE", help="add the table to a settings file, such as sixdim.toml"
    )


def run(args: argparse.Namespace) -> int:
    """Proposes, checks and writes a format; returns the exit code."""
    lines = _lines(args.log)
    found = line_kinds(lines)
    _show(found, len(lines))
    given = {kind: text for kind in _KINDS if (text := getattr(args, kind)) is not None}
    if not found and not given:
        _show_repeated(lines)
    patterns = given or _proposed(found)
    typing = sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
    if not given and not is_stdin(args.log) and typing:
        patterns = _asked(patterns, lines, found)
    if not patterns:
        raise UserError("no line with a named loss, accuracy or rate: give a pattern (--iteration)")
    table = _table(args, patterns, found)
    try:
        matched = [_check(kind, text, lines, found) for kind, text in patterns.items()]
        declared(table)
    except DeclarationError as error:
        raise UserError(f"[format] {error}") from error
    if not args.write:
        print(as_toml(table), end="")
    elif all(matched):
        add_to(args.write, table)
        _say(f"\nwritten to {label(args.write)}")
    else:
        _say(f"\nnothing written to {label(args.write)}: a pattern matches no line")
    return DONE if all(matched) else FAILED


def _lines(path: str) -> list[Line]:
    """Returns the log's first lines, without the prefixes of launchers and loggers."""
    splitter = LineSplitter()
    lines: list[Line] = []
    for block in blocks(path):
        lines += (strip(line) for line in splitter.feed(block))
        if len(lines) >= _MOST_LINES:
            return lines[:_MOST_LINES]
    return [*lines, *(strip(line) for line in splitter.flush())]


def _show(found: Sequence[LineKind], total: int) -> None:
    kinds = "kind" if len(found) == 1 else "kinds"
    _say(f"{total} lines, {len(found)} {kinds} of lines with figures")
    for one in found[:_MOST_KINDS]:
        _say(f"\n{one.count}x, first on line {one.example.number}:")
        _say(f"  {one.example.text}")
        for number in one.named:
            meant = number.canonical if number.role in ("loss", "quality") else number.role
            name = f" ({number.name})" if number.name else ""
            _say(f"    {number.value:g} {number.unit} is {meant}{name}".replace("  ", " "))
    if len(found) > _MOST_KINDS:
        _say(f"\n… and {len(found) - _MOST_KINDS} more kinds")


def _show_repeated(lines: Iterable[Line]) -> None:
    """Prints which lines repeat with other numbers, as patterns that skip the numbers."""
    repeated = repeated_lines(lines)
    for count, statement in repeated[:_MOST_KINDS]:
        _say(f"\n{count}x with other numbers:\n  {statement}")
    if repeated:
        _say("\nIn a pattern, put names such as {step:int} and {loss:float} in place of {}.")


def _proposed(found: Iterable[LineKind]) -> dict[str, str]:
    """Returns for each kind of line the pattern that most lines match.

    Lines that count the parts of an evaluation, such as `Test: [0/14]`, come last: their figures
    may be those of a part.
    """
    out: dict[str, str] = {}
    for one in sorted(found, key=lambda one: any(number.role == "part" for number in one.named)):
        if one.pattern and _accepted(one.kind, one.pattern):
            out.setdefault(one.kind, one.pattern)
    return {kind: out[kind] for kind in _KINDS if kind in out}


def _accepted(kind: str, pattern: str) -> bool:
    try:
        declared({"name": "custom", kind: pattern})
    except DeclarationError:
        return False
    return True


def _asked(
    proposed: dict[str, str], lines: Sequence[Line], found: Sequence[LineKind]
) -> dict[str, str]:
    """Asks for each pattern on the terminal, and shows after each input what it matches."""
    out: dict[str, str] = {}
    for kind in _KINDS:
        pattern = proposed.get(kind, "")
        while True:
            try:
                if pattern:
                    _check(kind, pattern, lines, found)
            except DeclarationError as error:
                _say(f"  {error}")
            _say(f"\n{kind} pattern, Enter {'takes it' if pattern else 'for none'}, - for none:")
            try:
                typed = input().strip()
            except EOFError:
                typed = ""
            if typed == "-":
                pattern = ""
            if typed in ("", "-"):
                break
            pattern = typed
        if pattern:
            out[kind] = pattern
    return out


def _table(
    args: argparse.Namespace, patterns: dict[str, str], found: Iterable[LineKind]
) -> dict[str, Any]:
    rates = [n for one in found for n in one.named if n.role == "rate"]
    unit = args.unit or next((n.unit for n in rates if n.unit), "")
    scope = args.scope or ("device" if rates and all(n.per_device for n in rates) else "")
    table: dict[str, Any] = {"name": args.name, **patterns}
    if any("{throughput:" in pattern for pattern in patterns.values()):
        table |= {key: value for key, value in (("unit", unit), ("scope", scope)) if value}
    return table


def _check(kind: str, pattern: str, lines: Iterable[Line], found: Iterable[LineKind]) -> bool:
    """Prints what a pattern matches; returns False if it matches nothing.

    Raises:
        DeclarationError: It is not a valid pattern.
    """
    reader = declared({"name": "custom", kind: pattern})()
    matched: list[tuple[Line, str]] = []
    examples = {one.example.number for one in found if one.kind == kind}
    missed: list[Line] = []
    count = 0
    for line in lines:
        known = reader.recognise(line)
        if known is None:
            if line.number in examples:
                missed.append(line)
            continue
        count += 1
        if len(matched) < _EXAMPLES:
            matched.append((line, _read(known[1])))
    _say(f"\n{kind}: {label(pattern, 400)}\n  matches {count} lines")
    for line, read in matched:
        _say(f"  line {line.number}: {read}")
    for line in missed[:_EXAMPLES]:
        _say(f"  misses line {line.number}: {label(line.text)}")
    return count > 0


def _read(fields: Any) -> str:
    if isinstance(fields, Broken):
        return f"{fields.field} is no number: {label(fields.text, 40)}"
    return ", ".join(f"{name} {label(value, 40)}" for name, value in fields.items())


def _say(text: str) -> None:
    print(text, file=sys.stderr)
