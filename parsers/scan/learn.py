"""From a statement and one of its lines to a template.

A template is stricter than the statement: keys, units and prefix stand as in the example, and
a number is digits with at most one point. So a line that fits it says what the line parser
would read in it, and one that does not is left to the line parser.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from parsers.epoch_record import EpochRecord
from parsers.evaluation_record import EvaluationRecord
from parsers.events import Event, Iteration
from parsers.figures import as_number, as_whole
from parsers.format import Reader, Statement
from parsers.key_values import KeyValues
from parsers.record import WORK, IterationRecord, first
from parsers.scan.cut import UnfitError, body_of, cut, is_clock, joined, spread, whole_line
from parsers.scan.glyphs import without
from parsers.scan.pieces import Digits, End, Literal, Number, Piece
from parsers.scan.template import GROUP, SECONDS, SPAN, EpochTemplate, IterationTemplate
from parsers.shape import Fields, Shape, Skeleton

_LAST = f"{SPAN}1 "
"""What the last digits of a time begin with: each has them once."""


class Told(NamedTuple):
    """A line that a reader knows.

    Attributes:
        statement: What it fits.
        fields: Its holes.
        raw: The whole line, with its prefix.
    """

    statement: Statement
    fields: Fields
    raw: str


def learn(
    told: Sequence[Told], events: list[Event], reader: Reader, kept: tuple[str, ...] = ()
) -> IterationTemplate | EpochTemplate | None:
    """The template of lines that were read as `events`; None where there is none.

    Args:
        told: One line, or the several that make a record; one of them has its statement.
        events: What the line parser made of them.
        reader: The log's reader, after them.
        kept: As for `Interpreter`.
    """
    place, record = next((i, s.record) for i, (s, _fields, _raw) in enumerate(told) if s.record)
    event = events[0]
    if isinstance(record, EpochRecord | EvaluationRecord):
        return _rows(told, record, event, reader)
    if isinstance(event, Iteration):
        return _iterations(told, place, record, event, reader, kept)
    return None


def _rows(
    told: Sequence[Told], record: EpochRecord | EvaluationRecord, event: Event, reader: Reader
) -> EpochTemplate | None:
    fields = told[0].fields
    keys = tuple(fields)
    plan = [one for plan in record.plan(keys).values() for one in plan]
    time_us, *place = event.at[2:5]
    if place != [None, None]:
        return None  # a rank, a host
    if any(one.listed and isinstance(fields[one.key], list) for one in plan):
        return None
    kept = {one.key for one in plan if as_number(fields[one.key]) is not None}
    if as_whole(fields.get(record.epoch)) is not None:
        kept.add(record.epoch)
    if isinstance(record, EpochRecord):
        needed, clock, timed = {record.hours} - {""}, "", False
    else:
        needed, clock, timed = {one.key for one in plan}, record.time_ms, True
    if not needed <= kept or (time_us is not None and not timed):
        return None
    pieces = _known(told, kept, set(), {record.epoch} - {""}, clock)
    clocks = sum(is_clock(piece) for piece in pieces or ())
    if pieces is None or clocks != (time_us is not None):
        return None
    return EpochTemplate(pieces, reader.context, 1, 0, record, keys, frozenset(kept))


def _iterations(
    told: Sequence[Told],
    place: int,
    record: IterationRecord,
    event: Iteration,
    reader: Reader,
    wanted: tuple[str, ...],
) -> IterationTemplate | None:
    fields = {name: value for line in told for name, value in line.fields.items()}
    rate, loss = first(record.throughput, fields), first(record.loss, fields)
    duration = first((record.per_second, *record.duration), fields)
    labels = {name for name in (record.epoch, record.step) if name in fields}
    work = record.work(reader) if record.work and not rate and duration else 0
    gauges = tuple(gauge for gauge in record.gauges if gauge[0] in fields)
    for metric in event.values:
        if metric.name in wanted and all(metric.name != name for _hole, name, _unit in gauges):
            if not metric.value or as_number(fields.get(metric.name)) != metric.value:
                return None  # nobody knows where it stands
            gauges += ((metric.name, metric.name, metric.unit),)
    read = (
        (event.epoch, record.epoch in labels or (record.labelled and event.epoch is not None)),
        (event.step, record.step in labels),
        (event.throughput, rate or work),
        (0 if record.running and duration else event.duration, duration),
        (event.loss, loss),
    )
    if any((part is None) != (not printed) for part, printed in read):
        return None
    watched = tuple(name for name in record.watched if name in fields)
    others = {*watched, *(gauge[0] for gauge in gauges)}
    others |= {record.since} & fields.keys()
    kept = (labels | others | {rate, loss, duration}) - {""}
    fixed, whole = _fixed(record)
    pieces = _known(told, kept, fixed, whole, record.time_ms)
    clocks = sum(is_clock(piece) for piece in pieces or ())
    if pieces is None or clocks != (event.at.time_us is not None):
        return None
    kept_values = tuple(record.gauged(fields, gauges))
    if any(_telling(metric.name) and metric not in kept_values for metric in event.values):
        return None
    event = event._replace(values=kept_values)
    rate = rate or (WORK if work else "")
    shape, body = told[place].statement.shape, body_of(told[place].raw)
    inverse = bool(record.per_second) or _inverse(shape, body, duration)
    look = (pieces, reader.context, len(told), place)
    return IterationTemplate(
        *look, event, rate, loss, duration, gauges, inverse, work, watched, record
    )


def _fixed(record: object) -> tuple[set[str], set[str]]:
    """The holes that stand as in the example, and those that hold whole numbers."""
    if not isinstance(record, IterationRecord):
        return set(), set()
    return {record.steps, *record.fixed}, {record.epoch, record.step}


def _known(
    told: Sequence[Told], kept: set[str], fixed: set[str], whole: set[str], clock: str = ""
) -> tuple[Piece, ...] | None:
    """The pieces of a record's lines; None where no template can say them.

    Args:
        told: The lines.
        kept: Holes whose numbers are read.
        fixed: Holes that stand as in the example.
        whole: Holes that hold whole numbers, where the shape does not say.
        clock: Hole of a time in milliseconds.
    """
    try:
        each = (_told(line, kept, fixed, whole, clock) for line in told)
        pieces = tuple(joined(piece for line in each for piece in line))
    except UnfitError:
        return None
    numbers = (piece.name for piece in pieces if isinstance(piece, Number | Digits))
    names = [name for name in numbers if name and not name.startswith((GROUP, SECONDS))]
    names = [name for name in names if not name.startswith(SPAN) or name.startswith(_LAST)]
    if sorted(name.removeprefix(_LAST) for name in names) != sorted(kept):
        return None
    assert isinstance(pieces[-1], Literal)  # it ends in the last newline
    return (*joined((*pieces[:-1], Literal(pieces[-1].text[:-1]))), End())


def _told(
    line: Told, kept: set[str], fixed: set[str], whole: set[str], clock: str
) -> Iterator[Piece]:
    """One line of a record, with its newline."""
    raw, shape = line.raw, line.statement.shape
    body = body_of(raw)
    bare = body.rstrip()
    if not _plain(raw) or shape.match(bare) != line.fields:
        raise UnfitError  # or the reader looked for it elsewhere in the line
    inner = cut(shape, bare, kept, fixed, whole, clock)
    *pieces, _end = whole_line(raw[: len(raw) - len(body)], inner, body[len(bare) :])
    two = isinstance(shape, KeyValues) and shape.delimiter == "  "
    yield from pieces if two else spread(pieces)
    yield Literal(b"\n")


def _inverse(shape: Shape, body: str, duration: str) -> bool:
    """Whether a progress bar prints its pace as iterations in a second."""
    skeleton = shape.head if isinstance(shape, KeyValues) else shape
    if not isinstance(skeleton, Skeleton) or skeleton.holes.get(duration) != "pace":
        return False
    holes, _end = skeleton.spans(body)
    return any(body[h.begin : h.end].endswith("/s") for h in holes if h.name == duration)


def hush(statement: Statement, raw: str) -> tuple[Piece, ...] | None:
    """What lines look like that are as quiet as this one; None where that cannot be said.

    Args:
        statement: What the line fits; it says nothing.
        raw: The whole line, with its prefix.
    """
    body = body_of(raw)
    if not _plain(raw) or not isinstance(statement.shape.match(body.rstrip()), Mapping):
        return None
    try:
        pieces = cut(statement.shape, body.rstrip(), set(), *_fixed(statement.record))
        return whole_line(raw[: len(raw) - len(body)], pieces, body[len(body.rstrip()) :])
    except UnfitError:
        return None


def _plain(raw: str) -> bool:
    """Whether the scan may know such a line at all."""
    return without(raw).isascii() and raw.replace("\t", " ").isprintable()


def _telling(name: str) -> bool:
    """Whether a figure of that name is more than shown, so that none may be left out."""
    return name.lower() == "mfu" or "tflop" in name.lower()
