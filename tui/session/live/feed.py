"""The interface between a run, live or replayed, and the screen."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sixdim.metrics.card.snapshot import Snapshot

if TYPE_CHECKING:
    from sixdim.metrics.card.curves import RunCurves
    from sixdim.tui.search.text import LogText

KEEP_LINES = 400
"""Of the latest lines, those that a frame holds."""
MOVE = "move"
"""The control of a replay: it can be paused, moved through, and played faster or slower."""
SELECT = "select"
"""The control of a feed of several logs: chooses the one that is displayed."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything that a screen displays at one moment; equal frames paint the same cells.

    Attributes:
        snapshot: The run.
        log_lines: (line number, sanitised text) of the last few hundred lines, oldest first.
        mode: Whether the log grows by itself or is played.
        paused: Whether a replay is paused.
        speed: Times the log's own pace; None for as fast as possible.
        message: One line about the feed itself, such as `waiting for train.log`.
        stalled: Whether the log has not grown for much longer than ever before.
        broken: Whether it stopped growing after a line that ends a run, such as a traceback.
        over: Whether the run is over and the log is silent, or its input has ended.
        catching_up: Share of the log read so far (0..1) while it is read; None when all of it is.
        restarts: How often the log was replaced or truncated so far; each time it is read anew.
        runs: The frames of all runs where several are watched, of this one, too; empty for one
            alone.
        selected: Which of `runs` this is.
        references: Runs that this one is compared with.
        no_card: Why the log has no card, so that the snapshot is of another run, or of none.
    """

    snapshot: Snapshot
    log_lines: tuple[tuple[int, str], ...] = ()
    mode: Literal["live", "replay"] = "live"
    paused: bool = False
    speed: float | None = 1.0
    message: str = ""
    stalled: bool = False
    broken: bool = False
    over: bool = False
    catching_up: float | None = None
    restarts: int = 0
    runs: tuple[Frame, ...] = ()
    selected: int = 0
    references: tuple[RunCurves, ...] = ()
    no_card: str = ""

    @property
    def log(self) -> tuple[int, str, int]:
        """Which of several logs this is a frame of, and how often that was read anew."""
        return self.selected, self.snapshot.name, self.restarts

    @property
    def state(self) -> str:
        """The state in a list of runs: `stalled`, `reading`, or the status of the run."""
        if self.stalled:
            return "stalled"
        return "reading" if self.catching_up is not None else str(self.snapshot.card.status)

    def each_run(self) -> tuple[Frame, ...]:
        """Returns the frame of each run of the list; this one if there is no list."""
        return self.runs or (self,)


class Feed:
    """A source of frames. Every method returns at once; work happens on the feed's own thread.

    The methods that move through a run do nothing unless they are overridden, because a live log
    cannot be moved through.

    Attributes:
        controls: Which of `MOVE` and `SELECT` it has.
    """

    controls: frozenset[str] = frozenset()

    def start(self, publish: Callable[[Frame], None]) -> None:
        """Begins to publish frames, from any thread; called once."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ends publishing and closes files; called once."""
        raise NotImplementedError

    def export(self) -> str:
        """Writes the card as of now (called off the UI thread).

        Returns:
            The sentence to show, e.g. `wrote train.card.json (provisional)`.
        """
        raise NotImplementedError

    def lines(self, numbers: Collection[int]) -> tuple[tuple[int, str], ...]:
        """Reads lines of the log by number (off the UI thread).

        Returns:
            (number, sanitised text) of those that are there, ascending.

        Raises:
            NoTextError: It cannot be read a second time.
            OSError: It cannot be opened.
        """
        from sixdim.tui.search.text import lines_of  # only once a key asks for lines

        with closing(self.log_text()) as text:
            return lines_of(text, numbers)

    def log_text(self) -> LogText:
        """Opens the log for reading at any offset (off the UI thread); the caller closes it.

        Raises:
            NoTextError: It cannot be read a second time.
            OSError: It cannot be opened.
        """
        raise NotImplementedError

    def pause_reading(self, seconds: float) -> None:
        """Pauses reading, so that a key is answered or a frame painted without delay."""

    def toggle_pause(self) -> None:
        """Pauses the replay, or resumes it."""

    def step(self, epochs: int) -> None:
        """Moves by a number of epochs from the current one, to the end of that epoch."""

    def change_speed(self, factor: float) -> None:
        """Multiplies the pace of the replay."""

    def go_to_epoch(self, label: int) -> None:
        """Moves to the end of the epoch with this label, or of the nearest one."""

    def go_to_end(self) -> None:
        """Moves to the result."""

    def select(self, step: int) -> None:
        """Shows the run that many rows further down the list."""
