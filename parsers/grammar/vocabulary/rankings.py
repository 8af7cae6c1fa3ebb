"""Metrics of ranked results: mean precision, also at an overlap, and those of the first k."""

from sixdim.parsers.text.patterns import pattern

_FIRST = pattern(r"(?:ndcg|recall|precision|hr|hits?|mrr|map|r|p)@\d{1,4}")
_PRECISION = pattern(
    r"(?:mAP|(?<![A-Za-z])map(?!@50(?![-:_])))[ _(\[@-]{0,3}(?:IoU=)?(?:50|0?\.50?)"
    r"([-:_](?:95|0?\.95))?(?![\d.])[\])]?"
)
"""The mean precision at an overlap of 0.5, or over several: `mAP@0.5`, `mAP50-95`, `mAP_0.5`."""
_RANKED = frozenset({"map", "map50", "ndcg", "mrr", "fid"})
"""The FID is no ranking, but compares many generated images, too."""


def of_the_first(word: str) -> bool:
    """Returns whether a word is a metric of the first k of a ranking: `recall@20`.

    A bare `recall` is only a part of another metric.
    """
    return _FIRST.fullmatch(word) is not None


def ranks(canonical: str) -> bool:
    """Returns whether a metric is one of ranked results: a training computes none."""
    return canonical in _RANKED or of_the_first(canonical)


def without_overlap(name: str) -> str:
    """Returns a name with `map50` or `map` in place of a mean precision and its overlap."""
    return _PRECISION.sub(lambda found: "map" if found[1] else "map50", name)
