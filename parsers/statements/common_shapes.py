"""Lines that many programs print alike: their shapes, and the event of a progress bar."""

from math import isnan
from typing import Any

from sixdim.parsers.events import Iteration, Origin
from sixdim.parsers.grammar.shapes.bars import mean_of_bar
from sixdim.parsers.grammar.shapes.shape import Fields

BAR = "{:int}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{:clock}, {pace:pace}"
"""A progress bar of tqdm, up to its pace."""
BARE_BAR = BAR.replace("|{}|", "")
"""A bar without its drawing, as a notebook or a terminal that is too narrow prints it."""
COCO_MEAN = "Average Precision (AP) @[ IoU=0.50:0.95 | area= all | maxDets=100 ] = {value:float}"
"""The main figure in the table of pycocotools."""


def iteration_of_bar(at: Origin, epoch: int | None, f: Fields, **parts: Any) -> Iteration:
    """Returns the iteration that a progress bar shows, with its pace and its mean time so far.

    Args:
        at: The line.
        epoch: Label of the epoch.
        f: Fields of the line, among them those of `BAR`.
        parts: Further parts of the `Iteration`.
    """
    pace = None if isnan(f["pace"]) else f["pace"]
    mean = mean_of_bar(f["step"], f["elapsed"], f["pace"])
    return Iteration(at, epoch, f["step"], f["steps"], duration=pace, mean_duration=mean, **parts)
