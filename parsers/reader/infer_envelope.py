"""Infers a log's envelope: a text in front of its lines that hides them from the formats.

A clock, a rank or a name in front of every line is the log's envelope, whatever follows. So is any
other text if whole lines of one format follow the same kind of it again and again. A single line, a
partly recognised line, and texts that differ in more than digits and blanks are no evidence. A text
that names a figure counts only in front of nearly all lines.
"""

import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, takewhile

from sixdim.parsers.detection import Candidate
from sixdim.parsers.envelopes import inferred
from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.grammar.shapes.shape import Broken
from sixdim.parsers.reader.statement_index import index_of
from sixdim.parsers.reader.tally import HINT, SURE
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

SEVERAL = 3
"""Smallest number of known lines that follow one kind of text."""
_EVERY = 8
"""Least lines of a log that all begin with an envelope, and least lines for each rank or name."""
_MOST_TRIED = 16
"""Largest number of places of one line that are tried."""
_SHAPES = 12
"""This many of the commonest shapes of lines are tried, and as many of the last."""
_SHAPE = 400
"""The first characters of a line, which determine its shape."""


class _KnownLines:
    """The known lines that follow one kind of text."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.lines = 0
        self.is_meaningless = True
        self.weight: Counter[str] = Counter()

    @property
    def best(self) -> float:
        return max(self.weight.values(), default=0.0)


def envelope_of(
    lines: Sequence[Line],
    held: Collection[Line],
    formats: tuple[type[Reader], ...],
    unknown: dict[str, int],
) -> Envelope | None:
    """Returns the envelope that these lines have in common; None without one.

    Args:
        lines: The lines, without known envelopes.
        held: All lines of the log so far: a text with a meaning is an envelope only where it is
            in front of nearly all of them; else it may name one part of the log.
        formats: The formats whose lines count.
        unknown: By the shape of a line, the number of places after which no format recognises
            the rest; it is updated here, so that no place is tried twice.
    """
    everywhere = _in_front_of_every_line(held)
    if everywhere is not None:
        return everywhere
    alike = _alike(lines)
    begin = _Beginnings(alike)
    followers: dict[str, _KnownLines] = {}
    whole: set[str] = set()  # kinds that begin known lines
    for shape in _commonest(alike):
        for line in alike[shape][:SEVERAL]:
            text = line.text.strip()
            # A longer text begins no more lines than a shorter one.
            likely = [*takewhile(lambda one: begin.lines(one[1]) >= SEVERAL, inferred.kinds(text))]
            looked_at = unknown.get(shape, 0)
            if len(likely) <= looked_at:
                break
            if _known(text, formats, 0.0):
                whole.update(kind for _at, kind in likely)
            elif not _look(text, likely[looked_at:_MOST_TRIED], followers, formats):
                unknown[shape] = len(likely)  # neither are the others of its shape
                break
    possible = (one for kind, one in followers.items() if kind not in whole)
    best = max(possible, key=lambda one: one.best, default=None)
    if best is None or best.lines < SEVERAL or best.best < SURE:
        return None
    if not best.is_meaningless and not _in_front_of_all(best.prefix, held):
        return None
    return inferred.envelope(best.prefix)


def _look(
    text: str,
    likely: Iterable[tuple[int, str]],
    followers: dict[str, _KnownLines],
    formats: tuple[type[Reader], ...],
) -> bool:
    """Counts a line if a format recognises it after one of the texts; returns whether."""
    for at, kind in likely:
        rest = strip(Line(1, 0, text[at:])).text.strip()
        known = _known(rest, formats, HINT)
        if known:
            found = followers.setdefault(kind, _KnownLines(text[:at]))
            found.is_meaningless &= inferred.is_meaningless(text.removesuffix(rest))
            found.lines += 1
            found.weight.update(known)
            return True
    return False


class _Beginnings:
    """Counts the lines that begin with a text of some kind.

    Args:
        alike: Lines by their shape: their text without digits and blanks.
    """

    def __init__(self, alike: Mapping[str, Sequence[Line]]) -> None:
        self._shapes = sorted(alike)
        self._lines = [0, *accumulate(len(alike[shape]) for shape in self._shapes)]

    def lines(self, kind: str) -> int:
        first = bisect_left(self._shapes, kind)
        last = bisect_left(self._shapes, kind + chr(sys.maxunicode), first)
        return self._lines[last] - self._lines[first]


def _in_front_of_every_line(lines: Collection[Line]) -> Envelope | None:
    """Returns the envelope of a clock, a rank or a name that begins every line; None without one.

    A rank or a name might be a counter or a word of the lines themselves: only few of them may
    occur. What has no letters might be an epoch: lines of several shapes must follow it.
    """
    if len(lines) < _EVERY:
        return None
    found = inferred.label_of(next(iter(lines)).text.strip() + " ")
    if found is None:
        return None
    texts = [f"{line.text.strip()} " for line in lines]  # some lines have nothing after it
    envelope = inferred.envelope(found)
    matches = [envelope.expression.match(text) for text in texts]
    if envelope.dateless:  # a logger's clock may have been taken off some lines
        both = zip(matches, lines, strict=True)
        return envelope if all(one or line.time_us is not None for one, line in both) else None
    said = [(one[0].split(), inferred.kind(one.string[one.end() :])) for one in matches if one]
    names, shapes = {tuple(name) for name, _ in said}, {shape for _, shape in said}
    if not len(names) * _EVERY <= len(said) == len(lines):
        return None
    return envelope if len(shapes) > 1 or any(map(str.isalpha, found)) else None


def _in_front_of_all(prefix: str, lines: Collection[Line]) -> bool:
    """Returns whether nearly all lines begin with this very text."""
    return sum(line.text.strip().startswith(prefix) for line in lines) >= 0.9 * len(lines)


def inside(lines: Sequence[Line], formats: tuple[type[Reader], ...]) -> Candidate | None:
    """Returns the format that knows the ends of most lines; None if that may be an accident.

    A text that names a figure is a part of its line, as in `epoch 1 train loss 0.9, val loss 0.8`.
    """
    found: dict[str, Candidate] = {}
    alike = _alike(lines)
    for shape in _commonest(alike):
        line, count = alike[shape][0], len(alike[shape])
        text = line.text.strip()
        for at, _kind in inferred.kinds(text):
            if not inferred.is_meaningless(text[:at]):
                break
            known = _known(strip(Line(1, 0, text[at:])).text.strip(), formats, HINT)
            for name, weight in known.items():
                before = found.get(name, Candidate(name, 0.0, (), line.number))
                found[name] = before._replace(
                    weight=before.weight + count * weight,
                    lines=before.lines + count,
                    first_line=min(before.first_line, line.number),
                )
            if known:
                break
    best = max(found.values(), key=lambda one: (one.weight, one.name), default=None)
    return best if best is not None and best.lines >= SEVERAL and best.weight >= SURE else None


def _alike(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """Groups lines by their shape: their text without digits and blanks."""
    out: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        out[inferred.kind(line.text[:_SHAPE])].append(line)
    return out


def _commonest(alike: dict[str, list[Line]]) -> list[str]:
    """Returns the shapes to try: those of most lines, and the last of the others."""
    shapes = sorted(alike, key=lambda shape: -len(alike[shape]))
    return [*shapes[:_SHAPES], *shapes[_SHAPES:][-_SHAPES:]]


def _known(text: str, formats: tuple[type[Reader], ...], least: float) -> dict[str, float]:
    """Returns the weight of a whole line, by the name of each format that recognises it."""
    found: dict[str, float] = defaultdict(float)
    if text:
        for format_, statement, fields in index_of(formats).recognised(text):
            if (
                statement.weight > 0
                and statement.weight >= least
                and not isinstance(fields, Broken)
            ):
                found[format_.name] += statement.weight
    return found
