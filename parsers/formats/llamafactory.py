"""LLaMA-Factory's trainer_log.jsonl: one object per report, with the job's tokens per second.

`throughput` is an average since the program began: `total_tokens` over the seconds since then. The
tokens include those before a checkpoint from which training goes on. So the two give the exact time
of a record, and the tokens and the time between two records give the rate.
"""

from typing import NamedTuple

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric, Problem, RunEnd, Scope
from sixdim.parsers.formats.huggingface_records import RecordClock
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figure, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

_LABELS = frozenset(("current_steps", "total_steps", "loss", "throughput", "percentage"))
_NEARLY_ALL = 0.99
"""Batches at the end that are no whole step are counted in the planned steps, but not trained."""
_BESIDE = 0.9
"""The clock of a second process is at least this share of the first one's. The clock of a resumed
training begins again."""
_EVALUATED = ("eval_loss", "accuracy", "reward", "predict_loss")


class _Seen(NamedTuple):
    """Steps, tokens, and seconds since the program began."""

    step: int
    tokens: float
    seconds: float


class LlamaFactory(Reader):
    name = "llamafactory"
    title = "LLaMA-Factory trainer_log.jsonl"
    example = '{"current_steps": 5, "total_steps": 17, "loss": 2.28, "lr": 2.5e-06, "epoch": 0.29}'
    unread = "epochs (fractions of a report), the remaining time"

    def __init__(self) -> None:
        self._clock = RecordClock((0, 0.0))
        self._latest: _Seen | None = None

    @line(JsonRecord(required=("current_steps", "total_steps")), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        at, loss, step = line.origin(), as_number(f.get("loss")), as_whole(f["current_steps"])
        elapsed, steps = spoken_seconds(str(f.get("elapsed_time"))), as_whole(f["total_steps"])
        if loss is not None and not self._is_of_another_process(step, elapsed):
            passed = () if elapsed is None else (Metric("elapsed_time", elapsed, "s"),)
            values = (*figures(self.wanted(f), skip=_LABELS), *passed)
            if self._begins_again(step, elapsed):
                yield Problem(at, "resume", "the steps and their clock begin again: resumed")
            rate, seconds = self._since_the_latest(step, f)
            by_clock = self._clock.duration(step, elapsed)
            speed = rate, "tokens/s", Scope.JOB
            yield Iteration(at, None, step, steps, *speed, loss, seconds or by_clock, values)
        elif (
            loss is None and self._latest is not None
        ):  # an evaluation's time is not the training's
            self._latest = _seen(step, f) or self._latest
        if as_number(f.get("eval_loss")) is not None:
            metrics = tuple(
                figure(name.removeprefix("eval_"), value)
                for name in _EVALUATED
                if (value := as_number(f.get(name))) is not None
            )
            yield Evaluation(at, metrics, step=step)
        elif step and steps and (step == steps or (loss is None and step > steps * _NEARLY_ALL)):
            yield RunEnd(at, elapsed)

    def _since_the_latest(self, step: int | None, f: Fields) -> tuple[float | None, float | None]:
        """Returns tokens/s, and seconds/iteration if known, since the latest record."""
        now, before = _seen(step, f), self._latest
        if now is None:
            return as_number(f.get("throughput")), None
        self._latest = now
        if before is None:
            return as_number(f.get("throughput")), None
        steps, tokens, seconds = (new - old for new, old in zip(now, before, strict=True))
        if min(steps, tokens, seconds) <= 0:
            return None, None  # it goes on from a checkpoint
        return tokens / seconds, seconds / steps

    def _is_of_another_process(self, step: int | None, now: float | None) -> bool:
        """Returns whether a second process wrote the record into the same file.

        Its step does not rise.
        """
        before, since = self._clock.latest or (0, 0.0)
        return step is not None and now is not None and step <= before and now >= since * _BESIDE

    def _begins_again(self, step: int | None, now: float | None) -> bool:
        """Whether a record that is of no second process is the first one of a resumed training."""
        before, _since = self._clock.latest or (0, 0.0)
        return step is not None and now is not None and step <= before


def _seen(step: int | None, f: Fields) -> _Seen | None:
    """Returns what had been trained at a record; None if the record does not say it."""
    tokens, mean = as_number(f.get("total_tokens")), as_number(f.get("throughput"))
    return _Seen(step, tokens, tokens / mean) if step is not None and tokens and mean else None
