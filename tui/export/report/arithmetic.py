"""Writes the formula of a figure with the numbers of the card, so that it can be checked."""

import math

from sixdim.metrics.values.card import Card, Dimension
from sixdim.tui.base import figures


def worked(card: Card, name: str) -> str:
    """Returns `(4910.80 + 4980.22 + 4925.75) / 3 = 4938.92`; empty if the card lacks numbers."""
    figure = card.figure(name)
    if figure.value is None or name == "accuracy":
        return ""
    if name == "end_to_end":
        return _end_to_end(card.run.get("samples_per_epoch"), figure, figure.value)
    write = {"speed": _speed, "linearity": _linearity, "stability": _stability}
    return write.get(name, _readings)(figure, figure.value)


def _speed(figure: Dimension, value: float) -> str:
    details = figure.details
    if "values" not in details or len(details["values"]) != len(details["window"]):
        return ""
    pairs = zip(details["window"], details["values"], strict=True)
    used = [v for label, v in pairs if label not in details["dropped"] and v is not None]
    if not 0 < len(used) <= 12 or not math.isclose(math.fsum(used) / len(used), value):
        return ""  # another reduction than the mean, or each epoch cut to an integer
    terms = " + ".join(f"{v:.2f}" for v in used)
    return f"({terms}) / {len(used)} = {value:.2f} {figure.unit}".strip()


def _linearity(figure: Dimension, value: float) -> str:
    scaled, base = figure.details["scaled"], figure.details["baseline"]
    return (
        f"({scaled['speed']:.2f} / {scaled['count']}) / ({base['speed']:.2f} / {base['count']})"
        f" = {value:.4f}"
    )


def _stability(figure: Dimension, value: float) -> str:
    outside = figure.details.get("outside")
    if outside is None:
        return ""
    given = figure.details.get("deviations", [])
    found = list(given.values()) if isinstance(given, dict) else given
    listed = ", ".join(f"{100 * d:+.2f} %" for d in found)
    return f"1 - 0.2 x {outside} = {value:.1f}  (deviations {listed})"


def _readings(figure: Dimension, value: float) -> str:
    mean = figures.in_unit(value, figure.unit)
    where = ", ".join(map(str, figure.details["devices"]))
    return f"{figure.details['readings']} readings of GPU {where}, mean {mean} {figure.unit}"


def _end_to_end(samples: int | None, figure: Dimension, value: float) -> str:
    seconds = figure.details["seconds"]
    trained = figure.details.get("samples")
    if trained is not None and seconds is not None:
        return f"{trained} / {seconds:g} s = {value:.2f} {figure.unit}"
    if samples is None or seconds is None:
        return ""
    return f"{samples} x {figure.details['epochs']} / {seconds:g} s = {value:.2f} {figure.unit}"
