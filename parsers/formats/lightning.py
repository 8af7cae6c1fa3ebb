"""PyTorch Lightning's console: one progress bar per epoch, redrawn.

If no bar is drawn, the lines that the program itself prints are read by their names.
"""

import math

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Events, Origin, RunEnd, RunStart
from sixdim.parsers.formats import lightning_bars as bars
from sixdim.parsers.formats.lightning_epochs import EpochBars
from sixdim.parsers.formats.lightning_printed import PrintedLines
from sixdim.parsers.formats.lightning_results import Results, ResultsTable
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.grammar.shapes.holes import clock, pace
from sixdim.parsers.grammar.vocabulary.names import TRAINED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, ignored, line
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
        self._bars = EpochBars(self)
        self._stops: tuple[Event, ...] = ()  # an end announced before the epoch's last line
        self._restored = self._is_over = False
        self._noted = -1  # the last epoch that only a checkpoint line reported
        self._printed, self._table = PrintedLines(), ResultsTable()
        self._certain = False  # a line was read that only Lightning prints

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; without bars, a line that the program prints may be the epoch's.

        Another program's loop may draw the same bars, and print its evaluations itself.
        """
        results = self._table.read(line)
        if results is not None:
            return self._tested(line.origin(), results) if results.metrics else ()
        rest = self._bars.below.read(line)
        if rest == "":
            return ()
        line = line if rest is None else line.with_text(rest)
        events = super().read(line)
        if events is not None or (self._bars.epoch is not None and self._is_certain()):
            return events
        if self._bars.epoch is None:
            return self._printed.read(line)
        scores = self._printed.scores(line)
        return [*self._bars.end(), *scores] if scores else None

    def _is_certain(self) -> bool:
        self._certain |= self._bars.full is not None and "v_num" in self._bars.full.pairs
        return self._certain

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the epoch that the log ended in."""
        printed = self._printed.end(at) if self._bars.epoch is None else ()
        over = [*self._bars.end(), *printed, *self._bars.closing, *super().end(at)]
        return over if self._trains() else [*self._table.waiting, *over]

    def _trains(self) -> bool:
        """Returns whether the log shows a training."""
        return self._bars.epoch is not None or self._is_over or self._printed.has_epochs

    def _tested(self, at: Origin, results: Results) -> Events:
        """Reads the results of `test` or `validate`; they count where the training shows none."""
        yield from self._bars.end()
        found = Evaluation(at, results.metrics, after_training=self._bars.scored, data=results.data)
        if self._trains():
            yield found
        else:
            self._table.waiting = (found,)

    @line("Epoch {epoch:int}: {}]`Trainer.fit` stopped: {reason:text}", 1.0, "end")
    def _stopped_after_a_bar(self, line: Line, f: Fields) -> Events:
        # A bar ends without a newline, and is drawn once more after the closing line.
        found = _MAX_EPOCHS.match(f["reason"])
        planned = self.report(line.origin(), "epochs_planned", int(found[1])) if found else ()
        self._bars.closing = (RunEnd(line.origin()),)
        return tuple(planned)

    @line("Epoch {epoch:int}: {}]{}" + _EARLY, 1.0, "early stop")
    def _stopped_early_after_a_bar(self, line: Line, f: Fields) -> Events:
        self._bars.closing = (RunEnd(line.origin(), sentence=True),)
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
    def _stopped_early(self, line: Line, f: Fields) -> Events:
        self._stops, self._is_over = (RunEnd(line.origin()),), True
        over = self._bars.end(closing=True)
        return (*over, *bars.not_finite(line), RunEnd(line.origin(), sentence=True))

    @line((bars.RICH_BAR, bars.RICH_UNENDING_BAR), 0.8, "progress")
    def _rich_bar(self, line: Line, f: Fields) -> Events:
        self._bars.validation_apart = True
        if not f["pace"].endswith("/s"):  # a narrow terminal wraps the time before it
            return ()
        f = {**f, "pace": pace(f["pace"])}
        found = bars.DRAWN.search(f["drawn"], max(0, len(f["drawn"]) - bars.LONGEST_DRAWN))
        if found is None:
            return ()
        step = int(found["step"])
        if not step and self._bars.full is not None:
            # The first drawing of the next epoch is the first with the result of the validation,
            # unless it is that of a new bar (`leave=True`), which has no figures yet.
            pairs = {**self._bars.full.pairs, **self._bars.below.pairs, **f["pairs"]}
            self._bars.full = self._bars.full._replace(pairs=pairs)
            self._bars.below.begin(line)
            return ()
        steps = int(found["steps"]) if found["steps"].isdecimal() else None
        alone = self._bars.epoch is None and not self._restored and f["epoch"] < _MANY
        unprinted = alone and not self._printed.has_epochs
        labels = range(self._noted + 1, f["epoch"]) if unprinted else ()
        unseen = [EpochEnd(line.origin(), label) for label in labels]
        events = self._drawn(line, f, step, steps, clock(found["elapsed"]))
        self._bars.below.begin(line)
        by_epochs = f.get("last", -1) >= 0  # a training by steps has -1
        planned = self.report(line.origin(), "epochs_planned", f["last"] + 1) if by_epochs else ()
        ended = (RunEnd(line.origin()),) if alone and self._is_over else ()
        return (*planned, *unseen, *events, *ended)

    @line((bars.BAR, bars.BARE_BAR, bars.UNENDING_BAR, bars.ENDLESS_BAR), 0.6, "progress")
    def _bar(self, line: Line, f: Fields) -> Events:
        return self._drawn(line, f, f["step"], f.get("steps"), f["elapsed"])

    def _drawn(
        self, line: Line, f: Fields, step: int, steps: int | None, elapsed: float
    ) -> tuple[Event, ...]:
        """Returns the events of one drawing; what was announced in the epoch before is over."""
        if f["epoch"] != self._bars.epoch:
            self._stops = ()
        return self._bars.draw(line, f, step, steps, elapsed)

    @line(_CHECKPOINT + "reached {value:float} (best {}", 0.5, "checkpoint")
    @line(_CHECKPOINT + "was not in top {}", 0.5, "checkpoint")
    def _checkpoint(self, line: Line, f: Fields) -> Events:
        # The only line of an epoch whose bar is not in the file; without a value if not improved.
        if f["epoch"] == self._bars.epoch:
            return ()
        self._noted = f["epoch"]
        at, value = line.origin(), f.get("value", math.nan)
        score = figure(f["metric"], value)
        words, (stops, self._stops) = words_of(f["metric"]), (self._stops, ())
        if words == ["loss"] or not TRAINED.isdisjoint(words):  # a figure of the training
            values = () if math.isnan(value) else (score,)
            return (*self._bars.end(), EpochEnd(at, f["epoch"], values=values), *stops)
        self._bars.scored = True
        over, tested = EpochEnd(at, f["epoch"]), Evaluation(at, (score,), epoch=f["epoch"])
        return (*self._bars.end(), over, tested, *stops)

    @line(_VALIDATED.format("Validation DataLoader {}"), 0.8, "validation")
    @line(tuple(map(_VALIDATED.format, ("Validating", "Validation"))), 0.2, "validation")
    def _validation_bar(self, line: Line, f: Fields) -> Events:
        self._bars.validate(f["batch"])
        return ()

    @line("Validation {:until} • {:word} {}", 0.2, "validation")
    def _rich_validation_bar(self, line: Line, f: Fields) -> Events:
        self._bars.draws_validations = self._bars.validated = True
        return ()

    @line(("Validating: {:int}it{}", "Validation: {:int}it{}"), 0.2, "validation")
    @line(("Sanity Checking{}: {}", "Validation sanity check: {}"), 0.8, "sanity check")
    def _validation(self, line: Line, f: Fields) -> Events:
        self._bars.validates = True
        return ()

    @line("`Trainer.fit` stopped: `max_epochs={epochs:int}` reached{}", 1.0, "end")
    @line("`Trainer.fit` stopped: {}", 1.0, "end")
    def _stopped(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        planned = self.report(at, "epochs_planned", f["epochs"]) if "epochs" in f else ()
        # In a file Rich draws one frame at the very end: the file does not show the epochs.
        seen = self._bars.epoch is not None or self._printed.has_epochs or self._restored
        unseen = not seen and f.get("epochs", _MANY) < _MANY
        labels = range(self._noted + 1, f["epochs"]) if unseen else ()
        trained = [EpochEnd(at, label) for label in labels]
        self._noted = max(self._noted, f.get("epochs", 0) - 1, _MANY if self._restored else -1)
        self._restored, self._is_over = False, True
        if not seen and "epochs" not in f:  # it may end a trial of the tuner
            self._bars.closing = (RunEnd(at),)
            return ()
        return (*planned, *trained, *self._bars.end(closing=True), RunEnd(at))

    @line(("Restoring states from the c{}", "Restored all states from the c{}"), 0.5, "header")
    def _restores(self, line: Line, f: Fields) -> Events:
        self._restored = not any(trial in line.text for trial in _TRIALS)
        return ()

    @line(("Learning rate set to {}", "Finished batch size finder{}"), 0.5, "header")
    def _tuned(self, line: Line, f: Fields) -> Events:
        self._restored, self._bars.closing = False, ()
        return self._start(line, f)

    @line(
        ("GPU available: {:word} ({}), used: {}", "GPU available: {:word}, used: {}"), 0.8, "header"
    )
    def _start(self, line: Line, f: Fields) -> Events:
        ended = self._bars.end()
        self._certain = True
        self._bars.begin_training()
        self._is_over, self._noted, self._stops = False, -1, ()
        self._table = ResultsTable()
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
