"""BasicSR and what is built on it (Restormer, SwinIR, NAFNet): image restoration.

Iterations count over the whole run; `time (data)` is the mean of an iteration of late, and the part
of it that is a wait for data.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event
from sixdim.parsers.grammar.figures import figure
from sixdim.parsers.grammar.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import Gauge
from sixdim.parsers.statements.rows import NamedRecord, ends, line, progress
from sixdim.parsers.text.lines import Line

_HEAD = "[{}][epoch: {epoch:int}, iter: {step:count}, lr:({}] [eta: {}, time (data): "


class BasicSr(Reader):
    """Reads one training log."""

    name = "basicsr"
    title = "BasicSR (image restoration)"
    example = (
        "[EDSR..][epoch: 12, iter: 10,000, lr:(1.000e-04,)] [eta: 2 days, 10:00:00, "
        "time (data): 0.421 (0.003)] l_pix: 1.23e-02"
    )
    unread = "losses, the configuration and with it the batch (the speed is it/s)"

    training = progress(
        _HEAD + "{duration:float} ({data:float})]{}...",
        NamedRecord(epoch="", figures=(Gauge("epoch", "epoch"),)),
        1.0,
    )

    @line("# {metric:until}: {value:float} Best: {best:float} @ {step:int} iter", 0.8, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        name = f["metric"].lower()
        yield Evaluation(line.origin(), (figure(name, f["value"]),), step=self.step)

    closing = ends("End of training. Time consumed: {duration:duration}", 0.8)
