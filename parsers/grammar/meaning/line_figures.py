"""Decides which figures of a line belong to the training and which to an evaluation."""

from collections.abc import Sequence
from functools import cached_property

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.meaning.about import (
    BEGINNING,
    counts_tests,
    of_a_history,
    of_a_tracker,
    of_the_end,
    of_work_beside,
)
from sixdim.parsers.grammar.meaning.bar_parts import DONE
from sixdim.parsers.grammar.meaning.figure_split import PlacedFigures, split_figures
from sixdim.parsers.grammar.meaning.line_numbers import LineNumbers
from sixdim.parsers.grammar.meaning.line_plan import (
    ABSENT,
    ITERATIONS,
    NOTHING,
    Plan,
    Tested,
    Trained,
    first_of_each,
    metric_of,
)
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import ERRORS, EVALUATED
from sixdim.parsers.grammar.vocabulary.splits import data_set_of, split_of
from sixdim.parsers.grammar.vocabulary.units import ALSO_OF_OTHERS
from sixdim.parsers.grammar.vocabulary.words import words_of

_OF_A_BAR = frozenset({"loss", "quality"})


class LineFigures(LineNumbers):
    """The figures of a line; see `line_planner.plan`.

    Args:
        named: Its named numbers.
        words: The words in front of the first figure.
        evaluates: Whether any word of the line is one of an evaluation.
        of_epoch: Whether the line says that it is about an epoch.
    """

    def __init__(
        self, named: Sequence[Named], words: Sequence[str], *, evaluates: bool, of_epoch: bool
    ) -> None:
        super().__init__(named, words, evaluates=evaluates)
        self._of_epoch = of_epoch

    @cached_property
    def _figures(self) -> tuple[PlacedFigures, PlacedFigures]:
        """The figures of the training, and those of an evaluation."""
        return split_figures(self)

    def other_bar(self, bar: Sequence[str]) -> Plan:
        """Returns the plan of a bar of other work; `NOTHING` if it does not count steps."""
        counts = Plan(step=self.place("step"), steps=self.place("steps"), bar=self.bar())
        counts = counts._replace(trained=None if bar else self.training())
        read = counts.bar is not None and counts.steps != ABSENT
        return counts._replace(other_bar=tuple(bar)) if read else NOTHING

    def shows_both(self, bar: Sequence[str]) -> bool:
        """Whether a bar's words speak of an evaluation only in figures beside the training's.

        A bar named after an epoch is of both.
        """
        splits, said = [one.split for one in self.named], [word in EVALUATED for word in bar]
        both = ("train" in splits or [*bar] == ["epoch"]) and sum(said) <= splits.count("eval") > 0
        return both and not any(said[-1:])

    def evaluating_bar(self, bar: Sequence[str]) -> Plan:
        """Returns the plan of an evaluation's bar, whose `eval` figures count once it is full.

        So do percentages in front of the bar, as of `Test Epoch: [3/9] Acc@1:82.58%: 100%|`: a
        figure without any split behind it may be the last batch's.
        """
        front = self.place("step") if EVALUATED.issuperset(bar[:1]) else 0
        figures = [
            (at, one)
            for at, one in enumerate(self.named)
            if (one.split == "eval" and one.role in _OF_A_BAR)
            or (at < front and not one.split and one.role == "quality" and one.unit == "%")
        ]
        if EVALUATED.isdisjoint(bar) or not figures or not {"step", "steps"} <= self.at.keys():
            return NOTHING
        metrics, names = first_of_each(figures)
        tested = Tested(metrics, names, names_split=True, partial=True)
        return Plan(step=self.at["step"], steps=self.at["steps"], tested=tested)

    @property
    def of_a_fold(self) -> bool:
        """Whether the line sums up one fold of a cross-validation."""
        named = "fold" in self.words[:BEGINNING]
        return named and not self._figures[0] and not self.has("epoch", "step")

    def part(self) -> int:
        """Returns the place of a count that does not say what it counts; `ABSENT` for none.

        `Final validation 3/99 acc 0.8` is no batch of it, as it is final.
        """
        if of_the_end(self.words) and self.evaluates:
            return ABSENT
        said = self.evaluates or self.names_training or all(self._figures)
        return self.place("part") if said else ABSENT

    @cached_property
    def whole(self) -> bool:
        """Whether the figures of the training cover a whole epoch."""
        if self.has("step"):
            return False
        # `train loss: 0.5 acc: 0.9`: the split of the first figure holds for all.
        splits = [one.split for _, one in self._figures[0]]
        named = splits[:1] == ["train"] and {*splits} <= {"train", ""}
        return self._of_epoch or self.has(DONE, "epoch", "epoch time", "train epoch") or named

    def training(self) -> Trained | None:
        """Returns the figures of the training; None if the line has none."""
        trained, tested = self._figures
        repeats = of_the_end(self.words) and not self.has("epoch", "step")
        if repeats or of_a_tracker(self.words):
            return None
        epoch_time, train_time = self._times_of_epoch()
        times = Trained(
            epoch_time=epoch_time,
            train_time=train_time,
            of_epoch=self._of_epoch or self.has("epoch time", "in"),
        )
        if (self.evaluates or tested) and not trained:
            timed = self.has("epoch time") or times.train_time != ABSENT
            return times if timed else None  # a mere `time` may be that of the evaluation
        loss = next((place for place, one in trained if one.role == "loss"), ABSENT)
        rates, step, epoch = self._rates(), self.first("step"), self.first("epoch")
        return times._replace(
            loss=loss,
            values=tuple([(place, metric_of(one)) for place, one in trained if place != loss]),
            rates=rates,
            duration=self.place("duration"),
            mean_time=self.place("mean time"),
            timer=self._timer(rates),
            time=self.place("time"),
            elapsed=self._elapsed() if trained else (),  # else of an evaluation or of other work
            rounded=step is not None and step.scale > 1,
            bare=step is not None and epoch is not None and step.name == epoch.name,
            of_episodes=step is not None and "episode" in step.name.lower(),
            unnamed=self.has("part") and not self._trains,
        )

    def _times_of_epoch(self) -> tuple[int, int]:
        """Returns the places of the time of an epoch and of that of its training pass.

        They may stand beside each other: `epoch_train_time=260s epoch_time=300s`.
        """
        places: dict[str, int] = {}
        for place, one in enumerate(self.named):
            if one.role == "epoch time":
                places.setdefault(one.split, place)
        if {"", "train"} <= places.keys():
            return places[""], places["train"]
        trained = "train time" if self.whole and self.has("epoch") else "train epoch"
        whole = self.at.get("epoch time", self.place("in") if self.whole else ABSENT)
        return whole, self.place(trained)

    @cached_property
    def _trains(self) -> bool:
        return self.names_training or self.has("epoch", "step", "loss")

    def _rates(self) -> tuple[tuple[int, str, Scope], ...]:
        beside = of_work_beside(self.words)
        found = [
            (place, one)
            for place, one in enumerate(self.named)
            if one.role == "rate"
            and one.split != "eval"
            and (self._trains or not (one.unit in ALSO_OF_OTHERS or beside))
        ]
        found.sort(key=lambda pair: pair[1].per_device)
        scopes = {True: Scope.DEVICE, False: Scope.UNKNOWN}
        return tuple([(place, one.unit, scopes[one.per_device]) for place, one in found])

    def _elapsed(self) -> tuple[int, ...]:
        return tuple([place for place, one in enumerate(self.named) if one.role == "elapsed"])

    def _timer(self, rates: Sequence[tuple[int, str, Scope]]) -> str:
        if (duration := self.first("duration")) is not None:
            return duration.name
        return next((self.named[at].name for at, unit, _scope in rates if unit == ITERATIONS), "")

    def evaluation(self) -> Tested | None:
        """Returns the figures of an evaluation; None if the line has none."""
        _trained, tested = self._figures
        if all(one.role == "series" and one.canonical not in ERRORS for _, one in tested):
            return None
        metrics, names = first_of_each(tested)
        names_split = any(one.split for _, one in tested)
        # The name of the first figure says the split, else the first words of the line.
        data = split_of(words_of(tested[0][1].name)) or split_of(self.words[:BEGINNING])
        return Tested(
            metrics,
            names,
            data,
            data_set_of(self.words),
            names_split=self.evaluates or names_split,
            partial=counts_tests(self.named)
            or (self.evaluates and self.has("steps") and not names_split),
            repeated=of_a_tracker(self.words) or of_a_history([one for _, one in tested]),
        )
