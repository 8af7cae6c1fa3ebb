"""Cuts names into words: `val_top1Accuracy` consists of val, top1 and accuracy."""

from functools import lru_cache

from sixdim.parsers.text.patterns import pattern

_WORDS = pattern(r"[A-Za-z][A-Za-z0-9@]*+|@\d")
_CAMEL = pattern(r"(?:(?<=[a-z0-9]{2})|(?<=\d))(?=[A-Z])|(?<=[A-Z])(?=Loss)")  # mIoU is one word
_GLUED = ("loss", "acc", "f1", "auc", "time")
_ERRORS_OF = {"word": "wer", "character": "cer", "char": "cer"}
"""Of which parts of a text an error rate is, and what it is called."""
_SPLIT_GLUED = pattern(
    rf"(?i)\b(tr|val|test|eval|train|valid|batch|iter|step)(?={'|'.join(_GLUED)})"
)
_OF_VALIDATION = pattern(r"(?i)\bv(?=acc|f1|auc)")
"""The letter in `VAcc`; the loss of a value function is a `v_loss`."""


def words(text: str) -> frozenset[str]:
    """Returns the words of a text as a set."""
    return frozenset(text.split())


def words_of(key: str) -> list[str]:
    """Returns the words of a name in lower case: `val_top1Accuracy` gives val, top1, accuracy."""
    return [*_words_of(key)]


@lru_cache(512)
def _words_of(key: str) -> tuple[str, ...]:
    """As `words_of`; the rules that look at a new kind of line ask for the same words in turn."""
    return tuple([word.lower() for word in _WORDS.findall(parted(key))])


def parted(key: str) -> str:
    """Returns a name with blanks between words that are written as one: `valLoss`, `valloss`."""
    text = key.replace("_", " ")
    lower = text.lower()
    for glued in _GLUED:
        if glued in lower:
            text = _SPLIT_GLUED.sub(r"\1 ", _OF_VALIDATION.sub("val", text))
            break
    return text if text == lower else _CAMEL.sub(" ", text)


def with_joined_words(said: list[str]) -> list[str]:
    """Returns a name in which `error rate` or `f score` at its end is one word.

    `word error rate` is `wer`. An error rate has no gradient, so it is no loss of a training even
    where no split is named.
    """
    if said[-2:] == ["f", "score"]:
        return [*said[:-2], "fscore"]
    if said[-2:] != ["error", "rate"]:
        return said
    known = _ERRORS_OF.get(said[-3]) if len(said) > 2 else None
    return [*said[:-2], "error_rate"] if known is None else [*said[:-3], known]
