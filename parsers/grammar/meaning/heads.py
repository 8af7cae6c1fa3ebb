"""Figures that a line prints once for each head of a model, or for each task, in nested dicts."""

from collections import Counter
from collections.abc import Sequence

from sixdim.parsers.grammar.vocabulary.names import EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

_NESTED = pattern(r"['\"]([^'\"{}]{1,60}+)['\"] ?: ?\{([^{}]{1,400}+)\}")
_NAMED = pattern(r"['\"]([^'\"{}]{1,60}+)['\"] ?: ?0")
_NUMBER = "\0"


def of_several_heads(between: Sequence[str]) -> frozenset[int]:
    """Returns the indices of the numbers whose name stands in more than one nested dict.

    `{'color': {'acc': 0.5}, 'shape': {'acc': 0.7}}` has no accuracy of the model. That of a nested
    dict named after a split, as `'val'`, is that of the split.
    """
    text = _NUMBER.join(between)
    nested = [*_NESTED.finditer(text)] if text.count("{") > 1 else []
    if len(nested) < 2 or any(_is_split(one[1]) for one in nested):
        return frozenset()
    named = [
        (name[1], text.count(_NUMBER, 0, one.start(2) + name.end() - 1))
        for one in nested
        for name in _NAMED.finditer(one[2].replace(_NUMBER, "0"))
    ]
    times = Counter(name for name, _ in named)
    return frozenset(at for name, at in named if times[name] > 1)


def _is_split(key: str) -> bool:
    said = words_of(key)
    return bool(said) and not (EVALUATED | TRAINED).isdisjoint(said)
