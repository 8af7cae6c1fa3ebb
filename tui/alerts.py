"""What happens while one watches: from two frames in a row to what is new between them."""

from __future__ import annotations

from metrics.card import Status
from metrics.snapshot import Note
from parsers.events import Reading
from tui.feed import Frame

STATUS_EVENTS = {
    Status.CONVERGED: "converged",
    Status.FINISHED: "finished",
    Status.FAILED: "failed",
}
EVENTS = (*STATUS_EVENTS.values(), "stalled")
"""What `--on` can wait for."""
GOOD = frozenset({"converged", "target_reached", "finished", "resumed", "gpu_back"})


def standing(frame: Frame) -> set[str]:
    """Which of `EVENTS` hold now; a run that converged and ended has finished as well."""
    card = frame.snapshot.card
    now = {STATUS_EVENTS[card.status]} if card.status in STATUS_EVENTS else set()
    if card.run_end is not None and card.status is not Status.FAILED:
        now.add("finished")
    return now | ({"stalled"} if frame.stalled else set())


def begun(before: Frame | None, frame: Frame) -> list[str]:
    """The events that hold now and did not before, in the order of `EVENTS`."""
    held = standing(before) if before is not None else set()
    return [event for event in EVENTS if event in standing(frame) - held]


def alerts(before: Frame, frame: Frame) -> list[Note]:
    """What only arrival can tell, as entries for the event list: silence and lost devices."""
    line = frame.snapshot.lines
    found: list[Note] = []
    if frame.stalled and not before.stalled:
        found.append(Note("stalled", frame.message, line))
    if before.stalled and not frame.stalled:
        found.append(Note("resumed", "the log goes on", line))
    return found + _devices(before.snapshot.readings, frame.snapshot.readings, line)


def _devices(old: tuple[Reading, ...], new: tuple[Reading, ...], line: int) -> list[Note]:
    known = {(reading.host, reading.device): reading for reading in old}
    found = []
    for reading in new:
        earlier = known.get((reading.host, reading.device))
        if earlier is None:
            continue
        name = f"GPU {reading.device}"
        if _answers(earlier) and not _answers(reading):
            why = f": {reading.missing[0][1]}" if reading.missing else ""
            found.append(Note("gpu_lost", f"{name} gives no readings{why}", line))
        elif _answers(reading) and not _answers(earlier):
            found.append(Note("gpu_back", f"{name} gives readings again", line))
        if reading.throttle and not earlier.throttle:
            text = f"{name} is held down: {', '.join(reading.throttle)}"
            found.append(Note("throttled", text, line))
    return found


def _answers(reading: Reading) -> bool:
    return reading.power_w is not None or reading.memory_mib is not None
