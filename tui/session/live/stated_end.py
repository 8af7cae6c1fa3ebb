"""The time left that a log itself prints, for a run whose planned end is unknown."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sixdim.metrics.values.card import Status
from sixdim.metrics.values.remaining import Remaining
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.text.patterns import pattern

if TYPE_CHECKING:
    from sixdim.metrics.card.snapshot import Snapshot
    from sixdim.tui.session.session import Session

LATEST_LINES = 64
"""Number of latest lines that are compared, and so stored wherever a log is followed."""
_RISES = 1.5
"""Ratio of an estimate to the one before, from which on it is that of another pass."""
_WORD = pattern(r"(?i)(?<![a-z])(?:eta|remaining|left)\b")
_TIME = (
    r"((?:\d{1,4} days?, {1,2})?(?:\d{1,4}:)?\d{1,2}:\d\d(?:\.\d{1,9})?(?![\d:])"
    r"|(?:\d{1,9}(?:\.\d{1,9})? ?(?:d|h|m|s|days?|hours?|hrs?|mins?|minutes?|secs?|seconds?)"
    r"(?![a-z])[, ]{0,2}){1,4})"
)
_AFTER = pattern(rf"(?i)[^\w<>-]{{1,4}}{_TIME}")
"""`eta: 1 day, 2:00:46`, `ETA 0h12m 5s`, `time left 00:12`."""
_BEFORE = pattern(rf"(?i){_TIME}$")
"""`3h 2m remaining`."""
_LONGEST = 24
"""Characters of such a time."""
_NO_WORDS = pattern(r"\d[\w.+-]*|[\W_]+")


class StatedEnd:
    """Finds the time left in the lines of one log, and whether it is that of the whole run.

    It is if it falls from line to line, also from one epoch to the next: that of an epoch begins
    again with each.
    """

    def __init__(self) -> None:
        self._words = ""  # in front of it
        self._of_run = False

    def find(self, session: Session, shot: Snapshot) -> Remaining | None:
        """Returns the time left by the last line of the training; None where it has none."""
        progress, run = shot.progress, session.visible_run
        epochs = () if progress.epoch is None else shot.epochs
        of_pass = not epochs and progress.remaining.trained is None
        needed = shot.card.status is Status.TRAINING and progress.remaining.seconds is None
        if not needed or of_pass or run.interleaved is not None:
            return None
        trained = run.last_iteration.at.line if run.last_iteration is not None else 0
        if epochs and trained < epochs[-1].first_line:
            trained = epochs[-1].last_line
        latest = [*session.interpreter.recent][-LATEST_LINES:]
        lines = [line for line in latest if line[0] <= trained]
        if not lines or lines[-1][0] != trained or (last := _estimate(lines[-1][1])) is None:
            return None
        if last[0] != self._words:
            self._words, self._of_run = last[0], False
        stated = [(number, found) for number, text in lines if (found := _estimate(text))]
        left = [(number, seconds) for number, (words, seconds) in stated if words == self._words]
        begin = epochs[-1].first_line if epochs and epochs[-1].iterations > 1 else trained
        if any(b > _RISES * a for (_, a), (_, b) in pairwise(left)):
            self._of_run = False
        elif left[0][0] < begin and left[-1][1] < left[0][1]:
            self._of_run = True
        return Remaining(seconds=left[-1][1], line=trained) if self._of_run else None


def _estimate(text: str) -> tuple[str, float] | None:
    """Returns the words in front of the time left that a line says, and its seconds."""
    said = _WORD.search(text)
    if said is None:
        return None
    begin = said.start()
    time = _AFTER.match(text, said.end()) or _BEFORE.search(text[max(0, begin - _LONGEST) : begin])
    if time is None:
        return None
    hours = "0:" if time[1].count(":") == 1 else ""  # `00:12` is 12 seconds, as bars draw it
    seconds = spoken_seconds(hours + time[1].rstrip(", ").lower())
    return None if seconds is None else (_NO_WORDS.sub("", text[:begin]), seconds)
