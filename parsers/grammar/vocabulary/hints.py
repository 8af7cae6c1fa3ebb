"""Texts of which a line has one if any of its numbers has a meaning."""

from __future__ import annotations

from sixdim.parsers.grammar.vocabulary.chinese import is_chinese
from sixdim.parsers.text.patterns import one_of, pattern

_HINT = one_of(
    *("loss", "acc", "epoch", "step", "iter", "batch", "top", "prec", "update", "fps", "tps"),
    *("wps", "ips", "throughput", "/s", "/ s", "per sec", "per_sec", "persec", "iou", "map", "auc"),
    *("f1", "bleu", "psnr", "ssim", "dice", "mcc", "wer", "fid", "ppl", "perplex", "mse", "mae"),
    *("err", "reward", "score", "ndcg", "mrr", "@"),
)
_SHORT_HINT = pattern(r"(?:ep|ap|it)(?<![a-z_]..)(?![a-z0-9_])")
_SHORT = one_of("ep", "ap", "it", "train", "engine")
"""Of sentences about the training, too, which are lines without a figure."""


def has_hint(text: str) -> bool:
    """Whether any number of a line may have a meaning: in most lines of other programs none has."""
    text = text.lower()
    if _HINT.search(text) is not None or _SHORT_HINT.search(text) is not None:
        return True
    return not text.isascii() and is_chinese(text)


def never_has_hint(letters: str) -> bool:
    """Whether no line with these characters, beside digits and blanks, can have a hint.

    Not regarded is `f1`, which has a digit. Lines in Chinese always may have one.
    """
    letters = letters.lower()
    found = _HINT.search(letters) or _SHORT.search(letters)
    return found is None and letters.isascii()
