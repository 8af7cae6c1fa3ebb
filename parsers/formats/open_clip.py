"""open_clip: a line at intervals of batches, which counts samples, and one line per evaluation.

`Batch (t)` is the mean time of the batches since the line before, the rates are those of the last
batch alone. The first line of an epoch is that of its first batch, so it has the global batch.
Epochs count from 0, evaluations the epochs that are over.
"""

from sixdim.parsers.events import Evaluation, Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, ignored, line, remembers

_HEAD = "Train Epoch: {epoch:int} [{seen:int}/{total:int} ({}%)] "
_TIMES = "Data (t): {} Batch (t): {time:float}"
_RATES = ", {rate:float}/s, {}/s/gpu LR: {} Logit Scale: {scale:float}"
_NAMES = {
    "imagenet-zeroshot-val-top1": ("acc1", "fraction"),
    "imagenet-zeroshot-val-top5": ("acc5", "fraction"),
    "clip_val_loss": ("loss", ""),
    "val_loss": ("loss", ""),
}


class OpenClip(Reader):
    name = "open-clip"
    title = "open_clip"
    example = (
        "Train Epoch: 0 [ 204800/1024000 (20%)] Data (t): 0.010 Batch (t): 0.500, 4096.00/s, "
        "512.000/s/gpu LR: 0.000500 Logit Scale: 14.286 Contrastive_loss: 5.1 (5.2) Loss: 5.1 (5.2)"
    )
    unread = "the settings but for the planned epochs and devices, means of losses and of an epoch"

    _begun: int | None = None
    """Epoch that began, until its first line."""
    _batch: int | None = None

    begins = remembers("Start epoch {_begun:int}", 0.0, "epoch")
    settings = fact(("epochs: {epochs_planned:int}", "world_size: {devices:int}"), 0.0)

    @line(
        (
            f"{_HEAD}{_TIMES}{_RATES} Loss: {{loss:float}} ({{}}...",
            f"{_HEAD}{_TIMES}{_RATES} {{}} Loss: {{loss:float}} ({{}}...",
            f"{_HEAD}Loss: {{loss:float}} ({{}}) {_TIMES} LR: {{}} Logit Scale: {{scale:float}}",
        ),
        1.0,
        "iteration",
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        if self._begun == f["epoch"] and self._batch != f["seen"] > 0:
            self._batch = f["seen"]
            yield from self.report(line.origin(), "global_batch", f["seen"])
            yield from self.report(line.origin(), "samples_per_epoch", f["total"])
        self._begun = None
        batch, time = self._batch, f["time"]
        place = f["epoch"], f["seen"] // (batch or 1), f["total"] // (batch or 1)
        rate = batch / time if batch and time > 0 else f.get("rate")
        speed = rate, "samples/s", Scope.JOB
        yield Iteration(line.origin(), *place, *speed, f["loss"], time if batch else None)

    partly = ignored("Eval Epoch: {:int} [{:int} / {:int}] {}", 0.5, "part of an evaluation")

    @line(KeyValues("Eval Epoch: {epoch:int} "), 0.5, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        metrics = figures(f["pairs"], skip=("epoch", "num_samples"), names=_NAMES)
        if metrics and as_number(f["epoch"]):
            yield Evaluation(line.origin(), metrics, f["epoch"] - 1)
