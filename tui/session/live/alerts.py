"""Events of a watched run, found by comparing consecutive frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sixdim.metrics.card.snapshot import BEHIND, Note, Snapshot
from sixdim.metrics.fold.devices.device import FAULTS
from sixdim.metrics.values.card import Status
from sixdim.parsers.reading import RUN_GONE
from sixdim.tui.base.figures import labels
from sixdim.tui.session.live.feed import Frame

if TYPE_CHECKING:
    from sixdim.parsers.reading import Reading

STATUS_EVENTS = {
    Status.CONVERGED: "converged",
    Status.FINISHED: "finished",
    Status.INCOMPLETE: "finished",
    Status.FAILED: "failed",
}
EVENTS = (*dict.fromkeys(STATUS_EVENTS.values()), "stalled", BEHIND)
"""What `--on` can wait for."""
GOOD = frozenset({"converged", "target_reached", "finished", "resumed", "gpu_back"})


def current_events(frame: Frame) -> set[str]:
    """Returns which of `EVENTS` hold now; a run that converged and ended has finished as well.

    The state of a run whose format is provisional is not an event.
    """
    card, known = frame.snapshot.card, not frame.snapshot.provisional
    now = {STATUS_EVENTS[card.status]} if known and card.status in STATUS_EVENTS else set()
    if known and card.run_end is not None and card.status is not Status.FAILED:
        now.add("finished")
    if frame.broken:
        now.add("failed")
    if known and frame.snapshot.behind:
        now.add(BEHIND)
    return now | ({"stalled"} if frame.stalled else set())


def begun(before: Frame | None, frame: Frame) -> list[str]:
    """Returns the events that are true now and were not before, in the order of `EVENTS`."""
    held = current_events(before) if before is not None else set()
    return [event for event in EVENTS if event in current_events(frame) - held]


def alerts(before: Frame, frame: Frame) -> list[Note]:
    """Returns entries for the event list that depend on arrival times.

    They are of silence, of a run that leaves the devices before it is over, and of lost devices.
    """
    line = frame.snapshot.lines
    found: list[Note] = []
    if frame.stalled and not before.stalled:
        found.append(Note("stalled", frame.message, line))
    if before.stalled and not frame.stalled:
        found.append(Note("resumed", "the log goes on", line))
    if (left := processes_left(frame.snapshot)) and not processes_left(before.snapshot):
        found.append(Note("run_gone", left, line))
    return found + _devices(before.snapshot.readings, frame.snapshot.readings, line)


def processes_left(snapshot: Snapshot) -> str:
    """Returns a message if a run that still trains has no process on a GPU any more."""
    training = snapshot.card.status is Status.TRAINING
    left = training and any(RUN_GONE in reading.missing for reading in snapshot.readings)
    return "no process of the run is on a GPU any more" if left else ""


def _devices(old: tuple[Reading, ...], new: tuple[Reading, ...], line: int) -> list[Note]:
    """Returns the changes of devices; devices with the same change share an entry."""
    known = {(reading.host, reading.device): reading for reading in old}
    found: dict[tuple[str, str], list[int | str]] = {}
    for reading in new:
        earlier = known.get((reading.host, reading.device))
        if earlier is not None:
            for change in _changes(earlier, reading):
                found.setdefault(change, []).append(reading.label)
    return [Note(kind, _text_of(devices, said), line) for (kind, said), devices in found.items()]


def _changes(earlier: Reading, reading: Reading) -> Iterator[tuple[str, str]]:
    if _answers(earlier) and not _answers(reading):
        why = f": {reading.missing[0][1]}" if reading.missing else ""
        yield "gpu_lost", f"give no readings{why}"
    elif _answers(reading) and not _answers(earlier):
        yield "gpu_back", "give readings again"
    faults = [reason for reason in reading.throttle if reason in FAULTS]
    if faults and not set(FAULTS).intersection(earlier.throttle):
        yield "throttled", f"are held down: {', '.join(faults)}"


def _text_of(devices: list[int | str], said: str) -> str:
    if len(devices) > 1:
        return f"GPUs {labels(devices)} {said}"
    verb, _, rest = said.partition(" ")
    return f"GPU {devices[0]} {'is' if verb == 'are' else 'gives'} {rest}"


def _answers(reading: Reading) -> bool:
    return reading.power_w is not None or reading.memory_mib is not None
