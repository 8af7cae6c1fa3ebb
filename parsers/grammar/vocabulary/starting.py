"""Recognises the line that says that a training starts: `Starting training for 30 epochs`."""

from sixdim.parsers.grammar.vocabulary.languages import english, may_train
from sixdim.parsers.text.patterns import pattern

_START = pattern(
    r"(?i)^\W{0,8}(?:start(?:ing|ed)?|begin(?:ning)?)\s(?:[\w-]{1,20}\s){0,4}?"
    r"(?:(?:for|with)\s|training\s(?=\d{1,7}+\sepochs))(\d{1,7}+)\s(?:[\w-]{1,12}\s)?epochs?(?:\(s\))?"
    r"(?:\son\s[\w:]{1,20})?(?:,\s(?:[A-Za-z-]{1,20}\s){1,3}\d{1,7}+){0,5}\W{0,8}$"
    r"|^\W{0,8}train(?:ing)?\sfor\s(\d{1,7}+)\sepochs\s(?:start(?:s|ed)|begins|began)\W{0,8}$"
)
_FOLD = pattern(
    r"(?i)^\W{0,80}(?:(?:start(?:ing|ed)?|begin(?:ning)?|training|train|running|now|for|on|the|cv)"
    r"[\s:-]{1,3}){0,4}(?:k-)?fold[\s:#=_-]{0,3}\d{1,3}(?:\s?(?:/|of)\s?\d{1,3})?"
    r"(?:[\s:-]{1,3}(?:training|train|start(?:ing|ed|s)?|begins?))?"
    r"(?:\s{0,4}[(|:—–-]\s{0,4}(?:val|validation|test|held[ -]out)[:=]\s?"
    r"(?=\d{0,20}[A-Za-z_])\S{1,60})?"
    r"\W{0,80}$"
)
"""A heading in front of one training of a cross-validation: `=== Fold 2/5 ===`.

It may name the data that is left out: `Fold 2 - test: subject_07`.
"""
_NOW = pattern(
    r"(?i)^\W{0,80}(?:(?:start(?:ing|ed)?|begin(?:ning)?)\s(?:(?:the|main|model)\s){0,2}train(?:ing)?"
    r"(?:\s(?:loop|process|procedure))?|train(?:ing)?\s(?:(?:has|is)\s)?(?:start(?:ed|ing|s)?|begins?))\W{0,80}$"
)
"""A line that says that a training starts, and no more: `----- Start Training! -----`."""
_LOGGER = pattern(
    r"(?:(?!(?i:early_?stop))(?=\w{0,40}(?:[a-z][A-Z]|[_.]))[A-Za-z][\w.]{1,40} ?[-|:] (?=\S)"
    r"|(?:trainer|train|main|root|runner|engine|solver) ?[-|:] (?=[A-Z]))"
)
"""The name of a logger in front of its message: one that no word of the language can be, or usual.

A name that says itself what happens is left: `EarlyStopping: Stop training`.
"""


def without_logger(text: str) -> str:
    """Removes a logger's name, as `DiseaseModel - ` or `my.train: `, in front of a sentence."""
    found = _LOGGER.match(text)
    return text if found is None else text[found.end() :]


def may_start(text: str) -> bool:
    """Returns whether a line with this text may be such a line, whatever its numbers are."""
    lower = text.lower()
    if "fold" in lower:
        return True
    counted = "epoch" in lower and (" for" in lower or "training" in lower)
    return counted and ("start" in lower or "begin" in lower)


def is_an_engines(text: str) -> bool:
    """Whether a line may be printed by an ignite engine at its start, an epoch's end or its end."""
    return "Engine run " in text or "Complete. Time" in text


def starting(text: str) -> int | None:
    """Returns the number of epochs that the line announces; None for any other line."""
    found = _START.search(without_logger(text))
    return None if found is None else int(found[1] or found[2])


def starts_now(text: str) -> bool:
    """Returns whether a line only says that the training starts."""
    text = english(text) if may_train(text) else text
    return "train" in text.lower() and _NOW.search(without_logger(text)) is not None


def begins_fold(text: str) -> bool:
    """Whether a line is the heading of one fold of a cross-validation, and says nothing else."""
    return "fold" in text.lower() and _FOLD.search(without_logger(text)) is not None
