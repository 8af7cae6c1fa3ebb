"""Stable-Baselines and OpenAI baselines: a table of `| name | value |` an update.

`fps` is the environment's steps per second since the start of training. The speed is measured
between tables far enough apart that rounding matters little. The time of a table follows from its
whole seconds and, more exactly at high rates, from its steps / `fps`.
"""

from __future__ import annotations

from collections.abc import Mapping

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Events, Iteration, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rounded_time import RoundedTimes
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_OWN = (
    *("total_timesteps", "total timesteps", "ep_rew_mean", "eprewmean", "serial_timesteps"),
    *("mean 100 episode reward", "test/success_rate", "train/success_rate", "rollout/", "nupdates"),
    *("rollout/ep_rew_mean", "time/total_timesteps", "EpRewMean", "TimestepsSoFar", "total/steps"),
    "EpisodesSoFar",
)
_ROW = pattern(r"\|\s*+([^|]{1,60}?)\s*\|\s*+([^|\s]{0,40}+)\s*+\|$")
_NO_SCORES = frozenset(("episode", "mean_ep_length", "ep_length", "time", "fps"))
_SUCCESS = ("success_rate", "mean_reward")
_EVALUATES = ("eval/", "test/")
_STEPS = (
    *("time/total_timesteps", "total_timesteps", "total timesteps", "TimestepsSoFar", "steps"),
    "total/steps",
)
_ELAPSED = ("time/time_elapsed", "time_elapsed", "total/duration")
_FPS = ("time/fps", "fps", "total/steps_per_second")


class _Row(Unanchored):
    """A row of two cells, the first of them one of `names`, or any name if `names` is empty."""

    clue = "|"
    anchor = "|"

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the cells as `name` and `value`."""
        found = _ROW.fullmatch(text)
        if found is None or (self._names and found[1] not in self._names):
            return None
        return {"name": found[1], "value": found[2]}


class RlTables(Reader):
    name = "rl-tables"
    title = "Stable-Baselines and OpenAI baselines (tables)"
    tried = "stable-baselines3 2.9.2, sb3-contrib 2.9.2"
    example = "|    total_timesteps     | 2048         |"
    unread = "the settings, names that a table cut off (`...`), what is not a table"

    def __init__(self) -> None:
        self._tag = ""
        self._figures: dict[str, str] = {}
        self._times = RoundedTimes()
        self._evaluated: int | None = None

    @line("Eval num_timesteps={step:int}, episode_reward={reward:float} +/- {}", 0.8, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._evaluated = f["step"]  # the table that follows rounds it
        yield Evaluation(line.origin(), (Metric("mean_reward", f["reward"]),), step=f["step"])

    @line(_Row(*_OWN), 0.6, "row")
    @line(_Row(), 0.0, "row")
    def _row(self, line: Line, f: Fields) -> tuple[Event, ...]:
        if f["name"].endswith("/"):
            self._tag = f["name"]
        else:
            name = f["name"] if "/" in f["name"] else self._tag + f["name"]
            self._figures[name] = f["value"]
        return ()

    @line("--------...", 0.0, "rule")
    def _rule(self, line: Line, f: Fields) -> Events:
        pairs, self._figures, self._tag = self._figures, {}, ""
        if not pairs:
            return
        at, epoch = line.origin(), as_whole(pairs.get("epoch"))
        step = next((as_whole(pairs[name]) for name in _STEPS if name in pairs), None)
        elapsed = next((pairs[name] for name in _ELAPSED if name in pairs), None)
        rate = None if elapsed is None else self._rate(step, elapsed, pairs)
        # OpenAI baselines' deepq prints no other figure of the reward.
        reward = as_number(pairs.get("mean 100 episode reward"))
        if reward is not None:
            yield Evaluation(at, (Metric("mean_reward", reward),), step=step)
        tests = {k.partition("/")[2]: v for k, v in pairs.items() if k.startswith(_EVALUATES)}
        tested = tuple(sorted(figures(tests, skip=_NO_SCORES), key=_is_no_success))
        trained = {k: v for k, v in pairs.items() if not k.startswith(_EVALUATES)}
        # If other tables have times, an evaluation's table without one gives no iteration.
        if step is not None and (elapsed is not None or not tested or not self._times.begun):
            speed, loss = (rate or None, "steps/s", Scope.JOB), as_number(pairs.get("train/loss"))
            yield Iteration(at, epoch, step, None, *speed, loss, values=figures(trained))
        if epoch is not None:
            yield EpochEnd(at, epoch, values=figures(trained))
        if tested and (step is None or step != self._evaluated):
            yield Evaluation(at, tested, epoch, step)

    def _rate(self, step: int | None, elapsed: str, pairs: Mapping[str, str]) -> float | None:
        """Returns steps/s since the last table that gave a rate; None while it is uncertain."""
        passed = _bounds(elapsed)
        if step is None or passed is None:
            return None
        early, late = passed
        fps = _bounds(next((pairs[name] for name in _FPS if name in pairs), ""))
        # In a resumed run `fps` leaves out the steps of the earlier run.
        if fps and fps[0] > 0 and step / fps[1] <= late and step / fps[0] >= early:
            early, late = max(early, step / fps[1]), min(late, step / fps[0])
        return self._times.rate(step, early, late)


def _bounds(printed: str) -> tuple[float, float] | None:
    """Returns the least and the greatest number that is printed so; None if it is no number.

    A table cuts a number to a whole one, or rounds it to its last decimal place.
    """
    value = as_number(printed)
    if value is None:
        return None
    digits, _, exponent = printed.lower().partition("e")
    decimals = digits.partition(".")[2]
    if not decimals and not exponent:
        return value, value + 1
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(decimals))
    return value - half, value + half


def _is_no_success(metric: Metric) -> bool:
    return metric.name not in _SUCCESS
