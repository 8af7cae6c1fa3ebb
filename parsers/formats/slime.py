"""slime and Miles (reinforcement learning of language models): `perf 3: {'perf/step_time': 71.2}`.

A rollout is one iteration: answers are generated, and the model is trained on them in one or more
optimizer steps (`step 7: {'train/loss': …}`). `step_time` is the time of both. The printed tokens
per second are those of a part of it, so they are no throughput of the run.
"""

from sixdim.parsers.events import Evaluation, Events, Iteration
from sixdim.parsers.grammar.shapes.figures import as_number, figure, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import fact, line
from sixdim.parsers.text.patterns import pattern

_TIMES = ("perf/step_time", "timing/step_time")
_REWARDS = ("rollout/raw_reward", "rollout/rewards")
_PARTS = ("truncated", "response_len", "repetition")
"""Words in the names of figures about an evaluation's answers that do not rate them."""

_PLACE = pattern(r"\w{1,60}+\.py:\d{1,6}+ - ")
"""What newer versions put in front of a line: the place in the program that prints it."""


def _record(head: str, *required: str) -> KeyValues:
    return KeyValues(
        f"{head} {{step:int}}: {{'", delimiter=", ", separator=": ", quotes="'{}", required=required
    )


class Slime(Reader):
    name = "slime"
    title = "slime and Miles (reinforcement learning of language models)"
    example = (
        "perf 3: {'perf/train_wait_time': 51.9, 'perf/train_time': 19.3, 'perf/step_time': 71.2}"
    )
    unread = (
        "the settings, throughputs and times of the parts of an iteration, lengths of answers, "
        "how often answers were cut off"
    )

    _loss: float | None = None
    _reward: float | None = None

    record_clue = ".py:"

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`, without the place in the program."""
        place = _PLACE.match(text)
        return text[place.end() :] if place else text

    @line(_record("rollout"), 0.3, "rollout")
    def _rollout(self, _line: Line, f: Fields) -> Events:
        rewards = (as_number(f["pairs"].get(name)) for name in _REWARDS)
        self._reward = next((one for one in rewards if one is not None), None)
        return ()

    @line(_record("step", "train/loss"), 0.5, "step")
    def _step(self, _line: Line, f: Fields) -> Events:
        self._loss = as_number(f["pairs"].get("train/loss"))
        return ()

    @line(tuple(_record("perf", name) for name in _TIMES), 1.0, "iteration")
    def _iteration(self, line: Line, f: Fields) -> Events:
        times = (as_number(f["pairs"].get(name)) for name in _TIMES)
        seconds = next((one for one in times if one is not None), None)
        values = () if self._reward is None else (figure("reward", self._reward),)
        place = line.origin(), None, f["step"]
        yield Iteration(*place, loss=self._loss, duration=seconds, values=values)
        self._loss = self._reward = None

    @line(_record("eval"), 0.3, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        scores = {
            f"{name.removeprefix('eval/')}/score": value
            for name, value in f["pairs"].items()
            if name.startswith("eval/") and not any(part in name for part in _PARTS)
        }
        yield Evaluation(line.origin(), figures(scores), step=f["step"])

    planned = fact("num_rollout ..{}.. {steps_planned:int}", 0.3)
