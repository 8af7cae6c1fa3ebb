"""The report of one run as an HTML document: the card, charts, evidence and method."""

from collections.abc import Mapping

from sixdim.metrics.card.schema.definitions import definition_of
from sixdim.metrics.values.card import DIMENSIONS, Card, Dimension, State, Status
from sixdim.tui.base import figures
from sixdim.tui.base.figures import STATE_MARK, unit_beside
from sixdim.tui.export.markup import Markup, element, joined
from sixdim.tui.export.printed import explanation, of_target
from sixdim.tui.export.report.arithmetic import worked
from sixdim.tui.export.report.page import page
from sixdim.tui.export.report.run_charts import run_charts
from sixdim.tui.export.report.telemetry_html import telemetry
from sixdim.tui.export.wording import about, number, title
from sixdim.tui.session.cards import Scored

_MOST_LINES = 12


def as_html(run: Scored, lines: Mapping[int, str], comparison: Markup | None = None) -> str:
    """Returns the whole document.

    Args:
        run: The run, with its epochs where its log was read.
        lines: Text of the evidence lines by number; empty where the log was not given.
        comparison: Against a reference; None without one.
    """
    card = run.card
    return page(
        f"{run.name} - sixdim",
        _header(run),
        element("div", *(_tile(card, name) for name in DIMENSIONS), class_="tiles"),
        _beside(card),
        _warnings(card),
        run_charts(run.snapshot),
        comparison,
        telemetry(card, run.snapshot),
        element("h2", "How each figure was made"),
        element("div", *(_method(card, lines, name) for name in card.figures()), class_="methods"),
        _provenance(card),
    )


def _header(run: Scored) -> Markup:
    card = run.card
    target = "No target: the log names none, and none was given."
    if card.target is not None:
        target = f"Target {of_target(card.target, card.dimensions['accuracy'])}."
    good = {Status.CONVERGED: "badge good", Status.FAILED: "badge bad"}
    return element(
        "header",
        element("span", str(card.status).upper(), class_=good.get(card.status, "badge")),
        element("h1", run.name),
        element("p", about(card), class_="soft"),
        element("p", target, class_="soft"),
    )


def _tile(card: Card, name: str) -> Markup:
    figure = card.dimensions[name]
    unit = "" if figure.value is None else unit_beside(figure.unit)
    return element(
        "section",
        element("div", element("span", title(name)), _state(figure), class_="name"),
        element(
            "div",
            number(name, figure.value, figure.unit),
            element("span", f" {unit}", class_="unit") if unit else None,
            class_="value",
        ),
        element("div", explanation(name, figure), class_="soft small"),
        class_="tile",
    )


def _state(figure: Dimension) -> Markup:
    mark = STATE_MARK[figure.state]
    return element(
        "span", f"{mark} {figure.state}", class_="good" if figure.state is State.FINAL else None
    )


def _beside(card: Card) -> Markup:
    """Returns a paragraph with the end-to-end speed and the run time."""
    end = card.end_to_end
    parts = [
        "End to end ",
        element("b", number("end_to_end", end.value, end.unit)),
        f" {end.unit}" if end.value is not None else "",
        f" ({how})" if (how := explanation("end_to_end", end)) else "",
    ]
    over = card.run_end
    if over is not None and over["run_time_s"] is not None:
        parts.append(f". Run time {figures.duration(over['run_time_s'])} ({over['clock']}).")
    return element("p", *parts, class_="soft small beside")


def _warnings(card: Card) -> Markup | None:
    if not card.warnings:
        return None
    items = []
    for w in card.warnings:
        where = f" (line {', '.join(map(str, w.lines[:5]))})" if w.lines else ""
        more = f", {w.count} in all" if w.count > len(w.lines) else ""
        items.append(element("li", f"{w.text}{where}{more}"))
    return joined(
        element("h2", "Warnings"), element("div", element("ul", *items), class_="panel bad")
    )


def _method(card: Card, text: Mapping[int, str], name: str) -> Markup:
    figure = card.figure(name)
    formula, source, pitfall = definition_of(name, figure)
    rows = [("Formula", formula), ("In this run", worked(card, name)), ("Source", source)]
    rows.append(("Missing", figure.reason) if figure.value is None else ("Note", pitfall))
    terms = [
        part for term, said in rows if said for part in (element("dt", term), element("dd", said))
    ]
    return element(
        "section",
        element("h3", title(name)),
        element("dl", *terms),
        _evidence(card, text, figure),
        class_="panel",
    )


def _evidence(card: Card, text: Mapping[int, str], figure: Dimension) -> Markup | None:
    lines = figure.evidence.lines
    if not lines:
        elsewhere = _elsewhere(figure)
        return element("p", elsewhere, class_="soft small") if elsewhere else None
    known = [n for n in lines if n in text][:_MOST_LINES]
    if not known:
        listed = ", ".join(map(str, lines[:_MOST_LINES]))
        where = card.provenance["log"]
        return element("p", f"Lines {listed} of {where}", class_="soft small")
    width = len(str(known[-1]))
    rows = (joined(element("b", f"{n:>{width}}  "), text[n]) for n in known)
    quoted = element("pre", joined(*rows, between="\n"))
    more = figure.evidence.count - len(lines)
    if more > 0:
        said = f"The first and the last of {figure.evidence.count} lines."
        return joined(quoted, element("p", said, class_="soft small"))
    return quoted


def _elsewhere(figure: Dimension) -> str:
    """Returns a sentence with the lines in other logs: those of linearity's two runs."""
    parts = []
    for part in (figure.details.get("scaled"), figure.details.get("baseline")):
        if part is not None and part.get("lines"):
            lines = ", ".join(map(str, part["lines"][:_MOST_LINES]))
            parts.append(f"{part.get('log', '?')} line {lines}")
    return f"Rests on {' and '.join(parts)}." if parts else ""


def _provenance(card: Card) -> Markup:
    origin = card.provenance
    facts = {
        "Log": origin["log"],
        "SHA-256": origin["sha256"],
        "Bytes": origin["bytes"],
        "Input ended": "yes" if origin["ended"] else "no: provisional",
        "Scored by": f"sixdim {origin['sixdim']}",
    }
    facts |= {
        name.replace("_", " ").capitalize(): f"{card.run[name]} ({source})"
        for name, source in card.run["sources"].items()
        if name in card.run
    }
    rows = [
        element("tr", element("th", name), element("td", str(value)))
        for name, value in facts.items()
    ]
    return joined(
        element("h2", "Provenance"),
        element("div", element("table", *rows), class_="panel scroll"),
        element(
            "p",
            "The same bytes give the same card: sixdim score --json - prints it.",
            class_="soft small beside",
        ),
    )
