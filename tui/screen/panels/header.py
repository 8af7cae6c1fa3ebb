"""The line at the top: the run, its state, and the log's own clock."""

from collections.abc import Sequence

from sixdim.metrics.card.snapshot import Progress, Snapshot
from sixdim.metrics.values.card import Status
from sixdim.tui.base import figures
from sixdim.tui.screen.panels.words import STATUS_ROLE, fact, outlook
from sixdim.tui.screen.widgets.cells import Row, Span, row_width, spaced
from sixdim.tui.screen.widgets.palettes import Role
from sixdim.tui.screen.widgets.text import cells_of, shorten_inside
from sixdim.tui.session.live.feed import Frame

_TITLE = " sixdim"
BAR = 6
"""Cells of the progress bar of an epoch."""
_NAMED = 46
"""Cells for the run's name beside a forecast in full; with fewer, the forecast is in brief."""
NAME_LEAST = 12
"""Least cells of a log's name: with fewer it is left out."""


def identity(frame: Frame) -> list[str]:
    """Returns model, log, format and devices, the most important first.

    Of several runs, the log says which one is displayed; their model may be the same.
    """
    run = frame.snapshot.card.run
    devices = fact(run, "devices")
    known = frame.snapshot.format
    if known and frame.snapshot.provisional:
        known += " (provisional)"
    parts = [fact(run, "model"), frame.snapshot.name]
    if len(frame.runs) > 1:
        parts.reverse()
    parts.append(known)
    if devices:
        parts.append(f"{devices} device" if devices == "1" else f"{devices} devices")
    return [part for part in parts if part]


def run_state(frame: Frame) -> list[Span]:
    """Returns status, epoch, and the log's clock."""
    snapshot = frame.snapshot
    progress = snapshot.progress
    status = snapshot.card.status
    spans = [Span(status.value.upper(), STATUS_ROLE[status])]
    if progress.epoch is not None:
        planned = f"/{progress.epochs_planned}" if progress.epochs_planned else ""
        # Without a plan and a bar, the epoch of most language models says nothing: it is the first.
        counted = not planned and not progress.steps and progress.step is not None
        step = f", step {progress.step}" if counted else ""
        spans.append(Span(f"epoch {progress.epoch}{planned}{step}"))
    elif progress.step is not None:
        total = f"/{progress.steps}" if progress.steps else ""
        spans.append(Span(f"step {progress.step}{total}"))
    if progress.elapsed is not None:
        spans.append(Span(f"after {figures.duration(progress.elapsed)}"))
    return spans


def epoch_bar(progress: Progress) -> Span | None:
    """Returns the progress of the current epoch, as a bar in eighths of cells."""
    if not progress.steps or progress.step is None or progress.step < 0:
        return None
    eighths = round(min(1.0, progress.step / progress.steps) * 8 * BAR)
    full, rest = divmod(eighths, 8)
    drawn = "█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else "")
    return Span(f"▕{drawn:<{BAR}}▏", Role.SERIES)


def feed_state(frame: Frame) -> str:
    """Returns the state of the feed, unless it simply follows the log."""
    if frame.catching_up is not None:
        doing = "reading" if frame.mode == "replay" else "catching up"
        return f"{doing} {frame.catching_up * 100:.0f} %"
    if frame.mode == "replay":
        state = "PAUSED" if frame.paused else figures.pace(frame.speed)
        return f"REPLAY {state}"
    return ""


def header_row(frame: Frame, width: int, held: bool = False) -> Row:
    """Returns the line; parts that do not fit are left out, the least important first.

    `held` says that the live view is paused.
    """
    space = width - cells_of(_TITLE)
    state = run_state(frame)
    extras = [Span(text, Role.WARN) for text in (feed_state(frame),) if text]
    if held:
        extras.append(Span("DISPLAY PAUSED", Role.WARN))
    status = frame.snapshot.card.status
    if status is Status.TRAINING:
        extras += times_left(frame.snapshot, space - _NAMED - _width([*state, *extras]))
        if bar := epoch_bar(frame.snapshot.progress):
            extras.append(bar)
    while extras and _width([*state, *extras]) + NAME_LEAST > space:
        extras.pop()
    while len(state) > 1 and _width(state) + 3 > space:
        state.pop()
    right = [*state, *extras]
    free = space - _width(right) - 4
    parts = identity(frame)
    if status is Status.FAILED and frame.snapshot.failure:
        name = frame.snapshot.name
        parts = [frame.snapshot.failure, name, *(part for part in parts if part != name)]
    text = _fitting(parts, frame.snapshot.name, free) if free > 2 else ""
    left = [Span(_TITLE, Role.KEY), Span(f"  {text}")]
    gap = max(1, width - row_width(left) - _width(right) - 1)
    return [*left, Span(" " * gap), *spaced(right, "  ")]


def times_left(snapshot: Snapshot, free: int) -> list[Span]:
    """Returns when the run will end and its target be met, the more important first.

    Args:
        snapshot: The run.
        free: Cells beside a name of full length; the target is named in full if it fits there.
    """
    end = figures.planned_end(snapshot.progress.remaining)
    times = [Span(end)] if end else []
    if snapshot.target_value is not None or not end:
        long, short = (Span(outlook(snapshot, short=brief)) for brief in (False, True))
        # The charts show a target, too; when it will be met stands here alone.
        first = snapshot.forecast.band is not None
        times.insert(0 if first else len(times), long if row_width([long]) + 2 <= free else short)
    return times


def _fitting(parts: list[str], name: str, free: int) -> str:
    """Returns the parts that fit; the log's name is shortened before it is left out."""
    while len(parts) > 1 and cells_of(" · ".join(parts)) > free:
        if parts[-1] == name:
            left = free - cells_of(" · ".join(parts)) + cells_of(name)
            if left >= NAME_LEAST:
                return " · ".join([*parts[:-1], shorten_inside(name, left)])
        parts = parts[:-1]
    return shorten_inside(" · ".join(parts), free)


def _width(spans: Sequence[Span]) -> int:
    return row_width(spans) + 2 * max(0, len(spans) - 1)
