"""BasicSR, mmsr before it, and what is built on them (Restormer, SwinIR, NAFNet, KAIR).

Iterations count over the whole run; `time (data)` gives the mean time of recent iterations, and
the part of it that they waited for data.
"""

from sixdim.parsers.events import Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import figure
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, line, progress

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
    unread = (
        "losses, the configuration and with it the batch (the speed is it/s), figures of single "
        "folders of a video set"
    )

    _validated: int | None = None  # step of the latest validation

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
    averages = evaluation(
        (
            "<epoch: {:int}, iter: {step:count}, Average PSNR : {PSNR:float}dB",
            # KAIR's video restoration
            "<epoch: {:int}, iter: {step:count} Average PSNR: {PSNR:float} dB; SSIM: {SSIM:float}; "
            "PSNR_Y: {PSNR_Y:float} dB; SSIM_Y: {SSIM_Y:float}",
        ),
        0.8,
    )

    @line("Validation {data:word}", 0.1, "evaluation")  # alone, any text may have it
    def _validation(self, line: Line, f: Fields) -> Events:
        self._validated = self.step
        return ()

    # The first versions print no best value; for a video set, that of each folder follows.
    @line("# {name:until}: {value:float} # {}...", 0.0, "evaluation")
    @line("# {name:until}: {value:float}", 0.0, "evaluation")
    def _score(self, line: Line, f: Fields) -> Events:
        if self._validated is not None and self._validated == self.step:
            metrics = (figure(f["name"], f["value"]),)
            yield Evaluation(line.origin(), metrics, step=self.step)

    closing = ends("End of training. Time consumed: {duration:duration}", 0.8)
