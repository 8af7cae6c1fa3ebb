"""Proposes patterns for a log that no format knows, from the names in its lines.

A number whose name or unit has a known meaning becomes a typed hole; a statement skips all
other numbers, and keeps the words as they are. Every proposal is a statement that
matches the line it was made from.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from sixdim.parsers.grammar.shapes.shape import Broken
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_NUMBER = pattern(
    r"(?<![\w.@])[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|(?<![\w@])\d++"
    r"|(?i:(?<!\w)(?:nan|inf)(?!\w))"
)
_DRAWN = pattern(r"\|[ #━╸─▏▎▍▌▋▊▉█]{1,200}+\|")
_FIGURES = frozenset({"loss", "quality", "rate", "epoch time"})
_HOLES = {
    "iteration": {
        "epoch": "epoch",
        "step": "step",
        "steps": "steps",
        "loss": "loss",
        "rate": "throughput",
        "duration": "duration",
    },
    "epoch_end": {"epoch": "epoch", "rate": "throughput", "epoch time": "epoch_time"},
    "evaluation": {"epoch": "epoch", "step": "step"},
}
_COUNTS = frozenset({"epoch", "step", "steps"})
_MOST_KINDS = 2_000
_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class LineKind:
    """Lines of one kind that carry figures.

    Attributes:
        kind: `iteration`, `epoch_end` or `evaluation`: what they seem to be.
        example: The first of them.
        count: How many there are.
        named: The example's numbers that have a meaning.
        pattern: A statement that matches the example; empty where none was found.
    """

    kind: str
    example: Line
    count: int
    named: tuple[Named, ...]
    pattern: str


def line_kinds(lines: Iterable[Line]) -> list[LineKind]:
    """Returns the kinds of lines with figures, commonest first; one kind has the same words."""
    kinds = _alike(lines, lambda text: _has_figure(named_numbers(text)))
    return [_candidate(line, count) for line, count in kinds]


def repeated_lines(lines: Iterable[Line]) -> list[tuple[int, str]]:
    """Returns how often lines with the same words and other numbers come, commonest first.

    Returns:
        Counts above one, each with a statement of the lines in which every number is skipped.
    """
    kinds = _alike(lines, lambda text: _NUMBER.search(text) is not None)
    return [(count, _skipping(line.text.strip())) for line, count in kinds if count > 1]


def _alike(lines: Iterable[Line], wanted: Callable[[str], bool]) -> list[tuple[Line, int]]:
    """Returns the first of the wanted lines with the same words, and their count, commonest first.

    Args:
        lines: All lines.
        wanted: Whether a text begins a kind.
    """
    found: dict[str, tuple[Line, int]] = {}
    for line in lines:
        if len(line.text) > _LONGEST:
            continue
        key = _NUMBER.sub("0", _DRAWN.sub("||", line.text)).strip()
        if key in found:
            first, count = found[key]
            found[key] = first, count + 1
        elif len(found) < _MOST_KINDS and wanted(line.text):
            found[key] = line, 1
    return sorted(found.values(), key=lambda one: (-one[1], one[0].number))


def _skipping(text: str) -> str:
    """Returns a statement that matches a text and skips its numbers."""
    return _NUMBER.sub("{}", _DRAWN.sub("|{}|", text))


def _has_figure(named: list[Named]) -> bool:
    return not _FIGURES.isdisjoint(one.role for one in named)


def _candidate(line: Line, count: int) -> LineKind:
    named = named_numbers(line.text)
    kind = _kind(line.text, named)
    return LineKind(kind, line, count, tuple(named), propose(line.text, kind))


def _kind(text: str, named: list[Named]) -> str:
    roles = {one.role for one in named}
    tested = any(one.split == "eval" for one in named)
    says = not EVALUATED.isdisjoint(words_of(text[:60])[:3])
    alone = "quality" in roles and not {"loss", "rate", "step"} & roles
    if (tested or says or alone) and {"loss", "quality"} & roles:
        return "evaluation"
    whole = "epoch time" in roles or ({"epoch", "rate"} <= roles and "loss" not in roles)
    return "epoch_end" if whole and "step" not in roles else "iteration"


def propose(text: str, kind: str) -> str:
    """Returns a statement for a line of that kind; empty if none would match the line."""
    text = text.strip()  # lines of one kind are indented alike or not
    named = named_numbers(text)
    whole = any(one.role == "rate" and not one.per_device for one in named)
    meant = {one.at: one for one in named if not (one.per_device and whole)}
    pieces: list[str] = []
    used: set[str] = set()
    end = pieces_used = used_to = 0
    for found in _NUMBER.finditer(text):
        pieces.append(_DRAWN.sub("|{}|", text[end : found.start()]))
        end = found.end()
        one = meant.get(found.start())
        hole = _hole(one, kind, used) if one and _has_digits(one, found[0]) else ""
        if not hole:
            pieces.append("{}")
            continue
        name, _, _ = hole.partition(":")
        used.add(name)
        pieces.append(f"{{{hole}}}")
        pieces_used, used_to = len(pieces), end
    if not pieces_used:
        return ""
    rest = text[used_to:]
    following = _NUMBER.search(rest)
    tail = rest if following is None else "..."
    statement = "".join(pieces[:pieces_used]) + tail.rstrip()
    try:
        matched = Skeleton(statement).match(text)
    except (ValueError, re.error):
        return ""
    return "" if matched is None or isinstance(matched, Broken) else statement


def _has_digits(one: Named, digits: str) -> bool:
    """Returns whether the value of a number is the one printed, neither scaled nor grouped."""
    value = float(digits)
    return one.value == value or (value != value and one.value != one.value)


def _hole(one: Named, kind: str, used: set[str]) -> str:
    name = _HOLES[kind].get(one.role, "")
    if not name and one.role in ("loss", "quality"):
        name = re.sub(r"\W", "_", one.canonical)
    if not name or name in used:
        return ""
    return f"{name}:{'int' if name in _COUNTS else 'float'}"
