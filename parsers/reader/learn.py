"""Finds the envelope of a log whose lines are known only behind a text in front of them.

Where lines of one format begin, whole, behind the same kind of text again and again, that text is
the log's envelope. A single line, a line that is known only in part, and a text that changes more
than its digits say nothing; neither does a text that names a figure or an evaluation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from sixdim.parsers.detection import Candidate
from sixdim.parsers.envelopes import learned
from sixdim.parsers.envelopes.known import Envelope
from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.grammar.shape import Broken
from sixdim.parsers.reader.detect import SURE, index_of
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

SEVERAL = 3
"""Known lines behind one kind of text."""
_MOST_TRIED = 16
"""Places of one line that are tried."""
_LOOKED = 400
"""Lines at a log's beginning and end that are looked at for known lines inside."""
_OWN = 0.3
"""Weight from which a line inside a line says whose it is."""


class _Behind:
    """The known lines behind one kind of text."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.lines = 0
        self.says_nothing = True
        self.weight: Counter[str] = Counter()

    @property
    def best(self) -> float:
        return max(self.weight.values(), default=0.0)


def envelope_of(lines: Sequence[Line], formats: tuple[type[Reader], ...]) -> Envelope | None:
    """The envelope that these lines have in common; None without one.

    Args:
        lines: As far as the known envelopes are off.
        formats: Whose lines count.
    """
    texts = [line.text.strip() for line in lines]
    kinds = [[(at, learned.kind(text[:at])) for at in learned.places(text)] for text in texts]
    often = Counter(kind for places in kinds for _at, kind in places)
    behind: dict[str, _Behind] = {}
    whole: set[str] = set()  # kinds that begin known lines
    for text, places in zip(texts, kinds, strict=True):
        likely = [(at, kind) for at, kind in places if often[kind] >= SEVERAL][:_MOST_TRIED]
        if not likely:
            continue
        if _known(text, formats, 0.0):
            whole.update(kind for _at, kind in places)
            continue
        for at, kind in likely:
            rest = strip(Line(1, 0, text[at:])).text.strip()
            known = _known(rest, formats, 0.0)
            if known:
                before = text.removesuffix(rest)
                found = behind.setdefault(kind, _Behind(text[:at]))
                found.says_nothing &= learned.says_nothing(before)
                found.lines += 1
                found.weight.update(known)
                break
    possible = (one for kind, one in behind.items() if kind not in whole)
    best = max(possible, key=lambda one: one.best, default=None)
    if best is None or best.lines < SEVERAL or best.best < SURE:
        return None
    common = sum(any(kind == learned.kind(best.prefix) for _at, kind in p) for p in kinds)
    if not best.says_nothing and common < 0.9 * len(lines):
        return None
    return learned.envelope(best.prefix)


def inside(lines: Sequence[Line], formats: tuple[type[Reader], ...]) -> Candidate | None:
    """The format whose lines stand most often inside these; None where that may be an accident."""
    found: dict[str, Candidate] = {}
    for line in (*lines[:_LOOKED], *lines[_LOOKED:][-_LOOKED:]):
        text = line.text.strip()
        for at in learned.places(text):
            known = _known(strip(Line(1, 0, text[at:])).text.strip(), formats, _OWN)
            for name, weight in known.items():
                before = found.get(name, Candidate(name, 0.0, (), line.number))
                found[name] = before._replace(weight=before.weight + weight, lines=before.lines + 1)
            if known:
                break
    best = max(found.values(), key=lambda one: (one.weight, one.name), default=None)
    return best if best is not None and best.lines >= SEVERAL and best.weight >= SURE else None


def _known(text: str, formats: tuple[type[Reader], ...], least: float) -> dict[str, float]:
    """The formats that know a whole line, by name, with its weight."""
    found: dict[str, float] = defaultdict(float)
    if text:
        for format_, statement, fields in index_of(formats).recognised(text):
            if statement.weight > least and not isinstance(fields, Broken):
                found[format_.name] += statement.weight
    return found
