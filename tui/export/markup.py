"""HTML and SVG that cannot be injected into: text is escaped unless this module made it."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TypeAlias

_VOID = frozenset({"meta", "br", "hr"})
# Characters that neither XML nor HTML may hold, whatever the text door let through.
_ILLEGAL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127, 65534, 65535))


class Markup(str):
    """Text that is markup already; only `element` and `joined` make it."""

    __slots__ = ()


Child: TypeAlias = "Markup | str | int | float | None"


def escape(text: object) -> Markup:
    """Foreign text as text: no tag, no attribute, no entity, no control character."""
    if isinstance(text, Markup):
        return text
    plain = str(text).encode("utf-8", "replace").decode("utf-8").translate(_ILLEGAL)
    return Markup(html.escape(plain, quote=True))


def element(tag: str, *children: Child, **attributes: str | int | float | None) -> Markup:
    """`<tag attribute="…">children</tag>`.

    Args:
        tag: A tag of ours, never foreign text.
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
    return Markup(f"{head}{joined(children)}</{tag}>")


def joined(parts: Iterable[Child], between: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(between.join(escape(part) for part in parts if part is not None))
