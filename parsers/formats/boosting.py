"""XGBoost and LightGBM: a line a round, with the metrics of every data set.

    [10]	train-logloss:0.28199	eval-logloss:0.34351
    [10]	training's l2: 0.12	valid_1's l2: 0.2 + 0.01

The data set that decides is the last, and of XGBoost's metrics the last, too: early stopping
goes by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sixdim.parsers.events import Evaluation, Event, Iteration, Metric, RunEnd
from sixdim.parsers.grammar.holes import NUMBER, number
from sixdim.parsers.grammar.shape import Broken, Fields, Unanchored
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.rows import ignored, line
from sixdim.parsers.text.lines import Line, label
from sixdim.parsers.text.patterns import pattern

_HEAD = pattern(r"\[(\d{1,9}+)\]:?\s")
_NAME = r"([A-Za-z_][\w.]{0,40}+(?:-[A-Za-z_][\w.]{0,40}+)??)"
_SCORE = pattern(
    rf"(?<!\S)({_NAME}(-|'s (?:train |valid )?+)"
    rf"([A-Za-z][\w@.:-]{{0,40}}?)):\s?({NUMBER})(?=\s|\+|$)"
)
_HIGHER: tuple[str, ...] = (
    "auc",
    "aucpr",
    "auc_mu",
    "map",
    "ndcg",
    "pre",
    "average_precision",
    "accuracy",
    "acc",
)
_HIGHER += ("interval-regression-accuracy", "f1", "r2", "precision", "recall")
_MOST = 4_000


class _Round(Unanchored):
    """`[step]` and scores of data sets."""

    anchor = "["
    clue = ":"

    def match(self, text: str) -> Fields | Broken | None:
        """The `step`, and under `sets` the metrics of each data set, the one that decides first."""
        head = _HEAD.match(text)
        if head is None:
            return None
        sets: dict[str, list[Metric]] = {}
        for *names, value in _SCORE.findall(text[:_MOST]):
            score = _score(*names)
            metric = Metric(score.name, number(value), "", score.higher_is_better)
            data = sets.setdefault(score.data, [])
            data.insert(0 if score.decides else len(data), metric)
        return {"step": int(head[1]), "sets": sets} if sets else None


class _Score(NamedTuple):
    """What a score is: the set of data (with what stands behind its name), and its metric."""

    data: str
    name: str
    higher_is_better: bool
    decides: bool


@lru_cache(1024)  # every round prints the same ones
def _score(name: str, data: str, of: str, metric: str) -> _Score:
    higher = metric.partition("@")[0] in _HIGHER
    return _Score(data + of, label(name, 60), higher, of == "-")


class Boosting(Reader):
    """Reads one console log."""

    name = "boosting"
    title = "XGBoost and LightGBM (a line a round)"
    tried = "xgboost 3.2.0, lightgbm 4.7.0"
    example = "[10]\ttrain-logloss:0.28199\teval-logloss:0.34351"
    unread = (
        "times and rounds a second (the lines have none), the deviations of a cross-validation, "
        "which round early stopping chose"
    )

    def __init__(self) -> None:
        self._chosen = False

    @line("Early stopping, best iteration is:", 0.5, "end")
    @line("Did not meet early stopping. Best iteration is:", 0.5, "end")
    @line("Stopping. Best iteration:", 0.5, "end")
    def _stopped(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._chosen = True  # the line below repeats that round
        return (RunEnd(line.origin()),)

    @line(_Round(), 0.5, "round")
    def _round(self, line: Line, f: Fields) -> Iterator[Event]:
        if self._chosen:
            self._chosen = False
            return
        at, step, sets = line.origin(), f["step"], f["sets"]
        trained = tuple(m for data in sets if _trains(data) for m in sets[data])
        tested = tuple(m for data in reversed(sets) if not _trains(data) for m in sets[data])
        losses = sorted((m for m in trained if not m.higher_is_better), key=_is_no_loss)
        loss = losses[0].value if losses else None
        values = tuple(metric for metric in trained if self.wants(metric.name))
        yield Iteration(at, None, step, loss=loss, values=values)
        if tested:
            yield Evaluation(at, tested, step=step)

    announcements = (
        ignored(
            "Training until validation scores don't improve for {:int} rounds{}", 0.5, "header"
        ),
        ignored("Will train until {} hasn't improved in {:int} rounds.", 0.5, "header"),
        ignored("Multiple eval metrics have been passed: {}", 0.5, "header"),
        ignored("[LightGBM] [{:word}] {}", 0.3, "message"),
    )


def _trains(data: str) -> bool:
    """Whether a data set (with what stands behind its name) is the training's."""
    return data.lower().startswith(("train", "dtrain")) or data.endswith("'s train ")


def _is_no_loss(metric: Metric) -> bool:
    return "loss" not in metric.name
