"""Speed by a protocol that reads records: skip, take, trim, reduce, scale.

`metrics.dimensions.speed.speed` uses it for every protocol that is not a window of epoch labels.
`of_runs` reduces the figures of repeated runs to one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sixdim.metrics.fold.sums.record_store import NONE, Track
from sixdim.metrics.values.exact import median
from sixdim.metrics.values.protocol import Inverse, OverRuns, Protocol, Reduce, reduce_window


@dataclass(frozen=True, slots=True)
class WindowResult:
    """The result of a protocol for the records in its window.

    Attributes:
        value: Before the scale; None without one, and `reason` says why.
        found: Number of records.
        skipped: Number of records left out from the start.
        used: Number of records inside the window.
        trimmed: Number of those that were dropped at both ends together.
        nonfinite: Number of those that are nan or infinite and left out.
        lines: First and last line of the window.
        reason: Why there is no value, or why it is over less than the protocol asks for.
        full: Whether the window is all that the protocol asks for.
    """

    value: float | None
    found: int
    skipped: int = 0
    used: int = 0
    trimmed: int = 0
    nonfinite: int = 0
    lines: tuple[int, ...] = ()
    reason: str = ""
    full: bool = True


def take(
    track: Track, protocol: Protocol, until: int | None = None, devices: int = 1
) -> WindowResult:
    """Applies a protocol to its records, or to the first `until` of them.

    Where every device prints its own line, `devices` lines are one step.
    """
    found = len(track) if until is None else min(until, len(track))
    if not found:
        names = " or ".join(protocol.metrics())
        return WindowResult(None, 0, reason=f"the log has no {protocol.records} record of {names}")
    each = devices if protocol.per_rank else 1
    first, last = _window(track, protocol, found, each)
    if found - first < protocol.least:
        skipped = first if protocol.in_steps else protocol.skip * each
        reason = f"{found} records, and the protocol needs {skipped + protocol.least}"
        return WindowResult(None, found, reason=reason)
    if last <= first:
        reason = f"none of the {found} records is inside the window"
        return WindowResult(None, found, skipped=min(first, found), reason=reason)
    lack = _lack(track, protocol, first, last, each)
    result = WindowResult(
        None,
        found,
        skipped=first,
        used=last - first,
        lines=(track.lines[first], track.lines[last - 1]),
        reason=lack,
        full=not lack,
    )
    if protocol.reduce is Reduce.ELAPSED:
        return _elapsed(track, protocol, first, last, result)
    values: Sequence[float] = track.values[first:last]
    if protocol.over_ranks:
        values = [median(values[i : i + devices]) for i in range(0, len(values), devices)]
    numbers = [value for value in values if math.isfinite(value)]
    reduced = reduce_window(numbers, protocol)
    if reduced is None:
        return replace(result, reason="every record of the window is nan or infinite")
    if protocol.trim and not reduced.dropped:
        few = f"{len(numbers)} records are too few to leave out {protocol.trim} at each end"
        result = replace(result, reason=lack or few, full=False)
    return replace(
        result,
        value=reduced.value,
        trimmed=len(reduced.dropped),
        nonfinite=len(values) - len(numbers),
    )


def _window(track: Track, protocol: Protocol, found: int, each: int) -> tuple[int, int]:
    """Returns the positions of the first record inside the window, and after the last one.

    `each` is the number of records that `skip` and `take` count as one.
    """
    if protocol.in_steps:
        steps = track.steps[:found]
        first = _up_to(steps, protocol.skip)
        end = math.inf if protocol.take is None else protocol.skip + protocol.take
        last = first
        while last < found and steps[last] <= end:
            last += 1
    else:
        first = min(protocol.skip * each, found)
        last = found if protocol.take is None else min(first + protocol.take * each, found)
    last = min(last, max(found - protocol.skip_end, 0))
    if protocol.take_end is not None:
        first = max(first, last - protocol.take_end)
    return first, last


def _up_to(steps: Sequence[int], step: int) -> int:
    """Returns the number of records before the first one whose step is above `step`."""
    for position, own in enumerate(steps):
        if own != NONE and own > step:
            return position
    return len(steps)


def _lack(track: Track, protocol: Protocol, first: int, last: int, each: int) -> str:
    """Returns why a window is less than the protocol asks for; empty if it is full."""
    have, what = last - first, ""
    if protocol.in_steps:
        count, what = protocol.take, " steps"
        full = count is None or track.steps[last - 1] >= protocol.skip + count
    elif protocol.take is not None:
        count, what = protocol.take, " of each device" if protocol.per_rank else ""
        full = have >= count * each
    else:
        count = protocol.take_end
        full = count is None or have >= count
    return "" if full else f"{have} records where the protocol takes {count}{what}"


def _elapsed(
    track: Track, protocol: Protocol, first: int, last: int, result: WindowResult
) -> WindowResult:
    """Returns iterations per second between the last record skipped and the last one used.

    Where nothing is skipped, from the first one used. Seconds an iteration, where the
    protocol wants the inverse.
    """
    begin, end = max(first - 1, 0), last - 1
    lines = (track.lines[begin], track.lines[end])
    if track.times[begin] == NONE or track.times[end] == NONE:
        return replace(result, lines=lines, reason="no time was read from these lines")
    seconds = (track.times[end] - track.times[begin]) / 1e6
    iterations = (end - begin) * protocol.every
    if protocol.in_steps:
        iterations = track.steps[end] - track.steps[begin]
    if seconds <= 0 or iterations <= 0:
        reason = "no time passes between the first and the last record of the window"
        return replace(result, lines=lines, reason=reason)
    timed = protocol.inverse is Inverse.MEAN
    value = seconds / iterations if timed else iterations / seconds
    return replace(result, lines=lines, value=value)


def whole_run(seconds: float | None, lines: tuple[int, ...]) -> WindowResult:
    """Returns the run as one record: its duration, and the lines that it rests on."""
    if seconds is None:
        return WindowResult(None, 0, reason="no time was read from the log")
    return WindowResult(seconds, 1, used=1, lines=lines)


def of_epochs(values: Sequence[tuple[float, int, int]], protocol: Protocol) -> WindowResult:
    """Returns what `take` returns, for (throughput, label, line) of whole epochs."""
    track = Track()
    for value, label, line in values:
        track.add(value, line, label, None)
    return take(track, protocol)


@dataclass(frozen=True, slots=True)
class RunsResult:
    """The figure of a set of runs and the positions of those left out, or why there is none."""

    value: float | None
    dropped: tuple[int, ...] = ()
    reason: str = ""


def of_runs(values: Sequence[float | None], how: OverRuns) -> RunsResult:
    """Reduces the figures of repeated runs; that of a run that did not converge is None.

    One such run counts as the slowest in MLPerf's mean without the fastest and the slowest (`4.4
    benchmark results`: the slowest one may be a run that did not converge).
    """
    known = [v for v in values if v is not None]
    if how is OverRuns.MEDIAN:
        if not known:
            return RunsResult(None, reason="no run has a figure")
        return RunsResult(median(known))
    if len(values) < 3:
        return RunsResult(None, reason=f"needs three runs, and has {len(values)}")
    if len(values) - len(known) > 1:
        return RunsResult(None, reason="more than one run did not converge")
    numbers = [math.inf if v is None else v for v in values]
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    inner = [numbers[i] for i in order[1:-1]]
    return RunsResult(math.fsum(inner) / len(inner), (order[0], order[-1]))
