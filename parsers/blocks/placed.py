"""Makes events of the lines that were found in a block: one of a span, or one of each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sixdim.parsers.blocks.form import Form
from sixdim.parsers.events import Event, Iteration, Origin
from sixdim.parsers.spans import Span

if TYPE_CHECKING:
    from sixdim.parsers.blocks.examine import Found

_new = tuple.__new__  # takes half the time of `_replace`


def span_of(
    found: Found, forms: Sequence[Form], latest: Event | None, number: int, offset: int
) -> Span | None:
    """Returns the span to fold; None if the line before it does not have its form.

    Args:
        found: A span of a block.
        forms: The forms of the block.
        latest: The event of the line before.
        number: Number of the block's first line.
        offset: Its first byte.
    """
    before, last = (forms[place] for place in found.forms)
    first_figures, last_figures = found.figures
    if type(latest) is not Iteration or latest.at.line != number + found.line - 1:
        return None
    if latest != before.event_with(latest.at, first_figures):
        return None
    span = found.span
    time_us = first_us = latest.at.time_us
    figures = span.figures
    if found.clocks is not None:
        if time_us is None:
            return None
        before_us, begin_us, end_us = found.clocks
        if figures is not None and figures.times_us is not None:
            figures = figures._replace(times_us=figures.times_us + (time_us - before_us))
        first_us, time_us = time_us + begin_us - before_us, time_us + end_us - before_us
    line = number + found.line + span.lines - 1
    _, _, _, rank, host, file = latest.at
    at = _new(Origin, (line, offset + found.bytes[1], time_us, rank, host, file))
    _, *sums, _, seconds, work, slowness, first, grows, slow, fast, pairs, _ = span
    slow = slow and (slow[0], number + slow[1])
    fast = fast and (fast[0], number + fast[1])
    pairs = pairs and tuple((n, number + one, number + other) for n, one, other in pairs)
    last_event = last.event_with(at, last_figures)
    seen = seconds, work, slowness, first, grows, slow, fast, pairs, figures
    return _new(Span, (last_event, *sums, first_us, *seen))


def lines_of(
    found: Found, forms: Sequence[Form], before: Origin, view: memoryview, number: int, offset: int
) -> Iterator[Iteration]:
    """Yields the progress lines of a span that was not folded, without its last line.

    Args:
        found: The span.
        forms: The forms of the block.
        before: Where the line before it was read.
        view: The block.
        number: Number of its first line.
        offset: Its first byte.
    """
    begin, last, _ = found.bytes
    line = number + found.line
    _, _, time_us, *writer = before
    for row in bytes(view[begin:last]).split(b"\n")[:-1]:
        raw = row + b"\n"
        form, texts = next((f, texts) for f in forms if (texts := f.read(raw)) is not None)
        now_us = time_us
        if found.clocks is not None and time_us is not None:
            now_us = time_us + form.time(texts) - found.clocks[0]
        at = _new(Origin, (line, offset + begin, now_us, *writer))
        yield form.event_with(at, [form.figure(field, texts) for field in form.meanings])
        line, begin = line + 1, begin + len(raw)
