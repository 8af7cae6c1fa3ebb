"""Decides which figures of a line belong to the training and which to an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.meaning.about import (
    BEGINNING,
    counts_tests,
    has_mean_rate,
    is_a_loss,
    of_a_history,
    of_a_tracker,
    of_the_end,
    of_training,
    of_training_data,
    of_work_beside,
    only_ends,
    only_names,
    only_names_tests,
)
from sixdim.parsers.grammar.meaning.bar_parts import BAR, BAR_PACE, BAR_RATE, BAR_TIME, DONE
from sixdim.parsers.grammar.meaning.form import OF_DATA
from sixdim.parsers.grammar.meaning.line_plan import (
    ABSENT,
    ITERATIONS,
    NOTHING,
    Bar,
    Plan,
    Tested,
    Trained,
    first_of_each,
    metric_of,
)
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import CROSS_ENTROPY, ERRORS, EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.rankings import ranks
from sixdim.parsers.grammar.vocabulary.splits import data_set_of, part_of_data, split_of
from sixdim.parsers.grammar.vocabulary.units import ALSO_OF_OTHERS
from sixdim.parsers.grammar.vocabulary.words import words as words_in
from sixdim.parsers.grammar.vocabulary.words import words_of

_OF_A_BAR = frozenset({"loss", "quality"})
_OF_PROGRESS = frozenset({"epoch", "step", "part", "loss"})
_OVERLAPS = frozenset({"dice", "iou"})
_OF_BATCHES = words_in("batch minibatch iter iteration step")
_OF_THE_RUN = words_in("global total")
"""Words in the name of a step that counts from the run's start."""


def _of_the_validation(tested: list[tuple[int, Named]]) -> list[tuple[int, Named]]:
    """Returns figures without those of a test that have one of the validation beside them."""
    splits = [split_of(words_of(one.name)) for _, one in tested]
    if "test" not in splits:
        return tested
    rows = [*zip(splits, tested, strict=True)]
    validated = {one.canonical for split, (_, one) in rows if split in ("val", "dev")}
    return [row for split, row in rows if split != "test" or row[1].canonical not in validated]


