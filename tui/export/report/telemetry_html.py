"""Writes the GPU readings of each device as an HTML table."""

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.card import Card, Dimension
from sixdim.tui.base import figures
from sixdim.tui.export.markup import Markup, element, joined, row
from sixdim.tui.export.report.curves import device_charts
from sixdim.tui.export.report.run_charts import figure
from sixdim.tui.export.wording import title


def telemetry(card: Card, snapshot: Snapshot | None) -> Markup:
    """Returns power and memory of each device, their source, and the readings over the run."""
    charts = () if snapshot is None else device_charts(snapshot)
    panels = (_panel(name, card.dimensions[name]) for name in ("power", "memory"))
    drawn = (figure(chart, caption) for chart, caption in charts)
    return joined(
        element("h2", "Telemetry"),
        element("div", *panels, class_="two"),
        element("div", *drawn, class_="two plots spaced"),
    )


def _panel(name: str, figure: Dimension) -> Markup:
    if figure.value is None:
        text = element("p", figure.reason, class_="soft")
        return element("figure", element("b", title(name)), text)
    head = row(("GPU", f"mean {figure.unit}", "peak", "readings"), "th", class_="n")
    body = []
    for one in figure.details.get("per_device", ()):
        mean, peak = (figures.fixed(one.get(key), 1) for key in ("value", "peak"))
        cells = (str(one["device"]), mean, peak, str(one.get("readings", "")))
        body.append(row(cells, class_="n"))
    return element(
        "figure",
        element("b", f"{title(name)}, {figure.unit} per device"),
        element("div", element("table", head, *body), class_="scroll"),
        element("figcaption", _text_of(figure)),
    )


def _text_of(figure: Dimension) -> str:
    details = figure.details
    parts = [details[key] for key in ("method", "window") if details.get(key)]
    if sources := details.get("sources"):
        parts.append(f"read by {', '.join(sources)}")
    if (coverage := details.get("coverage")) is not None:
        parts.append(f"{100 * coverage:.1f} % of the time covered")
    elif details.get("coverage_reason"):
        parts.append(f"coverage unknown: {details['coverage_reason']}")
    held, whose = details.get("process_mean"), details.get("process_scope")
    if held is not None:
        parts.append(f"{figures.in_unit(held, figure.unit)} {figure.unit} of it by {whose}")
    elif details.get("process_reason"):
        parts.append(f"processes' share unknown: {details['process_reason']}")
    if (total := details.get("job_total")) is not None:
        devices = details.get("devices_in_job")
        parts.append(f"{figures.in_unit(total, figure.unit)} {figure.unit} for {devices} devices")
    return "; ".join(parts) + "."
