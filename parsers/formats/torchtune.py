"""torchtune's recipes: one bar per epoch, labelled with epoch, step of the run and loss.

The bar is drawn twice per step: first with the new count and the label of the step before, then
with the new label. It is drawn once more when it is closed, after the epoch's checkpoint was saved.
It goes on while the model is evaluated.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.statements.common_shapes import BAR, iteration_of_bar
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line


class Torchtune(Reader):
    name = "torchtune"
    title = "torchtune (recipes)"
    tried = "torchtune 0.6.1"
    example = "1|20|Loss: 2.6783993244171143: 100%|██████████| 20/20 [00:02<00:00, 10.34it/s]"
    unread = "the configuration, checkpoints, the lines of the metric logger (`Step 1 | loss:…`)"

    _label = 0
    """Step of the run in the label of the last bar that was read."""
    _begun = 0
    """Count that the bar began with: that of an epoch that is resumed."""
    _tested: int | None = None
    """Epoch whose bar has the time of an evaluation in it."""

    @line("{epoch:int}|{label:int}|Loss: {loss:float}: " + BAR + "...", 1.0, "progress")
    def _bar(self, line: Line, f: Fields) -> Events:
        if f["label"] == self._label:
            return  # the step before, or a closed bar
        self._label, at = f["label"], line.origin()
        event = iteration_of_bar(at, f["epoch"], f, loss=f["loss"])
        if self._begun or self._tested == f["epoch"]:
            event = event._replace(mean_duration=None)
        self.note(event)
        yield event
        if f["step"] == f["steps"]:
            mean = event.mean_duration
            time = f["elapsed"] if mean is not None else None
            yield EpochEnd(at, f["epoch"], train_time=time, iteration_time=mean)

    @line("{:int}|{:int}: " + BAR + "...", 0.5, "progress")
    def _opened(self, _line: Line, f: Fields) -> Events:
        self._begun = f["step"]
        return ()

    @line("Validation loss: {loss:float}", 0.0, "evaluation")  # any program may print it
    def _validation(self, line: Line, f: Fields) -> Events:
        bar = self.latest
        epoch, step, steps = (bar.epoch, bar.step, bar.steps) if bar else (None, None, None)
        metric = Metric("loss", f["loss"], higher_is_better=False)
        midway = step != steps
        self._tested = epoch if midway else self._tested
        yield Evaluation(line.origin(), (metric,), epoch, step, midway=midway)
