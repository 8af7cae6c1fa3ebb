"""Stable-Baselines, Spinning Up and OpenAI's logger: tables, and files with one row per update.

A table has a line `| name | value |` for each figure. Guided diffusion uses the logger of OpenAI
baselines.

`fps` is the environment's steps per second since the start of training, or in the last update (PPO2
of OpenAI baselines and of Stable-Baselines 2). The speed is measured between tables far enough
apart that rounding matters little. The time of a table follows from its whole seconds and, more
exactly at high rates, from its steps / `fps` where that is since the start. Evaluations are part of
that time, so two tables with one between them are not compared. (Spinning Up tests in each epoch.)
"""

from collections.abc import Mapping

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Iteration, Metric, Origin, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.grammar.shapes.table import Row
from sixdim.parsers.statements.csv_reader import CsvReader, headers
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rounded_time import RoundedTimes
from sixdim.parsers.statements.rows import fact, ignored, line
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.patterns import pattern

_OWN = (
    *("total_timesteps", "total timesteps", "ep_rew_mean", "eprewmean", "serial_timesteps"),
    *("mean 100 episode reward", "test/success_rate", "train/success_rate", "rollout/", "nupdates"),
    *("rollout/ep_rew_mean", "time/total_timesteps", "EpRewMean", "TimestepsSoFar", "total/steps"),
    *("EpisodesSoFar", "grad_norm", "loss_q0", "TotalEnvInteracts", "AverageEpRet"),
)
_ROW = pattern(r"\|\s*+([^|]{1,60}?)\s*\|\s*+([^|\s]{0,40}+)\s*+\|$")
_NO_SCORES = frozenset(("episode", "mean_ep_length", "ep_length", "time", "fps"))
_SUCCESS = ("success_rate", "mean_reward")
_EVALUATES = ("eval/", "test/")
_STEPS = (
    *("time/total_timesteps", "total_timesteps", "total timesteps", "TimestepsSoFar", "steps"),
    *("total/steps", "misc/total_timesteps", "TotalEnvInteracts"),
    *("timesteps_total", "num_env_steps_sampled_lifetime"),
)
_ELAPSED = (
    *("time/time_elapsed", "time_elapsed", "total/duration", "misc/time_elapsed", "Time"),
    *("time_total_s", "TimeElapsed"),
)
_OF_EVALUATION = (
    *("evaluation/episode_reward_mean", "evaluation/env_runners/episode_reward_mean"),
    "evaluation/env_runners/episode_return_mean",
)
_REWARDS = ("mean 100 episode reward", "AverageTestEpRet", *_OF_EVALUATION)
"""Rewards of evaluations; OpenAI baselines' deepq prints no other figure of the reward."""
_COLUMNS = (
    *(("time/total_timesteps", "time/fps"), ("total_timesteps", "time_elapsed")),
    *(("misc/total_timesteps", "misc/time_elapsed"), ("TimestepsSoFar", "EpRewMean")),
    *(("total/steps", "total/duration"), ("epoch", "test/success_rate")),
    ("grad_norm", "samples", "step"),
    ("steps", "mean 100 episode reward"),
)
"""Groups of columns; a header has all columns of one group."""
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
    title = "Stable-Baselines, OpenAI baselines, Spinning Up and guided diffusion (tables)"
    tried = "stable-baselines3 2.9.2, sb3-contrib 2.9.2"
    example = "|    total_timesteps     | 2048         |"
    unread = "the settings, names that a table cut off (`...`), what is not a table"

    def __init__(self) -> None:
        self._tag = ""
        self._figures: dict[str, str] = {}
        self._updates = Updates()

    @line("Eval num_timesteps={step:int}, episode_reward={reward:float} +/- {}", 0.8, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._updates.note_evaluation(f["step"])  # the table that follows rounds it
        yield Evaluation(line.origin(), (Metric("mean_reward", f["reward"]),), step=f["step"])

    @line(_Row(*_OWN), 0.6, "row")
    @line(_Row(), 0.0, "row")
    def _row(self, line: Line, f: Fields) -> Events:
        if f["name"].endswith("/"):
            self._tag = f["name"]
        else:
            name = f["name"] if "/" in f["name"] else self._tag + f["name"]
            self._figures[name] = f["value"]
        return ()

    header = ignored(("Wrapping the env with a ...", "Wrapping the env in a ..."), 0.5, "header")
    planned = fact(  # `PPO.learn(progress_bar=True)`
        "{:int}% ━{}/{steps_planned:count} [ {} < {} , {} it/s ]", 0.0
    )

    @line("--------...", 0.0, "rule")
    def _rule(self, line: Line, f: Fields) -> Events:
        pairs, self._figures, self._tag = self._figures, {}, ""
        return self._updates.events(line.origin(), pairs) if pairs else ()


class RlCsv(CsvReader):
    name = "rl-csv"
    title = "Stable-Baselines, OpenAI baselines and guided diffusion (progress.csv)"
    example = "time/total_timesteps,time/time_elapsed,time/fps,rollout/ep_rew_mean,train/loss"
    unread = "the settings, and cells that are no numbers"

    def __init__(self) -> None:
        self._updates = Updates()

    def _row(self, line: Line, f: Fields) -> Events:
        return self._updates.events(
            line.origin(), {k: repr(v).removesuffix(".0") for k, v in f.items()}
        )

    row = Statement(Row((), ","), _row, 0.3, "row")
    header = headers(*_COLUMNS, columns=4, weight=1.0)


class Updates:
    """Makes the events of a run from the figures of each update."""

    def __init__(self) -> None:
        self._times = RoundedTimes()
        self._evaluated: int | None = None  # step of an evaluation with a line of its own
        self._fps_since_start = True  # as long as it agrees with the steps and the time
        self._times_evaluation = False  # whether the time since the last table includes one

    def note_evaluation(self, step: int) -> None:
        """Notes an evaluation that was read from a line of its own."""
        self._evaluated, self._times_evaluation = step, True

    def events(self, at: Origin, pairs: Mapping[str, str]) -> Events:
        """Yields the progress, the evaluation and the end of an epoch that the figures report."""
        epoch = as_whole(pairs.get("epoch", pairs.get("Epoch")))
        counted = next((pairs[name] for name in _STEPS if name in pairs), "")
        step = as_whole(counted)
        elapsed = next((pairs[name] for name in _ELAPSED if name in pairs), None)
        tests = {k.partition("/")[2]: v for k, v in pairs.items() if k.startswith(_EVALUATES)}
        tested = tuple(sorted(figures(tests, skip=_NO_SCORES), key=_is_no_success))
        if tested or any(as_number(pairs.get(name)) is not None for name in _OF_EVALUATION):
            self._times_evaluation = True
        rate = None if elapsed is None else self._rate(counted, elapsed, pairs)
        reward = next((as_number(pairs[name]) for name in _REWARDS if name in pairs), None)
        if reward is not None:
            yield Evaluation(at, (Metric("mean_reward", reward),), epoch, step)
        trained = {k: v for k, v in pairs.items() if not k.startswith(_EVALUATES)}
        # If other tables have times, an evaluation's table without one gives no iteration.
        if step is not None and (elapsed is not None or not tested or not self._times.begun):
            speed, loss = (rate or None, "steps/s", Scope.JOB), as_number(pairs.get("train/loss"))
            yield Iteration(at, epoch, step, None, *speed, loss, values=figures(trained))
        elif "step" in pairs:  # guided diffusion, which rounds the step to three digits
            updates = as_whole(pairs["step"]) if "e" not in pairs["step"] else None
            loss = as_number(pairs.get("loss"))
            values = figures(trained, skip=("loss", "samples", "step"))
            yield Iteration(at, epoch, updates, loss=loss, values=values)
        if epoch is not None:
            end = EpochEnd(at, epoch, values=figures(trained))
            yield end._replace(throughput=rate, unit="steps/s", scope=Scope.JOB) if rate else end
        if tested and (step is None or step != self._evaluated):
            yield Evaluation(at, tested, epoch, step)

    def _rate(self, counted: str, elapsed: str, pairs: Mapping[str, str]) -> float | None:
        """Returns steps/s since the last table that gave a rate; None while it is uncertain."""
        step, passed = as_whole(counted), _bounds(elapsed)
        if not step or passed is None:
            return None
        early, late = passed
        if "e" in counted and (steps := _bounds(counted)):
            # Rounded steps are as good as a time that is less exact by the same share.
            early, late = early * steps[0] / step, late * steps[1] / step
        fps = _bounds(next((pairs[name] for name in _FPS if name in pairs), ""))
        if fps and fps[0] > 0:
            # In a resumed run `fps` leaves out the steps of the earlier run, and some trainers
            # print that of the last update.
            self._fps_since_start &= step / fps[1] <= late and step / fps[0] >= early
            if self._fps_since_start:
                early, late = max(early, step / fps[1]), min(late, step / fps[0])
        if self._times_evaluation:
            self._times, self._times_evaluation = RoundedTimes(), False
        return self._times.rate(step, early, late)


def _bounds(printed: str) -> tuple[float, float] | None:
    """Returns the least and the greatest number that is printed so; None if it is no number.

    A table cuts a number to a whole one, or rounds it to its last decimal place. With an exponent,
    it has three digits, of which zeros at the end are left out.
    """
    value = as_number(printed)
    if value is None:
        return None
    digits, _, exponent = printed.lower().partition("e")
    decimals = digits.partition(".")[2]
    if not decimals and not exponent:
        return value, value + 1
    places = max(len(decimals), 2) if exponent else len(decimals)
    half = 0.5 * 10.0 ** (int(exponent or 0) - places)
    return value - half, value + half


def _is_no_success(metric: Metric) -> bool:
    return metric.name not in _SUCCESS
