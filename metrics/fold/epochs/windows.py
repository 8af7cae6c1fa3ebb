"""The iterations of a run without epochs, cut into windows of equal length.

The field has no rule for this; this one is sixdim's own. The run is held in up to 22 windows;
before there would be 23, each two neighbours are merged, which leaves 11. So memory stays small at
any length, and where windows begin depends on the order of the records alone. Speed takes five
windows from six elevenths of the run on, as DeepSpark takes epochs 6 to 10 of its first eleven, and
a card that rests on them is `short`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.sums.since_start import SinceStart
from sixdim.parsers.events import Iteration
from sixdim.parsers.spans import PAUSE

LEAST = 11
MOST = 2 * LEAST
SKIP = 6
TAKE = 5
_HELD = 1024
"""Progress lines that are folded at once: a run that begins again before that folds none."""
_FALLS = 4
"""Steps that begin again in more than one of this many windows are those of epochs."""

_TOTALS = 8
"""Total numbers of steps that are stored."""


class _Program(NamedTuple):
    """A program that begins here, and the step from which its means count, where known."""

    since: int | None


class IterationWindows:
    """Folds progress lines into windows.

    Attributes:
        alternate: Whether lines of several total steps take turns: those of one may be evaluations.
    """

    def __init__(self) -> None:
        self._size = 1
        self._windows: list[Epoch] = []
        self._evaluated: tuple[int | None] | None = None
        # Lines, the steps of evaluations, and beginnings of programs.
        self._held: list[Iteration | int | _Program | None] = []
        self._has_means = False  # whether lines have means since the start of the program
        self._means: SinceStart | None = None  # of the last window
        self._total: int | None = None  # steps in all, on the last line that has them
        self._totals: tuple[int | None, ...] = ()  # the numbers before it
        self.alternate = False

    def add(self, line: Iteration) -> None:
        """Adds a progress line."""
        if line.steps != self._total and line.steps is not None:
            self.alternate |= line.steps in self._totals
            self._totals = (*self._totals, self._total)[-_TOTALS:]
            self._total = line.steps
        self._held.append(line)
        if len(self._held) >= _HELD:
            self._folded()

    def evaluated(self, step: int | None) -> None:
        """Marks an evaluation here; see `Epoch.evaluated`."""
        self._held.append(step)

    def count_means_from(self, step: int | None) -> None:
        """Says that the means on the lines from here on count from a step; None: from the next."""
        self._has_means = True
        self._held.append(_Program(step))

    def begin_program(self) -> None:
        """Says that means since the start of a program, if there are any, begin again."""
        if self._has_means:
            self._held.append(_Program(None))

    def again(self) -> IterationWindows:
        """Returns the windows of a training that begins anew, whose lines have the same means."""
        windows = IterationWindows()
        windows._total, windows._totals = self._total, self._totals
        windows.alternate = self.alternate
        if self._has_means:  # else nothing of what is held here is needed
            self._folded()
            windows.count_means_from(None if self._means is None else self._means.awaited)
        return windows

    def _folded(self) -> list[Epoch]:
        """Folds what was held back; returns all windows."""
        held, self._held = self._held, []
        windows = self._windows
        window = windows[-1] if windows else None
        for one in held:
            if isinstance(one, Iteration):
                if window is None or window.records >= self._size:
                    window = self._begin(one.at.line)
                window.add(one, True)
                continue
            if isinstance(one, _Program):
                if self._means is None:
                    self._means = SinceStart(one.since)
                else:
                    self._means.restart(one.since)
                continue
            if windows:
                windows[-1].evaluated(one)
            if not windows or windows[-1].records == self._size:
                self._evaluated = (one,)
        return windows

    @property
    def begun(self) -> bool:
        """Whether there is any progress line."""
        return bool(self._folded())

    @property
    def size(self) -> int:
        """Progress lines in a whole window."""
        self._folded()
        return self._size

    def _begin(self, line: int) -> Epoch:
        """Begins a window at the line of that number."""
        if len(self._windows) == MOST:
            self._halve()
        window = Epoch(len(self._windows), line)
        if self._evaluated is not None:
            if self._windows:
                window.lines.begin_after(self._windows[-1].lines)
            window.evaluated(*self._evaluated)
            self._evaluated = None
        if self._means is not None:
            window.means = self._means = SinceStart(earlier=self._means)
        self._windows.append(window)
        return window

    def last(self, count: int) -> Epoch | None:
        """Returns the window of the next `count` lines; None where they belong to several."""
        window = next(reversed(self._folded()), None)
        if window is None or self._evaluated is not None:
            return None
        return window if window.records + count <= self._size else None

    def whole(self) -> list[Epoch]:
        """Returns the windows that are full, oldest first."""
        return [window for window in self._folded() if window.records == self._size]

    def stable(self, counts: Callable[[Epoch], bool] | None = None) -> list[Epoch]:
        """Returns five whole windows of the stable part; of fewer than 11 all but the first.

        Windows of a single line are merged into one, and those whose lines have means since the
        start, if these are exact enough for the whole.

        Args:
            counts: Whether a window may be one of the five: in a log that prints a rate now and
                then, windows without one may not. By default all may.
        """
        windows = self.whole()
        begins, _ = _falls(windows)
        chosen = windows[begins:] or windows[-1:]  # it may begin inside the last one
        if len(chosen) >= LEAST:
            chosen = chosen[len(chosen) * SKIP // LEAST :]
            if (whole := _by_means(chosen[:TAKE])) is not None:
                return [whole]
            if counts is not None and self._size > 1:
                chosen = [window for window in chosen if counts(window)]
            chosen = chosen[:TAKE]
        elif len(chosen) > 1:
            chosen = chosen[1:]  # the first one's time may include loading and compiling
        if (whole := _by_means(chosen)) is not None:
            return [whole]
        return [_merged(chosen)] if self._size == 1 and chosen else chosen

    def begin_again(self) -> bool:
        """Returns whether the steps begin again and again in the windows that all count."""
        begins, falls = _falls(self.whole())
        return falls > 0 and begins == 0

    def _halve(self) -> None:
        """Merges every window with the one that follows it."""
        merged = self._windows[::2]
        for label, (window, later) in enumerate(zip(merged, self._windows[1::2], strict=True)):
            window.absorb(later)
            window.label = label
        self._windows[:] = merged
        self._size *= 2


def _falls(windows: list[Epoch]) -> tuple[int, int]:
    """Returns where the last training begins, and how often the steps begin again.

    Steps that begin again and again are those of epochs without labels, or of many trainings:
    then all windows count.
    """
    begins, falls, before = 0, 0, 0
    for place, window in enumerate(windows):
        first = window.first_step
        if first is None:
            continue
        last = first if window.step is None else window.step
        inside = 2 * last < first
        if inside or 2 * first < before:
            begins, falls = place + inside, falls + 1
        before = last
    return (0, falls) if _FALLS * falls > len(windows) else (begins, falls)


def _merged(windows: list[Epoch]) -> Epoch:
    """Returns one window of several; as in an epoch, a first iteration alone has no rate."""
    first, *others = deepcopy(windows)
    for window in others:
        first.absorb(window)
    if not others:
        first.finish()
    return first


def _by_means(windows: list[Epoch]) -> Epoch | None:
    """Returns adjacent windows as one, if their means since the start are exact enough for it."""
    if not windows or windows[0].means is None:
        return None
    merged = _merged(windows)
    return merged if merged.means is not None and merged.means.passed() else None


class Pauses:
    """Finds evaluations that a log does not print, by the time of the iteration that includes one.

    If iterations at regular steps take many times as long as the one before, each of them includes
    an evaluation or a checkpoint. Iterations that the log does not print do not take so long.
    """

    def __init__(self) -> None:
        self._step = self._gap = 0  # of the last one, and after the one before it or step 0

    def regular(self, before: Iteration, line: Iteration) -> bool:
        """Returns whether a line is such an iteration, at the same distance as the last two."""
        took, usual = line.duration, before.duration
        if took is None:  # the lower its rate, the longer an iteration took
            took, usual = before.throughput, line.throughput
        if took is None or usual is None or not took > PAUSE * usual > 0:
            return False
        if line.step is None or before.step is None:
            return False
        last, gap = self._gap, line.step - self._step
        self._step, self._gap = line.step, gap
        return gap == last > 0 and line.step - before.step > 1
