"""Decides what is read from a line."""

from collections.abc import Sequence

from sixdim.parsers.grammar.meaning.about import BEGINS, of_other_things, of_other_work, trains
from sixdim.parsers.grammar.meaning.bar_parts import DONE
from sixdim.parsers.grammar.meaning.line_figures import LineFigures
from sixdim.parsers.grammar.meaning.line_plan import FIGURES, LABELS, NOTHING, Plan
from sixdim.parsers.grammar.vocabulary.closing import OVER
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import EVALUATED


def plan(
    named: Sequence[Named],
    words: Sequence[str] = (),
    bar: Sequence[str] | None = None,
    *,
    evaluates: bool = False,
    of_epoch: bool = False,
) -> Plan:
    """Decides what is read of a line.

    Args:
        named: Its numbers that have a meaning.
        words: The words with which it begins, up to its first figure.
        bar: The words in front of its progress bar, if it has one.
        evaluates: Whether any of its words is one of an evaluation.
        of_epoch: Whether it is about a whole epoch.
    """
    line = LineFigures(named, words, evaluates=evaluates, of_epoch=of_epoch)
    found = _plan(line, words, bar)
    return found if found is not NOTHING or bar is None else line.other_bar(bar)


def _plan(line: LineFigures, words: Sequence[str], bar: Sequence[str] | None) -> Plan:
    """As `plan`, but returns `NOTHING` for a progress bar of other work."""
    if of_other_things(words) or not (line.has(*FIGURES) or line.counts):
        return NOTHING
    labels = line.labels()
    if bar is None and line.at.keys() <= LABELS and (only := line.only_labels(labels)) is not None:
        return only
    if not (line.has(*FIGURES, "epoch", DONE) or line.losses):
        return NOTHING
    if bar is not None and line.has(DONE):
        if not EVALUATED.isdisjoint(bar):
            return NOTHING
    elif bar is not None and not (
        trains(bar, line.has("epoch"), line.losses) or line.shows_both(bar)
    ):
        return line.evaluating_bar(bar)
    if of_other_work(words) and not line.losses:
        return labels if words[0] in BEGINS and line.has("epoch") else NOTHING
    if line.of_a_fold:
        return NOTHING
    return labels._replace(
        step=line.place("step"),
        steps=line.place("steps"),
        part=line.part(),
        parts=line.place("parts"),
        trained=line.training(),
        tested=line.evaluation(),
        bar=line.bar() if bar is not None else None,
        closes=not (OVER | {"total"}).isdisjoint(words),
        whole=line.whole,
    ).as_steady()
