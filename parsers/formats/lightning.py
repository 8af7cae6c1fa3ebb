"""PyTorch Lightning's console: one progress bar per epoch, redrawn.

Until validation is over, the figures after a full bar may be those of the epoch before: an
epoch's figures are those of its last drawing. A bar prints iterations per second, but no batch.
If no bar is drawn, the lines that the program itself prints are read by their names.
"""

from __future__ import annotations

import math

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Iteration,
    Origin,
    RunEnd,
    RunStart,
)
from sixdim.parsers.formats import lightning_bars as bars
from sixdim.parsers.formats.lightning_printed import PrintedLines
from sixdim.parsers.formats.lightning_results import Results, ResultsTable
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.figures import figure, figures
from sixdim.parsers.grammar.shapes.holes import clock, pace
from sixdim.parsers.grammar.vocabulary.names import TRAINED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import first
from sixdim.parsers.statements.rows import fact, ignored, line, remembers
from sixdim.parsers.text.patterns import pattern

_NOT_FURTHER = ("v_num", "loss")
_MANY = 10_000
_MAX_EPOCHS = pattern(r"`max_epochs=(\d{1,9}+)`")
_EARLY = " Signaling Trainer to stop.{}"
"""The end of EarlyStopping's message; training goes on until `min_epochs` are done."""
_TRIALS = (".lr_find_", ".scale_batch_size_")  # in names of checkpoints, of the tuner's trials
_VALIDATED = "{}: {{:int}}%|{{}}| {{batch:int}}/{{}} [..."
_CHECKPOINT = "Epoch {epoch:int}, global step {step:int}: '{metric:until}' "


