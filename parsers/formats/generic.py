"""Any log: what its own words say, where no named format is sure.

Lines with a loss, an accuracy or a rate under one of the field's usual names are read, and so
are tables under a header of such names. Whose throughput a rate is stays unknown, unless it
says that it is one device's. What a line does not say for certain is no figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    Scope,
)
from sixdim.parsers.formats.generic_epochs import Epochs
from sixdim.parsers.formats.generic_table import Table
from sixdim.parsers.grammar.bars import mean_in_bar
from sixdim.parsers.grammar.closing import Closing, closing
from sixdim.parsers.grammar.forms import Form, count_at, metrics_at
from sixdim.parsers.grammar.line_plan import FIGURES, ITERATIONS, NOTHING, Plan, plan
from sixdim.parsers.grammar.names import EVALUATED, Named, words, words_of
from sixdim.parsers.grammar.plans import Plans
from sixdim.parsers.grammar.shape import Broken, Fields, Unanchored
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import nothing
from sixdim.parsers.text.lines import Line

_NO_RATE: tuple[float | None, str, Scope] = (None, "", Scope.UNKNOWN)
_MOST_KINDS = 1_000
"""Kinds of lines that are remembered."""
_HEADING = EVALUATED | words("error errors result results metrics set the performance on")
"""What a line consists of, up to its colon, that says of which data the next one is."""
_POSITION = frozenset({"epoch", "step"})


class _Unmatched(Unanchored):
    """Matches no line by itself: the reader says which statement a line is."""

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`."""
        return None


