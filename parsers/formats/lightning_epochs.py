"""The progress bar of each epoch of a Lightning training: one bar, redrawn."""

import math

from sixdim.parsers.events import Evaluation, Event, Iteration
from sixdim.parsers.formats import lightning_bars as bars
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.figures import figure, figures
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import first

_NOT_FURTHER = ("v_num", "loss")


class EpochBars:
    """Reads the drawings of the epochs' bars of one log.

    Until validation is over, the figures after a full bar may be those of the epoch before: an
    epoch's figures are those of its last drawing. A bar prints iterations per second, but no batch.

    Args:
        reader: The log's reader.

    Attributes:
        epoch: The epoch of the last drawing.
        full: The last drawing of its bar, once it is full.
        below: The figures below it.
        closing: Events that follow the next drawing: a bar is drawn once more after the last line.
        scored: Whether the training itself printed results of an evaluation.
        validates: Whether the bars include or may include the validation.
        draws_validations: Whether the log has bars of validations.
        validated: Whether the current epoch has one.
        validation_apart: Whether Rich draws a bar of its own for it, and the other stops.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.epoch: int | None = None
        self._step = 0
        self.full: bars.LastDrawing | None = None
        self.below = bars.FiguresBelow()
        self._part, self._results = bars.TrainingPart(), bars.ResultsInside()
        self.closing: tuple[Event, ...] = ()
        self.scored = self.validates = False
        self.draws_validations = self.validated = self.validation_apart = False
        # Seconds and mean of the current epoch's full bar before a validation was drawn
        self._trained: tuple[float, float | None] | None = None
        self._clock = self._since = 0.0  # of the last drawing, of the one that the epoch began with
        self._relabelled = False  # that one may be the end of the epoch before, with a new label
        self._held: tuple[Event, ...] = ()  # its events, until this is clear
        self._alone = False  # no other drawing of the current epoch was seen before its full bar

    def begin_training(self) -> None:
        """Begins a training."""
        self.epoch, self._step, self.scored = None, 0, False
        self.below = bars.FiguresBelow()

    def validate(self, batch: int) -> None:
        """Notes a drawing of a validation's bar, with its finished batches."""
        self.validates = self.validated = True
        self.draws_validations |= self.epoch is not None  # else it is no epoch's
        self._part.validate(batch)

    def draw(
        self, line: Line, f: Fields, step: int, steps: int | None, elapsed: float
    ) -> tuple[Event, ...]:
        """Returns the events of one drawing.

        Args:
            line: Its line.
            f: The fields of the line.
            step: What the bar counts.
            steps: Its total; None if that is unknown.
            elapsed: The bar's own clock in seconds.
        """
        ended: tuple[Event, ...] = ()
        last, self._clock, again = self._clock, elapsed, False
        if f["epoch"] != self.epoch:
            # A clock that went on in the epoch before is not set back for this one, either.
            self._since = last if self._since and elapsed >= last else 0.0
            repeated = self.full is not None and self.full.pairs == f["pairs"]
            again = self._relabelled = repeated and step == steps and elapsed >= last
            ended = self.end()
            self.epoch, self._step, self._results.found = f["epoch"], 0, False
            self.validated, self._trained = False, None
            self._part.begin()
        elif self._relabelled and step < self._step and elapsed >= last > 0:
            self._since, self._step, self.full, self._trained = last, 0, None, None
            self._held = ()
            self._part.begin(again=True)
        if step < self._step:
            return ended  # the bar is set back before the next epoch's label appears
        pace = f["pace"] if not self._since else math.nan  # it is that since the first epoch
        elapsed -= self._since
        mean = mean_of_bar(step, elapsed, pace)
        self._alone = self.validation_apart and step == steps and not self._step
        if not steps or step == steps:  # without a known length any drawing may be the last
            if not self.validated and not self._results.found:
                self._trained = elapsed, mean
            self.full = bars.LastDrawing(line.origin(), elapsed, mean, f["pairs"])
        if self.closing:
            ended, self.closing = (*ended, *self.end(), *self.closing), ()
        part, self._step = self._part, step
        if not part.draw(step, step * mean if mean is not None else elapsed):
            return ended
        duration = pace if pace == pace else None
        if self._alone:
            mean = duration = None  # what it counts is known once the figures below it are read
        if part.counts:
            step, steps = part.steps, part.whole
            mean = duration = part.seconds / step if mean is not None else None
        values = figures(self._reader.wanted(f["pairs"]), skip=_NOT_FURTHER)
        if self._reader.wants("elapsed"):
            values = (figure("elapsed", elapsed, "s"), *values)
        place, loss = (self.epoch, step, steps), f.get(first(bars.LOSSES, f))
        event = Iteration(
            line.origin(), *place, loss=loss, duration=duration, values=values, mean_duration=mean
        )
        beside = {**self.below.pairs, **f["pairs"]} if step != steps else {}
        events: tuple[Event, ...] = event, *self._results.inside(event.at, self.epoch, beside)
        if again:
            self._held = events
            return ended
        return (*ended, *self._release(), *events)

    def _release(self) -> tuple[Event, ...]:
        """Returns the events that waited; none after that."""
        held, self._held = self._held, ()
        return held

    def end(self, *, closing: bool = False) -> tuple[Event, ...]:
        """Returns the end of the epoch whose bar was full, with the figures of its last drawing.

        Args:
            closing: Whether the closing line follows: Rich draws the last results after it.
        """
        if self.full is None:
            return ()
        last, self.full = self.full, None
        if self._alone and bars.of_first_versions({**last.pairs, **self.below.pairs}):
            last, self._results.found = last._replace(mean=None), True
        scores, values = last.figures(self.below.pairs)
        waits = closing and self.validation_apart
        unseen = self.draws_validations and not self.validated
        if (waits or unseen) and not self._results.has_new(scores):
            scores = ()  # of an earlier epoch, as in most of `check_val_every_n_epoch=5`
        self.validates |= bool(scores)
        self.scored |= bool(scores) or self._results.found
        may_include = self.validates and not self.validation_apart and not unseen
        validated = self._results.found or may_include
        self._results.end(scores)
        follows = self.validated and not self.validation_apart
        trained = self._trained if follows else None
        over = last.end_of(self.epoch, self._part, values, validated=validated, trained=trained)
        tested = (Evaluation(over.at, scores, epoch=self.epoch),) if scores else ()
        return (*self._release(), over, *tested)
