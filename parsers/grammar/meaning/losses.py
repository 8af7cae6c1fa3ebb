"""Decides which of a line's losses is the loss: `MSE loss` may be a part of another one."""

from collections import Counter
from collections.abc import Sequence

from sixdim.parsers.grammar.meaning.about import is_a_loss
from sixdim.parsers.grammar.meaning.form import Hole
from sixdim.parsers.grammar.vocabulary.names import AVERAGED, EVALUATED, TRAINED
from sixdim.parsers.grammar.vocabulary.words import words, words_of

_FUNCTIONS = words("cross entropy ce nll mse mae rmse huber")
"""What a loss is computed by."""
_BESIDE = _FUNCTIONS | EVALUATED | TRAINED | AVERAGED | {"loss"}


def with_one_loss(holes: Sequence[Hole]) -> list[Hole]:
    """Returns the numbers of a line, with one loss for each split of the data where that is known.

    `MSE loss` is the loss where the line has no other one of its split. Beside a loss without such
    a word it is a part of that.
    """
    losses = [hole.named for hole in holes if is_a_loss(hole.named)]
    of_split = Counter([one.split for one in losses])
    whole = {
        one.split
        for one in losses
        if one.role == "loss" and _FUNCTIONS.isdisjoint(words_of(one.name))
    }
    found = list[Hole]()
    for hole in holes:
        one, said = hole.named, words_of(hole.named.name)
        if is_a_loss(one) and not _FUNCTIONS.isdisjoint(said):
            if of_split[one.split] == 1 and _BESIDE.issuperset(said):
                one = one._replace(role="loss", canonical="loss")
            elif one.split in whole:
                one = one._replace(role="series", canonical="_".join(said))
        found.append(hole._replace(named=one))
    return found
