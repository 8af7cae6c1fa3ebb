"""The named numbers of a line by their roles, and what the words around them say."""

from collections.abc import Sequence
from functools import cached_property

from sixdim.parsers.grammar.meaning.about import (
    BEGINNING,
    is_a_loss,
    of_training_data,
    only_ends,
    only_names,
    only_names_tests,
)
from sixdim.parsers.grammar.meaning.bar_parts import BAR, BAR_PACE, BAR_RATE, BAR_TIME, DONE
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Bar, Plan
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.splits import part_of_data, split_of
from sixdim.parsers.grammar.vocabulary.words import words as words_in
from sixdim.parsers.grammar.vocabulary.words import words_of

_OF_THE_RUN = words_in("global total")
"""Words in the name of a step that counts from the run's start."""


class LineNumbers:
    """The named numbers of a line, and the words around them.

    Args:
        named: The numbers.
        words: The words in front of the first figure.
        evaluates: Whether any word of the line is one of an evaluation.

    Attributes:
        at: Role to the place of the first number with that role.
        losses: The losses and the parts of losses.
        counts: Whether it has an epoch, a step or a bar's count, even if its place is unknown.
    """

    def __init__(self, named: Sequence[Named], words: Sequence[str], *, evaluates: bool) -> None:
        self.named, self.words = named, words
        self._names_evaluation = evaluates
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
        step = self.first("step")
        if step is None or not (self.has("epoch") and self.has("epoch time", "train epoch")):
            return False
        return not self.has("steps") and not _OF_THE_RUN.isdisjoint(words_of(step.name))

    def _has_outer_pair(self) -> bool:
        """Returns whether `3/20`, or `Train 3/20`, stands before a step and its total.

        In front of a bar's other text may stand, if it is no name of the count: `[run_1] 3/20: `.
        """
        pairs = [one.role for one in self.named[:4]] == ["part", "parts", "step", "steps"]
        if pairs and self.named[2].name == BAR and EVALUATED.isdisjoint(self.words):
            return not words_of(self.named[0].name) or TRAINED.issuperset(self.words[:1])
        return pairs and {*TRAINED, *words_of(self.named[2].name)}.issuperset(self.words[:1])

    def has(self, *roles: str) -> bool:
        """Returns whether the line has a number of any of these roles."""
        return not self.at.keys().isdisjoint(roles)

    def place(self, role: str) -> int:
        """Returns the place of the first number with a role; `ABSENT` for none."""
        return self.at.get(role, ABSENT)

    def first(self, role: str) -> Named | None:
        """Returns the first number with a role; None for none."""
        return self.named[self.at[role]] if role in self.at else None

    def labels(self) -> Plan:
        """Returns the plan that reads only the line's epoch and number of epochs."""
        epoch, epochs = self.first("epoch"), self.place("epochs")
        if self._outer != ABSENT:
            return Plan(outer=self._outer, inner=self._inner)
        if epoch is None:
            return Plan(epochs=epochs, done=self.place(DONE))
        at = self.at["epoch"]
        if epochs != ABSENT and any(one.role == "epoch" for one in self.named[at + 1 : epochs]):
            epochs = ABSENT  # `Round 3 | local epoch 1/2`: of the epochs inside the first one
        return Plan(at, epochs, naming=(epoch.name, epochs != ABSENT))

    def only_labels(self, labels: Plan) -> Plan | None:
        """Returns the plan if the line only says that something begins, or that an epoch ends.

        That is an epoch, a step, or the evaluation after an epoch: `**** EVAL EPOCH 009 ****`.
        """
        if self.evaluates and only_names_tests(self.words):
            return labels._replace(heading_split=split_of(self.words) or "eval")
        if only_names(self.words, epoch=self.has("epoch")):
            name, has_total = labels.naming
            step, steps = self.place("step"), self.place("steps")
            if steps == ABSENT != step and words_of(self.named[step].name)[-1:] == ["steps"]:
                step, steps = ABSENT, step  # `Epoch 3 | Batchsize: 32 | Steps: 64`
            counts = labels._replace(step=step, steps=steps)
            return counts._replace(begins=True, naming=(f"begin {name}", has_total))
        over = self.has("epoch") and only_ends(self.words)
        return labels._replace(ends=True) if over else None

    @cached_property
    def evaluates(self) -> bool:
        """Whether the words of the line say that it is about an evaluation."""
        # If a rate is the only figure, any word of the line may say that it is an evaluation's.
        rate_alone = self._names_evaluation and not self.losses and not self.has("quality")
        said = rate_alone or not EVALUATED.isdisjoint(self.words[:BEGINNING])
        if part := part_of_data(self.words):
            return part == "eval"
        return said and not of_training_data(self.words)

    @cached_property
    def names_training(self) -> bool:
        """Whether any word before the first figure is one of training."""
        return not TRAINED.isdisjoint(self.words)

    def bar(self) -> Bar | None:
        """Returns the progress bar that counts the steps; None if none does."""
        step = self.first("step") if self._outer == ABSENT else self.named[self._inner]
        if step is None or step.name != BAR:
            return None
        elapsed = tuple([at for at, one in enumerate(self.named) if one.role == BAR_TIME])
        return Bar(elapsed, self.place(BAR_PACE), self.place(BAR_RATE))
