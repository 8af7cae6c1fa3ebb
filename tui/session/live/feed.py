"""The interface between a run, live or replayed, and the screen."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from sixdim.metrics.card.snapshot import Snapshot

if TYPE_CHECKING:
    from sixdim.metrics.card.curves import RunCurves
    from sixdim.tui.search.text import LogText

KEEP_LINES = 400
"""Of the latest lines, those that a frame holds."""
PAUSE = "pause"
STEP = "step"
SPEED = "speed"
GO_TO = "go_to"
SELECT = "select"
"""The requests that a feed of several logs answers: to look at another one."""
REPLAY_CONTROLS = frozenset({PAUSE, STEP, SPEED, GO_TO})
"""The requests that a replay answers; a live feed supports none of it."""


class RunRow(NamedTuple):
    """One of several runs that are watched.

    Attributes:
        state: `waiting`, `reading`, `training`, `stalled`, `converged`, `finished`, `failed`.
        snapshot: The run.
        references: Runs that it is compared with.
    """

    state: str
    snapshot: Snapshot
    references: tuple[RunCurves, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """Everything on the screen at one moment. Two equal frames paint the same cells.

    Attributes:
        snapshot: The run.
        log_lines: (line number, sanitised text) of the last few hundred lines, oldest first.
        mode: Whether the log grows by itself or is played.
        paused: Whether a replay is paused.
        speed: Times the log's own pace; None for as fast as possible.
        message: One line about the feed itself, such as `waiting for train.log`.
        stalled: Whether the log has not grown for much longer than ever before.
        broken: Whether it stopped growing after a line that ends a run, such as a traceback.
        catching_up: Share of the log read so far (0..1) while it is behind; None when level.
        restarts: How often the log was replaced or truncated so far: with it, everything began
            anew.
        runs: All runs where several are watched, this one among them; empty for one alone.
        selected: Which of `runs` this is.
        references: Runs that this one is compared with.
    """

    snapshot: Snapshot
    log_lines: tuple[tuple[int, str], ...] = ()
    mode: Literal["live", "replay"] = "live"
    paused: bool = False
    speed: float | None = 1.0
    message: str = ""
    stalled: bool = False
    broken: bool = False
    catching_up: float | None = None
    restarts: int = 0
    runs: tuple[RunRow, ...] = ()
    selected: int = 0
    references: tuple[RunCurves, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the run is over, its closing line or the end of its input was read."""
        shot = self.snapshot
        return shot.is_over and not shot.provisional and self.catching_up is None


def each_run(frame: Frame) -> tuple[Frame, ...]:
    """A frame for every run of the list; the frame itself where there is none."""
    if not frame.runs:
        return (frame,)
    return tuple(
        frame
        if number == frame.selected
        else replace(
            frame,
            snapshot=row.snapshot,
            references=row.references,
            message="",
            catching_up=0.0 if row.state == "reading" else None,
        )
        for number, row in enumerate(frame.runs)
    )


class Feed:
    """A source of frames. Every method returns at once; work happens on the feed's own thread.

    What moves through a run does nothing unless it is overridden: a live log has one moment, now,
    and its own pace.

    Attributes:
        controls: Which of `REPLAY_CONTROLS`, or `SELECT`, it answers.
    """

    controls: frozenset[str] = frozenset()

    def start(self, publish: Callable[[Frame], None]) -> None:
        """Begins to publish, from any thread; called once. The newest frame wins."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ends publishing and releases what the feed holds; called once."""
        raise NotImplementedError

    def export(self) -> str:
        """Writes the card as of now (called off the UI thread).

        Returns:
            The sentence to show, e.g. `wrote train.card.json (provisional)`.
        """
        raise NotImplementedError

    def lines(self, numbers: Collection[int]) -> tuple[tuple[int, str], ...]:
        """The log's lines with these numbers, as far as they can be read (off the UI thread).

        Returns:
            (number, sanitised text), ascending.
        """
        raise NotImplementedError

    def log_text(self) -> LogText:
        """The log, open for reading at any offset (off the UI thread); the caller closes it.

        Raises:
            NoTextError: It cannot be read a second time.
            OSError: It cannot be opened.
        """
        raise NotImplementedError

    def give_way(self, seconds: float) -> None:
        """Lets the screen work alone for a moment: a key was pressed, or a frame is painted."""

    def toggle_pause(self) -> None:
        """Stops the replay's clock, or lets it run on."""

    def step(self, epochs: int) -> None:
        """Moves to the end of the epoch that many after (negative: before) the current one."""

    def change_speed(self, factor: float) -> None:
        """Multiplies the pace of the replay."""

    def go_to_epoch(self, label: int) -> None:
        """Moves to the end of the epoch with this label, or the nearest there is."""

    def go_to_end(self) -> None:
        """Moves to the result."""

    def select(self, step: int) -> None:
        """Looks at the run that many rows further down the list."""
