"""One self-contained HTML file: no script, no network, and a policy that forbids both."""

from __future__ import annotations

import base64
import hashlib

from sixdim.tui.export.markup import Markup, element
from sixdim.tui.export.report.style import PAGE


def page(title: str, *body: Markup | None) -> str:
    """Returns the document.

    Its content security policy allows only the style sheet with this hash. Even if a text of a log
    were not escaped, no browser would run or load anything because of it.
    """
    style = Markup(PAGE)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", style),
    )
    whole = element("html", head, element("body", element("main", *body)), lang="en")
    return f"<!doctype html>\n{whole}\n"


def drawing(svg: Markup) -> str:
    """Returns an `<svg>` as a separate file."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'
