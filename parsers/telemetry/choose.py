"""Chooses the source of readings: the named one, else the first one that answers."""

from collections.abc import Mapping
from pathlib import Path

from sixdim.parsers.telemetry.source import Source, Unavailable
from sixdim.parsers.text.lines import label

AUTOMATIC = ("nvml", "ixml", "ixsmi")
"""Sources in the order they are tried; others are asked only if the user names their address."""

FORMS = (
    "nvml, ixml, ixsmi, dcgm:http://HOST:9400/metrics[,…], prometheus:http://HOST:9090?job=NAME, "
    "or none"
)


def choose(
    spec: str | None, environment: Mapping[str, str], log: Path | None = None
) -> Source | str:
    """Opens the source that `spec` names, or for None the first of `AUTOMATIC` that answers.

    Returns:
        The source, or the reason why there is none.
    """
    reasons = []
    for name in AUTOMATIC if spec is None else (spec,):
        found = open_source(name, environment, log)
        if not isinstance(found, Unavailable):
            return found
        reasons.append(f"{found.source}: {found.reason}")
    return "; ".join(reasons)


def is_live(spec: str) -> bool:
    """Returns whether a `--telemetry` value names a source to poll, not a file."""
    return spec in (*AUTOMATIC, "none") or spec.startswith(("dcgm:", "prometheus:"))


def open_source(
    spec: str, environment: Mapping[str, str], log: Path | None
) -> Source | Unavailable:
    """Opens a source.

    Args:
        spec: One of `FORMS`. A file's name gives Unavailable: a recording is read by
            `parsers.telemetry.recorded`, not polled.
        environment: Where `PATH` and `CUDA_VISIBLE_DEVICES` are looked up.
        log: The run's log, which identifies its processes; None if unknown.
    """
    # Imported on use: a machine with a GPU never loads the web client, nor the reverse.
    kind, _, where = spec.partition(":")
    if spec == "none":
        return Unavailable("none", "not asked for: --telemetry none")
    if not is_live(spec):
        return Unavailable(
            "recorded", f"{label(spec, 60)} is no source to poll; sources are {FORMS}"
        )
    if kind == "dcgm":
        from sixdim.parsers.telemetry.dcgm import DcgmSource

        return DcgmSource.open(where)
    if kind == "prometheus":
        from sixdim.parsers.telemetry.prometheus import PrometheusSource

        return PrometheusSource.open(where)
    if kind == "ixsmi":
        from sixdim.parsers.telemetry.ixsmi import IxsmiSource

        return IxsmiSource.open(environment)
    from sixdim.parsers.telemetry.nvml import NvmlSource

    return NvmlSource.open(kind, environment=environment, log=log)
