"""NVIDIA NeMo 2: `Training epoch 0, iteration 10/99 | lr: 3e-05 | … | val_loss: 4.1`."""

from __future__ import annotations

from collections.abc import Iterator

from parsers.events import Evaluation, Event, Metric, RunEnd, RunInfo
from parsers.format import Reader, Statement
from parsers.key_values import KeyValues
from parsers.printed import figures
from parsers.record import IterationRecord, further
from parsers.shape import Fields, Skeleton
from parsers.text import Line

_LOSSES = ("reduced_train_loss", "train_loss", "loss")
_RECORD = IterationRecord(
    epoch="epoch",
    step="step",
    steps="steps",
    loss=_LOSSES,
    duration=("seconds",),
    fixed=("last",),
    watched=("batch", "val_loss"),
    values=further(figures, ("reduced_train_loss", "train_step_timing in s")),
)


class NeMo(Reader):
    """Reads one log.

    The last validation's loss is repeated on every line that follows it; it is an evaluation
    on the first line that shows another value.
    """

    name = "nemo"
    title = "NVIDIA NeMo (Megatron strategy)"
    example = (
        "Training epoch 0, iteration 10/99 | lr: 3e-05 | consumed_samples: 352 | "
        "global_batch_size: 32 | global_step: 10 | reduced_train_loss: 9.31 | "
        "train_step_timing in s: 1.218"
    )

    def __init__(self) -> None:
        self._batch: float | None = None
        self._validated: float | None = None

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        at, batch = line.origin(), f.get("batch")
        if batch is not None and batch != self._batch and batch == batch // 1:
            self._batch = batch
            yield RunInfo(at, "global_batch", int(batch))
        yield from _RECORD.read(self, line, {**f, "steps": f["last"] + 1})
        validated = f.get("val_loss")
        if validated is not None and validated != self._validated:
            self._validated = validated
            metric = Metric("loss", validated, higher_is_better=False)
            yield Evaluation(at, (metric,), epoch=f["epoch"], step=f["step"])

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin())

    def _known(self, line: Line, f: Fields) -> Iterator[Event]:
        return iter(())

    statements = (
        Statement(
            KeyValues(
                "Training epoch {epoch:int}, iteration {step:int}/{last:int} |",
                delimiter="|",
                numbers={
                    "batch": "global_batch_size",
                    "seconds": "train_step_timing in s",
                    "val_loss": "val_loss",
                    **{name: name for name in _LOSSES},
                },
            ),
            _iteration,
            1.0,
            "iteration",
            _RECORD,
        ),
        Statement(Skeleton("Validation: iteration {}..."), _known, 0.3, "validation progress"),
        Statement(Skeleton("`Trainer.fit` stopped: {}..."), _end, 0.1, "end"),
    )
