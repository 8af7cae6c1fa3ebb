"""BasicSR, mmsr before it, and what is built on them (Restormer, SwinIR, NAFNet, KAIR).

Iterations count over the whole run; `time (data)` gives the mean time of recent iterations, and
the part of it that they waited for data.
"""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import Gauge
from sixdim.parsers.statements.rows import NamedRecord, ends, line, progress

_OLDER = "epoch: {epoch:int}, iter: {step:count}, lr:{}"
"""The progress lines of mmsr and KAIR, which have no time."""
_HEAD = "[{}][epoch: {epoch:int}, iter: {step:count}, lr:({}] [eta: {}, time (data): "
_RECORD = NamedRecord(epoch="", figures=(Gauge("epoch", "epoch"),))


class BasicSr(Reader):
    name = "basicsr"
    title = "BasicSR, mmsr and KAIR (image restoration)"
    example = (
        "[EDSR..][epoch: 12, iter: 10,000, lr:(1.000e-04,)] [eta: 2 days, 10:00:00, "
        "time (data): 0.421 (0.003)] l_pix: 1.23e-02"
    )
    unread = "losses, the configuration and with it the batch (the speed is it/s)"

    training = progress(_HEAD + "{duration:float} ({data:float})]{}...", _RECORD, 1.0)
    older = progress(f"[{_OLDER}] l_{{}}...", _RECORD, 0.8)
    kair = progress(f"<{_OLDER}> {{}}...", _RECORD, 0.8)

    @line("# Validation # {metric:until}: {value:float}", 0.8, "evaluation")
    def _older_evaluation(self, line: Line, f: Fields) -> Events:
        name = f["metric"].lower()
        yield Evaluation(line.origin(), (figure(name, f["value"]),), step=self.step)

    @line("# {metric:until}: {value:float} Best: {best:float} @ {step:int} iter", 0.8, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        name = f["metric"].lower()
        yield Evaluation(line.origin(), (figure(name, f["value"]),), step=self.step)

    closing = ends("End of training. Time consumed: {duration:duration}", 0.8)
