"""Text without which no number of a line has a meaning."""

from __future__ import annotations

from sixdim.parsers.grammar.chinese import is_chinese
from sixdim.parsers.text.patterns import pattern

_HINTS = (
    *("loss", "acc", "epoch", "step", "iter", "batch", "top", "prec", "update", "fps", "tps"),
    *("wps", "ips", "throughput", "/s", "/ s", "per sec", "per_sec", "persec", "iou", "map", "auc"),
    *("f1", "bleu", "psnr", "ssim", "dice", "mcc", "wer", "fid", "ppl", "perplex", "mse", "mae"),
    *("error", "reward", "score", "ndcg", "mrr", "@"),
)
_SHORT_HINT = pattern(r"(?<![a-z_])(?:ep|ap|it)(?![a-z0-9_])")


def has_hint(text: str) -> bool:
    """Whether any number of a line may have a meaning: most lines of other programs have none."""
    text = text.lower()
    for hint in _HINTS:
        if hint in text:
            return True
    return _SHORT_HINT.search(text) is not None or (not text.isascii() and is_chinese(text))
