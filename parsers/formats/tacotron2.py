"""NVIDIA's Tacotron 2, and its descendants (Mellotron): a line for each iteration.

Iterations count over the whole run. The time of one leaves out the wait for data. The first
iterations of a resumed epoch have no heading.
"""

from sixdim.parsers.events import Evaluation, Events, Metric
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import line, remembers

_STEP = "Train loss {step:int} {loss:float} Grad Norm {norm:float} {duration:float}s/it"
_RECORD = NamedRecord(figures=(Gauge("norm", "grad norm", higher_is_better=False),))


class Tacotron2(Reader):
    name = "tacotron2"
    title = "NVIDIA Tacotron 2 and Mellotron (speech synthesis)"
    example = "Train loss 7082 0.412546 Grad Norm 1.326766 1.15s/it"
    unread = "the settings and with them the batch (the speed is it/s), how many epochs are planned"

    _epoch: int | None = None

    @line(_STEP, 1.0, "iteration", _RECORD)
    def _iteration(self, line: Line, f: Fields) -> Events:
        return _RECORD.read(self, line, f if self._epoch is None else {**f, "epoch": self._epoch})

    begin = remembers("Epoch: {_epoch:int}", 0.0, "epoch")

    @line("Validation loss {step:int}: {loss:float}", 0.5, "evaluation")
    def _validation(self, line: Line, f: Fields) -> Events:
        metric = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (metric,), self._epoch, f["step"], midway=True)
