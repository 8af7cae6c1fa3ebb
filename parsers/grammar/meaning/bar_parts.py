"""Reads the text after the count of a progress bar: the time so far, and its pace or rate."""

from collections.abc import Sequence

from sixdim.parsers.grammar.meaning.form import Hole
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EPOCHS
from sixdim.parsers.grammar.vocabulary.words import words_of
from sixdim.parsers.text.patterns import pattern

BAR = "bar"
"""The `Named.name` of a step that a progress bar counts."""
BAR_TIME, BAR_PACE, BAR_RATE = "bar time", "bar pace", "bar rate"
"""Roles of a bar's other numbers: a part of the time, seconds/iteration, iterations/second."""
OF_A_BAR = frozenset({BAR_TIME, BAR_PACE, BAR_RATE})
DONE = "done"
"""Role of a bar's count, if the bar counts finished epochs."""
_TIMES = pattern(
    r" \[0:0(:0)?+<(?:\?|0:0(?::0)?+)"
    r"(?:,(?:0| \?)(?:([A-Za-z]{1,12}+)/s|s/([A-Za-z]{1,12}+))|(?=[\],]))"
)
"""The text after the count, with 0 for each number: ` [00:03<00:05, 3.3it/s]`, ` [00:03<00:05]`."""
_NO_PACE = ", ?"
_AFTER_A_SHARE = 3
"""Index of the text after the count, if the only number before the count is a percentage."""


def times_of_bar(between: Sequence[str], at: int) -> list[Hole]:
    """Returns the numbers of a bar's time and pace; none if the bar prints no pace yet.

    Args:
        between: The text between the numbers of its line.
        at: Which of them stands after the count.
    """
    found = _TIMES.match("0".join(between[at : at + 8]))
    if found is None or _NO_PACE in found[0]:
        return []
    scales = (3600.0, 60.0, 1.0) if found[1] else (60.0, 1.0)
    times = [Hole(at + i, Named(BAR_TIME, BAR, scale=scale)) for i, scale in enumerate(scales)]
    if not (found[2] or found[3]):
        return times
    role = BAR_PACE if found[3] else BAR_RATE
    return [*times, Hole(at + found[0].count("0") - 1, Named(role, BAR))]


def is_cut(between: Sequence[str]) -> bool:
    """Returns whether a bar's line was cut to the width of the screen, inside its last number.

    Args:
        between: The text between the numbers of its line.
    """
    after = "0".join(between).rpartition("||")[2]
    return not between[-1] and "[" in after and "]" not in after


def counts_epochs(between: Sequence[str], at: int) -> bool:
    """Returns whether a bar counts epochs, by its unit: `2/30 [00:01<00:15, 1.8epoch/s]`.

    Its name may say so, too: `Training epochs:  40%|██  | 2/5 [00:01<00:02, 1.26it/s]`.

    Args:
        between: The text between the numbers of its line.
        at: Which of them stands after the count.
    """
    found = _TIMES.match("0".join(between[at : at + 8]))
    unit = "" if found is None else (found[2] or found[3] or "").lower()
    named = at == _AFTER_A_SHARE and unit == "it" and "epochs" in words_of(between[0])
    return named or unit in EPOCHS


def of_epochs(counts: Sequence[Hole]) -> list[Hole]:
    """Returns the count of a bar and what it counts up to, as those of epochs."""
    roles = zip(counts, (DONE, "epochs"), strict=True)
    return [hole._replace(named=hole.named._replace(role=role)) for hole, role in roles]
