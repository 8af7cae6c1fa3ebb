"""What the generic reader claims of a loop."""

from __future__ import annotations

from typing import Any

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from sixdim.parsers.formats.generic import Generic
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats


def figures(lines: list[str]) -> dict[str, Any]:
    """All that is claimed: by kind, what is not empty."""
    interpreter = Interpreter(formats(), Generic)
    data = "".join(f"{line}\n" for line in lines).encode()
    events = [*interpreter.feed(data), *interpreter.end()]
    steps = [e for e in events if isinstance(e, Iteration)]
    ends = [e for e in events if isinstance(e, EpochEnd)]
    progress: list[Iteration | EpochEnd] = [*steps, *ends]
    found = {
        "tested": [
            (e.epoch, {m.name: m.value for m in e.metrics})
            for e in events
            if isinstance(e, Evaluation) and e.metrics
        ],
        "losses": [e.loss for e in steps if e.loss is not None]
        + [m.value for e in ends for m in e.values if m.name == "loss"],
        "rates": [(e.throughput, e.unit) for e in progress if e.throughput is not None],
        "seconds": [e.duration for e in steps if e.duration is not None],
        "steps": [(e.step, e.steps) for e in steps if e.step is not None],
        "epoch times": [e.epoch_time for e in ends if e.epoch_time is not None],
        "values": [(m.name, m.value) for e in progress for m in e.values if m.name != "loss"],
    }
    return {kind: value for kind, value in found.items() if value}
