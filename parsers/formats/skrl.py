"""skrl, as Isaac Lab uses it: a bar over the steps that all environments take together."""

from __future__ import annotations

from sixdim.parsers.events import Events, Iteration
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line


class Skrl(Reader):
    name = "skrl"
    title = "skrl (its bar; Isaac Lab)"
    tried = "skrl 2.1.1"
    example = "[skrl:INFO] Environment wrapper: Isaac Lab (single-agent)"
    unread = "the settings; rewards and losses are in TensorBoard alone"

    headers = ignored(("[skrl:INFO] {}", "[skrl:WARNING] {}"), 1.0, "header")

    @line(
        "{:int}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{:clock}, {pace:pace}]",
        0.1,
        "iteration",
    )
    def _drawn(self, line: Line, f: Fields) -> Events:
        if f["step"] > 0:
            times = f["pace"], f["elapsed"] / f["step"]
            event = Iteration(line.origin(), None, f["step"], f["steps"])
            yield event._replace(duration=times[0], mean_duration=times[1])
