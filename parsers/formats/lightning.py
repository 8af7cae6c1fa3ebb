"""PyTorch Lightning's console: one progress bar per epoch, redrawn.

The figures behind a full bar may be those of the epoch before, until validation is over: an
epoch's figures are those of its last drawing. A bar says iterations per second, no batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration, Origin, RunEnd, RunStart
from sixdim.parsers.grammar.figures import Facts, figure, figures
from sixdim.parsers.grammar.holes import clock
from sixdim.parsers.grammar.key_values import KeyValues
from sixdim.parsers.grammar.shape import Fields, Skeleton
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import first
from sixdim.parsers.statements.rows import each
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_NOT_VALUES = frozenset(("v_num", "loss"))
_LOSSES = ("loss", "train_loss", "train_loss_step", "train/loss")
_NUMBERS = {name: name for name in _LOSSES}
_POSTFIX: dict[str, Any] = {
    "delimiter": ",",
    "separator": "=",
    "closing": "]",
    "numbers": _NUMBERS,
    "lenient": True,
}
"""Behind the pace: `, loss=1.82, v_num=5]`."""
_SCORES = ("val", "test", "valid")
# Rich draws what is left of a bar in another colour, or as blanks where there is none.
_DRAWN = pattern(
    r"(?<!\S)(?P<step>\d{1,18}+)/(?P<steps>\d{1,18}+|--) (?P<elapsed>\d{1,6}+:\d\d:\d\d)$"
)


class Lightning(Reader):
    """Reads one console log."""

    name = "lightning"
    title = "PyTorch Lightning console"
    example = "Epoch 0:  43%|████▎     | 3/7 [00:37<00:50, 12.58s/it, loss=1.82, v_num=5]"
    unread = (
        "the model's summary, the table of test results, validation bars, the batch (so the "
        "speed is it/s)"
    )

    def __init__(self) -> None:
        self._facts = Facts()
        self._epoch: int | None = None
        self._step = 0
        self._full: tuple[Origin, float, dict[str, str]] | None = None

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, with the epoch that the log ended in."""
        return [*self._finish(), *super().end(at)]

    def _bar(self, line: Line, f: Fields) -> Iterator[Event]:
        if f["epoch"] != self._epoch:
            yield from self._finish()
            self._epoch, self._step = f["epoch"], 0
        if f["step"] < self._step:
            return  # the bar is set back before the next epoch's label appears
        pairs = f["pairs"]
        steps = f.get("steps")
        if f["step"] == (steps or f["step"]):  # of unknown length: any may be the last
            self._full = (line.origin(), f["elapsed"], pairs)
        if f["step"] == self._step:
            return
        self._step = f["step"]
        known = f["pace"] == f["pace"]
        yield Iteration(
            line.origin(),
            epoch=f["epoch"],
            step=f["step"],
            steps=steps,
            loss=f.get(first(_LOSSES, f)),
            duration=f["pace"] if known else None,
            values=(figure("elapsed", f["elapsed"], "s"), *figures(pairs, skip=_NOT_VALUES)),
        )

    def _rich(self, line: Line, f: Fields) -> Iterator[Event]:
        found = _DRAWN.search(f["drawn"])
        if found is not None:
            steps = int(found["steps"]) if found["steps"].isdecimal() else None
            seen = {"step": int(found["step"]), "steps": steps, "elapsed": clock(found["elapsed"])}
            yield from self._bar(line, {**f, **seen})

    def _finish(self) -> Iterator[Event]:
        if self._full is None:
            return
        (at, elapsed, pairs), self._full = self._full, None
        values = figures(pairs, skip=frozenset(("v_num",)))
        scores = tuple(m for m in values if m.name.startswith(_SCORES))
        rest = tuple(m for m in values if m not in scores)
        yield EpochEnd(at, self._epoch, epoch_time=elapsed, values=rest)
        if scores:
            yield Evaluation(at, scores, epoch=self._epoch)

    def _stopped(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._finish()
        yield RunEnd(line.origin())

    def _start(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._finish()
        self._epoch, self._step = None, 0
        self._facts.forget()
        yield RunStart(line.origin())

    def _devices(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "devices", f["devices"])

    def _mixed(self, line: Line, f: Fields) -> Iterator[Event]:
        yield from self._facts.report(line.origin(), "precision", f"amp {f['type']}")

    statements = (
        Statement(
            KeyValues(
                "Epoch {epoch:int}: {percent:int}%|{}| {step:int}/{steps:int} "
                "[{elapsed:clock}<{remaining:clock}, {pace:pace}",
                **_POSTFIX,
            ),
            _bar,
            0.6,
            "progress",
        ),
        Statement(
            KeyValues(
                "Epoch {epoch:int}: {}: {step:int}it [{elapsed:clock}, {pace:pace}", **_POSTFIX
            ),
            _bar,
            0.6,
            "progress",
        ),
        *each(
            (
                KeyValues(
                    head + " {drawn:until} • {remaining:word} {pace:pace}",
                    delimiter=None,
                    numbers=_NUMBERS,
                    lenient=True,
                )
                for head in ("Epoch {epoch:int}/{last:int}", "Epoch {epoch:int}")
            ),
            _rich,
            0.8,
            "progress",
        ),
        Statement(
            Skeleton("Validation DataLoader {}: {percent:int}%|{}"), Reader.quiet, 0.8, "validation"
        ),
        Statement(Skeleton("Validating: {percent:int}%|{}"), Reader.quiet, 0.5, "validation"),
        Statement(Skeleton("Validation: {percent:int}%|{}"), Reader.quiet, 0.2, "validation"),
        Statement(Skeleton("Sanity Checking{}: {}"), Reader.quiet, 0.8, "sanity check"),
        Statement(Skeleton("Validation sanity check: {}"), Reader.quiet, 0.8, "sanity check"),
        Statement(Skeleton("`Trainer.fit` stopped: {}"), _stopped, 1.0, "end"),
        Statement(Skeleton("GPU available: {word:word} {}"), _start, 0.8, "header"),
        Statement(Skeleton("GPU available: {word:word}, used: {}"), _start, 0.8, "header"),
        Statement(Skeleton("TPU available: {}"), Reader.quiet, 0.8, "header"),
        Statement(Skeleton("IPU available: {}"), Reader.quiet, 0.8, "header"),
        Statement(Skeleton("HPU available: {}"), Reader.quiet, 0.8, "header"),
        Statement(
            Skeleton("All distributed processes registered. Starting with {devices:int} processes"),
            _devices,
            0.5,
            "header",
        ),
        Statement(
            Skeleton("Using {type:word} Automatic Mixed Precision (AMP)"), _mixed, 0.8, "header"
        ),
        Statement(
            Skeleton("Using {type:word} native Automatic Mixed Precision (AMP)"),
            _mixed,
            0.8,
            "header",
        ),
        Statement(
            Skeleton("LOCAL_RANK: {} - CUDA_VISIBLE_DEVICES: {}"), Reader.quiet, 0.8, "header"
        ),
    )
