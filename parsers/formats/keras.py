"""Keras: progress bars of TF 1, TF 2 and Keras 3, `verbose=2` lines, and TimeHistory.

A bar is redrawn many times; its last drawing has the epoch's time in place of the time left, and
ends the epoch. TF 1 counts samples and prints the time per sample, TF 2 and Keras 3 count steps.
"""

from collections.abc import Iterable, Mapping

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunStart,
    Scope,
)
from sixdim.parsers.formats.keras_counts import BarCounts
from sixdim.parsers.formats.keras_times import TIME_HISTORY, StepTimes, step_time
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.statements.format import Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import fact, ignored, line
from sixdim.parsers.text.patterns import pattern

_NAMES = {
    f"val_{printed}": (name, "fraction")
    for name, spellings in (
        (
            "acc1",
            "acc accuracy Accuracy binary_accuracy categorical_accuracy "
            "sparse_categorical_accuracy top_1",
        ),
        (
            "acc5",
            "top_5 top_k_categorical_accuracy sparse_top_k_categorical_accuracy top_5_accuracy",
        ),
    )
    for printed in spellings.split()
}
_VALIDATED = pattern(r" - (?:val_|\w{1,60}+(?<=_val):)")
_ALONE = pattern(r"(?<= - )\d{1,9}(?:us|ms|s)/step(?= - |\s{0,9}$)")
_WHOLE = pattern(r"(\d{1,9})s")
_further = further("loss", "ETA")
_PROGRESS = NamedRecord(further=_further)


def _pairs(head: str, *required: str) -> KeyValues:
    return KeyValues(head, delimiter=" - ", numbers={"loss": "loss"}, required=required)


def _drawing(head: str, *required: str) -> KeyValues:
    return _pairs("{step:int}/{steps:int} " + head, *required)


def _uncounted(head: str) -> KeyValues:
    """Returns the bar of a first epoch whose data do not say how many batches they are."""
    return _pairs("{step:int}/Unknown " + head, "loss")


_ALL = _pairs("")
"""Reads every pair of a line; a record reads only the wanted pairs."""


