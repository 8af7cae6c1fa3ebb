"""Tables for notebooks: HTML without styles, so that it looks like the notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sixdim.metrics.values.card import Card
from sixdim.tui.export.markup import Child, element, row
from sixdim.tui.export.printed import table_cells
from sixdim.tui.export.wording import about

_LEFT = "text-align: left"


def table(head: Sequence[str], rows: Iterable[Sequence[Child]], caption: Child = None) -> str:
    """Returns a table; every text is escaped."""
    titles, body = row(head, "th", style=_LEFT), [row(one, style=_LEFT) for one in rows]
    above = None if caption is None else element("caption", caption, style=_LEFT)
    return str(element("table", above, element("thead", titles), element("tbody", *body)))


def card_table(card: Card) -> str:
    """Returns the card as a table: a row for each figure, and the warnings below."""
    rows = [table_cells(name, figure) for name, figure in card.figures().items()]
    log, status = card.provenance["log"], str(card.status)
    body = table(("dimension", "figure", "state", "how"), rows, f"{log} · {about(card)} · {status}")
    warnings = [element("li", f"warning: {warning.text}") for warning in card.warnings]
    return body + (str(element("ul", *warnings)) if warnings else "")
