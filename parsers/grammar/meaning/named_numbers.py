"""Lists the numbers of a line that have a meaning."""

from sixdim.parsers.grammar.meaning.bar_parts import OF_A_BAR
from sixdim.parsers.grammar.meaning.form_builder import form_of
from sixdim.parsers.grammar.vocabulary.forms import DRAWN_BAR, cut, drawn
from sixdim.parsers.grammar.vocabulary.named import Named


def named_numbers(text: str) -> list[Named]:
    """Returns the numbers of a line that have a meaning by their names or units."""
    parts = cut(text)
    numbers = parts[1::2]
    begin, end = drawn(text) if DRAWN_BAR in text else (0, 0)
    places, at = [], 0
    for part in parts:
        at += len(part)
        places.append(at + (end - begin if at > begin else 0))
    form = form_of(tuple(parts[::2]), numbers)
    out = []
    for hole, value in zip(form.holes, form.values(numbers) or (), strict=False):
        if value is not None and hole.named.role not in OF_A_BAR:
            begins = places[2 * hole.at + 1] - len(numbers[hole.at].lstrip(" "))
            out.append(hole.named._replace(value=value, at=begins))
    return out
