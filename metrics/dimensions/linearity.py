"""Linearity: (speed on N / N) / speed on 1, by card or by node.

Source: DeepSpark `six_dimension_howto.md`. Both speeds are the job's; a per-device
throughput is scaled by its device count first.
"""

from sixdim.metrics.values.card import Dimension, Json, State, unknown
from sixdim.metrics.values.protocol import TIMES
from sixdim.metrics.values.settings import Reference
from sixdim.parsers.events import Scope

NEEDS_DEVICE = "needs a single-device run: --baseline LOG"
NEEDS_NODE = "needs a single-node run: --baseline LOG --baseline-nodes 1"


def linearity(scaled: Reference, baseline: Reference | None, by_node: bool) -> Dimension:
    """Returns the linearity dimension of a run on many devices (or nodes) and one on fewer."""
    if baseline is None:
        return unknown(NEEDS_NODE if by_node else NEEDS_DEVICE)
    count, base_count = (run.nodes if by_node else run.devices for run in (scaled, baseline))
    what = "nodes" if by_node else "devices"
    if count is None:
        return unknown(f"the number of {what} of {scaled.name} is unknown: --{what} N")
    if base_count is None:
        return unknown(f"the number of {what} of {baseline.name} is unknown: --baseline-{what} N")
    if base_count >= count:
        fewer = f"{baseline.name} has {base_count} {what}, {scaled.name} has {count}"
        return unknown(f"{fewer}: the baseline needs fewer")
    speed, base_speed = _job_speed(scaled), _job_speed(baseline)
    if speed is None:
        return _missing(scaled)
    if base_speed is None:
        return _missing(baseline)
    if scaled.unit != baseline.unit:
        return unknown(f"units differ: {scaled.unit or '?'} and {baseline.unit or '?'}")
    if base_speed == 0:
        return unknown(f"the speed of {baseline.name} is 0")
    short = [r.name for r in (scaled, baseline) if r.state is not State.FINAL]
    details: dict[str, Json] = {
        "by": "node" if by_node else "card",
        "scaled": _source_of(scaled, speed, count),
        "baseline": _source_of(baseline, base_speed, base_count),
    }
    return Dimension(
        speed / count / (base_speed / base_count),
        "",
        State.SHORT if short else State.FINAL,
        f"the speed of {' and '.join(short)} is not over a full window" if short else "",
        details,
    )


def _job_speed(run: Reference) -> float | None:
    return None if run.unit in TIMES else job_speed(run.speed, run.scope, run.devices)


def job_speed(speed: float | None, scope: str, devices: int | None) -> float | None:
    """Returns the whole job's throughput; None where it is unknown."""
    if speed is None or scope != Scope.DEVICE:
        return speed
    return None if devices is None else speed * devices


def _missing(run: Reference) -> Dimension:
    if run.unit in TIMES:
        return unknown(f"{run.name} gives a time, and linearity compares throughputs")
    if run.speed is not None:
        return unknown(f"{run.name} prints a per-device throughput and its devices are unknown")
    return unknown(f"the speed of {run.name} is {run.state}")


def _source_of(run: Reference, speed: float, count: int) -> dict[str, Json]:
    return {"log": run.name, "speed": speed, "count": count, "lines": list(run.lines)}
