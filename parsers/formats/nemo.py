"""NVIDIA NeMo: `Training epoch 0, iteration 10/99 | lr: 3e-05 | … | val_loss: 4.1`.

Before NeMo 2, and where its bar is asked for: Lightning's bar with Megatron's figures behind it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, Metric, RunEnd, RunInfo
from sixdim.parsers.grammar import holes
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.printed import figures
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, further
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_LOSSES = ("reduced_train_loss", "train_loss", "loss")
_NUMBERS = {
    "batch": "global_batch_size",
    "seconds": "train_step_timing in s",
    "val_loss": "val_loss",
    **{name: name for name in _LOSSES},
}
_NOT_VALUES = ("reduced_train_loss", "train_step_timing in s", "v_num")
_RECORD = IterationRecord(
    epoch="epoch",
    step="step",
    steps="steps",
    loss=_LOSSES,
    duration=("seconds",),
    further=further(figures, _NOT_VALUES),
)
_BAR = "Epoch {epoch:int}: {}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{remaining:clock}, "


# Where the step's own time is among the figures, the bar does not say its pace.
_PACE = pattern(r"(?<![\w.])\d{1,12}+(?:\.\d{1,12}+)?(?:it/s|s/it)")


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
    unread = (
        "the configuration, validation progress, Megatron's own timers, the batch where bars "
        "alone are logged (then the speed is it/s)"
    )

    def __init__(self) -> None:
        self._batch: float | None = None
        self._validated: float | None = None
        self._drawn: tuple[int, int] | None = None

    def _iteration(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._step(line, f, f["last"] + 1, f.get("seconds"))

    def _bar(self, line: Line, f: Fields) -> Iterator[Event]:
        here = f["epoch"], f["step"]
        if f["step"] and here != self._drawn:  # else not begun, or redrawn
            self._drawn = here
            pace = _PACE.search(line.text)
            seconds = f.get("seconds", holes.pace(pace[0]) if pace else None)
            yield from self._step(line, f, f["steps"], seconds)

    def _step(self, line: Line, f: Fields, steps: int, seconds: float | None) -> Iterator[Event]:
        at, batch = line.origin(), f.get("batch")
        if batch is not None and batch != self._batch and batch == batch // 1:
            self._batch = batch
            yield RunInfo(at, "global_batch", int(batch))
        known = (
            {**f, "steps": steps} if seconds is None else {**f, "steps": steps, "seconds": seconds}
        )
        yield from _RECORD.read(self, line, known)
        validated = f.get("val_loss")
        if validated is not None and validated != self._validated:
            self._validated = validated
            metric = Metric("loss", validated, higher_is_better=False)
            yield Evaluation(at, (metric,), epoch=f["epoch"], step=f["step"])

    def _end(self, line: Line, f: Fields) -> Iterator[Event]:
        yield RunEnd(line.origin())

    statements = (
        Statement(
            KeyValues(
                "Training epoch {epoch:int}, iteration {step:int}/{last:int} |",
                delimiter="|",
                numbers=_NUMBERS,
            ),
            _iteration,
            1.0,
            "iteration",
        ),
        Statement(
            KeyValues(
                _BAR,
                delimiter=", ",
                separator="=",
                quotes="]",
                numbers=_NUMBERS,
                required=("reduced_train_loss",),
            ),
            _bar,
            1.0,
            "progress bar",
        ),
        Statement(
            Skeleton("Validation: iteration {}..."), Reader.quiet, 0.3, "validation progress"
        ),
        Statement(Skeleton("`Trainer.fit` stopped: {}..."), _end, 0.1, "end"),
    )
