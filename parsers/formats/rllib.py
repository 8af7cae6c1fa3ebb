"""RLlib: the files that Ray Tune writes for a trial, and printed results.

A result counts the steps of the environment and the seconds since the start of the trial.
"""

from collections.abc import Iterator, Mapping

from sixdim.parsers.events import Events, RunEnd
from sixdim.parsers.formats.rl_tables import RlCsv, Updates
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.table import WordRow
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.statements.csv_reader import headers
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.statements.statement import Statement

_COUNTS = ("timesteps_total", "num_env_steps_sampled_lifetime")
_FIGURES = (
    *(*_COUNTS, "time_total_s", "episode_reward_mean", "episode_len_mean", "env_runners/episode_"),
    *("episode_return_mean", "info/learner/", "learners/", "evaluation/"),
)
"""Beginnings of the names of figures; other names are those of settings, clocks and readings."""
_IN_BOXES = {
    **{name: name for name in (*_COUNTS, "time_total_s")},
    "num_env_steps_sampled": "timesteps_total",
    "env_runners/episode_return_mean": "episode_return_mean",
    "sampler_results/episode_reward_mean": "episode_reward_mean",
    "evaluation/env_runners/episode_return_mean": "evaluation/env_runners/episode_return_mean",
    "evaluation/sampler_results/episode_reward_mean": "evaluation/episode_reward_mean",
}
"""The figures in a box that Ray Tune draws, and their names in the files of a trial."""
_PRINTED = ("time_total_s", "episode_reward_mean", "episode_return_mean")


class RllibCsv(RlCsv):
    name = "rllib-csv"
    title = "RLlib (progress.csv of a trial)"
    example = "episode_reward_mean,timesteps_total,training_iteration,time_this_iter_s,time_total_s"
    unread = "the settings, texts, times of the parts of an iteration, use of CPU and memory"

    def _row(self, line: Line, f: Fields) -> Events:
        return super()._row(line, {k: v for k, v in f.items() if k.startswith(_FIGURES)})

    row_shape = WordRow
    row = Statement(WordRow((), ","), _row, 0.3, "row")
    header = headers(
        *(("time_total_s", "training_iteration", one) for one in _COUNTS), columns=4, weight=1.0
    )


class Rllib(Reader):
    name = "rllib"
    title = "RLlib (result.json of a trial, and results that a script or Ray Tune prints)"
    example = '{"timesteps_total": 4000, "time_total_s": 33.7, "training_iteration": 1}'
    unread = RllibCsv.unread

    def __init__(self) -> None:
        self._updates = Updates()
        self._printed: dict[str, str] = {}
        self._repeats = False  # the next box does
        self._trials: list[str] = []  # the first one, and the one that is printed

    @line("Result for {trial:text}", 0.0, "trial")
    def _trial(self, _line: Line, f: Fields) -> Events:
        self._trials = [*self._trials[:1], f["trial"]]
        return ()

    @line(
        "Trial {trial:word} finished iteration {:int} at {}. Total running time: {time:text}",
        0.2,
        "trial",
    )
    def _box(self, _line: Line, f: Fields) -> Events:
        """Begins a box: it has no time, so that since the start of all trials is used."""
        self._trials = [*self._trials[:1], f["trial"]]
        time = spoken_seconds(f["time"])
        self._printed = {} if time is None else {"time_total_s": f"{time:.0f}"}
        return ()

    @line("Trial {trial:word} completed after {:int} iterations at {}. Total {}", 0.2, "end")
    def _ends(self, line: Line, f: Fields) -> Events:
        """Ends the trial; the box that follows repeats its last result."""
        self._repeats = True
        return (RunEnd(line.origin()),) if self._trials[:1] == [f["trial"]] else ()

    @line(tuple(f"│ {name} {{{name}:float}} │" for name in _COUNTS), 0.5, "figure")
    @line("│ {name:word} {value:float} │", 0.0, "figure")
    def _in_box(self, _line: Line, f: Fields) -> Events:
        name, value = (f["name"], f["value"]) if "name" in f else next(iter(f.items()))
        if name in _IN_BOXES and value == value:
            self._printed[_IN_BOXES[name]] = repr(value).removesuffix(".0")
        return ()

    @line("╰────...", 0.0, "end of a box")
    def _box_ends(self, line: Line, f: Fields) -> Events:
        counted = "timesteps_total" in self._printed or _COUNTS[1] in self._printed
        repeats, self._repeats = self._repeats, False
        if repeats:
            self._printed = {}
        return self._iteration(line, f) if counted and not repeats else ()

    @line(
        tuple(JsonRecord(required=("time_total_s", "training_iteration", one)) for one in _COUNTS),
        1.0,
        "result",
    )
    def _result(self, line: Line, f: Fields) -> Events:
        pairs = {k: str(v) for k, v in _flat(f) if k.startswith(_FIGURES)}
        return self._updates.events(line.origin(), pairs)

    @line(tuple(f"{name}: {{{name}:float}}" for name in _COUNTS), 0.5, "figure")
    @line(tuple(f"{name}: {{{name}:float}}" for name in _PRINTED), 0.0, "figure")
    def _figure(self, _line: Line, f: Fields) -> Events:
        """Stores a figure; the iteration comes after the figures, as a result is sorted by name."""
        self._printed.update((name, str(value)) for name, value in f.items())
        return ()

    @line("training_iteration: {:int}", 0.0, "iteration")
    def _iteration(self, line: Line, _f: Fields) -> Events:
        pairs, self._printed = self._printed, {}
        if self._trials and self._trials[0] != self._trials[-1]:
            return ()  # of another trial, which runs at the same time
        return self._updates.events(line.origin(), pairs)


def _flat(record: Mapping[str, object], inside: str = "") -> Iterator[tuple[str, object]]:
    """Yields the values of nested objects, each under the names of all objects that it is in."""
    for name, value in record.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{inside}{name}/")
        else:
            yield f"{inside}{name}", value
