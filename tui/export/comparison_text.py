"""Writes a comparison as plain text and as Markdown."""

from collections.abc import Sequence

from sixdim.metrics.tables.compare import Comparison, Ratio, Row, Verdict
from sixdim.metrics.values.card import Card
from sixdim.tui.base.tables import escape, rendered
from sixdim.tui.export.wording import about, letter, quantity, times, title

HOW = (
    "Ratios are turned so that above 1 is better: power, memory and time count as 1/figure.",
    "Scatter: the epochs of the speed window; for accuracy the runs behind stability.",
    "'beyond' means a difference of more than two of their standard deviations, combined.",
)


def as_text(comparison: Comparison, cards: Sequence[Card]) -> str:
    """Returns the comparison as plain text."""
    longest = max(map(len, comparison.names))
    lines = [_legend(i, comparison, card, longest) for i, card in enumerate(cards)]
    lines.append("")
    lines += [f"  {row}" for row in rendered(cells(comparison), "table").splitlines()]
    said = [*reasons(comparison), *comparison.notes]
    lines += ["", *(f"  {line}" for line in said)] if said else []
    return "\n".join([*lines, "", *(f"  {line}" for line in HOW)]) + "\n"


def as_markdown(comparison: Comparison, cards: Sequence[Card]) -> str:
    """Returns the comparison as a Markdown document."""
    lines = ["# Comparison", ""]
    lines += [f"- {escape(_legend(i, comparison, card).strip())}" for i, card in enumerate(cards)]
    lines += ["", rendered(cells(comparison), "markdown")]
    lines += [f"- {escape(line)}" for line in (*reasons(comparison), *comparison.notes)]
    return "\n".join([*lines, "", *HOW]) + "\n"


def cells(comparison: Comparison) -> list[list[str]]:
    """Returns the header of the table, and a row for each figure that any run has."""
    return [
        header(comparison),
        *(
            [
                title(row.name),
                *(quantity(row.name, figure.value, figure.unit) for figure in row.figures),
                *(ratio_text(row.ratios[i]) for i in comparison.others),
            ]
            for row in comparison.rows
            if any(figure.value is not None for figure in row.figures)
        ),
    ]


def header(comparison: Comparison) -> list[str]:
    """Returns the titles of the columns: `A`, `B`, `B/A`; the first has none."""
    runs, base = range(len(comparison.names)), letter(comparison.reference)
    return ["", *map(letter, runs), *(f"{letter(i)}/{base}" for i in comparison.others)]


def ratio_text(ratio: Ratio) -> str:
    """Returns a ratio and whether it exceeds the scatter: `×1.034 beyond`."""
    mark = "" if ratio.verdict is Verdict.UNKNOWN or ratio.value is None else f" {ratio.verdict}"
    return f"{times(ratio.value)}{mark}"


def _legend(position: int, comparison: Comparison, card: Card, width: int = 0) -> str:
    mark = "  (reference)" if position == comparison.reference else ""
    name = comparison.names[position].ljust(width)
    return f"  {letter(position)}  {name}  {about(card)}  {str(card.status).upper()}{mark}"


def reasons(comparison: Comparison) -> list[str]:
    """Returns one sentence for each figure that is unknown or could not be divided."""
    return [reason for row in comparison.rows for reason in _row_reasons(row, comparison.reference)]


def _row_reasons(row: Row, reference: int) -> list[str]:
    name = title(row.name)
    if all(figure.value is None for figure in row.figures):
        return [f"{name}: {row.figures[reference].reason or 'unknown'}"]
    said: dict[str, list[str]] = {}
    for i, (figure, ratio) in enumerate(zip(row.figures, row.ratios, strict=True)):
        reason = figure.reason or ("" if i == reference else ratio.reason)
        if reason and not reason.startswith("the reference: "):  # which its own letter says
            said.setdefault(reason, []).append(letter(i))
    return [f"{name}, {', '.join(who)}: {reason}" for reason, who in said.items()]
