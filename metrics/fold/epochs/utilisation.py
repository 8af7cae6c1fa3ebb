"""Model FLOPs utilisation: how much of the devices' peak the model's own arithmetic takes.

Source: Chowdhery et al., "PaLM: Scaling Language Modeling with Pathways" (2022), appendix B:
observed throughput over the throughput at peak FLOP/s, rematerialisation not counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from sixdim.metrics.values.card import Json
from sixdim.metrics.values.exact import ExactSum
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Metric, Scope
from sixdim.parsers.spans import SpanFigures

_TERA = 1e12
_TFLOPS = frozenset(
    {
        "tflops",
        "tflop/s/gpu",
        "tflops/gpu",
        "throughput per gpu (tflop/s/gpu)",
        "tflops per gpu",
        "tflops_per_gpu",
        "approx flops per gpu",
    }
)
NAMES = ("mfu", *sorted(_TFLOPS))
"""The figures of a progress line that are read, in lower case."""
_BUFFERED = 64
"""Number of progress lines whose figures are added to the sums at once."""
PRINTED = "printed"
FROM_TFLOPS = "printed TFLOP/s of a device over the peak"
FROM_SPEED = "speed of a device x FLOPs of a sample over the peak"


class UtilisationSums:
    """Exact sums of the printed utilisation.

    Attributes:
        mfu: The sum in percent, without the lines that `flush` adds.
        tflops: The sum of TFLOP/s of one device, likewise.
    """

    __slots__ = ("_buffer", "mfu", "tflops")

    def __init__(self) -> None:
        self._buffer: list[Sequence[Metric]] = []
        self.mfu = ExactSum()
        self.tflops = ExactSum()

    def merge(self, other: UtilisationSums) -> None:
        """Adds all that `other` holds."""
        other.flush()
        self.mfu.merge(other.mfu)
        self.tflops.merge(other.tflops)

    def add(self, figures: Sequence[Metric]) -> None:
        """Adds the figures of a line; an `mfu` without % may be a share or not: it is left out."""
        self._buffer.append(figures)
        if len(self._buffer) == _BUFFERED:
            self.flush()

    def flush(self) -> None:
        """Adds the buffered lines to the sums: many at once take a third of the time."""
        found = defaultdict[tuple[str, str], list[float]](list)
        for name, value, unit, _ in chain.from_iterable(self._buffer):
            found[name, unit].append(value)
        self._buffer.clear()
        for (name, unit), values in found.items():
            total = self._total(name, unit)
            if total is not None:
                total.extend(values)

    def add_span(self, last: Sequence[Metric], lines: int, figures: SpanFigures) -> None:
        """Adds the figures of a number of lines; `last` are those of the last line."""
        for place, (name, value, unit, _) in enumerate(last):
            total = self._total(name, unit)
            if total is not None:
                total.extend(figures.column(place, value, lines).tolist())

    def _total(self, name: str, unit: str) -> ExactSum | None:
        if name.lower() == "mfu" and unit == "%":
            return self.mfu
        tera = unit[:1] in "Tt"  # true without a unit; GPT-NeoX prints `1.2PFLOPS`, too
        return self.tflops if tera and name.lower() in _TFLOPS else None


def utilisation(
    printed: Iterable[UtilisationSums],
    settings: Settings,
    speed: float | None,
    scope: Scope,
    devices: int | None,
) -> dict[str, Json]:
    """Returns what stands beside the speed: `mfu` in percent, `mfu_how`, a device's `tflops`.

    Args:
        printed: What the epochs of the speed print.
        settings: With the peak FLOP/s of a device, and the model's FLOPs for one sample.
        speed: In samples (or tokens, …) per second.
        scope: Whose speed it is.
        devices: Of the job, where known.

    Returns:
        Empty where nothing is printed and not all of the rest is known.
    """
    every = UtilisationSums()
    for one in printed:
        every.merge(one)
    mfu, tflops = every.mfu, every.tflops
    out: dict[str, Json] = {}
    rate = tflops.mean()
    if rate is not None:
        out["tflops"] = rate
    peak, flops, each = settings.peak_flops, settings.flops_per_sample, None
    if speed is not None:
        each = _of_device(speed, scope, devices)
    if mfu.count:
        return {**out, "mfu": mfu.mean(), "mfu_how": PRINTED}
    if peak and flops and each is not None:
        return {**out, "mfu": 100 * (each * flops / peak), "mfu_how": FROM_SPEED}
    if peak and rate is not None:
        return {**out, "mfu": 100 * (rate * _TERA / peak), "mfu_how": FROM_TFLOPS}
    return out


def _of_device(speed: float, scope: Scope, devices: int | None) -> float | None:
    """Returns the speed of one device; None where the log does not say whose speed it is."""
    if scope is Scope.DEVICE or devices == 1:
        return speed
    return speed / devices if scope is Scope.JOB and devices else None
