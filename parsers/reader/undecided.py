"""Holds the lines of a log back until its format is chosen."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

from sixdim.parsers.detection import Candidate, Detection
from sixdim.parsers.envelopes.known import LABEL
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.reader.detect import Detector
from sixdim.parsers.reader.infer_envelope import SEVERAL, envelope_of, inside
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

_MOST_HELD = 20_000
"""Lines held back before a format is chosen."""
_FIRST_LOOK = 8
"""Lines of an unknown log after which its envelope is looked for; again after as many and more."""
_OVERLAP = 32
"""Lines that are looked at twice."""
_MOST_INFERRED = 3
"""Inferred envelopes of one log."""


class Undecided:
    """Holds the lines of a log back until it is decided what reads them.

    Args:
        formats: Reader classes to choose from.
        envelopes: Takes the envelopes off the log's lines; those that are found are added to it.

    Attributes:
        held: The lines, oldest first.
    """

    def __init__(self, formats: tuple[type[Reader], ...], envelopes: Envelopes) -> None:
        self.held: deque[Line] = deque()
        self._formats = formats
        self._envelopes = envelopes
        self._detector = Detector(formats)
        self._looked, self._next_look = 0, _FIRST_LOOK
        self._unknown: dict[str, int] = {}

    def look(self, line: Line) -> bool:
        """Holds a line; returns whether the format can be chosen now."""
        self._detector.look(line)
        self.held.append(line)
        if len(self.held) == self._next_look:
            self.infer()
        return self._detector.decided(self.held)

    def overflow(self) -> Line | None:
        """The oldest line once too many are held, which it leaves; else None."""
        return self.held.popleft() if len(self.held) > _MOST_HELD else None

    def candidates(self) -> list[Candidate]:
        """How well each format fits, best first."""
        return self._detector.candidates(self.held)

    def infer(self) -> None:
        """Looks for envelopes in the latest lines."""
        while self._infer_one():
            pass

    def decide(self) -> tuple[Detection, type[Reader] | None, Sequence[Line]]:
        """The decision, the format that it names, if any does, and the lines that it reads."""
        ranked = self.candidates()
        held, self.held = self.held, deque()
        if self._envelopes.labelled >= SEVERAL:
            self._envelopes.add(LABEL)
            for line in held:
                self._envelopes.strip_again(line)
        if not ranked:
            within = inside([*held], self._formats)
            return Detection("", False, (), inside=within), None, held
        chosen = next(f for f in self._formats if f.name == ranked[0].name)
        within = inside([*held], self._formats) if chosen.fallback else None
        return Detection(chosen.name, False, tuple(ranked), inside=within), chosen, held

    def _infer_one(self) -> bool:
        """Looks for an envelope in the latest lines; returns whether there was one."""
        held, known = self.held, len(self._envelopes.inferred)
        window = [*islice(held, max(0, self._looked - _OVERLAP), None)]
        few = known < _MOST_INFERRED
        unknown = self._unknown
        envelope = envelope_of(window, held, self._formats, unknown) if few else None
        if envelope is None:
            self._looked = len(held)
            self._next_look = len(held) + max(_FIRST_LOOK, len(held) // 3)
            return False
        self._envelopes.add(envelope)
        unknown.clear()
        self._detector = Detector(self._formats)
        for line in held:
            self._detector.look(self._envelopes.strip_again(line))
        return True
