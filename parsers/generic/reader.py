"""The generic reader: any log, by the names and units of its figures.

It reads lines with a loss, an accuracy or a rate under one of the field's usual names, and
tables under a header of such names. Whether a rate is the job's or one device's stays unknown
unless the log says that it is one device's. What is not certain is not read.
"""

from collections.abc import Iterable, Sequence

from sixdim.parsers.events import (
    Event,
    Origin,
    Problem,
)
from sixdim.parsers.generic.engines import Engines, is_of_engine
from sixdim.parsers.generic.evaluations.best import stated_best
from sixdim.parsers.generic.planned_lines import PlannedLines
from sixdim.parsers.generic.sentences import Sentences
from sixdim.parsers.generic.tables.headings import FRAMES, Headings, names_a_batch
from sixdim.parsers.generic.tables.table import HeadedTable
from sixdim.parsers.grammar.meaning.line_plan import (
    FIGURES,
    LABELS,
    NOTHING,
    Plan,
)
from sixdim.parsers.grammar.meaning.line_planner import plan as plan_of
from sixdim.parsers.grammar.meaning.plans import ENDS_OF_HEADINGS, EVALUATING, VALIDATING, Plans
from sixdim.parsers.grammar.shapes.bar_layouts import usual
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.grammar.vocabulary.closing import of_a_trial
from sixdim.parsers.grammar.vocabulary.forms import Numbers
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.starting import starts_now
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import nothing
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line

_MOST_KINDS = 1_000
"""The most kinds of figures that are stored."""
_POSITION = {"epoch", "step"}


class _Unmatched(Unanchored):
    """Matches no line by itself: the reader decides which statement a line is."""

    def match(self, text: str) -> Fields | Broken | None:
        """See `Shape.match`."""
        return None


