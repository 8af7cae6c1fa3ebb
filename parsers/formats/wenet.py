"""WeNet (speech recognition), and programs with its executor.

`TRAIN Batch 3/500 loss …`: epoch and batch, or in version 1 batch and batches of the epoch. Some
batches make an update. From version 3.1 on, lines have the updates per second since the line
before, with the evaluation between the epochs.
"""

from sixdim.parsers.events import Evaluation, Events, Metric
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import ignored, line, remembers

_BATCH = "Batch {epoch:int}/{step:int} loss {loss:float} "
_RECORD = NamedRecord(rank="rank", per_second="pace")
_EPOCH = "Epoch {epoch:int} "
_OLD = _EPOCH + "CV info cv_loss {loss:float}"
_NEW = "CV info lr {} cv_loss {loss:float} rank {rank:int} acc {acc:float}"


class WeNet(Reader):
    name = "wenet"
    title = "WeNet (speech recognition)"
    example = "TRAIN Batch 3/500 loss 10.500000 loss_att 9.000000 lr 0.00100000 rank 0"
    unread = "the configuration and with it the batch (the speed is it/s), losses of a part"

    _label: int | None = None
    """The epoch that is trained."""
    _batches_per_update = 1
    _has_evaluated = False
    _has_totals: bool | None = None
    """Whether lines have the batches of the epoch; None before the first line."""

    begin = remembers(
        tuple(f"Epoch {{_label:int}} {step}TRAIN info lr {{}}" for step in ("", "Step {:int} ")),
        0.5,
        "epoch",
    )

    accumulated = remembers(
        "using accumulate grad, new batch size is {_batches_per_update:int} times larger...",
        0.5,
        "header",
    )

    @line(
        f"TRAIN | steps/sec {{pace:float}}| {_BATCH}{{}} grad_norm {{}} rank {{rank:int}}",
        1.0,
        "iteration",
        _RECORD,
    )
    def _timed(self, line: Line, f: Fields) -> Events:
        (event,) = _RECORD.read(self, line, f)
        timed = self._batches_per_update == 1 and not self._has_evaluated
        self._has_evaluated &= event.at.rank not in (0, None)
        return (event if timed else event._replace(duration=None),)

    @line(f"TRAIN {_BATCH}{{}} grad_norm {{}} rank {{rank:int}}", 1.0, "iteration", _RECORD)
    @line(f"TRAIN {_BATCH}{{}} rank {{rank:int}}", 1.0, "iteration", _RECORD)
    def _batch(self, line: Line, f: Fields) -> Events:
        if self._has_totals is None:  # only version 3 begins with another batch than 0
            self._has_totals = f["step"] != 0 and " grad_norm " not in line.text
        if self._has_totals:
            f = {**f, "epoch": self._label, "step": f["epoch"], "steps": f["step"]}
        return _RECORD.read(self, line, f)

    validating = ignored(("CV Batch {}", "CV | steps/sec {}"), 0.3, "evaluation")

    @line((_EPOCH + _NEW, _EPOCH + "Step {:int} " + _NEW, _OLD), 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._has_evaluated = True
        loss = Metric("loss", f["loss"], higher_is_better=False)
        scores = (Metric("acc", f["acc"], "fraction"), loss) if "acc" in f else (loss,)
        at = line.origin()._replace(rank=f.get("rank", line.rank))
        yield Evaluation(at, scores, f["epoch"])
