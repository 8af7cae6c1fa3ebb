"""DeepXDE (physics-informed networks): a table with one row per interval of steps.

A row has lists of losses in brackets, with a term for each equation, boundary condition and data
set. The loss is the sum of the terms, as in the line of the best model at the end.
"""

from __future__ import annotations

from math import fsum

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric, RunEnd
from sixdim.parsers.grammar.shapes.holes import NUMBER, number
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rows import ignored, line
from sixdim.parsers.text.patterns import pattern

_TERMS = rf"\[((?:(?:{NUMBER})(?:, (?:{NUMBER})){{0,39}})?)\]"
_LISTS = 3
_ROW = pattern(rf"(\d{{1,12}}+)\s++{_TERMS}\s++{_TERMS}\s++{_TERMS}")


class _Row(Unanchored):
    """The step, the losses of training and test, and the test's metrics."""

    clue = "]"

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the fields `step`, `train`, `test` and `metrics`."""
        if not text[:1].isdecimal() or text.count("[") != _LISTS:
            return None  # most lines with a bracket; the expression is slow, and long to compile
        found = _ROW.fullmatch(text)
        if found is None:
            return None
        train, test, metrics = (
            [number(one) for one in terms.split(", ") if one] for terms in found.groups()[1:]
        )
        return {"step": int(found[1]), "train": train, "test": test, "metrics": metrics}


class DeepXDE(Reader):
    name = "deepxde"
    title = "DeepXDE (physics-informed networks)"
    tried = "deepxde 1.15.0"
    example = "2000      [8.68e-05]    [1.07e-04]    [2.26e-02]"
    unread = (
        "the terms of a loss, what the metrics are called (they are metric1, metric2, …), "
        "the rows' times and with them the speed (they have none)"
    )

    _seconds = 0.0  # of all trainings so far

    header = ignored("Step Train loss Test loss Test metric...", 1.0, "header")
    best = ignored("Best model at step {:int}:", 0.5, "end")

    @line(_Row(), 0.5, "row")
    def _row(self, line: Line, f: Fields) -> Events:
        at, step = line.origin(), f["step"]
        if f["train"]:
            yield Iteration(at, None, step, loss=fsum(f["train"]))
        losses = (Metric("loss", fsum(f["test"]), "", False),) if f["test"] else ()
        metrics = [Metric(f"metric{n}", one, "", False) for n, one in enumerate(f["metrics"], 1)]
        if losses or metrics:
            yield Evaluation(at, (*losses, *metrics), step=step, data="test")

    @line("'train' took {seconds:float} s", 0.8, "end")
    def _end(self, line: Line, f: Fields) -> Events:
        self._seconds += f["seconds"]  # training may go on with another optimizer
        yield RunEnd(line.origin(), self._seconds)
