"""Writes cards, and the results of the gate, as Markdown."""

from collections.abc import Sequence

from sixdim.metrics.tables.gate import Check
from sixdim.metrics.values.card import Card, Dimension
from sixdim.tui.base.tables import escape, rendered
from sixdim.tui.export.printed import of_target, table_cells
from sixdim.tui.export.sink import write_out
from sixdim.tui.export.wording import about, quantity
from sixdim.tui.session.cards import Scored


def write(target: str, runs: Sequence[Scored]) -> None:
    """Writes the cards one after the other."""
    write_out(target, "\n".join(as_markdown(run.card, run.name) for run in runs))


def as_markdown(card: Card, name: str) -> str:
    """Returns the card as a Markdown section under a name."""
    head = f"## {escape(name)}"
    state = f"{escape(about(card))} · **{str(card.status).upper()}**"
    target = "No target."
    if card.target is not None:
        target = f"Target {of_target(card.target, card.dimensions['accuracy'], timed=False)}."
    rows = [["", "figure", "state", "how", "lines"]]
    rows += [[*table_cells(name, one), _lines(one)] for name, one in card.figures().items()]
    lines = [head, "", state, "", escape(target), "", rendered(rows, "markdown")]
    if card.warnings:
        lines += [*(f"- warning: {escape(w.text)}" for w in card.warnings), ""]
    origin = card.provenance
    lines.append(f"sixdim {escape(str(origin['sixdim']))}, SHA-256 of the log `{origin['sha256']}`")
    return "\n".join(lines) + "\n"


def as_summary(results: Sequence[tuple[str, Card, Sequence[Check]]]) -> str:
    """Returns the summary for a pipeline: for each log its results, then its card."""
    out = []
    for name, card, checks in results:
        failed = [check for check in checks if not check.passed]
        verdict = "no requirements" if not checks else f"{len(failed)} of {len(checks)} failed"
        verdict = "all requirements met" if checks and not failed else verdict
        rows = [["requirement", "figure", "result", ""]]
        for check in checks:
            got = quantity(check.figure, check.value, check.unit)
            rows.append([check.name, got, "passed" if check.passed else "FAILED", check.reason])
        out += [f"# {escape(name)}: {verdict}", ""]
        out += [rendered(rows, "markdown")] if checks else []
        out += [as_markdown(card, name)]
    return "\n".join(out)


def _lines(figure: Dimension) -> str:
    lines = figure.evidence.lines
    return ", ".join(map(str, lines[:5])) + (", …" if len(lines) > 5 else "")
