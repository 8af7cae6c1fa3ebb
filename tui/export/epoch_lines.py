"""Line output instead of a screen: a line for each epoch."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import BEHIND, Note, Snapshot
from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
from sixdim.tui.base import figures
from sixdim.tui.base.gaps import epoch_gap, evaluation_gap
from sixdim.tui.session.live.feed import Frame


class EpochLines:
    """Converts frames to lines, one for each epoch when it is complete."""

    def __init__(self) -> None:
        self._printed: set[tuple[str, int, int, int]] = set()
        self._held: tuple[Frame, EpochPoint] | None = None
        self._message = (0, "")  # of which reading of the log
        self._stalled = False
        self._format = ""
        self._frozen: tuple[int, object] | None = None
        self._log = (0, "")
        self._windows = self._evaluations = 0  # lines up to which those of `_log` were printed
        self._behind: set[tuple[int, Note]] = set()

    def lines(self, frame: Frame) -> Iterator[str]:
        """Yields the new lines of a frame."""
        message = frame.restarts, frame.message
        stays = message == self._message or (frame.stalled and self._stalled)
        ended = frame.snapshot.is_over and not frame.broken
        if frame.message and not (stays or ended):
            yield frame.message  # of a run that is over, only the card is printed
        self._message, self._stalled = message, frame.stalled
        if frame.no_card:
            return
        snapshot = frame.snapshot
        if snapshot.format and snapshot.format != self._format:
            self._format = snapshot.format
            provisional = ", provisional" if snapshot.provisional else ""
            yield f"format {snapshot.format}{provisional}"
        rows = [*self._progress(frame)]
        if rows and (end := figures.planned_end(snapshot.progress.remaining)):
            rows[-1] += f"  {end}"
        yield from rows
        target = snapshot.card.target or {}
        reached = (frame.restarts, target.get("line"))
        if snapshot.card.frozen and self._frozen != reached:
            self._frozen = reached
            yield f"target {target.get('condition')} reached: the card is frozen"
        for note in snapshot.notes:
            if note.kind == BEHIND and (frame.restarts, note) not in self._behind:
                self._behind.add((frame.restarts, note))
                yield f"behind: {note.text} (line {note.line})"

    def _progress(self, frame: Frame) -> Iterator[str]:
        """Yields the lines of finished epochs, or of a run without epochs."""
        snapshot = frame.snapshot
        yield from self._replaced(frame)
        current = snapshot.progress.epoch
        if current is None:
            yield from self._steps(frame)
            return
        # The current epoch is printed once the next epoch begins, the run is over, or its
        # evaluation has met the target: until then its evaluation may still come.
        met = snapshot.card.frozen and (snapshot.card.target or {}).get("epoch") == current
        over = snapshot.is_over or met
        bare: list[int] = []
        for epoch in snapshot.epochs:
            identity = self._identity(frame, epoch)
            if identity in self._printed or not epoch.complete:
                continue
            if epoch.label == current and not over:
                self._held = frame, epoch
                continue
            self._printed.add(identity)
            name = f"epoch {epoch.label:>4}"
            line = _line(frame, name, epoch)
            if line == name:
                bare.append(epoch.label)
                continue
            yield from _without_figures(bare)
            bare = []
            yield line
        yield from _without_figures(bare)

    def _replaced(self, frame: Frame) -> Iterator[str]:
        """Yields the epoch that was held back if it is gone: another run of the log has begun."""
        (before, epoch), self._held = self._held or (frame, None), None
        if epoch is None:
            return
        identity = self._identity(before, epoch)
        there = {self._identity(frame, one) for one in frame.snapshot.epochs}
        same_log = identity[:2] == (frame.snapshot.format, frame.restarts)
        if same_log and identity not in there:
            yield _line(before, f"epoch {epoch.label:>4}", epoch)

    def unfinished(self, frame: Frame, *, goes_on: bool = False) -> Iterator[str]:
        """Yields the line of the epoch that is being trained.

        Args:
            frame: The latest one.
            goes_on: Whether the watch goes on: the line says when the run will end.

        Yields:
            One line; none if that epoch was printed before, or the run counts no epochs.
        """
        if frame.no_card:
            return
        snapshot, progress = frame.snapshot, frame.snapshot.progress
        point = next((p for p in reversed(snapshot.epochs) if p.label == progress.epoch), None)
        if point is None or self._identity(frame, point) in self._printed:
            return
        name = f"epoch {point.label:>4}"
        if point.complete:
            if not goes_on:  # else it is printed once its evaluation has come
                yield _line(frame, name, point)
            return
        of = f" of {progress.steps}" if progress.steps is not None else ""
        where = f" at step {progress.step}{of}" if progress.step is not None else ""
        line = _line(frame, f"{name}  unfinished{where}", point)
        if progress.throughput is not None:
            line += f"  now {figures.throughput(progress.throughput)} {snapshot.unit}".rstrip()
        end = figures.planned_end(progress.remaining) if goes_on else ""
        yield f"{line}  {end}".rstrip()

    def _identity(self, frame: Frame, epoch: EpochPoint) -> tuple[str, int, int, int]:
        """Returns the identity of an epoch; a resume or another run may repeat its label."""
        return (frame.snapshot.format, frame.restarts, epoch.label, epoch.first_line)

    def _steps(self, frame: Frame) -> Iterator[str]:
        """Yields the lines of a run without epochs: its windows, and its evaluations."""
        snapshot = frame.snapshot
        log = (frame.restarts, snapshot.format)
        if log != self._log:
            self._log, self._windows, self._evaluations = log, 0, 0
        rows: list[tuple[int, str]] = []
        for window in snapshot.windows:
            if window.last_line > self._windows:
                self._windows = window.last_line
                counted = window.step is not None
                name = f"step {window.step:>6}" if counted else f"line {window.last_line:>6}"
                rows.append((window.last_line, _line(frame, name, window)))
        for one in snapshot.evaluations:
            if one.line > self._evaluations:
                self._evaluations = one.line
                at = "evaluated" if one.step is None else f"step {one.step:>6}"
                ahead = _forecast(snapshot, one)
                beside = _beside(frame, one, None)
                rows.append((one.line, "  ".join([at, _value(snapshot, one), *ahead, *beside])))
        for _, row in sorted(rows):
            yield row


class PrintedRuns:
    """Converts frames to lines of each run; with several runs, the run's name precedes a line."""

    def __init__(self) -> None:
        self._runs: defaultdict[int, EpochLines] = defaultdict(EpochLines)
        self._message = ""

    def lines(self, frame: Frame) -> Iterator[str]:
        """Yields the new lines of a frame."""
        of_all = frame.runs and frame.message != frame.runs[frame.selected].message
        if of_all and frame.message != self._message:
            self._message = frame.message
            yield frame.message
        for number, run in enumerate(frame.each_run()):
            yield from _named(frame, run, self._runs[number].lines(run))

    def unfinished(self, frame: Frame, *, goes_on: bool = False) -> Iterator[str]:
        """Yields the epochs that are being trained; see `EpochLines.unfinished`."""
        for number, run in enumerate(frame.each_run()):
            yield from _named(frame, run, self._runs[number].unfinished(run, goes_on=goes_on))


