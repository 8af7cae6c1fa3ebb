"""Assigns the events of a log, which may hold several trainings, to runs."""

from collections.abc import Iterable, Iterator

from sixdim.metrics.fold.runs.endings import began_anew, overcame_failure, plan_done
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.restarts import begins_run, counts_otherwise
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.fold.runs.run_spans import add_span
from sixdim.metrics.fold.runs.writers import Writers
from sixdim.metrics.values.settings import DEFAULT, Settings
from sixdim.parsers.events import (
    ClockStart,
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Summary,
    TargetReached,
)
from sixdim.parsers.spans import LineSpan

_FIGURES = (Evaluation, RunEnd)
MOST_RUNS = 1000
"""Most runs of a log that are held: the latest ones, and the one that the settings name."""
_WAITING = (RunInfo, ClockStart, Evaluation, Summary, TargetReached)
"""Events that wait after a header, until a progress line shows what the header began."""


class LogFold:
    """Folds a log that may hold more than one run.

    A header begins a new run if the epochs after it start again, or if more epochs are missing
    before them than were read. If the epochs go on, the run was resumed, or another rank printed
    the header, too. Events between a header and its first progress line wait for that decision. If
    no progress line comes, they are of a program that does not train (an evaluation, an inference)
    and belong to no run, unless nothing in the log trains.

    Args:
        settings: How the runs are read; the run that they name is always held.
        curves: Whether the runs hold every named number that repeats, for a screen.

    Attributes:
        runs: The runs that are held, in the order of the file; at least one.
    """

    def __init__(self, settings: Settings = DEFAULT, *, curves: bool = False) -> None:
        self.settings = settings
        self._curves = curves
        self.runs = [Run(settings, curves=curves)]
        self._header: list[Event] | None = None
        self._writers = Writers()

    def apply(self, event: Event) -> None:
        """Folds one event into the run it belongs to."""
        run = self.runs[-1]
        at = event.at
        if (at.rank is not None or at.host is not None) and self._writers.repeats(event):
            run.repeat(event)
            return
        if isinstance(event, RunStart) and run.started:
            self._note_header_problems(run)
            if not event.timed:
                self._leave_out(run)
            self._header = [*(self._header or []), event]
            return
        if self._header is not None:
            if self._waits(run, event):
                self._header.append(event)
                return
            if isinstance(event, Iteration | EpochEnd | RunEnd):
                run = self._decide(run, event)
            elif isinstance(event, EndOfInput):
                run = self._drop(run)
        if isinstance(event, RunEnd) and event.sentence and run.end and self._may_cover_all(event):
            event = event._replace(duration=None)
        if isinstance(event, EndOfInput):
            self._end(run, event)
        else:
            run.apply(event)

    def _waits(self, run: Run, event: Event) -> bool:
        """Returns whether an event after a header waits for the progress line that decides."""
        if isinstance(event, RunEnd):
            return event.throughput is None
        if isinstance(event, Problem):
            return event.fatal and self._is_whole(run)
        return isinstance(event, _WAITING)

    def _may_cover_all(self, end: RunEnd) -> bool:
        """Returns whether a printed time, longer than since the last run, may be that of all.

        Without clocks it may be in any log of several runs.
        """
        if len(self.runs) == 1:
            return False
        begin, now = self.runs[-2].clock.last_us, end.at.time_us
        if begin is None or now is None or end.duration is None:
            return True
        return end.duration > (now - begin) / 1e6

    def extend(self, lines: Iterator[Iteration]) -> None:
        """Folds progress lines that follow each other in the log."""
        while self._header is not None:  # a line that repeats another rank's decides nothing
            line = next(lines, None)
            if line is None:
                return
            self.apply(line)
        run = self.runs[-1]
        run.extend(self._own(run, lines))

    def _own(self, run: Run, lines: Iterable[Iteration]) -> Iterator[Iteration]:
        """Yields the lines that do not repeat those of another writer."""
        for line in lines:
            _, _, _, rank, host, _ = line.at
            if (rank is not None or host is not None) and self._writers.repeats(line):
                run.repeat(line)
            else:
                yield line

    def add(self, span: LineSpan) -> bool:
        """Folds a span of progress lines; returns False if they must be folded one by one."""
        at = span.last.at
        single = at.rank is None and at.host is None and self._header is None
        return single and add_span(self.runs[-1], span)

    def _is_whole(self, run: Run) -> bool:
        """Returns whether a run has a closing line, or did all that was planned."""
        return run.end is not None or plan_done(run, Facts(run, self.settings))

    def _drop(self, run: Run) -> Run:
        """Leaves out the events after a header that no training followed; returns the last run.

        If no program in the log trains, the last one is judged.
        """
        self._note_header_problems(run)
        self._leave_out(run)
        header, self._header = self._header or [], None
        if not any(isinstance(event, _FIGURES) for event in header):
            return run
        for event in header:
            if isinstance(event, RunStart) and run.evaluations:
                run = self._next_run(run, event.at)
            run.apply(event)
        return run

    def _leave_out(self, run: Run) -> None:
        """Leaves out a header, and the figures of no training after it, if `run` trains."""
        figures = [event for event in self._header or () if isinstance(event, _FIGURES)]
        if figures and (run.epochs or run.last_iteration is not None):
            text = "figures after a header without training are another program's: left out"
            run.note(Problem(figures[0].at, "not_training", text))
            self._header = None

    def _note_header_problems(self, run: Run) -> None:
        """Notes the problems after the header as not fatal: that program did not train."""
        header = self._header or []
        for event in header:
            if isinstance(event, Problem):
                run.note(event._replace(fatal=False))
        self._header = [event for event in header if not isinstance(event, Problem)] or None

    def _decide(self, run: Run, event: Iteration | EpochEnd | RunEnd) -> Run:
        """Returns the run of a record after a header: a new one, or the same that was resumed."""
        header, self._header = self._header or [], None
        if begins_run(run, event) or counts_otherwise(run, header, event):
            before, run = run, self._next_run(run, header[0].at)
            if any(isinstance(one, RunStart) and one.same_program for one in header):
                facts = before.facts.known.items()
                run.facts.known = {name: fact for name, fact in facts if name != "target"}
            header = [*before.facts.held.values(), *header]
        else:
            run.note(Problem(event.at, "resume", "a new header, and the epochs go on: resumed"))
        for waiting in header:
            run.apply(waiting)
        return run

    def _end(self, run: Run, end: EndOfInput) -> None:
        """Ends a run: at the end of the log, or where the next run begins."""
        run.apply(end)
        if run.problems.failed is None:
            return
        if began_anew(run, end.at) or (self._is_whole(run) and overcame_failure(run)):
            run.problems.failed = None

    def _next_run(self, before: Run, at: Origin) -> Run:
        """Ends a run at the header of the next one, which it returns."""
        self._end(before, EndOfInput(at))
        self.runs.append(Run(self.settings, self.count + 1, curves=self._curves))
        if len(self.runs) > MOST_RUNS:
            half = len(self.runs) // 2  # the older ones go
            self.runs[:half] = [run for run in self.runs[:half] if run.number == self.settings.run]
        return self.runs[-1]

    @property
    def count(self) -> int:
        """How many runs the log holds."""
        return self.runs[-1].number

    def chosen(self, number: int | None = None) -> Run:
        """Returns run `number` (from 1), or the last that has any record.

        Raises:
            IndexError: The log does not hold that many, or that one is not held any more.
        """
        if number is None:
            started = [run for run in self.runs if run.started]
            return started[-1] if started else self.runs[-1]
        if not 1 <= number <= self.count:
            runs = "1 run" if self.count == 1 else f"{self.count} runs"
            raise IndexError(f"the log holds {runs}, so there is no run {number}")
        for run in self.runs:
            if run.number == number:
                return run
        raise IndexError(f"of {self.count} runs, number {number} is not held any more")
