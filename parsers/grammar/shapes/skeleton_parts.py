"""The parts of a statement, literals and holes, and the regular expression of their lines.

No line can make the expressions backtrack: every quantifier is possessive or in an atomic group, so
matching takes linear time.
"""

import re
from typing import TypeAlias

from sixdim.parsers.grammar.shapes.holes import GROUPED, HOLES, NUMBER_END, PLAIN
from sixdim.parsers.text.patterns import pattern

Part: TypeAlias = "str | tuple[str, str]"
"""A literal, or name and type of a hole."""
Parts: TypeAlias = "list[Part]"
HOLE = pattern(r"\{(\w*)(?::(\w+))?\}")
"""A hole in a statement: `{name:type}`."""


def parts_of(statement: str) -> Parts:
    """Cuts a statement into literals and (name, type) holes."""
    parts: Parts = []
    begin = 0
    for hole in HOLE.finditer(statement):
        if hole.start() > begin:
            parts.append(statement[begin : hole.start()])
        name, kind = hole.group(1), hole.group(2) or ("skip" if not hole.group(1) else "word")
        if kind != "skip" and kind not in HOLES:
            raise ValueError(f"unknown hole type {kind!r} in {statement!r}")
        parts.append((name, kind))
        begin = hole.end()
    if begin < len(statement):
        parts.append(statement[begin:])
    return parts


def _literal(text: str) -> str:
    pieces = re.split(r" +", text)
    return r"[ \t]++".join(re.escape(piece) for piece in pieces)


def expression(parts: Parts, *, lenient: bool, open_end: bool) -> str:
    """Returns the regular expression of these parts, with a group for each named hole.

    Args:
        parts: Literals and holes.
        lenient: Whether a number also matches text that is none, so that it can be reported.
        open_end: Whether anything may follow.
    """
    out: list[str] = []
    ends_in_blank = True
    position = 0
    while position < len(parts):
        part = parts[position]
        if isinstance(part, str):
            out.append(_literal(part))
            ends_in_blank = part.endswith(" ")
        elif part[1] in ("skip", "until"):
            position += 1
            if position < len(parts):
                following = parts[position]
                assert isinstance(following, str)  # checked when the statement was made
                skipped = f"(?P<{part[0]}>.*?)" if part[0] else ".*?"
                # A literal's blanks match only from the beginning of a run of blanks: else a
                # line of blanks would cost the square of its length.
                begin = r"(?<![ \t])" if following.startswith(" ") else ""
                out.append(f"(?>{skipped}{begin}{_literal(following)})")
                ends_in_blank = following.endswith(" ")
            else:
                out.append(r".*+")
        else:
            following = parts[position + 1] if position + 1 < len(parts) else ""
            out.append(_hole(part, following, lenient=lenient, padded=not ends_in_blank))
            ends_in_blank = False
        position += 1
    last = parts[-1]
    if open_end or (not isinstance(last, str) and last[1] in ("text", "skip")):
        return "".join(out)
    return "".join(out) + r"[ \t]*+$"


def _hole(part: tuple[str, str], following: Part, *, lenient: bool, padded: bool) -> str:
    name, kind = part
    inner = HOLES[kind][0]
    after = following[:1] if isinstance(following, str) else ""
    unit = re.match(r"[\w.]", after) is not None
    if after not in ("", ","):  # which ends a number by itself
        inner = inner.removesuffix(NUMBER_END)
    if kind == "float" and not unit:
        # Most floats are plain, and match in half the time. Both ways read them alike: without an
        # atomic group, a line of n floats that fails after them would be tried in 2 ** n ways.
        inner = f"(?>{PLAIN}|{inner})"
    if lenient and kind not in ("word", "measure", "text"):
        # Matches up to a character that ends any number: enough to report the broken text.
        plain = r"[-+.\d]++" if unit else rf"[^\s\]\)/,;{re.escape(after)}]++"
        inner = rf"(?>{GROUPED}|{plain})"
    group = f"(?P<{name}>{inner})" if name else f"(?:{inner})"
    return (r"[ \t]*+" if padded and kind != "text" else "") + group
