"""OpenRLHF's PPO trainers: a bar over the rollouts of each episode, in it bars over mini-batches.

An episode is a pass over the prompts, so it is the epoch. `Train epoch [1/1]` is one pass over the
answers of a rollout: its bar shows the time of mini-batches, without that of the generation.
"""

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric
from sixdim.parsers.grammar.shapes.figures import as_number, figure, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR, iteration_of_bar
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line

_LOSSES = ("policy_loss", "act_loss")


def _record(head: str) -> KeyValues:
    return KeyValues(f"✨ {head}: {{'", delimiter=", ", separator=": ", quotes="'{}")


class OpenRlhf(Reader):
    name = "openrlhf"
    title = "OpenRLHF (PPO and its relatives)"
    example = "Episode [1/1]:   3%|▎         | 1/30 [00:52<25:22, 52.50s/it, policy_loss=0.012]"
    unread = "the settings, samples, bars of mini-batches and of the generation"

    _begun = False  # a bar over rollouts was drawn
    _loss: float | None = None
    _values: tuple[Metric, ...] = ()

    record_clue = "✨ "

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`, without what the logger puts in front of a step."""
        begin = text.find("✨ ")
        return text[begin:] if begin > 0 else text

    @line("Episode [{epoch:int}/{epochs:int}]: " + BAR + "...", 0.3, "iteration")
    def _rollout(self, line: Line, f: Fields) -> Events:
        self._begun, step, at = True, f["step"], line.origin()
        yield from self.report(at, "epochs_planned", f["epochs"])
        again = self.latest is not None and (self.epoch, self.step) == (f["epoch"], step)
        if step == 0 or again:
            return  # drawn again with other figures beside it
        event = iteration_of_bar(at, f["epoch"], f, loss=self._loss, values=self._values)
        self.note(event)
        yield event

    batches = (
        ignored(
            tuple(
                f"Train epoch [{{:int}}/{{:int}}]: {{}}, {name}={{:float}}..."
                for name in ("pg", "act_loss")
            ),
            0.3,
            "mini-batch",
        ),
        ignored("Train epoch [{:int}/{:int}]: {}| {:int}/{:int} [{}...", 0.0, "mini-batch"),
    )

    @line(_record("Global step {step:int}"), 1.0, "step")
    def _step(self, line: Line, f: Fields) -> Events:
        pairs = f["pairs"]
        losses = (as_number(pairs.get(name)) for name in _LOSSES)
        self._loss = next((loss for loss in losses if loss is not None), None)
        reward = as_number(pairs.get("reward"))
        self._values = () if reward is None else (figure("reward", reward),)
        if not self._begun:  # a log without bars
            yield Iteration(line.origin(), None, f["step"], loss=self._loss, values=self._values)

    @line(
        _record("Evaluation completed in {}, global_step {step:int}, eval_metrics"),
        1.0,
        "evaluation",
    )
    def _evaluation(self, line: Line, f: Fields) -> Events:
        at, last, metrics = line.origin(), self.latest, figures(f["pairs"], strip="eval_")
        if last is None:
            yield Evaluation(at, metrics, step=None if self._begun else f["step"])
        else:  # the rollout is counted after its evaluation
            midway = last.steps is not None and (last.step or 0) + 1 < last.steps
            yield Evaluation(at, metrics, last.epoch, midway=midway)
