"""What the figures of an evaluation are of: a split of the data, a data set."""

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
"""The split of each word; where a log has a development set, its validation set is another."""


def data_set_of(said: Sequence[str]) -> str:
    """The data set that the first word names, or `ema`; empty where it names none."""
    begin = said[0] if said else ""
    if "ema" in said[:3]:
        return "ema"  # of other weights, whose figures are no more the same
    return begin if begin.rstrip("0123456789") in _DATA_SETS else ""


def split_of(said: Iterable[str]) -> str:
    """The split that words name: `val`, `dev` or `test`; empty for none."""
    return next((_SPLITS[word] for word in said if _SPLITS.get(word)), "")