class LineFigures:
    """The named numbers of a line and the words around them; see `line_planner.plan`.

    Attributes:
        at: Role to the place of the first number with that role.
        losses: The losses and the parts of losses.
        counts: Whether it has an epoch, a step or a bar's count, even if its place is unknown.
    """

    def __init__(
        self, named: Sequence[Named], words: Sequence[str], *, evaluates: bool, of_epoch: bool
    ) -> None:
        self._named, self._words = named, words
        self._names_evaluation, self._of_epoch = evaluates, of_epoch
        self.at: dict[str, int] = {}
        for place, one in enumerate(named):
            self.at.setdefault(one.role, place)
        if self._states_step_of_epoch():
            del self.at["step"]
        self.counts = self.has("epoch", "step", DONE)
        apart = self.has("step") and self.place("step") < self.place("steps") - 1
        self._outer = ABSENT
        if apart and not self.has("epoch"):
            self._outer, self._inner = self.at.pop("step"), self.at.pop("steps") - 1
        elif self.has("step") and not self.has("epoch") and self._has_outer_pair():
            self._outer, self._inner = self.at.pop("part"), self.at.pop("step")
            del self.at["steps"]
        self.losses = [one for one in named if is_a_loss(one)]

    def _states_step_of_epoch(self) -> bool:
        """Whether the step is the run's at the epoch's end: `Epoch 2 global_step=40 epoch_time=9s`.

        A line with the step of a progress line has no time of the epoch.
        """
        step = self._first("step")
        if step is None or not (self.has("epoch") and self.has("epoch time", "train epoch")):
            return False
        return not self.has("steps") and not _OF_THE_RUN.isdisjoint(words_of(step.name))

    def _has_outer_pair(self) -> bool:
        """Whether `3/20`, or `Train 3/20`, stands before a step and its total.

        In front of a bar's other text may stand, if it is no name of the count: `[run_1] 3/20: `.
        """
        pairs = [one.role for one in self._named[:4]] == ["part", "parts", "step", "steps"]
        if pairs and self._named[2].name == BAR and EVALUATED.isdisjoint(self._words):
            return not words_of(self._named[0].name) or TRAINED.issuperset(self._words[:1])
        return pairs and {*TRAINED, *words_of(self._named[2].name)}.issuperset(self._words[:1])

    def has(self, *roles: str) -> bool:
        """Whether the line has a number of any of these roles."""
        return not self.at.keys().isdisjoint(roles)

    def place(self, role: str) -> int:
        """Returns the place of the first number with a role; `ABSENT` for none."""
        return self.at.get(role, ABSENT)

    def _first(self, role: str) -> Named | None:
        """Returns the first number with a role; None for none."""
        return self._named[self.at[role]] if role in self.at else None

    def labels(self) -> Plan:
        """Returns the plan that reads only the line's epoch and number of epochs."""
        epoch, epochs = self._first("epoch"), self.place("epochs")
        if self._outer != ABSENT:
            return Plan(outer=self._outer, inner=self._inner)
        if epoch is None:
            return Plan(epochs=epochs, done=self.place(DONE))
        at = self.at["epoch"]
        if epochs != ABSENT and any(one.role == "epoch" for one in self._named[at + 1 : epochs]):
            epochs = ABSENT  # `Round 3 | local epoch 1/2`: of the epochs inside the first one
        return Plan(at, epochs, naming=(epoch.name, epochs != ABSENT))

    def only_labels(self, labels: Plan) -> Plan | None:
        """Returns the plan if the line only says that something begins, or that an epoch ends.

        That is an epoch, a step, or the evaluation after an epoch: `**** EVAL EPOCH 009 ****`.
        """
        if self.evaluates and only_names_tests(self._words):
            return labels._replace(heading_split=split_of(self._words) or "eval")
        if only_names(self._words, epoch=self.has("epoch")):
            name, has_total = labels.naming
            counts = labels._replace(step=self.place("step"), steps=self.place("steps"))
            return counts._replace(begins=True, naming=(f"begin {name}", has_total))
        over = self.has("epoch") and only_ends(self._words)
        return labels._replace(ends=True) if over else None

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
        splits, said = [one.split for one in self._named], [word in EVALUATED for word in bar]
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
            for at, one in enumerate(self._named)
            if (one.split == "eval" and one.role in _OF_A_BAR)
            or (at < front and not one.split and one.role == "quality" and one.unit == "%")
        ]
        if EVALUATED.isdisjoint(bar) or not figures or not {"step", "steps"} <= self.at.keys():
            return NOTHING
        metrics, names = first_of_each(figures)
        tested = Tested(metrics, names, names_split=True, partial=True)
        return Plan(step=self.at["step"], steps=self.at["steps"], tested=tested)

    @cached_property
    def evaluates(self) -> bool:
        """Whether the words of the line say that it is about an evaluation."""
        # If a rate is the only figure, any word of the line may say that it is an evaluation's.
        rate_alone = self._names_evaluation and not self.losses and not self.has("quality")
        said = rate_alone or not EVALUATED.isdisjoint(self._words[:BEGINNING])
        if part := part_of_data(self._words):
            return part == "eval"
        return said and not of_training_data(self._words)

    @cached_property
    def names_training(self) -> bool:
        """Whether any word before the first figure is one of training."""
        return not TRAINED.isdisjoint(self._words)

    @cached_property
    def _alone(self) -> bool:
        """Whether a quality without a split is an evaluation's, as nothing beside it trains."""
        named = self._named
        # `train_loss … valid_loss … accuracy`: figures of the training are named as such.
        if any(one.split == "eval" for one in named) and all(one.split for one in self.losses):
            return True
        # `Train epoch 2, total time 18.9, accuracy: 12.6`
        trained_on = not self._first_split and (
            of_training(self._words) or part_of_data(self._words) == "train"
        )
        return self.has("eval time") or not (self.losses or trained_on or self.has("rate", "step"))

    @cached_property
    def _first_split(self) -> str:
        return next((one.split for one in self._named if one.role in OF_DATA), "")

    @cached_property
    def _figures(self) -> tuple[list[tuple[int, Named]], list[tuple[int, Named]]]:
        """Place and figure of the training's figures, then of the evaluation's."""
        named = self._named
        # `test acc: 76.8 %, loss: 0.68`: the split of the first figure holds for all.
        all_tested = self._first_split == "eval" and all(one.split != "train" for one in named)
        tests = self.evaluates or all_tested
        # `step 40, val_acc 0.8, loss 0.3`: the loss may be the training's
        begins = not EVALUATED.isdisjoint(self._words[:1])
        unsaid = all_tested and self.has("step") and not begins
        said_of_tests = {one.canonical for one in named if one.split == "eval"}
        # `accuracy: 0.5 (0.5)` belongs to a batch whose count an earlier line shows.
        of_batches = self._alone and not self.evaluates and not self.has("epoch")
        of_epochs = not (self.has("step", "part") or self.names_training)
        # `Epoch 3, loss 0.5, mAP 0.4`: a training does not rank its results
        of_epoch = self.has("epoch") and of_epochs
        parts_of_loss = any(one.canonical == CROSS_ENTROPY for one in named)
        of_one_action = "action" in self._words[:BEGINNING]  # `Action: left | Reward: 1.5`
        trained, tested = list[tuple[int, Named]](), list[tuple[int, Named]]()
        # `loss 0.5, f1 0.7, best_f1 0.8`: a training keeps no best figure of its batches
        judged = {one.canonical for one in named if one.role == "best"} if of_epochs else set()
        has_quality, after = self.has("quality"), ""
        for place, one in enumerate(named):
            after = one.split or after
            if one.role not in OF_DATA or (not one.split and one.running and of_batches):
                continue
            by_itself = self._alone or (of_epoch and ranks(one.canonical))
            by_itself |= one.canonical in judged
            # `acc 0.9 val_acc 0.8`: the first is the training's; `train loss 0.5 acc 0.9 | val
            # loss 0.6 acc 0.8`: so is the first accuracy
            by_itself = by_itself and one.canonical not in said_of_tests and after != "train"
            # `MAE=5.2, F1=0.6`: an error beside a quality is of the same evaluation, unless others
            # name theirs (`MSE 0.31, val RMSE 0.62`)
            errs = has_quality and one.canonical in ERRORS and ERRORS.isdisjoint(said_of_tests)
            is_result = one.role == "quality" or errs
            is_result = is_result and _OF_BATCHES.isdisjoint(words_of(one.name))
            if unsaid and not one.split and one.role == "loss":
                continue
            if parts_of_loss and not one.split and one.canonical in _OVERLAPS:
                continue  # `Total: 1.1 | Dice: 0.8 | BCE: 1.2`
            if of_one_action and one.canonical == "reward":
                continue
            is_tested = one.split == "eval" if one.split else tests or (by_itself and is_result)
            (tested if is_tested else trained).append((place, one))
        return trained, _of_the_validation(tested)

    @property
    def of_a_fold(self) -> bool:
        """Whether the line sums up one fold of a cross-validation."""
        named = "fold" in self._words[:BEGINNING]
        return named and not self._figures[0] and not self.has("epoch", "step")

    def part(self) -> int:
        """Returns the place of a count that does not say what it counts; `ABSENT` for none.

        `Final validation 3/99 acc 0.8` is no batch of it, as it is final.
        """
        if of_the_end(self._words) and self.evaluates:
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
        repeats = of_the_end(self._words) and not self.has("epoch", "step")
        if repeats or of_a_tracker(self._words):
            return None
        epoch_time, train_time = self._times_of_epoch()
        times = Trained(
            epoch_time=epoch_time,
            train_time=train_time,
            of_epoch=self._of_epoch or self.has("epoch time", "in") or has_mean_rate(self._named),
        )
        if (self.evaluates or tested) and not trained:
            timed = self.has("epoch time") or times.train_time != ABSENT
            return times if timed else None  # a mere `time` may be that of the evaluation
        loss = next((place for place, one in trained if one.role == "loss"), ABSENT)
        rates, step, epoch = self._rates(), self._first("step"), self._first("epoch")
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
        )

    def _times_of_epoch(self) -> tuple[int, int]:
        """Returns the places of the time of an epoch and of that of its training pass.

        They may stand beside each other: `epoch_train_time=260s epoch_time=300s`.
        """
        places: dict[str, int] = {}
        for place, one in enumerate(self._named):
            if one.role == "epoch time":
                places.setdefault(one.split, place)
        if {"", "train"} <= places.keys():
            return places[""], places["train"]
        trained = "train time" if self.whole and self.has("epoch") else "train epoch"
        whole = self.at.get("epoch time", self.place("in") if self.whole else ABSENT)
        return whole, self.place(trained)

    def _rates(self) -> tuple[tuple[int, str, Scope], ...]:
        trains = self.names_training or self.has(*_OF_PROGRESS)
        beside = of_work_beside(self._words)
        found = [
            (place, one)
            for place, one in enumerate(self._named)
            if one.role == "rate"
            and one.split != "eval"
            and (trains or not (one.unit in ALSO_OF_OTHERS or beside))
        ]
        found.sort(key=lambda pair: pair[1].per_device)
        scopes = {True: Scope.DEVICE, False: Scope.UNKNOWN}
        return tuple([(place, one.unit, scopes[one.per_device]) for place, one in found])

    def _elapsed(self) -> tuple[int, ...]:
        return tuple([place for place, one in enumerate(self._named) if one.role == "elapsed"])

    def _timer(self, rates: Sequence[tuple[int, str, Scope]]) -> str:
        if (duration := self._first("duration")) is not None:
            return duration.name
        return next((self._named[at].name for at, unit, _scope in rates if unit == ITERATIONS), "")

    def evaluation(self) -> Tested | None:
        """Returns the figures of an evaluation; None if the line has none."""
        _trained, tested = self._figures
        if all(one.role == "series" and one.canonical not in ERRORS for _, one in tested):
            return None
        metrics, names = first_of_each(tested)
        names_split = any(one.split for _, one in tested)
        # The name of the first figure says the split, else the first words of the line.
        data = split_of(words_of(tested[0][1].name)) or split_of(self._words[:BEGINNING])
        return Tested(
            metrics,
            names,
            data,
            data_set_of(self._words),
            names_split=self.evaluates or names_split,
            partial=counts_tests(self._named)
            or (self.evaluates and self.has("steps") and not names_split),
            repeated=of_a_tracker(self._words) or of_a_history([one for _, one in tested]),
        )

    def bar(self) -> Bar | None:
        """Returns the progress bar that counts the steps; None if none does."""
        step = self._first("step") if self._outer == ABSENT else self._named[self._inner]
        if step is None or step.name != BAR:
            return None
        elapsed = tuple([at for at, one in enumerate(self._named) if one.role == BAR_TIME])
        return Bar(elapsed, self.place(BAR_PACE), self.place(BAR_RATE))
