"""verl (reinforcement learning of language models): `step:1 - actor/pg_loss:0.01 - …`.

A step is a round of generation and updates. verl divides the tokens of a step by its time and by
the number of devices. Numbers may be written as NumPy writes them: `np.float64(0.5)`.
"""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, figure
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line

_TIMES = ("perf/time_per_step", "timing_s/step", "train/time(s)")
_LOSSES = ("actor/pg_loss", "train/loss")
_VALIDATED = ("val-core/", "val/", "val-aux/")
_SPREAD = ("/std", "/best@", "/worst@", "/maj@")


class Verl(Reader):
    name = "verl"
    title = "verl (PPO, GRPO and fine-tuning of language models)"
    example = "step:1 - actor/pg_loss:0.013 - timing_s/step:413.08 - perf/throughput:833.03"
    unread = "the configuration, rewards and lengths, the dumps of first validations, `val-aux`"

    @line(KeyValues("step:{step:int} - ", delimiter=" - ", separator=":"), 0.5, "step")
    def _step(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        read = ((key, _number(value)) for key, value in f["pairs"].items() if "/" in key)
        numbers = {key: value for key, value in read if value is not None}
        seconds = next((numbers[key] for key in _TIMES if key in numbers), None)
        loss = next((numbers[key] for key in _LOSSES if key in numbers), None)
        if seconds is not None or loss is not None:
            speed = numbers.get("perf/throughput"), "tokens/s", Scope.DEVICE
            values = tuple(figure(k, v) for k, v in self.wanted(numbers).items())
            event = Iteration(at, None, f["step"], None, *speed, loss, seconds, values)
            self.note(event)
            yield event
        core = next((p for p in _VALIDATED if any(k.startswith(p) for k in numbers)), None)
        scores = tuple(
            figure(name.partition("/mean@")[0], value)
            for name, value in numbers.items()
            if core and name.startswith(core) and not any(one in name for one in _SPREAD)
        )
        if scores:
            yield Evaluation(at, scores, step=f["step"])

    closing = ends("Final validation metrics: {}", 0.3)
    others = ignored("Training Progress: {}", 0.3, "bar")


def _number(text: str) -> float | None:
    return as_number(text.removeprefix("np.float64(").removeprefix("np.int32(").rstrip(")"))
