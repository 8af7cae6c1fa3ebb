"""A card as plain text: no colours, one figure per line."""

from collections.abc import Mapping
from typing import Any

from sixdim.metrics.values.card import Card, Dimension, State
from sixdim.tui.base import figures
from sixdim.tui.export.wording import about, quantity, title


def printed(card: Card, name: str = "") -> str:
    """Returns the card as text, with a final newline; the log's name is the card's if not given."""
    head = f"{name or card.provenance['log']} · {about(card)}   {str(card.status).upper()}"
    lines = [head, *_detection(card), _target(card), ""]
    lines += [_row(name, figure) for name, figure in card.figures().items()]
    if card.run_end is not None:
        planned, unit = card.run.get("epochs_planned"), card.dimensions["accuracy"].unit
        lines += ["", *_run_end(card.run_end, planned, unit)]
    if card.warnings:
        lines.append("")
        lines += [
            f"  warning: {w.text}" + (f" ({_listed(w.lines, w.count)})" if w.lines else "")
            for w in card.warnings
        ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _detection(card: Card) -> list[str]:
    """Returns how the format was detected."""
    found = card.run.get("detection")
    if found is None:
        return []
    if found["forced"]:
        return [f"  format {card.run['format']}: as given, not detected"]
    if "confidence" not in found:
        return []
    return [
        f"  format {card.run['format']}{' (provisional)' if 'provisional' in found else ''}: "
        f"confidence {found['confidence']:.2f} "
        f"({', '.join(found['reasons'])}; from line {found['first_line']})"
    ]


def _target(card: Card) -> str:
    if card.target is None:
        return "  no target: the log names none (--target acc1>75.9)"
    return f"  target {of_target(card.target, card.dimensions['accuracy'])}"


def of_target(target: Mapping[str, Any], accuracy: Dimension, *, timed: bool = True) -> str:
    """Returns `acc1>75.9 (log): met at epoch 60 after 5:05:30 (log timestamps)` or `…: not met`.

    It is unknown whether a target was met if no evaluation of it was read.
    """
    head = f"{target['condition']} ({target['source']})"
    if "epoch" not in target:
        unknown = accuracy.state == State.UNKNOWN
        return f"{head}: unknown ({accuracy.reason})" if unknown else f"{head}: not met"
    where = "" if target["epoch"] is None else f" at epoch {target['epoch']}"
    seconds = target["time_to_train_s"] if timed else None
    after = "" if seconds is None else f" after {figures.duration(seconds)} ({target['clock']})"
    return f"{head}: met{where}{after}"


def _row(name: str, figure: Dimension) -> str:
    value = quantity(name, figure.value, figure.unit)
    head = f"  {name.replace('_', ' '):<11}{value:<20}{figure.state!s:<9}"
    return f"{head} {explanation(name, figure)}{_lines(figure)}"


def table_cells(name: str, figure: Dimension) -> list[str]:
    """Returns title, figure, state and explanation, for a table."""
    value = quantity(name, figure.value, figure.unit)
    return [title(name), value, str(figure.state), explanation(name, figure)]


def explanation(name: str, figure: Dimension) -> str:
    """Returns how a figure was computed, and why it is unknown or not final."""
    return "; ".join(filter(None, (_how_computed(name, figure), figure.reason)))


def _how_computed(name: str, figure: Dimension) -> str:
    """Returns how a known figure was computed, in a few words."""
    details = figure.details
    if figure.value is None:
        return ""
    if name == "speed":
        return _how_speed_computed(details)
    if name == "accuracy":
        text = figures.metric(details["best"], figure.unit)
        where = f" at epoch {details['epoch']}" if details["epoch"] is not None else ""
        data = f" on {details['data']}" if "data" in details else ""
        return f"{details['metric']}{data}{where}, best {text}"
    if name in ("power", "memory"):
        text = f"mean of {details['readings']} readings of GPU {figures.labels(details['devices'])}"
        if details["window"] == "whole recording":
            text += ", whole recording"
        if (held := details.get("process_mean")) is not None:
            text += f", {figures.fixed(held, 1)} MiB of it by {details['process_scope']}"
        return text
    if name == "linearity":
        scaled, base = details["scaled"], details["baseline"]
        return f"{scaled['count']} against {base['count']} by {details['by']}"
    if name == "stability":
        return f"{details['runs']} runs, base {details['base']}"
    how = f"; by the log's own {details['stated']}" if "stated" in details else ""
    time = f"{figures.duration(details['seconds'])} ({details['clock']})"
    trained = "" if details["epochs"] is None else f"{details['epochs']} epochs in "
    return f"{trained}{time}{how}"


def _how_speed_computed(details: Mapping[str, Any]) -> str:
    if all(name in details for name in ("records", "kept", "trimmed", "metric", "printed")):
        return _how_records_reduced(details)
    if "stated" in details:
        return f"by the log's own {details['stated']}"
    text = f"epochs {figures.labels(details['window'])}" if details["window"] else "iterations"
    if details["dropped"] and details["window"]:
        text += f" without {figures.labels(details['dropped'])}"
    if details["scope"] != "job":
        text += f", {_scope(details['scope'])}"
    if "derived" in details:
        text += f", derived: {details['derived']}"
    if "iteration_s" in details:
        text += f", {details['iteration_s']:.4g} s an iteration"
    if "mfu" in details:
        text += f", MFU {details['mfu']:.2f} % ({details['mfu_how']})"
    if "example_arithmetic" in details:
        text += f" ({details['example_arithmetic']:.2f} with epochs cut to integers)"
    return text


def _how_records_reduced(details: Mapping[str, Any]) -> str:
    text = f"{details['protocol']}: {details['kept']} of {details['records']} {details['metric']}"
    if details["trimmed"]:
        text += f" without {details['trimmed']}"
    if "scale" in details:
        text += f" x {details['scale']}"
    return f"{text}, {_scope(details['scope'])}, printed {details['printed']}"


def _scope(scope: str) -> str:
    return "scope unknown" if scope == "unknown" else scope


def _run_end(end: Mapping[str, Any], planned: float | None, unit: str) -> list[str]:
    parts = []
    if end["run_time_s"] is not None:
        parts.append(f"run time {figures.duration(end['run_time_s'])} ({end['clock']})")
    if end["epochs"] is not None:
        parts.append(f"{end['epochs']}{f' of {planned}' if planned else ''} epochs")
    if end["last"] is not None:
        best = "" if end["best"] is None else f", best {figures.metric(end['best'], unit)}"
        parts.append(f"last {figures.metric(end['last'], unit)}{best}")
    return ["  run end    " + (", ".join(parts) or "no epochs, no times")]


def _lines(figure: Dimension) -> str:
    lines = figure.evidence.lines
    if figure.evidence.count > len(lines):
        return f"  [lines {lines[0]} to {lines[-1]}]"
    distinct = tuple(dict.fromkeys(lines))
    return f"  [{_listed(distinct, len(distinct))}]" if distinct else ""


def _listed(lines: tuple[int, ...], count: int) -> str:
    """Returns `line 7`, or `lines 1, 2, 3, 4, 5 and 2 more` for seven lines."""
    named = lines[:5]
    more = f" and {count - len(named)} more" if count > len(named) else ""
    return f"line{'s' if count > 1 else ''} {', '.join(map(str, named))}{more}"
