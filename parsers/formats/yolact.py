"""YOLACT and its forks (`[  0]      10 || B: 5.281 | … || ETA: 5 days, 3:12:11 || timer: 0.812`).

Steps count from the start of the run, and a line has the time of its own iteration alone.
"""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ignored, line, progress, starts


class Yolact(Reader):
    name = "yolact"
    title = "YOLACT"
    example = (
        "[  0]      10 || B: 5.281 | C: 12.375 | M: 5.143 | S: 1.223 | T: 24.022 || "
        "ETA: 5 days, 3:12:11 || timer: 0.812"
    )
    unread = "average precisions at single overlaps, losses of the validation, the batch"

    _boxes: tuple[Metric, ...] = ()

    header = starts("Begin training!", 0.2)
    training = progress(
        KeyValues(
            "[{epoch:int}] {step:int} || ",
            delimiter="|",
            numbers={"loss": "T", "duration": "timer"},
            required=("timer",),
        ),
        NamedRecord(further=further("T", "timer", "ETA")),
        1.0,
    )

    @line("box | {value:float} | {:float} | ...", 0.1, "evaluation")
    def _of_boxes(self, line: Line, f: Fields) -> Events:
        self._boxes = (Metric("box", f["value"], "%"),)
        return ()

    @line("mask | {value:float} | {:float} | ...", 0.1, "evaluation")
    def _of_masks(self, line: Line, f: Fields) -> Events:
        metrics = *self._boxes, Metric("mask", f["value"], "%")
        yield Evaluation(line.origin(), metrics, self.epoch)

    saved = ignored("Saving state, iter: {:int}", 0.1, "checkpoint")