def _without_figures(labels: list[int]) -> Iterator[str]:
    """Yields one line for all epochs in a row that are over and of which the log has no figure."""
    for _, group in groupby(enumerate(labels), lambda pair: pair[1] - pair[0]):
        (_, first), *others = group
        yield f"epoch {first:>4}" + (f" to {others[-1][1]}" if others else "")


def _named(frame: Frame, run: Frame, lines: Iterator[str]) -> Iterator[str]:
    name = f"{run.snapshot.name}: " if frame.runs else ""
    return (f"{name}{line}" for line in lines)


def _line(frame: Frame, name: str, point: EpochPoint) -> str:
    snapshot, parts = frame.snapshot, [name]
    unit = snapshot.unit
    if point.throughput is not None:
        how = " (derived)" if point.derived else ""
        parts.append(f"{figures.throughput(point.throughput):>9} {unit}{how}")
    evaluated: list[EvaluationPoint] = []
    if snapshot.progress.epoch is not None:
        evaluated = [e for e in snapshot.evaluations if e.epoch == point.label][-1:]
        parts += [_value(snapshot, one) for one in evaluated]
    if point.loss is not None:
        parts.append(f"loss {point.loss:.4g}")
    if point.duration is not None:
        parts.append(figures.duration(point.duration))
    for one in evaluated:
        parts += _forecast(snapshot, one)
    if snapshot.progress.epoch is not None:
        parts += _beside(frame, next(iter(evaluated), None), point)
    return "  ".join(parts)


def _beside(
    frame: Frame, evaluation: EvaluationPoint | None, epoch: EpochPoint | None
) -> Iterator[str]:
    """Yields how far the run is behind or ahead of each reference run at an epoch."""
    own = RunCurves(frame.snapshot) if frame.references else None
    for other in frame.references:
        assert own is not None
        said = [] if evaluation is None else [evaluation_gap(own, evaluation, other).full]
        if epoch is not None and epoch.throughput is not None:
            said.append(f"throughput {epoch_gap(own, epoch, other).full}")
        if said:
            yield f"vs {other.snapshot.name}: {'; '.join(said)}"


def _forecast(snapshot: Snapshot, evaluation: EvaluationPoint) -> list[str]:
    """Returns when the target will be met; empty unless the evaluation is the latest one."""
    text = figures.forecast(snapshot.forecast)
    return [text] if text and evaluation == snapshot.evaluations[-1] else []


def _value(snapshot: Snapshot, evaluation: EvaluationPoint) -> str:
    unit = snapshot.card.dimensions["accuracy"].unit
    metric = "val loss" if snapshot.metric == "loss" else snapshot.metric  # beside that of training
    return f"{metric} {figures.metric(evaluation.value, unit)}"
