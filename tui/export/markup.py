"""Builds HTML and SVG; every text that this module did not make is escaped."""

import html
from collections.abc import Iterable, Sequence
from typing import TypeAlias

_VOID = frozenset({"meta", "br", "hr"})
# Characters that are not allowed in XML and HTML.
_ILLEGAL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127, 65534, 65535))


class Markup(str):
    """Markup; only `element` and `joined` make it."""

    __slots__ = ()


Child: TypeAlias = "Markup | str | int | float | None"


def escape(text: object) -> Markup:
    """Returns untrusted text escaped: without tags, attributes, entities and control characters."""
    if isinstance(text, Markup):
        return text
    plain = str(text).encode("utf-8", "replace").decode("utf-8").translate(_ILLEGAL)
    return Markup(html.escape(plain, quote=True))


def element(tag: str, *children: Child, **attributes: str | int | float | None) -> Markup:
    """Returns `<tag attribute="…">children</tag>`.

    Args:
        tag: Never untrusted text.
        *children: Escaped, unless they are markup; None is left out.
        **attributes: Values are escaped, floats cut to two decimals; `class_` is `class`, and
            `stroke_width` is `stroke-width`. None is left out.
    """
    words = [tag]
    for name, value in attributes.items():
        if value is not None:
            text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
            words.append(f'{name.rstrip("_").replace("_", "-")}="{escape(text)}"')
    head = f"<{' '.join(words)}>"
    if tag in _VOID:
        return Markup(head)
    return Markup(f"{head}{joined(*children)}</{tag}>")


def joined(*parts: Child, between: str = "") -> Markup:
    """Returns the parts concatenated."""
    return Markup(between.join(escape(part) for part in parts if part is not None))


def table(head: Sequence[str], rows: Iterable[Sequence[Child]], caption: Child = None) -> Markup:
    """Returns a table without styles, so that it looks like the notebook that shows it."""
    left = "text-align: left"
    above = None if caption is None else element("caption", caption, style=left)
    titles, body = row(head, "th", style=left), (row(one, style=left) for one in rows)
    return element("table", above, element("thead", titles), element("tbody", *body))


def row(cells: Iterable[Child], tag: str = "td", **attributes: str | None) -> Markup:
    """Returns a row of a table, whose cells have the same attributes."""
    return element("tr", *(element(tag, cell, **attributes) for cell in cells))
