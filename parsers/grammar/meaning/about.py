"""Decides what a line is about, by its first words and the words in front of its progress bar."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sixdim.parsers.grammar.vocabulary.closing import OVER
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import (
    AVERAGED,
    BESIDE_NAMES,
    EPOCHS,
    EVALUATED,
    PARTS_OF_LOSS,
    TRAINED,
)
from sixdim.parsers.grammar.vocabulary.words import words, words_of

BEGINNING = 3
"""How many words at the beginning of a line say what it is about."""
_RESUMES = words("resume resuming resumed restored restoring")
_MENTIONS = _RESUMES | words("best saved saving save loaded load checkpoint early previous")
"""If a line begins with one of these words, it repeats an earlier epoch or figure."""
_NO_OTHER_WORK = TRAINED | EVALUATED | words("trained speed elapsed averaged")
_NO_WORK_BESIDE = _NO_OTHER_WORK | words(
    "distributed mixed measured including excluding using during running processed processing"
)
_TRACKERS = frozenset({"wandb", "mlflow", "clearml"})
_SETTINGS = words("namespace args arguments config configs configuration options hparams monitor")
"""If a line begins with one of these words, it lists settings."""
_PARTS = words("class classes category prediction predicted hypothesis reference")
"""If a line begins with one of these words, it is about one class or one sample."""
_FEWEST_RECORDS = 3
"""Least number of evaluations in a line that lists all evaluations so far."""
_UNWEIGHTED = [["macro", "avg"], ["macro", "average"]]
"""If a line begins with these words, it has the mean over classes, not that over samples."""
_OTHER_BARS = frozenset({"map", "filter", "inference", "download"})
_OF_ANY_WORK = frozenset({"running"})
"""`Running loss`, `Running epoch 3`, `Running validation`: the other words say which work."""
BEGINS = frozenset({"starting", "beginning", "running", "training", "finetuning", "pretraining"})
_OF_STEPS = words("step steps iter iteration out of")
_OF_LABELS = BEGINS | _OF_STEPS | EPOCHS | words("round start begin train going into batchsize")
_OF_AN_END = OVER | TRAINED | words("epoch ep of the time taken")
_ALL_EPOCHS = "epochs"
"""A bar of this name counts them, if no number follows the name. One named `Epoch` mostly does."""


def of_other_things(said: Sequence[str]) -> bool:
    """Whether a line is about an earlier epoch, settings, a class, a sample, a mean of classes."""
    before = not _MENTIONS.isdisjoint(said[:2]) or not _RESUMES.isdisjoint(said[:BEGINNING])
    before = before or not _SETTINGS.isdisjoint(said[:1])
    over_classes = "class" in said[:2] and not AVERAGED.isdisjoint(said[:2])
    part = not over_classes and not _PARTS.isdisjoint(said[:BEGINNING])
    return before or part or [*said[:2]] in _UNWEIGHTED


def of_a_tracker(said: Sequence[str]) -> bool:
    """Returns whether a tracker prints the line.

    W&B repeats a run's last figures when the run is over.
    """
    return not _TRACKERS.isdisjoint(said[:1])


def of_a_history(figures: Sequence[Named]) -> bool:
    """Returns whether figures are those of several evaluations: each name occurs several times."""
    counts = Counter((one.name, one.split) for one in figures).values()
    return len(counts) > 1 and min(counts) >= _FEWEST_RECORDS


def of_the_end(said: Sequence[str]) -> bool:
    """Returns whether a line repeats figures when the training is over.

    An example is `Final train loss: 0.12`.
    """
    return "final" in said[:BEGINNING]


def of_other_work(said: Sequence[str]) -> bool:
    """Returns whether a line begins with a verb of work other than training.

    Examples are `Processing` and `Extracted`.
    """
    return bool(said) and said[0].endswith(("ing", "ed")) and said[0] not in _NO_OTHER_WORK


def of_work_beside(said: Sequence[str]) -> bool:
    """Returns whether a line's rate is of other work: `PTBTokenizer tokenized 47 tokens at …`."""
    return any(word.endswith(("ing", "ed")) and word not in _NO_WORK_BESIDE for word in said)


def of_training_data(begin: Sequence[str]) -> bool:
    """Returns whether a line says that it evaluates the training data: `Evaluating train`."""
    said = [word for word in begin if word not in ("on", "of", "the")]
    return any(a in EVALUATED and b in TRAINED for a, b in pairwise(said[: BEGINNING + 1]))


def of_training(begin: Sequence[str]) -> bool:
    """Whether a line says that it is about the training, and not that the training is over."""
    return not TRAINED.isdisjoint(begin[:BEGINNING]) and OVER.isdisjoint(begin)


def trains(bar: Sequence[str], numbered: bool, losses: Sequence[Named]) -> bool:
    """Whether a progress bar shows training, by its words or by a training loss beside it."""
    said = set(bar)
    others = any(word.endswith("ing") for word in said - TRAINED - _OF_ANY_WORK)
    of_all_epochs = not numbered and (_ALL_EPOCHS in said or {"epoch"} == said)
    if others or of_all_epochs or said & (EVALUATED | _OTHER_BARS):
        return False
    named = bool(said & TRAINED) or (bool(said & EPOCHS) and numbered)
    return named or any(one.split != "eval" for one in losses)


def is_a_loss(one: Named) -> bool:
    """Returns whether a figure is a loss, or one part of it: `bbox loss`, `avg_loss_src`."""
    part = "loss" in one.canonical or one.canonical in PARTS_OF_LOSS
    return one.role == "loss" or (one.role == "series" and part)


def counts_tests(figures: Sequence[Named]) -> bool:
    """Returns whether a line counts an evaluation's batches: `Epoch: 0 Validation Iteration: 100`.

    Without an epoch the step may be the training's: `eval step 4000: loss 2.9`. A line with the
    steps of both sums an epoch up: `Epoch: 1/5 Train steps: 50 Val steps: 9`.
    """
    steps = [words_of(one.name) for one in figures if one.role == "step"]
    has_epoch = any(one.role == "epoch" for one in figures)
    return has_epoch and bool(steps) and all(not EVALUATED.isdisjoint(said) for said in steps)


def only_names(said: Sequence[str], *, epoch: bool) -> bool:
    """Returns whether a line names a step, or an epoch, that begins, and nothing else."""
    return (_OF_LABELS if epoch else _OF_STEPS).issuperset(said)


def only_ends(said: Sequence[str]) -> bool:
    """Returns whether a line says that an epoch is over, and nothing else."""
    return not OVER.isdisjoint(said) and _OF_AN_END.issuperset(said)


def only_names_tests(said: Sequence[str]) -> bool:
    """Returns whether a line is a heading of an evaluation: `Evaluating perplexity, Epoch 3/16`."""
    return (_OF_LABELS | BESIDE_NAMES).issuperset(said)
