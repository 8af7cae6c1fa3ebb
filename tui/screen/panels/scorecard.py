"""The panel of the six dimensions, as a table or as a radar chart."""

from sixdim.metrics.values.card import DIMENSIONS, Card, Dimension
from sixdim.tui.base import figures
from sixdim.tui.base.figures import STATE_MARK
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.words import STATE_ROLE, fact, target_text
from sixdim.tui.screen.widgets.cells import Row, Span, row_width
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.radar import TOO_FEW, has_corners, radar_rows
from sixdim.tui.screen.widgets.text import cells_of, shorten, wrap
from sixdim.tui.session.live.feed import Frame

FROZEN = " FROZEN "
FIGURES = (*DIMENSIONS, "end_to_end")
"""The dimensions in the order of the rows."""
_WITH_STATE = 37
"""Cells of a row that has the state in words."""


def dimension_rows(
    name: str,
    figure: Dimension,
    width: int,
    spare: int,
    text: str = "",
    chosen: bool = False,
    units: int = 6,
) -> list[Row]:
    """Returns name, value, unit and state; the text is beside them or in `spare` rows below."""
    unit = figures.unit_beside(figure.unit) if figure.value is not None else ""
    value = figures.of_dimension(name, figure.value, figure.unit)
    title = Span(
        (f"▸{name}" if chosen else name.capitalize()).ljust(11), Role.FOCUS if chosen else Role.TEXT
    )
    mark, role = STATE_MARK[figure.state], STATE_ROLE[figure.state]
    if width >= _WITH_STATE:
        spans = [
            title,
            Span(value.rjust(9), Role.STRONG),
            Span(f" {shorten(unit, units - 1):<{units}}", Role.DIM),
            Span(f"{mark} {figure.state:<8}", role),
        ]
    else:  # a unit cut short says nothing, and the state's shape does
        spans = [title, Span(value.rjust(7), Role.STRONG)]
        if unit and row_width(spans) + cells_of(unit) + 3 <= width:
            spans.append(Span(f" {unit}", Role.DIM))
        spans.append(Span(f" {mark}", role))
    free = width - row_width(spans) - 1
    if not text or cells_of(text) <= free:
        return [[*spans, Span(f" {text}", Role.DIM)]]
    if spare > 0:
        return [spans, *([Span(f"  {line}", Role.DIM)] for line in wrap(text, width - 2, spare))]
    if free >= 16:
        spans.append(Span(" " + shorten(text, free), Role.DIM))
    return [spans]


def _note(name: str, figure: Dimension, target: str) -> str:
    """Returns the reason of a figure; for the accuracy also its target or else its metric."""
    if name != "accuracy":
        return figure.reason
    if target:
        return figure.reason or f"target {target}"
    metric = fact(figure.details, "metric")
    return ", ".join(part for part in (metric, figure.reason) if part not in ("", name))


def score_rows(frame: Frame, width: int, height: int, chosen: int | None = None) -> list[Row]:
    """Returns six dimensions, the end-to-end speed, warnings, and whether the card is frozen."""
    snapshot = frame.snapshot
    card = snapshot.card
    goal = target_text(snapshot)
    named = [(name, card.dimensions[name]) for name in DIMENSIONS]
    units = max(6, *(min(11, len(figure.unit) + 1) for _, figure in named))
    for most in (3, 1):  # rows of a reason: three if all of them fit
        rows: list[Row] = []
        for number, (name, figure) in enumerate([*named, ("end-to-end", card.end_to_end)]):
            free = height - 1 - len(rows) - (len(named) + 1 - number)
            spare = most if most > 1 else min(free, 1)
            text = _note(name, figure, goal)
            rows += dimension_rows(name, figure, width, spare, text, number == chosen, units)
        if len(rows) < height:
            break
    foot: list[Span] = []
    if card.warnings:
        free = width - len(FROZEN) - 1 if card.frozen else width
        # Each kind once; their texts are in the event list.
        kinds = dict.fromkeys(warning.kind.replace("_", " ") for warning in card.warnings)
        foot.append(Span(shorten(f"! {', '.join(kinds)}", free), Role.WARN))
    rows += [()] * max(0, height - len(rows) - 1)
    if card.frozen:
        gap = max(1, width - row_width(foot) - len(FROZEN))
        foot += [Span(" " * gap), Span(FROZEN, Role.BADGE)]
    rows.append(foot)
    return rows[:height]


class ScorePanel(Panel):
    """The panel of the six dimensions."""

    NAME = "Scorecard"

    def __init__(self) -> None:
        super().__init__()
        self.radar = False
        self._chosen: int | None = None

    def note(self, frame: Frame) -> str:
        """Returns whether the figures may still change."""
        return "" if frame.snapshot.card.frozen or frame.snapshot.is_over else "provisional"

    def facts(self, frame: Frame) -> object:
        """Returns the figures of the card without its provenance, which every line changes."""
        s, card = frame.snapshot, frame.snapshot.card
        beside = self._reference(frame) if self.radar else None
        dimensions = (card.dimensions, card.end_to_end, beside and beside.dimensions)
        return (*dimensions, card.warnings, card.frozen, target_text(s))

    def body(self, frame: Frame, width: int, height: int) -> list[Row]:
        """Returns the table or the radar chart."""
        card, beside = frame.snapshot.card, self._reference(frame) if self.radar else None
        if self.radar and has_corners(card, beside):
            return radar_rows(card, beside, width, height)
        chosen = self._chosen if self.has_focus else None
        why: list[Row] = []
        if self.radar:
            why = [[Span(line, Role.WARN)] for line in wrap(TOO_FEW, width, 2)]
        return [*why, *score_rows(frame, width, height - len(why), chosen)]

    def _reference(self, frame: Frame) -> Card | None:
        """Returns the run by which the radar chart divides: the first of the other runs."""
        others = (row.snapshot.card for n, row in enumerate(frame.runs) if n != frame.selected)
        return next(others, None)

    def choose(self, step: int) -> None:
        """Marks the next figure."""
        here = -1 if self._chosen is None and step > 0 else self._chosen or 0
        self._chosen = (here + step) % len(FIGURES)
        self.about = FIGURES[self._chosen]
        self.repaint()
