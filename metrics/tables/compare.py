"""Compares runs: ratios to one of them, and which differences exceed their variation.

Ratios are arranged so that above 1 is better: power and memory count as 1/mean, as in DeepSpark's
radar, and so does a metric of which less is better. Figures of different units, scopes, metrics or
protocols are not divided; the row says why.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sixdim.metrics.values.card import FIGURES, Card, Dimension, Json
from sixdim.metrics.values.protocol import TIMES

RADAR = ("speed", "stability", "linearity", "power", "accuracy", "memory")
"""The axes in the order of DeepSpark's radar."""

_LESS_IS_BETTER = ("power", "memory", "time_to_train")
_DEVIATIONS = 2.0
_KINDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "speed": (("scopes", "scope"), ("protocols", "protocol"), ("rules", "rule")),
    "accuracy": (("metrics", "metric"), ("models", "model")),
    "linearity": (("ways of counting", "by"),),
    "power": (("scopes", "scope"), ("methods", "method")),
    "memory": (("scopes", "scope"), ("methods", "method")),
}
"""By figure, the details of the card that must agree before two are divided: (words, key)."""


class Verdict(StrEnum):
    """Whether a difference is larger than the variation within the runs."""

    BEYOND = "beyond"
    WITHIN = "within"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of one run, and what must agree when it is compared.

    Attributes:
        value: Exact; None where unknown.
        unit: Unit.
        reason: Why it is unknown, or a remark.
        less_is_better: Its direction.
        kind: (name, value) pairs that must agree before two such figures are divided.
        scatter: Standard deviation of the run's own repeated measurements; None where the
            card holds fewer than two of them.
    """

    value: float | None
    unit: str = ""
    reason: str = ""
    less_is_better: bool = False
    kind: tuple[tuple[str, str], ...] = ()
    scatter: float | None = None


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure against the reference's: above 1 is better; None where, for a reason, there is none.

    The verdict says whether the difference exceeds the scatter of both runs.
    """

    value: float | None
    reason: str = ""
    verdict: Verdict = Verdict.UNKNOWN


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of every run; `ratios` has 1 for the reference itself."""

    name: str
    figures: tuple[Figure, ...]
    ratios: tuple[Ratio, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of `sixdim compare`.

    Attributes:
        names: The runs' names, in the order given.
        reference: Position of the run that the others are divided by.
        rows: One for each of `FIGURES`.
        notes: Differences between the runs that do not prevent a ratio.
    """

    names: tuple[str, ...]
    reference: int
    rows: tuple[Row, ...]
    notes: tuple[str, ...]

    @property
    def others(self) -> tuple[int, ...]:
        """Positions of the runs that are divided by the reference."""
        return tuple(i for i in range(len(self.names)) if i != self.reference)

    def row(self, name: str) -> Row:
        """Returns the row of that figure."""
        return next(row for row in self.rows if row.name == name)

    def to_json(self, cards: Sequence[Card]) -> dict[str, Json]:
        """Returns the comparison as data: exact figures, ratios with their reasons."""
        return {
            "schema": "sixdim/comparison/1",
            "reference": self.reference,
            "runs": [
                {"log": name, "sha256": card.provenance["sha256"], "status": str(card.status)}
                for name, card in zip(self.names, cards, strict=True)
            ],
            "figures": {row.name: _row_json(row) for row in self.rows},
            "notes": list(self.notes),
        }


def compare(cards: Sequence[Card], names: Sequence[str], reference: int = 0) -> Comparison:
    """Puts cards side by side, and divides their figures by those of the reference."""
    rows = []
    for name in FIGURES:
        figures = tuple(figure_of(card, name) for card in cards)
        base = figures[reference]
        ratios = tuple(
            Ratio(1.0, verdict=Verdict.WITHIN)
            if i == reference and base.value is not None
            else ratio(figure, base)
            for i, figure in enumerate(figures)
        )
        rows.append(Row(name, figures, ratios))
    return Comparison(tuple(names), reference, tuple(rows), _notes(cards))


def figure_of(card: Card, name: str) -> Figure:
    """Returns one of `FIGURES` of a card."""
    if name == "time_to_train":
        return _time_to_train(card)
    found = card.figure(name)
    return Figure(
        value=found.value,
        unit=found.unit,
        reason=found.reason,
        less_is_better=name in _LESS_IS_BETTER
        or (name == "speed" and found.unit in TIMES)
        or (name == "accuracy" and _minimised(card, found)),
        kind=tuple((what, str(found.details.get(key, ""))) for what, key in _KINDS.get(name, ())),
        scatter=scatter(card, name),
    )


