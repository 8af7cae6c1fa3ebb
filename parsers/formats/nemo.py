"""NVIDIA NeMo: `Training epoch 0, iteration 10/99 | lr: 3e-05 | … | val_loss: 4.1`.

NeMo 1, and NeMo 2 with a progress bar, print Lightning's bar followed by Megatron's figures.

Every line repeats the loss of the last validation; an evaluation is read from the first line with
another value.

The figures of a `Training` line are means since the line before: sums over the number of
iterations. The time of an iteration is known one iteration later, so the first sum lacks one.
"""

from sixdim.parsers.events import Evaluation, Event, Events, Metric
from sixdim.parsers.grammar.shapes import holes
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ends, ignored, line
from sixdim.parsers.text.patterns import pattern

_LOSSES = ("reduced_train_loss", "train_loss", "loss")
_NUMBERS = {
    "batch": "global_batch_size",
    "seconds": "train_step_timing in s",
    "val_loss": "val_loss",
    **{name: name for name in _LOSSES},
}
_NOT_VALUES = ("reduced_train_loss", "train_step_timing in s", "v_num")
_RECORD = NamedRecord(
    loss=_LOSSES,
    duration=("seconds",),
    further=further(*_NOT_VALUES),
    facts=(("batch", "global_batch"),),
)
_BAR = "Epoch {epoch:int}: {}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{remaining:clock}, "

# If the time of the step is among the figures, the pace of the bar is not read.
_PACE = pattern(r"(?<![\w.])\d{1,12}+(?:\.\d{1,12}+)?(?:it/s|s/it)")


class NeMo(Reader):
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

    _validated: float | None = None
    _drawn: tuple[int, int] | None = None
    _has_line = False

    @line(
        KeyValues(
            "Training epoch {epoch:int}, iteration {step:int}/{last:int} |",
            delimiter="|",
            numbers=_NUMBERS,
            whole=("batch",),
        ),
        1.0,
        "iteration",
        _RECORD,
    )
    def _iteration(self, line: Line, f: Fields) -> Events:
        if not self._has_line and f["step"]:
            f = {name: value for name, value in f.items() if name != "seconds"}
        self._has_line = True
        return self._step(line, {**f, "steps": f["last"] + 1})

    @line(
        KeyValues(
            _BAR,
            delimiter=", ",
            separator="=",
            quotes="]",
            numbers=_NUMBERS,
            required=("reduced_train_loss",),
            whole=("batch",),
        ),
        1.0,
        "progress bar",
        _RECORD,
    )
    def _bar(self, line: Line, f: Fields) -> Events:
        place = f["epoch"], f["step"]
        if not f["step"] or place == self._drawn:
            return ()  # not begun, or redrawn
        self._drawn = place
        pace = None if "seconds" in f else _PACE.search(line.text)
        return self._step(line, {**f, "seconds": holes.pace(pace[0])} if pace else f)

    def _step(self, line: Line, f: Fields) -> tuple[Event, ...]:
        events = _RECORD.read(self, line, f)
        validated = f.get("val_loss")
        if validated is None or validated == self._validated:
            return events
        self._validated = validated
        epoch, step, at = f["epoch"], f["step"], line.origin()
        metric = Metric("loss", validated, higher_is_better=False)
        midway = step < f["steps"] - 1  # more of the epoch follows
        return (*events, Evaluation(at, (metric,), epoch=epoch, step=step, midway=midway))

    validating = ignored("Validation: iteration {}...", 0.3, "validation progress")
    stopped = ends("`Trainer.fit` stopped: {}...", 0.1)
