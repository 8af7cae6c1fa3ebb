"""Holds the lines of a log back until its format is chosen."""

from collections import deque
from collections.abc import Sequence
from itertools import islice

from sixdim.parsers.detection import Candidate, Detection
from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.envelopes.known import LABEL
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.reader.detect import Detector
from sixdim.parsers.reader.infer_envelope import SEVERAL, envelope_of, inside
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line

_MOST_HELD = 20_000
"""Largest number of lines that are held back before a format is chosen."""
_FIRST_LOOK = 8
"""Held lines before the first search for an envelope, and least lines between two searches."""
_OVERLAP = 32
"""Lines of one search that the next one examines again."""
_MOST_INFERRED = 3
"""Largest number of envelopes that are inferred for one log."""


class Undecided:
    """Holds the lines of a log back until a reader is chosen for them.

    Args:
        formats: Reader classes to choose from.
        envelopes: Takes the envelopes off the log's lines; inferred envelopes are added to it.

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
        if self._envelopes.labelled >= SEVERAL and LABEL not in self._envelopes.inferred:
            self._add(LABEL)
        if len(self.held) == self._next_look:
            self.infer()
        return self._detector.decided(self.held)

    def overflow(self) -> Line | None:
        """Removes and returns the oldest line if too many are held; else returns None."""
        if len(self.held) <= _MOST_HELD:
            return None
        line = self.held.popleft()
        self._envelopes.clocks.forget(line)
        return line

    def candidates(self) -> list[Candidate]:
        """Returns how well each format fits, best first."""
        return self._detector.candidates(self.held)

    def infer(self) -> None:
        """Looks for envelopes in the latest lines."""
        while self._infer_one():
            pass

    def decide(self) -> tuple[Detection, Reader | None, Sequence[Line]]:
        """Returns the decision, a reader of the format (None without one), and the held lines."""
        ranked = self.candidates()
        held, self.held = self.held, deque()
        if not ranked:
            within = inside([*held], self._formats)
            return Detection("", False, (), inside=within), None, held
        chosen = next(f for f in self._formats if f.name == ranked[0].name)
        within = inside([*held], self._formats) if chosen.fallback else None
        decision = Detection(chosen.name, False, tuple(ranked), inside=within)
        return decision, self._detector.begin(chosen), held

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
        unknown.clear()
        self._add(envelope)
        return True

    def _add(self, envelope: Envelope) -> None:
        """Adds an envelope, and begins the detection again with the held lines."""
        self._envelopes.add(envelope)
        self._detector = Detector(self._formats)
        for line in self.held:
            self._detector.look(self._envelopes.strip_again(line))
