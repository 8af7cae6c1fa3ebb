"""Reads the sentences by which a training begins or ends, in a log that no format knows."""

from sixdim.parsers.events import Event, Origin, RunEnd, RunInfo, RunStart
from sixdim.parsers.generic.bars.step_bars import StepBars
from sixdim.parsers.generic.epochs.epochs import Epochs
from sixdim.parsers.generic.evaluations.evaluations import Evaluations
from sixdim.parsers.grammar.vocabulary.closing import closing, is_over, total_time
from sixdim.parsers.grammar.vocabulary.starting import begins_fold, starting, starts_now
from sixdim.parsers.text.lines import Line

_CLOSE = 20
"""Most lines from the sentence by which a training ends to its total time."""


class Sentences:
    """Makes the events of the sentences of one log."""

    def __init__(self, epochs: Epochs, evaluations: Evaluations, step_bars: StepBars) -> None:
        self._epochs, self._evaluations, self._step_bars = epochs, evaluations, step_bars
        self._closed = -_CLOSE  # line of the last sentence by which a training ended

    def ending(self, line: Line, text: str) -> list[Event]:
        """Returns the events of a line that says that a training ends, or how long it took."""
        at, events = line.origin(), list[Event]()
        if (ends := closing(text)) is not None:
            self._evaluations.repeats.release(events)
            events.append(RunEnd(at, ends.duration, sentence=True))
            self._closed = line.number
            self._epochs.training_closed = True
        elif line.number - self._closed <= _CLOSE and (time := total_time(text)) is not None:
            events.append(RunEnd(at, time, sentence=True))
        elif is_over(text):
            events.append(RunEnd(at, midway=True, word=True))
        return events

    def beginning(self, at: Origin, text: str) -> tuple[Event, ...]:
        """Returns the events of a line that says that a training, or one of a fold, begins."""
        epochs = self._epochs
        if (planned := starting(text)) is not None:
            self._step_bars.announce(at)
            of_training = RunInfo(at, "epochs_set", planned), RunInfo(at, "training_starts", 1)
            return RunStart(at), *of_training
        if starts_now(text):
            epochs.announced = at
            self._step_bars.announce(at)
            again = epochs.training_closed and epochs.label is None
            header = (RunStart(at, same_program=True),) if again else ()
            return *header, RunInfo(at, "training_starts", 1)
        if epochs.has_training and begins_fold(text):
            self._evaluations.has_folds = True
            return (RunStart(at, same_program=True),)
        return ()
