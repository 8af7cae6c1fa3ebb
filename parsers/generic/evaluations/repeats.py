"""Finds evaluations that are printed several times before training goes on.

A loop may print the loss of each validation batch, or the figures of several models or data sets,
without a count or a name. Nothing shows which of them is the evaluation of the epoch, if any is.
A log that has no training and names no epoch may list models, settings or folds in the same way.
"""

from collections import Counter
from typing import TypeAlias

from sixdim.parsers.events import Evaluation, Event, Metric, Origin, Problem
from sixdim.parsers.grammar.vocabulary.names import AVERAGED, BESIDE_NAMES, EPOCHS, EVALUATED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

_ALIKE = (
    "evaluations_alike",
    "evaluations with the same names and other figures follow each other: none of them counts",
)
_MOST_BESIDE = 3
"""The most lines with the same names that figures of models and data sets may stand on, beside
each other: more of them are those of parts, such as the tasks of a benchmark."""
_LONGEST = 40
"""Characters of the name of a model or a data set."""
_DIGIT = pattern(r"\d")
_NAME_OF_A_PART = pattern(r"^\s*+[^\s:=]++:?\s++(?=\S{0,40}[A-Za-z])")
"""The first word of a line with further words, which may name a class."""
_Kind: TypeAlias = tuple[tuple[frozenset[str], str, int | None], str]
"""Names of a line's figures, their data and rank; the text between its first word and number.

The text begins with a blank where a word was in front of it.
"""


class Repeats:
    """Holds the first evaluations of each kind until training goes on.

    Attributes:
        held: The held evaluations, each with its kind and its line.
    """

    def __init__(self) -> None:
        self.held: list[tuple[_Kind, str, Evaluation]] = []
        # Names and figures since training stopped.
        self._seen: dict[_Kind, set[tuple[str, tuple[Metric, ...]]]] = {}
        # Kinds that are evaluations of all data, and what each is of, if several stand beside
        # each other: the best figure is that of one of them.
        self._whole: dict[_Kind, str] = {}
        self._of_parts: dict[_Kind, int | None] = {}  # kinds, and the last epoch of each
        self._alike: Origin | None = None  # where one first followed another of its kind

    def add(self, events: list[Event], text: str, evaluation: Evaluation) -> None:
        """Adds an evaluation to the events, or holds it while it may cover only a part."""
        if self.held and self.held[-1][2].epoch != evaluation.epoch:
            self.release(events)
        kind, after = _kind(text, evaluation)
        if kind in self._whole and not self.held:
            events.append(_on(self._whole[kind], evaluation))
        elif kind not in self._of_parts or not self.held:
            self.held.append((kind, text, evaluation))
            seen = self._seen.setdefault(kind, set())
            seen.add((text[: 1 - len(after)], evaluation.metrics))
            if kind in self._of_parts or (len(seen) > 1 and kind not in self._whole):
                self._of_parts[kind] = evaluation.epoch
                self._alike = self._alike or evaluation.at
        else:
            self._of_parts[kind] = evaluation.epoch

    def are_parts(self, text: str, evaluation: Evaluation) -> bool:
        """Whether evaluations of this kind in the same epoch were found to cover parts only."""
        if not self._of_parts:
            return False
        return self._of_parts.get(_kind(text, evaluation)[0], -1) == evaluation.epoch

    def release(self, events: list[Event]) -> None:
        """Adds the held evaluations that cover no parts, as training goes on or is over.

        Of those that cover parts one is added without its figures: it took time.
        """
        counts = Counter([kind[0] for kind in {kind for kind, _, _ in self.held}])
        # `Accuracy 0.9` and `accuracy   0.90` say the same of the same data.
        said = {(kind[0], *words_of(named(text))) for kind, text, _ in self.held}
        of_several = Counter([one for one, *_ in said])
        # `top1_acc 0.96`, `mean_acc 0.95`: no model or data set has a name here.
        plain = all(BESIDE_NAMES.issuperset(names) for _, *names in said)
        of_parts = {kind[0] for kind, _, _ in self.held if kind in self._of_parts}
        self._leave_out_trainings()
        left_out: Evaluation | None = None
        for kind, text, evaluation in self.held:
            if counts[kind[0]] > _MOST_BESIDE:
                self._of_parts[kind] = evaluation.epoch
                self._alike = self._alike or evaluation.at
            beside = of_several[kind[0]] > 1
            is_mean = not AVERAGED.isdisjoint(words_of(named(text)))
            # The mean over classes, beside that over the samples.
            if is_mean and beside and plain and kind[0] not in of_parts:
                self._of_parts[kind] = evaluation.epoch
            if kind not in self._of_parts:
                data = self._whole.setdefault(kind, named(text) if beside else "")
                events.append(_on(data, evaluation))
            else:
                at = evaluation.at._replace(time_us=None)  # later lines may have been read
                left_out = evaluation._replace(at=at, metrics=())
        if left_out is not None:
            events.append(left_out)
        self.held.clear()
        self._seen.clear()

    def _leave_out_trainings(self) -> None:
        """Leaves out figures without a name in front of one that names its evaluation.

        Of `Loss: 0.5`, `Accuracy: 0.9` and `Val F1: 0.8`, each on its line, two are the training's.
        """
        before: list[tuple[_Kind, int | None]] = []
        for kind, text, evaluation in self.held:
            if EVALUATED.isdisjoint(words_of(named(text))):
                before += [(kind, evaluation.epoch)] * (not evaluation.data)
            elif any(one.name != "loss" for one in evaluation.metrics):
                self._of_parts |= before
                return

    def end(self, events: list[Event]) -> None:
        """As `release`, at the end of the log; notes there why it has no evaluation at all."""
        self.release(events)
        if self._alike is not None and not self._whole:
            at = self._alike._replace(time_us=None)  # the log's clock does not go back to that line
            events.append(Problem(at, *_ALIKE))


def _kind(text: str, evaluation: Evaluation) -> tuple[_Kind, str]:
    """Returns the kind of an evaluation, and its line after a name that it may begin with."""
    after = _NAME_OF_A_PART.sub(" ", text, 1)
    names = frozenset([one.name for one in evaluation.metrics])
    figures = names, evaluation.data, evaluation.at.rank
    return (figures, _DIGIT.split(after, 1)[0].rstrip()), after


def named(text: str) -> str:
    """Returns what stands in front of the first number of a line: a model or a data set.

    If that number is the epoch's, its name is none of it.
    """
    said = _DIGIT.split(text, 1)[0].strip(" \t|:=,-").split()
    if said and said[-1].lower() in EPOCHS:
        said.pop()
    return " ".join(said)[:_LONGEST].rstrip(" |:=,-")


def _on(data: str, evaluation: Evaluation) -> Evaluation:
    """Returns an evaluation, on the given data; as it is if the text is empty."""
    return evaluation._replace(data=data) if data else evaluation
