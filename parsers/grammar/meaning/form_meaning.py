"""Finds out what the numbers of a form of lines are, by the text between them."""

from __future__ import annotations

from collections.abc import Sequence

from sixdim.parsers.grammar.meaning.form import Form
from sixdim.parsers.grammar.meaning.form_builder import FormBuilder
from sixdim.parsers.grammar.meaning.line_parts import (
    is_source,
    lists_settings,
    of_coco,
    shows_no_figure,
    timed_by_meters,
)
from sixdim.parsers.grammar.vocabulary.chinese import english
from sixdim.parsers.grammar.vocabulary.hints import has_hint
from sixdim.parsers.grammar.vocabulary.names import EVALUATED, words_of


def form_of(between: tuple[str, ...], numbers: Sequence[str]) -> Form:
    """Finds out what the numbers of a line are.

    Args:
        between: The text between the numbers.
        numbers: The numbers; of some it matters whether they are whole.
    """
    if not "".join(between).isascii():
        between = tuple(english("\0".join(between)).split("\0"))
    if (table := of_coco(between)) is not None:
        return table
    text = " 0 ".join(between)
    if not has_hint(text) or is_source(between, numbers) or lists_settings(text):
        return Form()
    builder = FormBuilder(between, numbers)
    for at in range(len(numbers)):
        builder.number(at)
    builder.of_whole()
    builder.holes += timed_by_meters(between) if "steps" in builder.roles() else ()
    if shows_no_figure(text, builder.holes):
        return Form()
    return Form(
        builder.by_part(),
        tuple(at for at, whole in builder.whole.items() if whole),
        tuple(at for at, whole in builder.whole.items() if not whole),
        tuple(words_of(builder.beginning()[:60])),
        not EVALUATED.isdisjoint(words_of(text)),
        builder.bar,
    )
