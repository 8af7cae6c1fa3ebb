"""XGBoost and LightGBM: one line per round, with the metrics of every data set.

    [10]	train-logloss:0.28199	eval-logloss:0.34351
    [10]	training's l2: 0.12	valid_1's l2: 0.2 + 0.01
    [LightGBM] [Info] Iteration:10, valid_1 auc : 0.7719

Early stopping uses the last data set, and in XGBoost its last metric; that figure comes first in
an evaluation.
"""

from functools import lru_cache
from typing import TypeAlias

from sixdim.parsers.events import (
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    Origin,
    RunEnd,
    RunStart,
)
from sixdim.parsers.grammar.shapes.holes import NUMBER, number
from sixdim.parsers.grammar.shapes.shape import Fields, Unanchored
from sixdim.parsers.grammar.vocabulary.words import words
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_HEAD = pattern(r"\[(\d{1,9}+)\]:?\s")
_NAME = r"([A-Za-z_][\w.]{0,40}+(?:-\w[\w.]{0,40}+)??)"
_SCORE = pattern(
    rf"(?<!\S)({_NAME}(-|'s (?:train |valid )?+)"
    rf"([A-Za-z][\w@.:-]{{0,40}}?)):\s?({NUMBER})(?=\s|\+|$)"
)
_HIGHER = words(
    "auc aucpr auc_mu map ndcg pre average_precision accuracy acc interval-regression-accuracy "
    "f1 r2 precision recall"
)
_new = tuple.__new__  # takes half the time of `Metric(…)`, and a round has many metrics


class _Round(Unanchored):
    """A line `[step]` followed by the scores of the data sets."""

    anchor = "["
    clue = ":"

    def match(self, text: str) -> Fields | None:
        """Returns the `step`, the `trained` and `tested` metrics, and the `loss`, if any."""
        head = _HEAD.match(text)
        scores = _SCORE.findall(text) if head is not None else ()
        if head is None or not scores:
            return None
        trained, tested, loss = _layout(tuple([score[:-1] for score in scores]))
        values = [number(score[-1]) for score in scores]
        return {
            "step": int(head[1]),
            "trained": tuple([_new(Metric, (n, values[at], "", up)) for at, n, up in trained]),
            "tested": tuple([_new(Metric, (n, values[at], "", up)) for at, n, up in tested]),
            "loss": None if loss is None else values[loss],
        }


_Placed: TypeAlias = tuple[tuple[int, str, bool], ...]
"""For each metric: its place among a line's scores, its name, whether higher is better."""


@lru_cache(1024)  # every round prints the same ones
def _layout(scores: tuple[tuple[str, ...], ...]) -> tuple[_Placed, _Placed, int | None]:
    """Returns the scores of the training data, the other scores, and the place of the loss."""
    sets: dict[str, list[tuple[int, str, bool]]] = {}
    for place, (name, data, suffix, metric) in enumerate(scores):
        placed = place, label(name, 60), metric.partition("@")[0] in _HIGHER
        same = sets.setdefault(data + suffix, [])
        same.insert(0 if suffix == "-" else len(same), placed)  # the deciding metric comes first
    trained = tuple(one for data in sets if _trains(data) for one in sets[data])
    tested = tuple(one for data in reversed(sets) if not _trains(data) for one in sets[data])
    losses = [place for place, _name, higher in trained if not higher]
    named = [place for place, name, higher in trained if not higher and "loss" in name]
    return trained, tested, next(iter((*named, *losses)), None)


class Boosting(Reader):
    name = "boosting"
    title = "XGBoost and LightGBM (one line per round)"
    tried = "xgboost 3.2.0, lightgbm 4.7.0"
    example = "[10]\ttrain-logloss:0.28199\teval-logloss:0.34351"
    unread = (
        "times and rounds a second (the lines have none), the deviations of a cross-validation, "
        "which round early stopping chose, if all rounds are printed"
    )

    _chosen = False
    _first = _latest = 0
    _gaps = False  # whether rounds are missing between the printed ones
    _elapsed = 0.0  # seconds until the last round of LightGBM's own program

    record_clue = "#"  # `#011` without its digits

    @staticmethod
    def record_in(text: str) -> str:
        """As `Reader.record_in`, with the tabs that a system's log has as `#011`."""
        return text.replace("#011", "\t") if "#011" in text else text

    @line("Early stopping, best iteration is:", 0.5, "end")
    @line("Did not meet early stopping. Best iteration is:", 0.5, "end")
    @line("Stopping. Best iteration:", 0.5, "end")
    def _stopped(self, line: Line, f: Fields) -> Events:
        self._chosen = True  # the next line is the best round
        return () if self._gaps else (RunEnd(line.origin()),)

    @line(_Round(), 0.5, "round")
    def _round(self, line: Line, f: Fields) -> Events:
        at, step, tested = line.origin(), f["step"], f["tested"]
        if self._chosen:  # it may not have been printed before
            self._chosen = False
            return (Evaluation(at, tested, step=step), RunEnd(at)) if self._gaps else ()
        begun = self._begin(step)
        self._gaps, self._latest = self._gaps or step > self._latest + 1, step
        values = tuple([metric for metric in f["trained"] if self.wants(metric.name)])
        trained = Iteration(at, None, step, loss=f["loss"], values=values)
        events = (trained, Evaluation(at, tested, step=step)) if tested else (trained,)
        return (RunStart(at), *events) if begun else events

    def _begin(self, step: int) -> bool:
        """Stores the first round; returns whether another training begins with it.

        Trainings side by side are not distinguished: their first rounds come one after another.
        """
        begun = step <= self._first and self._latest > step + 1
        if begun or not self._latest:
            self._first, self._latest, self._gaps = step, 0, False
        return begun

    @line("[LightGBM] [Info] Iteration:{step:int}, {name:until} : {value:float}", 1.0, "round")
    def _score(self, line: Line, f: Fields) -> Events:
        """Reads a score of LightGBM's own program, which prints each score on its own line."""
        data, _, name = f["name"].rpartition(" ")
        metric = Metric(label(name, 60), f["value"], "", name.partition("@")[0] in _HIGHER)
        trains = not data or _trains(data)
        return () if trains else (Evaluation(line.origin(), (metric,), step=f["step"]),)

    @line(
        "[LightGBM] [Info] {seconds:float} seconds elapsed, finished iteration {step:int}",
        1.0,
        "round",
    )
    def _timed_round(self, line: Line, f: Fields) -> Events:
        took, self._elapsed = f["seconds"] - self._elapsed, f["seconds"]
        return (Iteration(line.origin(), None, f["step"], duration=took if took > 0 else None),)

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`; a log may be cut between the line `Best iteration` and that round."""
        cut = self._chosen and self._gaps
        return [*([RunEnd(at)] if cut else []), *super().end(at)]

    finished = ends("[LightGBM] [Info] Finished training", 0.5)
    messages = ignored("[LightGBM] [{:word}] {}", 0.3, "message")


def _trains(data: str) -> bool:
    """Returns whether a data set, named with its suffix, is the training's."""
    return data.lower().startswith(("train", "dtrain")) or data.endswith("'s train ")
