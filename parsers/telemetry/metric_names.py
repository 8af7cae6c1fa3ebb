"""The metric names of DCGM's and Iluvatar's exporters, and the fields of readings they give."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.draft import Draft, count
from sixdim.parsers.telemetry.nvml import IXML_WATTS_BELOW, WORDS
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

DCGM_FIELDS = {
    "power_usage": ("power_w", 1.0),
    "power_usage_instant": ("power_w", 1.0),
    "total_energy_consumption": ("energy_j", 1e-3),
    "fb_used": ("memory_mib", 1.0),
    "fb_total": ("memory_total_mib", 1.0),
    "gpu_utilization": ("utilisation", 1.0),
    "gpu_temp": ("temperature_c", 1.0),
    "enforced_power_limit": ("power_limit_w", 1.0),
}
"""The names that DCGM gives its fields, in W, mJ, MiB, % and C."""

METRICS = {
    "DCGM_FI_DEV_POWER_USAGE": ("power_w", 1.0),
    "DCGM_FI_DEV_POWER_USAGE_INSTANT": ("power_w", 1.0),
    "DCGM_FI_DEV_BOARD_POWER_WATTS": ("power_w", 1.0),
    "DCGM_FI_DEV_BOARD_POWER_RAW_WATTS": ("power_w", 1.0),
    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION": ("energy_j", 1e-3),
    "DCGM_FI_DEV_FB_USED": ("memory_mib", 1.0),
    "DCGM_FI_DEV_FB_TOTAL": ("memory_total_mib", 1.0),
    "DCGM_FI_DEV_GPU_UTIL": ("utilisation", 1.0),
    "DCGM_FI_DEV_GPU_TEMP": ("temperature_c", 1.0),
    "DCGM_FI_DEV_GPU_TEMP_CELSIUS": ("temperature_c", 1.0),
    "DCGM_FI_DEV_ENFORCED_POWER_LIMIT": ("power_limit_w", 1.0),
    "DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS": ("power_limit_w", 1.0),
    "DCGM_FI_DEV_POWER_MGMT_LIMIT": ("power_limit_w", 1.0),
    **{f"dcgm_{name}": field for name, field in DCGM_FIELDS.items()},
    "ix_power_usage": ("power_w", 1.0),
    "ix_mem_used": ("memory_mib", 1.0),
    "ix_mem_total": ("memory_total_mib", 1.0),
    "ix_gpu_utilization": ("utilisation", 1.0),
    "ix_temperature": ("temperature_c", 1.0),
}
"""Units are W, mJ, MiB, %, C by the exporters' help texts; a field's first metric wins.

DCGM 4.6 has new names for some of its fields.
"""

THROTTLE = ("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS")
NAMES = (*METRICS, *THROTTLE)
_RANK = {name: place for place, name in enumerate(METRICS)}

_SAMPLE = pattern(
    r"(?P<name>[A-Za-z_:][\w:]{0,200}+)\s*+(?:\{(?P<labels>.*)\})?+\s*+"
    r"(?P<value>[-+.\w]{1,40}+)(?:\s++(?P<ms>-?+\d{1,16}+))?+\s*+"
)
_LABEL = pattern(r'(?P<name>\w{1,100}+)="(?P<value>(?:[^"\\]|\\.){0,1000}+)"')


@dataclass(frozen=True, slots=True)
class MetricSample:
    """One line of a metrics page, or one point of a series.

    Attributes:
        name: The metric.
        labels: Its labels, sanitised.
        value: The figure, in the exporter's unit.
    """

    name: str
    labels: Mapping[str, str]
    value: float


def parse_page(lines: Iterable[str]) -> Iterator[MetricSample]:
    """Yields the known metrics of a Prometheus text page; skips every other line."""
    for line in lines:
        found = None if line.startswith("#") else _SAMPLE.fullmatch(line)
        if found is None or found["name"] not in NAMES:
            continue
        try:
            value = float(found["value"])
        except ValueError:
            continue
        labels = {m["name"]: label(m["value"]) for m in _LABEL.finditer(found["labels"] or "")}
        yield MetricSample(found["name"], labels, value)


class NoSeriesError(ValueError):
    """An object is no series of a Prometheus server."""


def points_of(series: Any) -> Iterator[tuple[int, str, MetricSample]]:
    """Yields time in microseconds, host and sample of each point of a server's series.

    Raises:
        NoSeriesError: It is no series.
    """
    try:
        labels = {label(k): label(v) for k, v in series["metric"].items()}
        name, host = labels["__name__"], host_of(labels, labels.get("instance", ""))
        for moment, text in series["values"]:
            if name in NAMES:
                time_us = round(float(moment) * 1000) * 1000
                yield time_us, host, MetricSample(name, labels, float(text))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise NoSeriesError from error


def device_of(labels: Mapping[str, str]) -> int | None:
    """Returns the device index in a sample's labels; None if they have none."""
    return count(labels.get("gpu", labels.get("index", "")))


def host_of(labels: Mapping[str, str], otherwise: str) -> str:
    """Returns the host in a sample's labels, else `otherwise`."""
    return labels.get("Hostname") or labels.get("hostname") or labels.get("node") or otherwise


class Gathered:
    """Collects the samples of one moment by device."""

    def __init__(self, source: str, time_us: int | None) -> None:
        self.drafts: dict[tuple[str, int], Draft] = {}
        self._source = source
        self._time_us = time_us
        self._ranks: dict[tuple[str, int, str], int] = {}
        self._slices: dict[tuple[str, int], dict[str, float]] = {}

    def add(self, sample: MetricSample, host: str) -> None:
        """Adds one sample; skips a sample that names no device."""
        device = device_of(sample.labels)
        if device is None:
            return
        draft = self.drafts.setdefault(
            (host, device), Draft(device, self._source, host=host, time_us=self._time_us)
        )
        draft.uuid = draft.uuid or sample.labels.get("UUID", sample.labels.get("uuid", ""))
        draft.name = draft.name or sample.labels.get("modelName", sample.labels.get("name", ""))
        if sample.name in THROTTLE:
            draft.throttle = words_of(sample.value)
            return
        field, scale = METRICS[sample.name]
        value = sample.value * scale
        if sample.name == "ix_power_usage" and value >= IXML_WATTS_BELOW:
            value /= 1000  # the exporter passes on libixml's value: W or mW, by its version
        slice_of = sample.labels.get("GPU_I_ID", "")
        if slice_of and field == "memory_mib":  # a board's memory is the sum over its slices
            slices = self._slices.setdefault((host, device), {})
            slices[slice_of] = value  # a slice is named again for each container on it
            value = sum(slices.values())
        elif self._ranks.get((host, device, field), len(METRICS)) <= _RANK[sample.name]:
            return  # the same figure again, for another container
        self._ranks[host, device, field] = _RANK[sample.name]
        draft.put(field, value)

    def readings(self) -> Iterator[Reading]:
        """Yields the reading of each device."""
        return (draft.reading() for draft in self.drafts.values())


def words_of(bits: float) -> tuple[str, ...]:
    """Returns the reasons why clocks are held down, from NVML's bits."""
    known = int(bits) if 0 <= bits < 2**32 else 0
    return tuple(word for bit, word in WORDS.items() if known & bit)
