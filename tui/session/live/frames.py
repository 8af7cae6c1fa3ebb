"""Makes the frames of a growing log from its session and the state of its feed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sixdim.metrics.values.card import Status
from sixdim.parsers.input.follow import Piece
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern
from sixdim.tui.session.live.alerts import processes_left
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.live.pace import Pace
from sixdim.tui.session.live.silence import PAUSES_AFTER, Silence
from sixdim.tui.session.live.stated_end import StatedEnd

if TYPE_CHECKING:
    from sixdim.metrics.card.snapshot import Snapshot
    from sixdim.metrics.values.remaining import Remaining
    from sixdim.tui.session.session import Session

UNKNOWN_AFTER = 20
"""Lines after which a message says that no format knows any of them."""
UNKNOWN_AFTER_S = 30.0
"""Seconds after which it says so of fewer lines."""
_BAR = pattern(r"\d/\d[\d.]{0,18}[kMG]?(?:it)? \[\d[\d:]{0,12}<")
"""The count of a bar as tqdm draws it, and its time."""
_KERAS_BAR = pattern(r"^\s?\d{1,9}/\d.{1,90}\d[mu]?s/step")
"""The same of Keras, which names no epoch if it trains one alone."""


class Frames:
    """Makes the frames of one log.

    Args:
        name: Name of the log on the screen.
        silence: The time since the log grew.
        clock: Monotonic seconds.
    """

    def __init__(self, name: str, silence: Silence, clock: Callable[[], float]) -> None:
        self._name = name
        self._silence = silence
        self._clock, self._pace, self._stated = clock, Pace(clock), StatedEnd()
        self._said: Remaining | None = None  # the time left that the log states
        self._began = 0, 0.0  # the number of restarts, and when lines of the log were first seen
        self._last: tuple[tuple[object, ...], Snapshot] | None = None
        self._before: Snapshot | None = None
        self._silent: tuple[object, Session] | None = None

    def frame(
        self, session: Session, piece: Piece, restarts: int, message: str, no_card: str = ""
    ) -> Frame:
        """Returns the frame of this moment.

        Args:
            session: The log as far as it was read.
            piece: What was read last.
            restarts: How often it began anew.
            message: What happened to the feed; troubles of the log come first.
            no_card: Why there is no card; empty if there is one.
        """
        # As long as not all of the log is read, the silence may be that after its end.
        broken = "" if piece.behind else self._silence.broken(session.visible_run)
        may_go_on = bool(broken) and not session.ended
        session = self._flushed(session, piece, restarts, failed=bool(broken))
        snapshot = self._snapshot(session, restarts, behind=bool(piece.behind))
        read, behind = snapshot.bytes, piece.behind
        stalled = "" if behind else self._silence.stalled(snapshot.card.status)
        left = "" if behind else processes_left(snapshot)
        trouble = piece.trouble or broken or stalled or left
        unknown = self._unknown(session, snapshot, restarts)
        return Frame(
            snapshot,
            tuple(session.interpreter.recent),
            message=trouble or message or no_card or unknown,
            stalled=bool(stalled),
            broken=bool(broken),
            over=session.ended and not (snapshot.provisional or behind or may_go_on),
            catching_up=read / (read + behind) if behind else None,
            restarts=restarts,
            references=session.references,
            no_card=no_card,
        )

    def _flushed(self, session: Session, piece: Piece, restarts: int, *, failed: bool) -> Session:
        """Returns the session; once its log is silent, a copy that waits for no further line.

        A bar's last drawing is read once the log pauses: its line ends with the next drawing, which
        is an epoch later for a bar of epochs.
        """
        silent = self._silence.long(closed=session.closed())
        pauses = session.interpreter.draws and self._silence.quiet >= PAUSES_AFTER
        if piece.behind or not (silent or failed or pauses):
            return session
        state = restarts, session.interpreter.size, failed, silent
        if self._silent is None or self._silent[0] != state:
            ends = silent or failed
            over = session.over(silent=silent, failed=failed) if ends else session.drawn()
            self._silent = state, over
        over = self._silent[1]
        over.settings, over.readings = session.settings, session.readings
        over.telemetry, over.telemetry_note = session.telemetry, session.telemetry_note
        return over

    def _snapshot(self, session: Session, restarts: int, *, behind: bool) -> Snapshot:
        """Returns a snapshot of the session; the last one if nothing has changed since.

        While the log is silent, the time left changes alone.
        """
        state = (
            *(session, restarts, session.interpreter.size, session.ended, session.settings, behind),
            *(session.telemetry, session.telemetry_note, session.readings),
        )
        if self._last is None or self._last[0] != state:
            shot = replace(session.snapshot(), name=self._name)
            self._last, self._said = (state, shot), self._stated.find(session, shot)
        shot = self._last[1]
        if not behind:
            remaining = self._pace.remaining(
                shot.progress, min(self._silence.quiet, 2 * PAUSES_AFTER)
            )
            if remaining.seconds is None:
                remaining = self._said or remaining
            newest = replace(shot, progress=replace(shot.progress, remaining=remaining))
            shot = self._before = self._before if self._before == newest else newest
        return shot

    def _unknown(self, session: Session, snapshot: Snapshot, restarts: int) -> str:
        """Returns a message for a log whose lines no format knows; else an empty text."""
        lines, now = snapshot.lines, self._clock()
        if snapshot.card.status is Status.WAITING:
            latest = [*session.interpreter.recent]
            if latest and _KERAS_BAR.search(latest[-1][1]):
                return "the last line is a bar that trains one epoch or evaluates"
        if snapshot.format or not lines:
            return ""
        if not self._began[1] or self._began[0] != restarts:
            self._began = restarts, now
        waited = now - self._began[1] >= UNKNOWN_AFTER_S or self._silence.long()
        if lines < UNKNOWN_AFTER and not waited:
            return ""
        read = session.interpreter
        if read.held and _BAR.search(read.held[-1].text):
            return "no format fits yet: the last line is a bar that does not say what it counts"
        if lines < UNKNOWN_AFTER:  # a program may print a line an epoch
            return f"no format fits yet ({lines} line{'s' * (lines > 1)})"
        rounded = UNKNOWN_AFTER << (lines // UNKNOWN_AFTER).bit_length() - 1
        name = label(self._name, 40)
        formats = len(read.formats)
        return f"no format fits: sixdim teach {name} ({rounded} lines, {formats} formats tried)"
