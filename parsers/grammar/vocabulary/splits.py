"""Finds the split of the data and the data set that the figures of an evaluation are for."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from sixdim.parsers.grammar.vocabulary.names import BESIDE_NAMES, EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words

_DATA_SETS = words(
    "cifar imagenet tinyimagenet mnist fashionmnist kmnist svhn stl coco voc ade cityscapes kitti "
    "lfw agedb cfp calfw cplfw squad mnli qnli qqp sst cola rte mrpc wikitext ptb librispeech"
)
_SPLITS = {word: "test" if word.startswith(("test", "tst")) else "val" for word in EVALUATED} | {
    "dev": "dev",
    **dict.fromkeys(("eval", "evaluation", "evaluate", "evaluating"), ""),
}
"""The split that each word names; a `dev` set is another one than a validation set."""


def data_set_of(said: Sequence[str]) -> str:
    """Returns the data set that a line's words name, or `ema`; empty if there is none.

    Its name is the first word, or stands after `dataset`: `epoch: 3, dataset: Kvasir, dice: 0.9`.
    """
    begin = said[0] if said else ""
    if "ema" in said[:3]:
        return "ema"  # averaged weights: their figures are not comparable with the others
    if "dataset" in said:
        return " ".join(takewhile(lambda word: word not in BESIDE_NAMES, _after_dataset(said)))
    return begin if begin.rstrip("0123456789") in _DATA_SETS else ""


def part_of_data(said: Sequence[str]) -> str:
    """Returns `train` or `eval` if a line says so of its data: `Dataset used: Validation`."""
    named = _after_dataset(said)[:1] if "dataset" in said else ()
    return "" if not named else "eval" if named[0] in EVALUATED else "train" * (named[0] in TRAINED)


def _after_dataset(said: Sequence[str]) -> Sequence[str]:
    """Returns the words after `dataset`, without the `used` of `Dataset used: Train`."""
    begin = said.index("dataset") + 1
    return said[begin + ("used" in said[begin : begin + 1]) :]


def split_of(said: Iterable[str]) -> str:
    """Returns the first split that the words name: `val`, `dev` or `test`; empty for none."""
    return next((_SPLITS[word] for word in said if _SPLITS.get(word)), "")
