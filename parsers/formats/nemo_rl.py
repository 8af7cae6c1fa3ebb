"""NeMo-RL: a block for each step, with its results, its time and the throughputs of its parts.

The time of a step, by which its throughput is divided, has the step's validation in it.
"""

from sixdim.parsers.events import Evaluation, Event, Events, Iteration, Metric, Origin, Scope
from sixdim.parsers.grammar.shapes.figures import as_whole, figure
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line, remembers

_RULE = "=" * 25


class NemoRl(Reader):
    name = "nemo-rl"
    title = "NeMo-RL (GRPO, DPO and fine-tuning of language models)"
    example = "========================= Step 3/100 ========================="
    unread = (
        "the settings, times and throughputs of the parts of a step, lengths of answers, "
        "asynchronous training's times"
    )

    _epoch: int | None = None
    _place: tuple[int, int] | None = None  # step and steps
    _validated = 0  # the step after which the model was validated
    _validation_time = 0.0
    _loss: float | None = None
    _reward: float | None = None
    _timed: Iteration | None = None  # the step's, until its throughput is printed

    heading = remembers(f"{_RULE} Epoch {{_epoch:int}}/{{:int}} {_RULE}", 0.3, "epoch")
    figures_ = (
        remembers("• Loss: {_loss:float}", 0.2, "loss"),
        remembers("• Avg Reward: {_reward:float}", 0.2, "reward"),
        remembers("• Total validation time: {_validation_time:float}s", 0.2, "validation"),
    )

    @line(f"{_RULE} Step {{step:int}}/{{steps:int}} {_RULE}", 0.5, "header")
    def _header(self, _line: Line, f: Fields) -> Events:
        yield from self._complete()
        self._place, self._validation_time = (f["step"], f["steps"]), 0.0
        self._loss = self._reward = None

    @line("• Total step time: {seconds:float}s", 0.5, "iteration")
    def _time(self, line: Line, f: Fields) -> Events:
        if self._place is None:
            return ()
        seconds = f["seconds"] - self._validation_time
        values = () if self._reward is None else (Metric("reward", self._reward),)
        self._timed = Iteration(
            line.origin(), self._epoch, *self._place, loss=self._loss, values=values
        )
        if seconds > 0:
            self._timed = self._timed._replace(duration=seconds)
        self._place = None
        return ()

    @line("- E2E (Tokens/sec/gpu): {rate:float}", 0.5, "throughput")
    def _throughput(self, _line: Line, f: Fields) -> Events:
        timed = self._timed
        if timed is not None and timed.duration is not None:
            rate = f["rate"] * (1 + self._validation_time / timed.duration)
            self._timed = timed._replace(throughput=rate, unit="tokens/s", scope=Scope.DEVICE)
        yield from self._complete()

    @line("▶ Starting validation at step {step:measure}", 0.3, "validation")
    def _validates(self, _line: Line, f: Fields) -> Events:
        self._validated = as_whole(f["step"].rstrip(".")) or 0  # dots follow the number
        return ()

    @line("• Accuracy: {accuracy:float}", 0.2, "evaluation")
    @line("• Validation loss: {loss:float}", 0.2, "evaluation")
    @line("• Validation accuracy: {accuracy:float}", 0.2, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        ((name, value),) = f.items()
        yield Evaluation(line.origin(), (figure(name, value),), step=self._validated)

    def _complete(self) -> Events:
        """Yields the event of the last step, once no more is printed of it."""
        timed, self._timed = self._timed, None
        return () if timed is None else (timed,)

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`, after the last step."""
        return [*self._complete(), *super().end(at)]