class Generic(Reader):
    """Reads one log by the names in it."""

    name = "generic"
    title = "any log with named numbers (last resort)"
    tried = "tqdm 4.70.1, flax 0.12.8, fastai 2.8.12, torchvision 0.29.2, skorch 1.4.0, "
    tried += "poutyne 1.19.0, pytorch-tabnet 4.1.0, torch 2.13.0 on two ranks"
    example = "epoch 3 step 40/5005: loss 2.31, acc 45.1 %, 1234.5 images/sec"
    unread = (
        "figures without one of the field's names or units, prose, nested JSON, multi-line "
        "reports, and whose throughput it is"
    )
    fallback = True
    _HEADER = Statement(_Unmatched(), nothing, 0.1, "table header")
    _ROW = Statement(_Unmatched(), nothing, 0.1, "table row")
    _FIRST = Statement(_Unmatched(), nothing, 0.0, "first of its kind")
    _BY_ROLES = (
        Statement(_Unmatched(), nothing, 0.05, "epoch"),
        Statement(_Unmatched(), nothing, 0.05, "named figure"),
        Statement(_Unmatched(), nothing, 0.1, "named figures"),
    )
    statements = (_HEADER, _ROW, *reversed(_BY_ROLES), _FIRST)

    def __init__(self) -> None:
        self._epochs = Epochs()
        self._step: int | None = None  # of a line that says nothing else
        self._rounded: int | None = None  # the last step that was printed in thousands
        self._heading: tuple[str, ...] = ()  # of the line before
        self._timer = ""  # name of the log's times of an iteration
        self._rated: str | None = None  # the unit of the log's rates
        self._data_set: str | None = None  # of the first evaluation
        self._split: set[str] = set()  # metrics that are named by what they are of
        self._plans = Plans()
        self._table = Table()
        self._in_evaluation = False  # the last line was of one of its batches
        self._waiting: tuple[Plan, float, Evaluation] | None = None
        self._progress: set[Plan] = set()  # of lines that stand for a batch of an evaluation
        self._kinds: dict[tuple[tuple[str, str], ...], list[float | None]] = {}

    def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
        """As `Reader.recognise`; a table is known by its header, which comes first."""
        text = line.text.strip()
        if self._table.row(text) is not None:
            return self._ROW, {}
        found = self._plans.read(text)
        if found is None:
            return (self._HEADER, {}) if self._table.header(text) else None
        known, numbers = found
        form, made = known.form, known.plan
        roles = {hole.named.role for hole in form.holes}
        if made.empty:
            return None
        if roles & FIGURES:
            kind = self._BY_ROLES[min(2, len(roles))]
        elif made.values and roles & _POSITION:
            kind = self._BY_ROLES[1]
        elif roles >= _POSITION or (made.begins and "epoch" in roles):
            kind = self._BY_ROLES[0]
        else:
            return None
        return (kind if self._measures(form, numbers) else self._FIRST), {}

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`."""
        text = line.text.strip()
        row = self._table.row(text)
        if row is not None:
            return self._events(line, *row)
        heading, self._heading = self._heading, ()
        found = self._plans.read(text, heading)
        if found is None:
            return self._without_numbers(line, text)
        known, numbers = found
        made = known.plan
        ends = closing(text) if made.empty or made.closes else None
        if made.empty and ends is None:
            return None if known.form.bar is None else ()  # a progress bar of other work
        said = () if made.empty else self._events(line, made, numbers)
        return said if ends is None else [_ended(line, ends), *said]

    def _without_numbers(self, line: Line, text: str) -> Iterable[Event] | None:
        """The events of a line without numbers, which may say what the next ones are."""
        if self._table.header(text):
            return ()
        if (ends := closing(text)) is not None:
            return (_ended(line, ends),)
        said = tuple(words_of(text[:60])) if text.endswith(":") else ()
        if said and _HEADING.issuperset(said) and not EVALUATED.isdisjoint(said):
            self._heading = said
            return ()
        return None

    def say(self, line: Line, named: Sequence[Named]) -> Iterable[Event]:
        """The events of figures that were not read from a text."""
        return self._events(line, plan(named), [one.value for one in named])

    def _measures(self, form: Form, numbers: list[float | None]) -> bool:
        """Whether these names stood in a line before; a figure alone, with another number.

        A log repeats itself, prose does not; `accuracy: 0.75` again and again is a setting.
        """
        kind = tuple((hole.named.role, hole.named.name) for hole in form.holes[:16])
        before = self._kinds.get(kind)
        if before is None and len(self._kinds) < _MOST_KINDS:
            self._kinds[kind] = numbers
        alone = len(kind) == 1 and kind[0][0] in ("loss", "quality", "epoch")
        return before is not None and not (alone and before == numbers)

    def _events(self, line: Line, p: Plan, numbers: Sequence[float | None]) -> list[Event]:
        """The events of a line whose numbers are these."""
        at = line.origin()
        out: list[Event] = []
        if self._waiting is not None:
            self._waited(out, p, numbers)
        if p.epoch is not None:
            self._epochs.begin(count_at(numbers, p.epoch), over=p.whole and p.loss is not None)
        planned = self._epochs.newly_planned(count_at(numbers, p.epochs))
        if planned is not None:
            out.append(RunInfo(at, "epochs_planned", planned))
        if p.begins:
            self._step = count_at(numbers, p.step)
            out.append(Iteration(at, self._epochs.label, self._step, count_at(numbers, p.steps)))
        if p.trains:
            self._step = None
            self._in_evaluation = False
            self._trained(out, line, p, numbers)
        if p.tested:
            self._tested(out, at, p, numbers)
        return out

    def _tested(
        self, out: list[Event], at: Origin, p: Plan, numbers: Sequence[float | None]
    ) -> None:
        step, steps = count_at(numbers, p.step), count_at(numbers, p.steps)
        step = self._step if step is None else step
        names = {metric.name for _place, metric in p.tested}
        if p.says_split:
            self._split |= names
        elif names <= self._split and not self._in_evaluation:
            return  # of the training, where another line says that it is of the evaluation
        if self._data_set is None:
            self._data_set = p.data_set
        if p.data_set and p.data_set != self._data_set:
            return  # of other data than what the log calls by the same name
        batch = self._epochs.trained_in_other_steps(steps)
        self._in_evaluation = (p.partial or batch) and step != steps
        metrics = metrics_at(p.tested, numbers)
        if self._in_evaluation or not metrics:
            return
        label = self._epochs.label
        step = step if label is None else None
        evaluation = Evaluation(at, metrics, label, step, data=p.data)
        if batch:
            self._waiting = p, inf, evaluation
        elif p.part is None or p.parts is None or numbers[p.part] == numbers[p.parts]:
            out.append(evaluation)
        else:
            self._in_evaluation = True
            part = numbers[p.part]
            if part and p not in self._progress:
                self._waiting = p, part, evaluation

    def _waited(self, out: list[Event], p: Plan, numbers: Sequence[float | None]) -> None:
        """Adds the evaluation that waited for this line, which might be its next batch's."""
        assert self._waiting is not None
        (before, part, evaluation), self._waiting = self._waiting, None
        now = None if p.part is None else numbers[p.part]
        if p == before and now is not None and now > part:
            self._progress.add(p)
        elif not p.tested or (p.says_split and part < inf):  # else it is what the batches come to
            out.append(evaluation)

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, behind the evaluation that waits."""
        out: list[Event] = []
        if self._waiting is not None:
            self._waited(out, NOTHING, ())
        return [*out, *super().end(at)]

    def _trained(
        self, out: list[Event], line: Line, p: Plan, numbers: Sequence[float | None]
    ) -> None:
        step, steps = count_at(numbers, p.step), count_at(numbers, p.steps)
        if p.epoch is None and not self._epochs.trained_in_other_steps(steps):
            self._epochs.goes_on(step)
        at, label = line.origin(), self._epochs.label
        rate, unit, scope = self._rate(p, numbers) if p.rates else _NO_RATE
        loss = None if p.loss is None else numbers[p.loss]
        seconds = None if p.duration is None else numbers[p.duration]
        if unit == ITERATIONS:  # with a batch it becomes samples
            seconds = seconds or 1 / (rate or 1)
            rate, unit, scope = _NO_RATE
        self._timer = self._timer or p.timer
        if p.timer != self._timer:
            seconds = None  # of two times of an iteration the log's first one counts
        if p.whole and (rate is None or p.of_epoch):
            time = None if p.epoch_time is None else numbers[p.epoch_time]
            train = None if p.train_time is None else numbers[p.train_time]
            if p.time is not None:
                time = self._epochs.time_of(numbers[p.time])
            figures = metrics_at(p.values, numbers) if p.values else ()
            if loss is not None:
                figures = (Metric("loss", loss, "", False), *figures)
            if rate or time or train or figures:
                out.append(EpochEnd(at, label, rate, unit, scope, train, time, figures))
        elif rate is not None or loss is not None or seconds is not None or p.values:
            wanted = tuple(v for v in p.values if self.wants(v[1].name)) if p.values else ()
            values = metrics_at(wanted, numbers) if wanted else ()
            if self._epochs.trained_in_other_steps(steps):
                return  # an evaluation's
            if p.rounded and step == self._rounded:
                rate, unit, scope, seconds = *_NO_RATE, None  # of work that counts elsewhere
            self._rounded = step
            counts = (at, label, step, steps)
            mean = mean_in_bar(line.text) if p.bar else None
            out.append(Iteration(*counts, rate, unit, scope, loss, seconds, values, None, mean))
            shared = "%)]" in line.text
            if steps and (p.bare or shared) and self._epochs.counts_samples(step, shared=shared):
                out.extend(self.report(at, "samples_per_epoch", steps))
            if step and step == steps and (self._epochs.trained(step) or p.bar):
                out.append(EpochEnd(at, label))

    def _rate(self, p: Plan, numbers: Sequence[float | None]) -> tuple[float | None, str, Scope]:
        """The line's rate: the job's samples or tokens rather than a device's or iterations.

        One unit serves the whole log: rates of another than its first are other figures.
        """
        iterations = None
        for place, unit, scope in p.rates:
            value = numbers[place]
            if value is None:
                continue
            if unit == ITERATIONS:
                iterations = value
                continue
            if self._rated is None:
                self._rated = unit  # "": a bare `throughput`
            if unit == self._rated:
                return value, unit, scope
        if iterations is None or self._rated is not None:
            return _NO_RATE
        return iterations, ITERATIONS, Scope.UNKNOWN


def _ended(line: Line, ends: Closing) -> RunEnd:
    """The end that a sentence tells of; see `RunEnd.sentence`."""
    return RunEnd(line.origin(), ends.duration, sentence=True)