class Lightning(Reader):
    name = "lightning"
    title = "PyTorch Lightning console"
    tried = (
        "lightning 2.6.6, pytorch-lightning 1.9.5, gluonts 0.17.0, chemprop 2.3.1, darts 0.48.1, "
        "pytorch-forecasting 1.8.0, pytorch-tabular 1.2.0"
    )
    example = "Epoch 0:  43%|████▎     | 3/7 [00:37<00:50, 12.58s/it, loss=1.82, v_num=5]"
    unread = (
        "the model's summary, test results of several data loaders, validation bars, the batch "
        "(so the speed is it/s)"
    )

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._step = 0
        self._full: bars.LastDrawing | None = None
        self._below = bars.FiguresBelow()
        self._part, self._results = bars.TrainingPart(), bars.ResultsInside()
        self._closing: tuple[Event, ...] = ()
        self._stops: tuple[Event, ...] = ()  # an end announced before the epoch's last line
        self._restored = self._is_over = False
        self._noted = -1  # the last epoch that only a checkpoint line reported
        self._validates = False  # its bars include or may include the validation
        self._draws_validations = self._validated = False  # in the log, in the current epoch
        # Seconds and mean of the current epoch's full bar before a validation was drawn
        self._trained: tuple[float, float | None] | None = None
        self._clock = self._since = 0.0  # of the last drawing, of the one that the epoch began with
        self._relabelled = False  # that one may be the end of the epoch before, with a new label
        self._held: tuple[Event, ...] = ()  # its events, until this is clear
        self._alone = False  # no other drawing of the current epoch was seen before its full bar
        self._validation_apart = False  # Rich draws a bar of its own for it, and the other stops
        self._printed, self._table = PrintedLines(), ResultsTable()
        self._scored = False  # the training itself printed results of an evaluation
        self._certain = False  # a line was read that only Lightning prints

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; without bars, a line that the program prints may be the epoch's.

        Another program's loop may draw the same bars, and print its evaluations itself.
        """
        results = self._table.read(line)
        if results is not None:
            return self._tested(line.origin(), results) if results.metrics else ()
        rest = self._below.read(line)
        if rest == "":
            return ()
        line = line if rest is None else line.with_text(rest)
        events = super().read(line)
        if events is not None or (self._epoch is not None and self._is_certain()):
            return events
        if self._epoch is None:
            return self._printed.read(line)
        scores = self._printed.scores(line)
        return [*self._end_epoch(), *scores] if scores else None

    def _is_certain(self) -> bool:
        self._certain |= self._full is not None and "v_num" in self._full.pairs
        return self._certain

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the epoch that the log ended in."""
        printed = self._printed.end(at) if self._epoch is None else ()
        over = [*self._end_epoch(), *printed, *self._closing, *super().end(at)]
        return over if self._trains() else [*self._table.waiting, *over]

    def _trains(self) -> bool:
        """Whether the log shows a training."""
        return self._epoch is not None or self._is_over or self._printed.has_epochs

    def _tested(self, at: Origin, results: Results) -> Events:
        """Reads the results of `test` or `validate`; they count where the training shows none."""
        yield from self._end_epoch()
        found = Evaluation(at, results.metrics, after_training=self._scored, data=results.data)
        if self._trains():
            yield found
        else:
            self._table.waiting = (found,)

    @line("Epoch {epoch:int}: {}]`Trainer.fit` stopped: {reason:text}", 1.0, "end")
    def _stopped_after_a_bar(self, line: Line, f: Fields) -> tuple[Event, ...]:
        # A bar ends without a newline, and is drawn once more after the closing line.
        found = _MAX_EPOCHS.match(f["reason"])
        planned = self.report(line.origin(), "epochs_planned", int(found[1])) if found else ()
        self._closing = (RunEnd(line.origin()),)
        return tuple(planned)

    @line("Epoch {epoch:int}: {}]{}" + _EARLY, 1.0, "early stop")
    def _stopped_early_after_a_bar(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._closing = (RunEnd(line.origin(), sentence=True),)
        return ()

    @line(
        (
            "Monitored metric {}" + _EARLY,
            "Stopping threshold reached: {}" + _EARLY,
            "Time limit reached. {}" + _EARLY,
            "Validation {} • {}" + _EARLY,  # the message is written at the end of Rich's bar
        ),
        1.0,
        "early stop",
    )
    def _stopped_early(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._stops, self._is_over = (RunEnd(line.origin()),), True
        over = self._end_epoch(closing=True)
        return (*over, *bars.not_finite(line), RunEnd(line.origin(), sentence=True))

    @line((bars.RICH_BAR, bars.RICH_UNENDING_BAR), 0.8, "progress")
    def _rich_bar(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._validation_apart = True
        if not f["pace"].endswith("/s"):  # a narrow terminal wraps the time before it
            return ()
        f = {**f, "pace": pace(f["pace"])}
        found = bars.DRAWN.search(f["drawn"], max(0, len(f["drawn"]) - bars.LONGEST_DRAWN))
        if found is None:
            return ()
        step = int(found["step"])
        if not step and self._full is not None:
            # The first drawing of the next epoch is the first with the result of the validation,
            # unless it is that of a new bar (`leave=True`), which has no figures yet.
            pairs = {**self._full.pairs, **self._below.pairs, **f["pairs"]}
            self._full = self._full._replace(pairs=pairs)
            self._below.begin(line)
            return ()
        steps = int(found["steps"]) if found["steps"].isdecimal() else None
        alone = self._epoch is None and not self._restored and f["epoch"] < _MANY
        unprinted = alone and not self._printed.has_epochs
        labels = range(self._noted + 1, f["epoch"]) if unprinted else ()
        unseen = [EpochEnd(line.origin(), label) for label in labels]
        events = self._drawn(line, f, step, steps, clock(found["elapsed"]))
        self._below.begin(line)
        by_epochs = f.get("last", -1) >= 0  # a training by steps has -1
        planned = self.report(line.origin(), "epochs_planned", f["last"] + 1) if by_epochs else ()
        ended = (RunEnd(line.origin()),) if alone and self._is_over else ()
        return (*planned, *unseen, *events, *ended)

    @line((bars.BAR, bars.BARE_BAR, bars.UNENDING_BAR, bars.ENDLESS_BAR), 0.6, "progress")
    def _bar(self, line: Line, f: Fields) -> tuple[Event, ...]:
        return self._drawn(line, f, f["step"], f.get("steps"), f["elapsed"])

    def _drawn(
        self, line: Line, f: Fields, step: int, steps: int | None, elapsed: float
    ) -> tuple[Event, ...]:
        """Returns the events of one drawing of a bar."""
        ended: tuple[Event, ...] = ()
        last, self._clock, again = self._clock, elapsed, False
        if f["epoch"] != self._epoch:
            # A clock that went on in the epoch before is not set back for this one, either.
            self._since = last if self._since and elapsed >= last else 0.0
            repeated = self._full is not None and self._full.pairs == f["pairs"]
            again = self._relabelled = repeated and step == steps and elapsed >= last
            ended, self._stops = self._end_epoch(), ()
            self._epoch, self._step, self._results.found = f["epoch"], 0, False
            self._validated, self._trained = False, None
            self._part.begin()
        elif self._relabelled and step < self._step and elapsed >= last > 0:
            self._since, self._step, self._full, self._trained = last, 0, None, None
            self._held = ()
            self._part.begin(again=True)
        if step < self._step:
            return ended  # the bar is set back before the next epoch's label appears
        pace = f["pace"] if not self._since else math.nan  # it is that since the first epoch
        elapsed -= self._since
        mean = mean_of_bar(step, elapsed, pace)
        self._alone = self._validation_apart and step == steps and not self._step
        if not steps or step == steps:  # without a known length any drawing may be the last
            if not self._validated and not self._results.found:
                self._trained = elapsed, mean
            self._full = bars.LastDrawing(line.origin(), elapsed, mean, f["pairs"])
        if self._closing:
            ended, self._closing = (*ended, *self._end_epoch(), *self._closing), ()
        part, self._step = self._part, step
        if not part.draw(step, step * mean if mean is not None else elapsed):
            return ended
        duration = pace if pace == pace else None
        if self._alone:
            mean = duration = None  # what it counts is known once the figures below it are read
        if part.counts:
            step, steps = part.steps, part.whole
            mean = duration = part.seconds / step if mean is not None else None
        values = figures(self.wanted(f["pairs"]), skip=_NOT_FURTHER)
        if self.wants("elapsed"):
            values = (figure("elapsed", elapsed, "s"), *values)
        place, loss = (self._epoch, step, steps), f.get(first(bars.LOSSES, f))
        event = Iteration(
            line.origin(), *place, loss=loss, duration=duration, values=values, mean_duration=mean
        )
        beside = {**self._below.pairs, **f["pairs"]} if step != steps else {}
        events: tuple[Event, ...] = event, *self._results.inside(event.at, self._epoch, beside)
        if again:
            self._held = events
            return ended
        return (*ended, *self._release(), *events)

    def _release(self) -> tuple[Event, ...]:
        """Returns the events that waited; none after that."""
        held, self._held = self._held, ()
        return held

    def _end_epoch(self, *, closing: bool = False) -> tuple[Event, ...]:
        """Returns the end of the epoch whose bar was full, with the figures of its last drawing.

        Args:
            closing: Whether the closing line follows: Rich draws the last results after it.
        """
        if self._full is None:
            return ()
        last, self._full = self._full, None
        if self._alone and bars.of_first_versions({**last.pairs, **self._below.pairs}):
            last, self._results.found = last._replace(mean=None), True
        scores, values = last.figures(self._below.pairs)
        waits = closing and self._validation_apart
        unseen = self._draws_validations and not self._validated
        if (waits or unseen) and not self._results.has_new(scores):
            scores = ()  # of an earlier epoch, as in most of `check_val_every_n_epoch=5`
        self._validates |= bool(scores)
        self._scored |= bool(scores) or self._results.found
        may_include = self._validates and not self._validation_apart and not unseen
        validated = self._results.found or may_include
        self._results.end(scores)
        follows = self._validated and not self._validation_apart
        trained = self._trained if follows else None
        over = last.end_of(self._epoch, self._part, values, validated=validated, trained=trained)
        tested = (Evaluation(over.at, scores, epoch=self._epoch),) if scores else ()
        return (*self._release(), over, *tested)

    @line(_CHECKPOINT + "reached {value:float} (best {}", 0.5, "checkpoint")
    @line(_CHECKPOINT + "was not in top {}", 0.5, "checkpoint")
    def _checkpoint(self, line: Line, f: Fields) -> tuple[Event, ...]:
        # The only line of an epoch whose bar is not in the file; without a value if not improved.
        if f["epoch"] == self._epoch:
            return ()
        self._noted = f["epoch"]
        at, value = line.origin(), f.get("value", math.nan)
        score = figure(f["metric"], value)
        words, (stops, self._stops) = words_of(f["metric"]), (self._stops, ())
        if words == ["loss"] or not TRAINED.isdisjoint(words):  # a figure of the training
            values = () if math.isnan(value) else (score,)
            return (*self._end_epoch(), EpochEnd(at, f["epoch"], values=values), *stops)
        self._scored = True
        over, tested = EpochEnd(at, f["epoch"]), Evaluation(at, (score,), epoch=f["epoch"])
        return (*self._end_epoch(), over, tested, *stops)

    @line(_VALIDATED.format("Validation DataLoader {}"), 0.8, "validation")
    @line(tuple(map(_VALIDATED.format, ("Validating", "Validation"))), 0.2, "validation")
    def _validation_bar(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._validates = self._validated = True
        self._draws_validations |= self._epoch is not None  # else it is no epoch's
        self._part.validate(f["batch"])
        return ()

    rich_validation_bar = remembers(
        "Validation {:until} • {:word} {}",
        0.2,
        "validation",
        _draws_validations=True,
        _validated=True,
    )

    validation = remembers(
        ("Validating: {:int}it{}", "Validation: {:int}it{}"), 0.2, "validation", _validates=True
    )
    checked = "Sanity Checking{}: {}", "Validation sanity check: {}"
    sanity_check = remembers(checked, 0.8, "sanity check", _validates=True)

    @line("`Trainer.fit` stopped: `max_epochs={epochs:int}` reached{}", 1.0, "end")
    @line("`Trainer.fit` stopped: {}", 1.0, "end")
    def _stopped(self, line: Line, f: Fields) -> tuple[Event, ...]:
        at = line.origin()
        planned = self.report(at, "epochs_planned", f["epochs"]) if "epochs" in f else ()
        # In a file Rich draws one frame at the very end: the file does not show the epochs.
        seen = self._epoch is not None or self._printed.has_epochs or self._restored
        unseen = not seen and f.get("epochs", _MANY) < _MANY
        labels = range(self._noted + 1, f["epochs"]) if unseen else ()
        trained = [EpochEnd(at, label) for label in labels]
        self._noted = max(self._noted, f.get("epochs", 0) - 1, _MANY if self._restored else -1)
        self._restored, self._is_over = False, True
        if not seen and "epochs" not in f:  # it may end a trial of the tuner
            self._closing = (RunEnd(at),)
            return ()
        return (*planned, *trained, *self._end_epoch(closing=True), RunEnd(at))

    @line(("Restoring states from the c{}", "Restored all states from the c{}"), 0.5, "header")
    def _restores(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._restored = not any(trial in line.text for trial in _TRIALS)
        return ()

    @line(("Learning rate set to {}", "Finished batch size finder{}"), 0.5, "header")
    def _tuned(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._restored, self._closing = False, ()
        return self._start(line, f)

    @line(
        ("GPU available: {:word} ({}), used: {}", "GPU available: {:word}, used: {}"), 0.8, "header"
    )
    def _start(self, line: Line, f: Fields) -> tuple[Event, ...]:
        ended = self._end_epoch()
        self._certain = True
        self._epoch, self._step, self._is_over = None, 0, False
        self._below = bars.FiguresBelow()
        self._noted, self._stops = -1, ()
        self._table, self._scored = ResultsTable(), False
        self._printed.begin()
        self.facts.clear()
        return (*ended, RunStart(line.origin()))

    accelerators = ignored(
        ("TPU available: {}", "IPU available: {}", "HPU available: {}", "LOCAL_RANK: {} - CUDA_{}"),
        0.8,
        "header",
    )
    devices = fact("All distributed processes registered. Starting with {devices:int} {}", 0.5)

    @line("Using {type:word} {}Automatic Mixed Precision (AMP)", 0.8, "header")
    def _mixed(self, line: Line, f: Fields) -> Events:
        return self.report(line.origin(), "precision", f"amp {f['type']}")
