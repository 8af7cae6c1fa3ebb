"""The card as a textfile for Prometheus' node_exporter: gauges in base units.

Unknown figures are left out, as Prometheus expects; `sixdim_figure_known` says which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sixdim.metrics.tables.compare import figure_of
from sixdim.metrics.values.card import DIMENSIONS, Card, Status
from sixdim.tui.export.sink import write_out
from sixdim.tui.session.cards import Scored

_MIB = 1048576
_NAMES = {
    "speed": ("sixdim_speed", "Throughput over the protocol's window, in the label's unit", 1),
    "accuracy": ("sixdim_accuracy", "Target metric at the evaluation that ends the run", 1),
    "linearity": ("sixdim_linearity_ratio", "Scaling efficiency", 1),
    "power": ("sixdim_power_watts", "Mean board power per device in the stable window", 1),
    "memory": ("sixdim_memory_bytes", "Mean board memory per device in the stable window", _MIB),
    "stability": ("sixdim_stability_ratio", "Stability over five runs", 1),
    "end_to_end": (
        "sixdim_end_to_end",
        "Samples of all epochs / total time, in the label's unit",
        1,
    ),
    "time_to_train": ("sixdim_time_to_train_seconds", "First iteration to the target", 1),
}


def write(target: str, runs: Sequence[Scored]) -> None:
    """Writes all runs; they differ in the label `log`."""
    write_out(target, as_text([run.card for run in runs]))


def as_text(cards: Sequence[Card]) -> str:
    """The exposition text: each metric once, with its samples together."""
    lines: list[str] = []
    cards = _distinct(cards)
    for name, (metric, help_text, factor) in _NAMES.items():
        samples = [s for card in cards for s in _sample(card, name, metric, factor)]
        lines += _family(metric, help_text, samples)
    known = [_known(card, name) for card in cards for name in DIMENSIONS]
    lines += _family("sixdim_figure_known", "1 where the dimension has a value", known)
    met = [f"sixdim_converged{_labels(c)} {int(c.status is Status.CONVERGED)}" for c in cards]
    lines += _family("sixdim_converged", "1 where the target is met", met)
    epochs = [
        f"sixdim_epochs{_labels(card)} {card.run['epochs']}"
        for card in cards
        if card.run["epochs"] is not None
    ]
    lines += _family("sixdim_epochs", "Completed epochs that the card rests on", epochs)
    return "\n".join(lines) + "\n"


def _distinct(cards: Sequence[Card]) -> list[Card]:
    """The cards with log names of their own: two equal label sets are no valid textfile."""
    seen: Counter[str] = Counter()
    out = []
    for card in cards:
        name = str(card.provenance["log"])
        seen[name] += 1
        unique = name if seen[name] == 1 else f"{name}#{seen[name]}"
        out.append(replace(card, provenance={**card.provenance, "log": unique}))
    return out


def _family(metric: str, help_text: str, samples: list[str]) -> list[str]:
    if not samples:
        return []
    return [f"# HELP {metric} {help_text}.", f"# TYPE {metric} gauge", *samples]


def _sample(card: Card, name: str, metric: str, factor: int) -> Iterator[str]:
    figure = figure_of(card, name)
    if figure.value is None:
        return
    more = {}
    if name in ("speed", "end_to_end"):
        scope = card.dimensions["speed"].details.get("scope", "") if name == "speed" else "job"
        more = {"unit": figure.unit, "scope": str(scope)}
    if name == "accuracy":
        details = card.dimensions["accuracy"].details
        more = {"unit": figure.unit, "metric": str(details.get("metric", ""))}
    yield f"{metric}{_labels(card, **more)} {figure.value * factor!r}"


def _known(card: Card, name: str) -> str:
    known = card.dimensions[name].value is not None
    return f"sixdim_figure_known{_labels(card, figure=name)} {int(known)}"


def _labels(card: Card, **more: str) -> str:
    found = {"log": str(card.provenance["log"]), "format": str(card.run["format"]), **more}
    return "{" + ",".join(f'{key}="{_escape(value)}"' for key, value in found.items()) + "}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
