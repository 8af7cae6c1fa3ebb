"""Writes a comparison as HTML: the radar chart and its figures."""

from collections.abc import Sequence

from sixdim.metrics.tables.compare import RADAR, Comparison, Ratio, Row, Verdict
from sixdim.metrics.values.card import Card
from sixdim.tui.export.comparison_text import HOW, header, ratio_text, reasons
from sixdim.tui.export.markup import Markup, element, joined, row
from sixdim.tui.export.report.page import page
from sixdim.tui.export.report.radar import radar
from sixdim.tui.export.report.svg import COLOURS, picture, shape
from sixdim.tui.export.wording import about, letter, quantity, title


def as_html(comparison: Comparison, cards: Sequence[Card]) -> str:
    """Returns the comparison as a document."""
    return page(
        "Comparison - sixdim",
        element("header", element("h1", "Comparison")),
        compared(comparison, cards, ""),
    )


def compared(comparison: Comparison, cards: Sequence[Card], title: str) -> Markup:
    """Returns legend, radar chart and table, as parts of a page."""
    known = any(
        comparison.row(name).ratios[i].value is not None
        for name in RADAR
        for i in comparison.others
    )
    said = [*reasons(comparison), *comparison.notes]
    head = element("b", "Ratios against the reference (dashed ring); outward is better")
    listed = (element("li", line) for line in said)
    return joined(
        element("h2", title) if title else None,
        element("div", _legend(comparison, cards), class_="panel scroll spaced"),
        element("figure", head, radar(comparison), class_="spaced") if known else None,
        element("div", _table(comparison), class_="panel scroll spaced"),
        element("ul", *listed, class_="soft small spaced") if said else None,
        element("p", " ".join(HOW), class_="soft small spaced"),
    )


def _legend(comparison: Comparison, cards: Sequence[Card]) -> Markup:
    others, rows = comparison.others, []
    for i, card in enumerate(cards):
        paint = "reference" if i == comparison.reference else f"line{others.index(i) % COLOURS}"
        line = shape("line", paint, x1=2, x2=38, y1=7, y2=7)
        swatch = picture(f"The line of {letter(i)}", 40, 14, line, class_="swatch")
        heading = f"{about(card)} · {card.status}" + ("" if i in others else " · reference")
        about_it = element("span", heading, class_="soft small")
        named = joined(comparison.names[i], element("br"), about_it)
        rows.append(row((swatch, element("b", letter(i)), named)))
    return element("table", *rows, class_="legend")


def _table(comparison: Comparison) -> Markup:
    titles = (element("th", one, class_="n" if one else None) for one in header(comparison))
    rows = (_row(row, comparison.others) for row in comparison.rows)
    return element("table", element("tr", *titles), *rows)


def _row(row: Row, others: Sequence[int]) -> Markup:
    values = [element("td", quantity(row.name, f.value, f.unit), class_="n") for f in row.figures]
    ratios = [element("td", _ratio(row.ratios[i]), class_="n") for i in others]
    return element("tr", element("th", title(row.name)), *values, *ratios)


def _ratio(ratio: Ratio) -> Markup | str:
    if ratio.value is None or ratio.verdict is not Verdict.BEYOND:
        return ratio_text(ratio)
    return element("span", ratio_text(ratio), class_="good" if ratio.value > 1 else "bad")
