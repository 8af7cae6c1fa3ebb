"""Finds the split of the data and the data set that the figures of an evaluation are for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sixdim.parsers.grammar.vocabulary.names import EVALUATED, words

_DATA_SETS = words(
    "cifar imagenet tinyimagenet mnist fashionmnist kmnist svhn stl coco voc ade cityscapes kitti "
    "lfw agedb cfp calfw cplfw squad mnli qnli qqp sst cola rte mrpc wikitext ptb librispeech"
)
_SPLITS = {word: "test" if word.startswith("test") else "val" for word in EVALUATED} | {
    "eval": "",
    "evaluation": "",
    "evaluating": "",
    "dev": "dev",
}
"""The split that each word names; a `dev` set is another one than a validation set."""


def data_set_of(said: Sequence[str]) -> str:
    """Returns the data set that the first word names, or `ema`; empty if there is none."""
    begin = said[0] if said else ""
    if "ema" in said[:3]:
        return "ema"  # averaged weights: their figures are not comparable with the others
    return begin if begin.rstrip("0123456789") in _DATA_SETS else ""


def split_of(said: Iterable[str]) -> str:
    """Returns the first split that the words name: `val`, `dev` or `test`; empty for none."""
    return next((_SPLITS[word] for word in said if _SPLITS.get(word)), "")