class Generic(Reader):
    """Reads one log by the names in it."""

    name = "generic"
    title = "any log with named numbers (last resort)"
    tried = (
        "tqdm 4.70.1, flax 0.12.8, fastai 2.8.12, torchvision 0.29.2, skorch 1.4.0, "
        "poutyne 1.19.0, ignite 0.5.5, haiku 0.0.17, d3rlpy 2.8.1, monai 1.6.1, speechbrain 1.1.2, "
        "peft 0.21.2, segmentation-models-pytorch 0.6.0, optax 0.2.8, equinox 0.13.8, "
        "gensim 4.4.0, rl-games 1.6.5, simpletransformers 0.70.8, torchtnt 0.2.4, "
        "mace-torch 0.3.16, flair 0.15.1, tianshou 2.0.1, pytorch-tabnet 4.1.0, "
        "scikit-learn 1.6.1, pykeen 1.11.1, torch-geometric 2.8.1, litgpt 0.5.9, "
        "pytorch-metric-learning 2.9.0"
    )
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
    _NESTED = Statement(_Unmatched(), nothing, 0.1, "progress bar")
    _ENGINE = Statement(_Unmatched(), nothing, 0.1, "engine")
    statements = (_HEADER, _ROW, *reversed(_BY_ROLES), _FIRST, _NESTED, _ENGINE)

    def __init__(self) -> None:
        self._planned = planned = PlannedLines(self)
        self._evaluations, self._steady = planned.evaluations, planned.steady
        self._training, self._bars = planned.training, planned.bars
        self._heading: tuple[str, ...] = ()  # words of the last line if it was a heading
        self._plans, self._table = Plans(), HeadedTable()
        self._engines = Engines()
        self._headings = Headings(planned.evaluations)
        self._sentences = Sentences(planned.epochs, planned.evaluations, planned.bars.steps)
        self._kinds: dict[tuple[tuple[str, str], ...], Numbers] = {}

    def begun_again(self) -> Reader:
        """As `Reader.begun_again`; the new reader keeps the plans of the forms of lines."""
        reader = Generic()
        reader._plans = self._plans
        return reader

    def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
        """As `Reader.recognise`; a table is known by its header, which comes first."""
        text = usual(line.text.strip())
        if self._table.row(text) is not None:
            return self._ROW, {}
        if is_of_engine(text):
            return self._ENGINE, {}
        text = self._table.splits.by_name(text)
        planned = self._plans.read(text)
        if planned is None:
            if starts_now(text):
                self._bars.steps.announce(line.origin())
            return (self._HEADER, {}) if self._table.header(text) else None
        known, numbers = planned
        if known.plan is NOTHING:  # most lines of other programs
            return None
        plan, roles = known.plan, known.roles
        if plan.other_bar is not None:
            known_bar = self._bars.recognises(line.origin(), plan, numbers)
            return (self._NESTED, {}) if known_bar else None
        if roles & FIGURES:
            kind = self._BY_ROLES[min(2, len(roles))]
        elif (plan.tested or (plan.trained and plan.trained.values)) and roles & _POSITION:
            kind = self._BY_ROLES[1]
        elif roles >= _POSITION or (plan.begins and "epoch" in roles):
            kind = self._BY_ROLES[0]
        else:
            return None
        if not self._measures(known.names, numbers):
            return self._FIRST, {}
        again = self._kinds.get(known.names) == numbers
        self.convinced |= "epoch" in roles and len(roles & FIGURES) > 1 and not again
        return kind, {}

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`."""
        text = line.text.strip()
        events: Iterable[Event] | None
        full_row = self._table.full_row
        if full_row is not None and (cells := full_row(text)) is not None:
            events = self._planned.events(line, self._table.full, cells)
        elif (
            full_row is None
            and not self._heading
            and (said := self._plans.expected(text)) is not None
        ):
            events = self._planned.events(line, said[0].plan, said[1])
        else:
            events = self._read(line, text)
        if "best" in text or "Best" in text:
            events = [*(events or ()), *stated_best(line)] or events
        return events

    def _read(self, line: Line, text: str) -> Iterable[Event] | None:
        """Returns the events of a line, without the best figure that it may state in words."""
        text = usual(text)
        row = self._table.row(text)
        if row is not None:
            return self._planned.events(line, *row)
        heading, self._heading = self._heading, ()
        steady = self._steady.forget()
        if EVALUATING in text or VALIDATING in text:
            self._training.pause()
        if text in self._headings.without_effect:
            return None
        if of_a_trial(text):
            return self._sentence(line, text)
        text = self._table.splits.by_name(text)
        planned = self._plans.read(text, heading)
        if text.endswith(ENDS_OF_HEADINGS):
            steady = None
            self._training.note_heading(text)
            self._evaluations.best.note_heading(text)
        elif text.startswith(("Best", "best")):
            steady = None
            self._evaluations.best.note_heading(text)
        if planned is None:
            return self._without_numbers(line, text)
        known, numbers = planned
        if known.may_be_sentence:
            return self._sentence(line, text, known.plan, numbers)
        if known.plan is NOTHING:
            if text.startswith(FRAMES) and names_a_batch(text):
                self._evaluations.of_a_batch = True
            else:
                self._steady.plan = steady
            return None
        self._steady.plan = steady
        return self._planned.events(line, known.plan, numbers)

    def _sentence(
        self, line: Line, text: str, plan: Plan = NOTHING, numbers: Numbers = ()
    ) -> Iterable[Event] | None:
        """Returns the events of a line that may say that a training or an epoch begins or ends."""
        engine = self._engines.read(line, text, self._planned.epochs.label)
        if engine is not None:
            return engine
        events = self._sentences.ending(line, text)
        if events:
            events = [*self._planned.released(), *events]
        if plan is not NOTHING:
            return [*events, *self._planned.events(line, plan, numbers)]
        if not events and (begins := self._sentences.beginning(line.origin(), text)):
            events = self._planned.released()
            self._evaluations.repeats.release(events)
            events += begins
        return events or None

    def _without_numbers(self, line: Line, text: str) -> Iterable[Event] | None:
        """Returns the events of a line without numbers, which may be a heading."""
        if self._table.header(text) or self._evaluations.begin_table(text):
            return ()
        if (ends := self._sentence(line, text)) is not None:
            return ends
        self._bars.steps.note_text()
        self._heading = self._headings.read(text)
        return () if self._heading else None

    def cut(self, line: Line) -> Problem | None:
        """As `Reader.cut`: no line is known by its beginning."""
        return None

    def say(self, line: Line, named: Sequence[Named]) -> Iterable[Event]:
        """Returns the events of figures that were not read from a text."""
        values = [int(one.value) if one.role in LABELS else one.value for one in named]
        return self._planned.events(line, plan_of(named), [*values, None])

    def _measures(self, kind: tuple[tuple[str, str], ...], numbers: Numbers) -> bool:
        """Returns whether an earlier line had these names, and for a single figure, another number.

        Logs repeat their lines, prose does not; a repeated `accuracy: 0.75` is a setting.
        """
        before = self._kinds.get(kind)
        if before is None and len(self._kinds) < _MOST_KINDS:
            self._kinds[kind] = numbers
        alone = len(kind) == 1 and kind[0][0] in ("loss", "quality", "epoch")
        return before is not None and not (alone and before == numbers)

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, after the evaluations that were held back."""
        return [*self._planned.end(), *super().end(at)]