class Keras(Gathering):
    name = "keras"
    title = "Keras fit (progress bars, verbose=2) and TimeHistory"
    tried = (
        "keras 3.15.1, tensorflow 2.21.0, tensorflow 2.15.1, keras-tuner 1.4.8, deepctr-torch 0.3.0"
    )
    example = "938/938 [==============================] - 5s 5ms/step - loss: 0.25 - accuracy: 0.92"
    unread = (
        "the model's summary, learning-rate and checkpoint messages, lines of custom callbacks; "
        "without a bar and with validation the mean step includes it"
    )

    _epoch: int | None = None
    _timed = False
    gathered: tuple[Event, ...] = ()  # those of a full bar
    _steps = 0  # steps of the bar that waits
    _trained = False  # the epoch is over
    _keras_1 = False  # lines of epochs are those of Keras 1
    _stops = False  # the training stops early, and the line of its last epoch is to come
    _validated = False  # some epoch ended with a validation

    def __init__(self) -> None:
        self._counts, self._times = BarCounts(), StepTimes()

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`: a line may draw the full bar again, with more figures."""
        known = self.recognise(line)
        if known is None or known[0].what == "checkpoint":
            return True
        statement, f = known
        if statement.what != "epoch" or isinstance(f, Broken):
            return False
        return bool(f["step"] == f["steps"] == self._steps)

    def complete(self) -> tuple[Event, ...]:
        """See `Gathering.complete`: the events of a full bar."""
        full, self.gathered = self.gathered, ()
        self._trained |= bool(full) and self._epoch is not None
        return full

    def placed(self, events: Iterable[Event]) -> Iterable[Event]:
        """As `Reader.placed`: the epoch of a full bar is over, but its events still wait."""
        if not self.gathered or self._trained:
            return events
        return [
            event._replace(epoch=self._epoch)
            if isinstance(event, Evaluation) and event.epoch is None
            else event
            for event in events
        ]

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`; Keras 1 says that it stops in front of its last line."""
        return [*self.complete(), *([RunEnd(at)] if self._stops else []), *super().end(at)]

    @line(_drawing("[{}] - ETA: {eta:word} - ", "loss"), 0.5, "iteration", _PROGRESS)
    @line(_uncounted("{time:measure} {rate:measure} - "), 0.5, "iteration", _PROGRESS)
    def _progress(self, line: Line, f: Fields) -> Events:
        if self._trained or self._epoch is None:
            return ()  # a bar of `evaluate`: `fit` prints its epoch first
        if f["step"] != f.get("steps"):  # else it waits for the validation, and is drawn once more
            self._counts.draw(f["step"], f.get("steps"))
        # Of a group's count nothing shows whether it is one of samples.
        rate = "" if self._counts.in_groups else f.get("rate", "")
        seconds = step_time(rate).seconds or None
        self._timed |= seconds is not None
        place, mean = (self._epoch, f["step"], f.get("steps")), self._times.mean(f["step"], seconds)
        drawn = Iteration(
            line.origin(),
            *place,
            loss=f.get("loss"),
            duration=seconds,
            values=_further(f["pairs"]),
            mean_duration=mean,
        )
        if self._counts.alike and "rate" in f:
            return (*self.report(line.origin(), "steps_not_iterations", 1), drawn)
        return (drawn,)

    @line(_uncounted("- {time:measure} {rate:measure} - "), 0.5, "iteration", _PROGRESS)
    def _uncounted_progress(self, line: Line, f: Fields) -> Events:
        # In the other epochs of TF 2 the last drawing alone has a rate: it counts here, too.
        timed = self._timed
        events = self._progress(line, f)
        self._timed = timed
        return events

    @line(_drawing("[{}] - {time:measure} {rate:measure} - ", "loss"), 0.7, "epoch", _PROGRESS)
    # A `train_step` of one's own, as of a GAN, may name no loss; Keras 3's bars are known without.
    @line(_drawing("━{} {time:measure} {rate:measure} - "), 0.7, "epoch", _PROGRESS)
    @line(_drawing("- {time:measure} - ", "loss"), 0.7, "epoch", _PROGRESS)
    @line(_drawing("- {time:measure} {rate:measure} - ", "loss"), 0.7, "epoch", _PROGRESS)
    def _bar(self, line: Line, f: Fields) -> Events:
        if f["step"] < f["steps"]:
            return self._progress(line, f)
        if self._epoch is None and not _VALIDATED.search(line.text):
            return ()
        if self._trained and not _VALIDATED.search(line.text):
            self.gathered, self._steps = self._evaluated(line, f), f["steps"]
            return ()
        events = tuple(self._epoch_over(line, f))
        if isinstance(events[-1], Evaluation):
            self.gathered = ()
            self._trained = self._validated = self._epoch is not None
            return events
        self.gathered, self._steps = events, f["steps"]
        return ()

    def _evaluated(self, line: Line, f: Fields) -> tuple[Event, ...]:
        """Reads the result of `evaluate` after `fit`; it counts only if `fit` did not validate.

        It shows that `fit` is over: `EarlyStopping` stops it without a word.
        """
        pairs = _ALL.pairs(line.text.partition(f["time"])[2])
        scores = _scores({f"val_{name}": text for name, text in pairs.items()})
        at, late = line.origin(), self._validated
        tested = Evaluation(at, scores, after_training=late, data="test")
        return (tested, RunEnd(at, sentence=True))

    @line(_pairs("- {time:measure} - ", "loss"), 0.5, "epoch without a bar", _PROGRESS)
    def _epoch_over(self, line: Line, f: Fields) -> Events:
        at, pairs = line.origin(), _by_split(_ALL.pairs(line.text.partition(f["time"])[2]))
        # `verbose=2` prints the mean step time among the figures, without a name: `5ms/step`.
        words = " ".join((f["time"], f.get("rate", ""), *_ALONE.findall(line.text)))
        whole = _WHOLE.search(words)
        printed = step_time(words)
        # Keras 2.2 counts samples and calls them steps.
        counted = f.get("steps") is not None and f["steps"] == self.facts.get("samples_per_epoch")
        sample = printed.of_sample or (counted and 0 < printed.seconds < 1)
        # The epoch has no other drawing, so its mean step is the only figure for its speed.
        unclear = self._counts.end() and not sample
        alone = printed.number > 0 and not sample and not self._timed and not unclear
        seconds = printed.seconds or None
        if alone or (sample and seconds):
            seconds = self._times.of_epoch(printed, int(whole[1]) if whole else 0, f.get("steps"))
        per_second = 1 / seconds if sample and seconds else None
        if alone and "steps" in f:
            place = self._epoch, f["steps"], f["steps"]
            yield Iteration(at, *place, loss=f.get("loss"), duration=seconds)
        trained = {key: text for key, text in pairs.items() if not key.startswith("val_")}
        validated = len(trained) < len(pairs)
        # If the epoch includes a validation, the printed time is the whole epoch's.
        time = float(whole[1]) if whole else None
        yield EpochEnd(
            at,
            self._epoch,
            throughput=per_second,
            unit="samples/s",
            scope=Scope.JOB,
            train_time=None if validated else time,
            epoch_time=time if validated else None,
            values=figures(trained),
            iteration_time=seconds if alone else None,
        )
        if validated:
            yield Evaluation(at, _scores(pairs), epoch=self._epoch)

    @line(_pairs("{seconds:int}s - ", "loss"), 0.5, "epoch without a bar", _PROGRESS)
    def _epoch_of_keras_1(self, line: Line, f: Fields) -> Events:
        self._keras_1 = True
        yield from self._epoch_over(line, {**f, "time": f"{f['seconds']}s"})
        if self._stops:
            self._stops = False
            yield RunEnd(line.origin())

    @line("Epoch {epoch:int}: early stopping", 0.3, "end")
    def _stopped_early(self, line: Line, f: Fields) -> Events:
        # Keras 1 counts from 0 here, and prints the line of that epoch after this one.
        self._stops = self._keras_1 and self._epoch == f["epoch"] + 1
        return () if self._stops else (RunEnd(line.origin()),)

    intervals = TIME_HISTORY

    # A loop that draws Keras's bars itself may announce its epochs in other ways.
    @line(("Epoch {epoch:int}/{epochs:int}", "epoch {epoch:int}/{epochs:int}"), 0.05, "header")
    @line(("Start of epoch {epoch:int}/{epochs:int}", "Start of epoch {epoch:int}"), 0.0, "header")
    @line(("Epoch {epoch:int} of {epochs:int}", "Epoch {epoch:int}"), 0.0, "header")
    @line(("Epoch: {epoch:int}/{epochs:int}", "Epoch: {epoch:int}"), 0.0, "header")
    def _header(self, line: Line, f: Fields) -> Events:
        self._epoch, self._timed = f["epoch"], False
        self._times.begin_epoch()
        self._trained = False
        return self.report(line.origin(), "epochs_planned", f["epochs"]) if "epochs" in f else ()

    @line("Search: Running Trial #{:int}", 0.5, "trial")
    def _trial(self, line: Line, f: Fields) -> Events:
        # Of KerasTuner: each trial trains another model.
        self._epoch, self._stops, self._validated = None, False, False
        return (RunStart(line.origin(), same_program=True),)

    samples = fact("Train on {samples_per_epoch:int} samples{}", 0.3)
    backend = ignored("Using TensorFlow backend.", 0.3, "header")
    checkpoints = ignored("Epoch {epoch:int}: val_{}...", 0.1, "checkpoint")


def _by_split(pairs: Mapping[str, str]) -> Mapping[str, str]:
    """Returns the pairs with `val_f1` for `f1_val`, as some callbacks name what they validate."""
    return {
        f"val_{name[:-4]}" if name.endswith("_val") else name: text for name, text in pairs.items()
    }


def _scores(pairs: Mapping[str, str]) -> tuple[Metric, ...]:
    """Returns the figures of a validation under their canonical names."""
    tested = {name: text for name, text in pairs.items() if name.startswith("val_")}
    return figures(tested, names=_NAMES, strip="val_")
