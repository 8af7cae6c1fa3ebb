"""The GPU readings by device, as an HTML table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sixdim.metrics.card.snapshot import Snapshot
from sixdim.metrics.values.card import Card, Dimension
from sixdim.tui.base import figures
from sixdim.tui.export.markup import Markup, element, joined, row
from sixdim.tui.export.report.curves import device_charts
from sixdim.tui.export.report.run_charts import figure
from sixdim.tui.export.wording import TITLES


def telemetry(card: Card, snapshot: Snapshot | None) -> Markup:
    """Power and memory of each device, how they were read, and what was read over the run."""
    charts = () if snapshot is None else device_charts(snapshot)
    return joined(
        [
            element("h2", "Telemetry"),
            element(
                "div",
                *(_panel(name, card.dimensions[name]) for name in ("power", "memory")),
                class_="two",
            ),
            element(
                "div",
                *(figure(chart, caption) for chart, caption in charts),
                class_="two plots spaced",
            ),
        ]
    )


def _panel(name: str, figure: Dimension) -> Markup:
    if figure.value is None:
        text = element("p", figure.reason, class_="soft")
        return element("figure", element("b", TITLES[name]), text)
    given = figure.details.get("per_device")
    devices: list[Mapping[str, Any]] = (
        [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    )
    head = row(("GPU", f"mean {figure.unit}", "peak", "readings"), "th", class_="n")
    body = [
        row(
            (
                str(one["device"]),
                _number(one.get("value")),
                _number(one.get("peak")),
                str(one.get("readings", "")),
            ),
            class_="n",
        )
        for one in devices
    ]
    return element(
        "figure",
        element("b", f"{TITLES[name]}, {figure.unit} per device"),
        element("div", element("table", head, *body), class_="scroll"),
        element("figcaption", _text_of(figure)),
    )


def _text_of(figure: Dimension) -> str:
    details = figure.details
    parts = [str(details[key]) for key in ("method", "window") if details.get(key)]
    sources = details.get("sources")
    if isinstance(sources, list) and sources:
        parts.append(f"read by {', '.join(str(s) for s in sources)}")
    coverage = details.get("coverage")
    if isinstance(coverage, int | float):
        parts.append(f"{100 * coverage:.1f} % of the time covered")
    elif details.get("coverage_reason"):
        parts.append(f"coverage unknown: {details['coverage_reason']}")
    held, whose = details.get("process_mean"), details.get("process_scope")
    if isinstance(held, int | float):
        parts.append(f"{figures.in_unit(held, figure.unit)} {figure.unit} of it by {whose}")
    elif details.get("process_reason"):
        parts.append(f"processes' share unknown: {details['process_reason']}")
    total = details.get("job_total")
    if isinstance(total, int | float):
        devices = details.get("devices_in_job")
        parts.append(f"times {devices} devices {figures.in_unit(total, figure.unit)} {figure.unit}")
    return "; ".join(parts) + "."


def _number(value: object) -> str:
    return figures.fixed(float(value), 1) if isinstance(value, int | float) else figures.UNKNOWN
