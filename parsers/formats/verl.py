"""verl (reinforcement learning of language models): `step:1 - actor/pg_loss:0.01 - …`.

A step is a round of generation and updates. verl divides the tokens of a step by its time and by
the number of devices. Up to version 0.5 that time has the step's validation in it. Numbers may be
written as NumPy writes them: `np.float64(0.5)`.
"""

from collections.abc import Mapping

from sixdim.parsers.events import Evaluation, Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, figure
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line

_TIMES = ("perf/time_per_step", "timing_s/step", "train/time(s)")
_LOSSES = ("actor/pg_loss", "train/loss")
_TEST = "timing_s/testing"
_PARTS = tuple(
    f"timing_s/{part}"
    for part in (
        *("gen", "gen_max", "reward", "old_log_prob", "ref", "values", "adv", "update_critic"),
        *("update_actor", "update_weights", "dump_rollout_generations", "save_checkpoint"),
    )
)
"""The parts of a step that are training, or that a step without a validation may have, too."""
_VALIDATED = ("val-core/", "val/", "val-aux/")
_CLOSINGS = tuple(f"{quote}Final validation metrics: {{}}" for quote in ("", '"', "'", '("'))
"""`pprint` writes the text in quotes, and in brackets if it takes several lines."""
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
            rate = numbers.get("perf/throughput")
            if seconds is not None and (tested := _tested(numbers, seconds)) > 0:
                rate = None if rate is None else rate * seconds / (seconds - tested)
                seconds -= tested
            speed = rate, "tokens/s", Scope.DEVICE
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

    closing = ends(_CLOSINGS, 0.3)
    others = ignored("Training Progress: {}", 0.3, "bar")


def _number(text: str) -> float | None:
    return as_number(text.removeprefix("np.float64(").removeprefix("np.int32(").rstrip(")"))


def _tested(numbers: Mapping[str, float], seconds: float) -> float:
    """Returns the seconds of a validation that are part of the step's time."""
    tested, trained = numbers.get(_TEST, 0.0), sum(numbers.get(part, 0.0) for part in _PARTS)
    return tested if trained > 0 and tested <= seconds - trained else 0.0
