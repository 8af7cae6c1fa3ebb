"""BasicSR, mmsr before it, and what is built on them (Restormer, SwinIR, NAFNet, KAIR).

Iterations count over the whole run; `time (data)` gives the mean time of recent iterations, and
the part of it that they waited for data.
"""

from __future__ import annotations

from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, progress

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

    scores = evaluation(
        (
            "# Validation # {figure:until}: {value:float}",
            "# {figure:until}: {value:float} Best: {:float} @ {:int} iter",
        ),
        0.8,
    )

    closing = ends("End of training. Time consumed: {duration:duration}", 0.8)