def ratio_at_edge(ratios: Iterable[float | None], most: float) -> float:
    """Returns the ratio at the rim of a radar: the largest, in quarters, within 1.25 and `most`."""
    largest = max((ratio for ratio in ratios if ratio is not None), default=1.0)
    return min(most, max(1.25, math.ceil(largest * 4) / 4))


def not_comparable(figure: Figure, base: Figure) -> str:
    """Returns why two figures cannot be compared; empty if they can."""
    for which, known in (("", figure), ("the reference: ", base)):
        if known.value is None:
            return f"{which}{known.reason or 'unknown'}"
    mine = (("units", figure.unit), *figure.kind)
    theirs = (("units", base.unit), *base.kind)
    for (what, here), (_, there) in zip(mine, theirs, strict=True):
        if here != there:
            return f"{what} differ: {here or '?'}, the reference has {there or '?'}"
    return ""


def ratio(figure: Figure, base: Figure) -> Ratio:
    """Divides two figures so that the ratio is above 1 where the first is better."""
    reason = not_comparable(figure, base)
    if reason:
        return Ratio(None, reason)
    above, below = (base, figure) if figure.less_is_better else (figure, base)
    assert above.value is not None and below.value is not None
    if below.value <= 0 or above.value < 0:
        return Ratio(None, "no ratio to a figure of 0 or less")
    return Ratio(above.value / below.value, "", _verdict(figure, base))


def scatter(card: Card, name: str) -> float | None:
    """Returns the standard deviation of what the card measured more than once.

    For speed: of the epochs in its window, including the trimmed ones. For accuracy: of the
    repeated runs that its stability is computed from. Nothing else is measured twice.
    """
    from statistics import stdev  # loads fractions, decimals, random numbers: only to compare

    if name == "speed":
        values = card.dimensions["speed"].details.get("values", ())
        numbers = [value for value in values if value is not None]
        return stdev(numbers) if len(numbers) > 1 else None
    if name == "accuracy":
        details = card.dimensions["stability"].details
        base: float | None = details.get("base")
        given = details.get("deviations", ())
        of: Sequence[float] = [*given.values()] if isinstance(given, dict) else given
        if base is not None and len(of) > 1:
            return abs(base) * stdev(of)
    return None


def _verdict(figure: Figure, base: Figure) -> Verdict:
    """Returns `beyond` if two figures differ by over two deviations of a single measurement.

    Not of the mean: the epochs of one run are not independent of each other, so that dividing
    by the root of their number would claim more than one run can show.
    """
    if figure.scatter is None or base.scatter is None:
        return Verdict.UNKNOWN
    assert figure.value is not None and base.value is not None
    limit = _DEVIATIONS * math.hypot(figure.scatter, base.scatter)
    return Verdict.BEYOND if abs(figure.value - base.value) > limit else Verdict.WITHIN


def _time_to_train(card: Card) -> Figure:
    target = card.target
    if target is None:
        return Figure(None, "s", "no target", True)
    seconds = target.get("time_to_train_s")
    if seconds is None:
        return Figure(None, "s", "target not met, or no time was read", True)
    kind = (("targets", target["condition"]), ("clocks", str(target.get("clock", ""))))
    return Figure(seconds, "s", "", True, kind)


def _minimised(card: Card, accuracy: Dimension) -> bool:
    if accuracy.details.get("lower_is_better") is True:
        return True
    return card.target is not None and "<" in card.target["condition"].partition(",")[0]


def _notes(cards: Sequence[Card]) -> tuple[str, ...]:
    """Returns other differences between the runs, which prevent no ratio."""
    asked = (
        ("devices", "devices"),
        ("precision", "precisions"),
        ("model", "models"),
        ("batch_per_device", "batches per device"),
        ("global_batch", "global batches"),
        ("format", "formats"),
    )
    notes = []
    for key, words in asked:
        values = [card.run.get(key) for card in cards]
        if len({str(v) for v in values}) > 1:
            notes.append(
                f"{words} differ: {', '.join('?' if v is None else str(v) for v in values)}"
            )
    targets = [c.target["condition"] if c.target is not None else "none" for c in cards]
    if len(set(targets)) > 1:
        notes.append(f"targets differ: {', '.join(targets)}")
    windows = [str(c.dimensions["speed"].details.get("window", "")) for c in cards]
    if len(set(windows)) > 1:
        notes.append(f"speed windows differ: epochs {'; '.join(windows)}")
    return tuple(notes)


def _row_json(row: Row) -> dict[str, Json]:
    return {
        "better": "lower" if row.figures[0].less_is_better else "higher",
        "unit": [figure.unit for figure in row.figures],
        "values": [figure.value for figure in row.figures],
        "scatter": [figure.scatter for figure in row.figures],
        "ratios": [
            {"value": r.value, "scatter": str(r.verdict)}
            if r.value is not None
            else {"value": None, "reason": r.reason}
            for r in row.ratios
        ],
    }
