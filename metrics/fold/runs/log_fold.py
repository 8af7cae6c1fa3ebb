"""Assigns the events of a log, which may hold several trainings, to runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.plan_done import plan_done
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.runs.writers import Writers
from sixdim.metrics.fold.sums.series_fold import SeriesFold
from sixdim.metrics.values.settings import DEFAULT, Settings
from sixdim.parsers.events import (
    ClockStart,
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Summary,
    TargetReached,
)
from sixdim.parsers.spans import Span

MOST_RUNS = 1000
"""Runs of one log that are held; of more, the latest ones and the one that was asked for."""
_WAITING = (RunInfo, ClockStart, Evaluation, Summary, TargetReached, RunEnd)
"""Events that wait behind a header for the progress line that shows what it began."""


class LogFold:
    """Folds a log that may hold more than one run.

    A new header followed by epochs that restart is a new run, or by epochs so much later that more
    are missing than were read; by epochs that go on, a resume, or another rank that prints the
    header, too. What stands between a header and its first progress line waits for that decision;
    where none comes, it is of a program that does not train (an evaluation, an inference), and
    belongs to no run, unless nothing in the log trains.

    Args:
        settings: How the runs are read; the one that they name is held however many follow.
        curves: Whether the runs hold every named number that repeats, for a screen.

    Attributes:
        settings: The same.
        runs: Those that are held, in the order of the file; at least one.
        dropped: How many earlier runs are not held any more.
    """

    def __init__(
        self,
        settings: Settings = DEFAULT,
        *,
        curves: bool = False,
    ) -> None:
        self.settings = settings
        self._curves = curves
        self.runs = [self._new_run()]
        self.dropped = 0
        self._wanted = settings.run
        self._wanted_run: Run | None = None
        self._header: list[Event] | None = None
        self._writers = Writers()

    def _new_run(self) -> Run:
        run = Run(self.settings)
        run.series = SeriesFold() if self._curves else None
        return run

    def apply(self, event: Event) -> None:
        """Folds one event into the run it belongs to."""
        run = self.runs[-1]
        at = event.at
        if (at.rank is not None or at.host is not None) and self._writers.repeats(event):
            run.repeat(event)
            return
        if self._header is None and type(event) is not RunStart:
            run.apply(event)
            if isinstance(event, EndOfInput):
                self._end(run)
            return
        if isinstance(event, RunStart):
            if run.started:
                self._leave_out_troubles(run)
                self._header = [*(self._header or []), event]
            else:
                run.apply(event)
            return
        if self._header is not None:
            closes = isinstance(event, RunEnd) and event.throughput is not None
            fails = isinstance(event, Problem) and event.fatal and self._is_whole(run)
            if fails or (isinstance(event, _WAITING) and not closes):
                self._header.append(event)
                return
            if isinstance(event, Iteration | EpochEnd | RunEnd):
                run = self._decide(run, event)
            elif isinstance(event, EndOfInput):
                run = self._drop(run)
        run.apply(event)
        if isinstance(event, EndOfInput):
            self._end(run)

    def extend(self, lines: Iterator[Iteration]) -> None:
        """Folds progress lines that follow each other in the log."""
        if self._header is not None:
            self.apply(next(lines))
        run = self.runs[-1]
        run.extend(self._own(run, lines))

    def _own(self, run: Run, lines: Iterable[Iteration]) -> Iterator[Iteration]:
        """The lines that do not repeat another writer's."""
        for line in lines:
            _, _, _, rank, host, _ = line.at
            if (rank is not None or host is not None) and self._writers.repeats(line):
                run.repeat(line)
            else:
                yield line

    def add(self, span: Span) -> bool:
        """Folds a span of progress lines.

        Returns:
            False where nothing was folded, for its lines must be folded one by one.
        """
        at = span.last.at
        single = at.rank is None and at.host is None and self._header is None
        return single and self.runs[-1].add(span)

    def _end(self, run: Run) -> None:
        """Decides what ended a run that went on behind a trouble, and was done."""
        if run.failed is not None and self._is_whole(run):
            run.forget_overcome()

    def _is_whole(self, run: Run) -> bool:
        """Whether a run is done, by its end or by its plan."""
        return run.end is not None or plan_done(run, Facts(run, self.settings))

    def _drop(self, run: Run) -> Run:
        """Leaves out what stands behind a header that no training followed.

        Of programs none of which trains, the last one is judged.

        Returns:
            The run that the end of the log belongs to.
        """
        self._leave_out_troubles(run)
        header, self._header = self._header or [], None
        figures = [event for event in header if isinstance(event, Evaluation | RunEnd)]
        if not figures:
            return run
        if run.epochs or run.last_iteration is not None:
            text = "figures behind a header without training are another program's: left out"
            run.note(Problem(figures[0].at, "not_training", text))
            return run
        for event in header:
            if isinstance(event, RunStart) and run.evaluations:
                run.ended = True
                run = self._new_run()
                self.runs.append(run)
            run.apply(event)
        return run

    def _leave_out_troubles(self, run: Run) -> None:
        """Notes what ended a program behind the header that did not train: it failed no run."""
        header = self._header or []
        for event in header:
            if isinstance(event, Problem):
                run.note(event._replace(fatal=False))
        self._header = [event for event in header if not isinstance(event, Problem)] or None

    def _decide(self, run: Run, event: Iteration | EpochEnd | RunEnd) -> Run:
        """Decides what the pending header began, now that a record shows it."""
        header, self._header = self._header or [], None
        if self._restarts(run, event) or _counts_otherwise(run, header, event):
            run.ended = True
            run = self._new_run()
            self.runs.append(run)
            if len(self.runs) > MOST_RUNS:
                self._drop_oldest()
        else:
            run.note(Problem(event.at, "resume", "a new header, and the epochs go on: resumed"))
        for waiting in header:
            run.apply(waiting)
        return run

    @staticmethod
    def _restarts(run: Run, event: Iteration | EpochEnd | RunEnd) -> bool:
        if isinstance(event, RunEnd):
            return run.end is not None  # of a training of which only the rate is printed
        if not run.epochs:
            return False
        first = min(run.epochs)
        label = event.epoch if event.epoch is not None else first
        if label != first:
            return label < first or label - max(run.epochs) > 1 + len(run.epochs)
        if isinstance(event, EpochEnd):
            return True
        first_step, last_step = run.epochs[first].first_step, run.epochs[first].step
        # One program may count its steps from 0, and the next from 1.
        if event.step is None or first_step is None or event.step <= max(first_step, 1):
            return True
        return last_step is not None and event.step > 2 * last_step

    def _drop_oldest(self) -> None:
        """Removes the older half of the runs."""
        half = len(self.runs) // 2
        if self._wanted is not None and 0 <= self._wanted - self.dropped - 1 < half:
            self._wanted_run = self.runs[self._wanted - self.dropped - 1]
        self.dropped += half
        del self.runs[:half]

    @property
    def count(self) -> int:
        """How many runs the log holds."""
        return self.dropped + len(self.runs)

    def holds(self, number: int) -> bool:
        """Whether the run of that number (from 1) can be chosen."""
        return self.dropped < number <= self.count or number == self._wanted

    def number_of(self, run: Run) -> int:
        """Which run of the log it is, from 1."""
        if run is self._wanted_run and self._wanted is not None:
            return self._wanted
        return self.dropped + self.runs.index(run) + 1

    def chosen(self, number: int | None = None) -> Run:
        """Run `number` (from 1), or the last that has any record.

        Raises:
            IndexError: The log does not hold that many, or that one is not held any more.
        """
        if number is None:
            started = [run for run in self.runs if run.started]
            return started[-1] if started else self.runs[-1]
        if not 1 <= number <= self.count:
            raise IndexError(f"the log holds {self.count} run(s), not {number}")
        if number > self.dropped:
            return self.runs[number - self.dropped - 1]
        if number == self._wanted and self._wanted_run is not None:
            return self._wanted_run
        raise IndexError(f"of {self.count} runs, number {number} is not held any more")


def _counts_otherwise(
    run: Run, header: Iterable[Event], event: Iteration | EpochEnd | RunEnd
) -> bool:
    """Whether the new training counts from 1 and prints a total, and the run does neither."""
    if isinstance(event, RunEnd):
        return False
    first = min(run.epochs, default=None)
    planned = any(isinstance(e, RunInfo) and e.name == "epochs_planned" for e in header)
    return first == 0 and event.epoch == 1 and planned and "epochs_planned" not in run.facts
