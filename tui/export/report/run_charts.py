"""The charts of a run: throughput per epoch, accuracy against its target, further curves."""

import math

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.card import Dimension
from sixdim.tui.base import figures
from sixdim.tui.export.markup import Markup, element, joined
from sixdim.tui.export.report.chart import Chart, Level, draw
from sixdim.tui.export.report.curves import curve_charts
from sixdim.tui.export.wording import epoch_unit_and_scope

_WIDE, _NARROW = (540, 280), (360, 250)


def run_charts(snapshot: Snapshot | None) -> Markup:
    """Returns all charts, two side by side; a sentence if only a card was given."""
    head = element("h2", "The run")
    if snapshot is None:
        text = "A card holds no epochs: charts and evidence lines need the log itself."
        return joined(head, element("p", text, class_="soft"))
    charts = [_throughput(snapshot), _accuracy(snapshot)]
    charts += [figure(chart, "") for chart in curve_charts(snapshot)]
    return joined(head, element("div", *charts, class_="two plots"))


def _throughput(snapshot: Snapshot) -> Markup:
    speed = snapshot.card.dimensions["speed"]
    unit, scope = epoch_unit_and_scope(snapshot)
    points = tuple(
        (float(e.label), math.nan if e.throughput is None else e.throughput)
        for e in snapshot.points
        if e.complete
    )
    title = f"Throughput per {snapshot.point_kind}, {unit}"
    if not any(math.isfinite(y) for _, y in points):
        return _empty(
            title, speed.reason or f"the log gives no throughput per {snapshot.point_kind}"
        )
    window: list[int] = speed.details.get("window", [])
    dropped = speed.details.get("dropped", [])
    band = (window[0], window[-1]) if window else None
    levels = (Level(speed.value),) if speed.value is not None and _is_epoch_scale(speed) else ()
    in_words = f"window {figures.labels(window)}: {figures.throughput(speed.value)}"
    chart = Chart(
        title,
        points,
        x_title=snapshot.point_kind,
        band=band,
        band_label=in_words if levels else "",
        levels=levels,
        hollow=frozenset(dropped),
    )
    notes = [f"Scope: {scope}."]
    if window:
        notes.append(f"Shaded: the {snapshot.point_kind}s that speed (dashed) is computed from.")
    if dropped:
        notes.append("Hollow: dropped.")
    if any(e.derived for e in snapshot.points):
        notes.append(f"The log prints no throughput per {snapshot.point_kind}: derived.")
    return figure(chart, " ".join(notes))


def _accuracy(snapshot: Snapshot) -> Markup:
    accuracy = snapshot.card.dimensions["accuracy"]
    found = snapshot.evaluations
    if not any(math.isfinite(e.value) for e in found):
        return _empty("Accuracy", accuracy.reason or "no evaluation was read from the log")
    unit = f", {accuracy.unit}" if accuracy.unit else ""
    title = f"{snapshot.metric}{unit} per evaluation"
    points = tuple((x, evaluation.value) for x, evaluation in snapshot.placed())
    levels: tuple[Level, ...] = ()
    if snapshot.target_value is not None and snapshot.card.target is not None:
        levels = (Level(snapshot.target_value, f"target {snapshot.card.target['condition']}"),)
    ring = accuracy.details.get("epoch") if snapshot.evaluated_by == "epoch" else None
    chart = Chart(title, points, x_title=snapshot.evaluated_by, levels=levels, ring=ring)
    caption = "Marked: the evaluation that accuracy is read from."
    return figure(chart, caption if ring is not None else "")


def _is_epoch_scale(speed: Dimension) -> bool:
    """Returns whether a figure may be drawn among the epochs it was computed from."""
    known = [value for value in speed.details.get("values", ()) if value is not None]
    return bool(known) and speed.value is not None and min(known) - 1 <= speed.value <= max(known)


def figure(chart: Chart, caption: str) -> Markup:
    """Returns a chart with its title, for a wide screen, and for a narrow one or paper."""
    return element(
        "figure",
        element("b", chart.title),
        draw(chart, *_WIDE),
        draw(chart, *_NARROW),
        element("figcaption", caption) if caption else None,
    )


def _empty(title: str, reason: str) -> Markup:
    return element("figure", element("b", title), element("p", reason, class_="soft"))
