"""Hints: a line whose numbers have a meaning contains at least one of these texts."""

from sixdim.parsers.grammar.vocabulary.languages import is_translated
from sixdim.parsers.grammar.vocabulary.words import words
from sixdim.parsers.text.patterns import one_of, pattern

_HINT = one_of(
    *words(
        "loss acc epoch round step iter batch top prec update fps tps wps ips throughput iou "
        "map auc auroc f1 bleu chrf psnr ssim dice mcc wer fid ppl perplex mse mae err per_sec "
        "persec reward score episod ndcg mrr pck hota mota idf1 mpjpe correct hmean @"
    ),
    *("/ s", "/sec", "per sec"),
)
_SHORT_HINT = pattern(
    r"(?:(?:ep|ap|it)(?<![a-z_]..)|(?<![a-z])(?:[ce]er|nme|a?epe))(?![a-z0-9_])"
    r"|/s(?:ample)?(?![a-z])"
)
_MAY_BE_HINT = pattern(
    r"(?:ep|ap|it|[ce]er|nme|epe)(?![a-z_])|/s(?:ample)?(?![a-z])|fit|fold|train|engine"
    r"|total .{0,10}time|(?:done|finished|completed?) in "
)
"""`_SHORT_HINT` for a text without digits, and words of sentences about the training."""


def has_hint(text: str) -> bool:
    """Returns whether a number of a line may have a meaning.

    In most lines of other programs none has.
    """
    text = text.lower()
    if _HINT.search(text) is not None or _SHORT_HINT.search(text) is not None:
        return True
    return not text.isascii() and is_translated(text)


def may_have_hint(letters: str) -> bool:
    """Whether a line with these letters may have a hint, or may say that the training is over.

    Ignores the hint `f1`, which has a digit.

    Args:
        letters: The line without its digits.
    """
    text = letters.lower()
    found = _HINT.search(text) or _MAY_BE_HINT.search(text)
    return found is not None or (not text.isascii() and is_translated(text))
