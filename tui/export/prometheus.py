"""Writes cards and watched runs as metrics for Prometheus: gauges in base units.

`--prometheus` writes them as a textfile for node_exporter, `--serve` answers scrapes with them.
Unknown figures are left out, as Prometheus expects; `sixdim_figure_known` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.tables.compare import figure_of
from sixdim.metrics.values.card import DIMENSIONS, Card, Status
from sixdim.tui.base.unique_names import unique_names
from sixdim.tui.export.sink import write_out
from sixdim.tui.session.cards import Scored

if TYPE_CHECKING:
    from sixdim.tui.session.live.feed import Frame

_MIB = 1048576
_NAMES = {
    "speed": ("sixdim_speed", "Throughput over the protocol's window, in the label's unit.", 1),
    "accuracy": ("sixdim_accuracy", "Target metric at the evaluation that ends the run.", 1),
    "linearity": ("sixdim_linearity_ratio", "Scaling efficiency.", 1),
    "power": ("sixdim_power_watts", "Mean board power per device in the stable window.", 1),
    "memory": ("sixdim_memory_bytes", "Mean board memory per device in the stable window.", _MIB),
    "stability": ("sixdim_stability_ratio", "Stability over five runs.", 1),
    "end_to_end": (
        "sixdim_end_to_end",
        "Samples of all epochs / total time, in the label's unit.",
        1,
    ),
    "time_to_train": ("sixdim_time_to_train_seconds", "First iteration to the target.", 1),
}
_PROGRESS = {
    "epoch": ("sixdim_epoch", "Label of the current epoch."),
    "epochs_planned": ("sixdim_epochs_planned", "Epochs that the run means to train."),
    "step": ("sixdim_step", "Step within the epoch, or of a run without epochs."),
    "steps": ("sixdim_steps", "Steps in the epoch, or of a run without epochs."),
    "throughput": (
        "sixdim_throughput",
        "Throughput of the last progress line, in the label's unit.",
    ),
    "loss": ("sixdim_loss", "Training loss of the last progress line."),
    "elapsed": ("sixdim_elapsed_seconds", "Training time so far, by the log's own clock."),
}
_LIVE: tuple[tuple[str, str, Callable[[Frame], float | None]], ...] = (
    *(
        (metric, help_text, attrgetter(f"snapshot.progress.{field}"))
        for field, (metric, help_text) in _PROGRESS.items()
    ),
    ("sixdim_lines", "Lines read so far.", lambda f: f.snapshot.lines),
    (
        "sixdim_stalled",
        "1 while the log has not grown for much longer than ever before.",
        lambda f: int(f.stalled),
    ),
    ("sixdim_warnings", "Warnings on the card.", lambda f: len(f.snapshot.card.warnings)),
)
"""The metrics of a watched run, in addition to those of its card and its status."""


def write(target: str, runs: Sequence[Scored]) -> None:
    """Writes the metrics of all runs; the label `log` tells the runs apart."""
    write_out(target, as_text([_called(run.card, run.name) for run in runs]))


class Family(NamedTuple):
    """One metric with its samples; all samples have the same label names.

    Attributes:
        name: The name of the metric.
        help: Its description, one sentence.
        samples: (labels, value) of each run.
    """

    name: str
    help: str
    samples: tuple[tuple[Mapping[str, str], float], ...]


def as_text(cards: Sequence[Card]) -> str:
    """Returns the metrics in Prometheus' text format, grouped by metric."""
    lines: list[str] = []
    for family in families(cards):
        lines += [f"# HELP {family.name} {family.help}", f"# TYPE {family.name} gauge"]
        lines += [f"{family.name}{_text(labels)} {value!r}" for labels, value in family.samples]
    return "\n".join(lines) + "\n"


def families(cards: Sequence[Card]) -> list[Family]:
    """Returns the metrics of cards that have at least one sample."""
    cards = _distinct(cards)
    found = [
        Family(metric, help_text, tuple(s for card in cards for s in _sample(card, name, factor)))
        for name, (metric, help_text, factor) in _NAMES.items()
    ]
    known = [
        (_labels(card, figure=name), int(card.dimensions[name].value is not None))
        for card in cards
        for name in DIMENSIONS
    ]
    met = [(_labels(card), int(card.status is Status.CONVERGED)) for card in cards]
    epochs = [(_labels(card), n) for card in cards if (n := card.run["epochs"]) is not None]
    found += [
        Family("sixdim_figure_known", "1 where the dimension has a value.", tuple(known)),
        Family("sixdim_converged", "1 where the target is met.", tuple(met)),
        Family("sixdim_epochs", "Completed epochs that the card rests on.", tuple(epochs)),
    ]
    return [family for family in found if family.samples]


def live_families(frames: Sequence[Frame]) -> list[Family]:
    """Returns the metrics of watched runs: those of their cards, and the state of each run.

    A run whose format is not certain has no metrics, because its figures may still change.
    """
    certain = [frame for frame in frames if not frame.snapshot.provisional]
    shots = [frame.snapshot for frame in certain]
    cards = _distinct([_called(shot.card, shot.name) for shot in shots])
    states = [
        ({**_labels(card), "status": str(status)}, int(card.status is status))
        for card in cards
        for status in Status
    ]
    found = [Family("sixdim_status", "1 for the status of the run.", tuple(states))]
    for name, help_text, of in _LIVE:
        samples = [
            (_labels(card, **_unit(name, card)), value)
            for frame, card in zip(certain, cards, strict=True)
            if (value := of(frame)) is not None
        ]
        found.append(Family(name, help_text, tuple(samples)))
    return families(cards) + [family for family in found if family.samples]


def _unit(name: str, card: Card) -> dict[str, str]:
    return {"unit": card.run["unit"]} if name == "sixdim_throughput" else {}


def _called(card: Card, name: str) -> Card:
    return card._replace(provenance={**card.provenance, "log": name})


def _distinct(cards: Sequence[Card]) -> list[Card]:
    """Returns the cards with distinct log names: a textfile must not repeat a set of labels."""
    names = unique_names([card.provenance["log"] for card in cards], "#")
    return [_called(card, name) for card, name in zip(cards, names, strict=True)]


def _sample(card: Card, name: str, factor: int) -> Iterator[tuple[Mapping[str, str], float]]:
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
    yield _labels(card, **more), figure.value * factor


def _labels(card: Card, **more: str) -> Mapping[str, str]:
    return {"log": card.provenance["log"], "format": card.run["format"], **more}


def _text(labels: Mapping[str, str]) -> str:
    return "{" + ",".join(f'{key}="{_escape(value)}"' for key, value in labels.items()) + "}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
