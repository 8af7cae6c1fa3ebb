"""The screen that is too small for panels: one short line for each essential fact."""

from sixdim.metrics.values.card import DIMENSIONS
from sixdim.tui.base import figures
from sixdim.tui.base.figures import STATE_MARK
from sixdim.tui.screen.panels.header import feed_state, identity, run_state
from sixdim.tui.screen.panels.words import STATE_ROLE, outlook, target_text
from sixdim.tui.screen.widgets.cells import Row, Span
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import choose, shorten
from sixdim.tui.session.live.feed import Frame


def essential_rows(frame: Frame, width: int, height: int) -> list[Row]:
    """Returns the state of the run, the known dimensions, then the others."""
    snapshot = frame.snapshot
    card = snapshot.card
    wanted = target_text(snapshot)
    where = [span.text for span in run_state(frame)]
    rows: list[Row] = [
        [Span(choose(width, "  ".join(where), "  ".join(where[:2]), where[0]), Role.STRONG)]
    ]
    for name in sorted(DIMENSIONS, key=lambda name: card.dimensions[name].value is None):
        figure = card.dimensions[name]
        value = figures.of_dimension(name, figure.value, figure.unit)
        unit = f" {figures.unit_beside(figure.unit)}".rstrip() if figure.value is not None else ""
        goal = f" -> {wanted}" if name == "accuracy" and wanted else ""
        mark = STATE_MARK[figure.state]
        line = choose(
            width - 2,
            f"{name} {value}{unit}{goal} {figure.state}",
            f"{name} {value}{unit}{goal}",
            f"{name} {value}{unit}",
            f"{name[:3]} {value}",
        )
        rows.append([Span(f"{mark} ", STATE_ROLE[figure.state]), Span(line)])
    ahead = outlook(snapshot) if not card.frozen else "FROZEN"
    says = [snapshot.failure, frame.message, feed_state(frame), ahead, " · ".join(identity(frame))]
    extra = [[Span(shorten(text, width), Role.DIM)] for text in says if text]
    free = max(1, height - min(2, len(extra)))
    return [*rows[:free], *extra][:height]
