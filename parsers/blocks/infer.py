"""Infers the form of a line by trial: its reader reads it again with other digits.

Only the line's format and envelopes know what a number means, so they are tried here. If
another number gives the same event, the number has no meaning; if it changes one field to that
number, it is that field; otherwise it is a fixed part of the form. A line has a form only if it
gives one event, a progress line, and if the state of its reader afterwards does not depend on the
lines before it.
"""

import random
from math import isfinite
from typing import Any, NamedTuple

from sixdim.parsers.blocks.form import DigitRun, Field, Meaning, NumberRuns, RowForm, with_figures
from sixdim.parsers.blocks.trial import Change, Probe, Trial
from sixdim.parsers.events import Iteration

_MANY = 96
"""Largest number of runs of digits of a line that may have a form."""
_DAY_US = 86_400_000_000
_BELOW = {3_600_000_000: 24, 60_000_000: 60, 1_000_000: 60}
"""The limit of two digits of a clock, by the microseconds of their unit."""
_TRIALS = 8
"""Lines with other digits by which a form is checked as a whole."""
_FIELDS = tuple(field for field in Iteration._fields if field not in ("at", "values"))
_SUMMED = ("step", "throughput", "duration")
_INTEGERS = ("epoch", "step")
_FIXED = ("clock", "steps", "values")
"""Fields that no number may change together with others."""


class _Known(NamedTuple):
    """What is known of the runs of a line; any other run is a fixed part of the form.

    Attributes:
        free: Runs whose digits may differ.
        meanings: The fields of the event that are numbers of the line.
        clock: Microseconds of the unit of each run of the clock.
        same: The runs of a date.
        odd: Runs of a clock that cannot be added up.
    """

    free: dict[int, DigitRun]
    meanings: dict[Field, Meaning]
    clock: dict[int, int]
    same: list[int]
    odd: list[int]


def infer_form(probe: Probe, before: bytes, raw: bytes) -> RowForm | None:
    """Returns the form of a line; None if it has none.

    Args:
        probe: Reads lines as the log's reader does.
        before: The line before it.
        raw: The line with its newline.
    """
    trial = Trial(probe, before, raw)
    base = trial.event({})
    at = None if base is None else base.at
    if base is None or at is None or not 0 < len(trial.digits) <= _MANY:
        return None
    if len({one.name for one in base.values}) < len(base.values):
        return None
    if not raw.isascii() or at.rank is not None or at.host is not None:
        return None
    known = _Known({}, {}, {}, [], [])
    for number in trial.numbers():
        _try_number(trial, base, number, known)
    form = None if known.odd else _form(trial, base, known)
    return form if form is not None and _holds(trial, base, known, form) else None


def _try_number(trial: Trial, base: Iteration, number: NumberRuns, known: _Known) -> None:
    """Infers the meaning of a number of the line."""
    runs = [place for place in number if place >= 0]
    tried = [change for place in runs for change in trial.others(place)]
    events = [(change, trial.event(change)) for change in tried]
    given = [(change, event) for change, event in events if event is not None]
    fields: set[Field] = set()
    for _, event in given:
        fields |= _changed(base, event)
    if fields == {"clock"}:
        for place in runs:
            _try_clock(trial, base, place, known)
        return
    if len(given) < len(events) or not fields.isdisjoint(_FIXED):
        return
    if not fields:
        for place in runs:
            before = trial.literals[place][-1:]
            if not (before.isalpha() or before in (b"_", b"@")):  # the 1 of acc1 is part of a name
                known.free[place] = trial.widths_of_run(place, lambda _, event: event == base)
        return
    meanings: dict[Field, Meaning] = {}
    for field in fields:
        meaning = _meaning(trial, number, field, [({}, base), *given])
        if meaning is None:
            return
        meanings[field] = meaning

    def is_meant(change: Change, event: Iteration) -> bool:
        return event == _predicted(trial, base, meanings, change)

    for place in runs:
        known.free[place] = trial.widths_of_run(place, is_meant)
    known.meanings.update(meanings)


def _changed(base: Iteration, event: Iteration) -> set[Field]:
    """Returns the fields that differ; `clock` for the time, `values` for other names."""
    fields: set[Field] = {f for f in _FIELDS if getattr(base, f) != getattr(event, f)}
    if base.at.time_us != event.at.time_us:
        fields.add("clock")
    figures: dict[Field, float] = {place: one.value for place, one in enumerate(event.values)}
    if with_figures(base, figures).values != event.values:
        return {*fields, "values"}
    return fields | {n for n, one in enumerate(base.values) if one.value != figures[n]}


def _figure(event: Iteration, field: Field) -> Any:
    return getattr(event, field) if isinstance(field, str) else event.values[field].value


def _meaning(
    trial: Trial, number: NumberRuns, field: Field, given: list[tuple[Change, Iteration]]
) -> Meaning | None:
    """Returns how a field is computed from a number; None if no known way fits."""
    pairs = [(trial.text(number, change), _figure(event, field)) for change, event in given]
    text, value = pairs[0]
    if field in _INTEGERS:
        meant = [Meaning(number, is_int=True)] if number.fraction < 0 else []
    elif type(value) is float and isfinite(value):
        x = float(text)
        meant = [
            Meaning(number, milli, over)
            for milli in (False, True)
            for over in (0, 1, round(value * (x / 1000 if milli else x)))
        ]
    else:
        meant = []
    for meaning in meant:
        if all(type(v) is type(value) and meaning.of(t) == v for t, v in pairs):
            return meaning
    return None


def _predicted(
    trial: Trial, base: Iteration, meanings: dict[Field, Meaning], change: Change
) -> Iteration | None:
    """Returns the event of the line with other digits, by the meanings of its numbers."""
    try:
        fields = {f: one.of(trial.text(one.number, change)) for f, one in meanings.items()}
    except ValueError:
        return None
    return with_figures(base, fields)


def _try_clock(trial: Trial, base: Iteration, place: int, known: _Known) -> None:
    """Infers the unit of a run of the line's clock; the unit of a date is whole days."""
    digits, base_us = trial.digits[place], base.at.time_us or 0
    events = [(change, trial.event(change)) for change in trial.others(place)]
    moved = {
        int(change[place]) - int(digits): event.at.time_us - base_us
        for change, event in events
        if event is not None and event.at.time_us is not None
    }
    worth = {us / by for by, us in moved.items()}
    width = DigitRun(len(digits), len(digits))
    if all(abs(us) >= _DAY_US for us in moved.values()):
        known.free[place] = width
        known.same.append(place)
    elif len(worth) == 1:
        us = round(worth.pop())
        below = _BELOW.get(us, 0) if len(digits) == 2 else 0
        known.free[place] = width._replace(below=below)
        if us:
            known.clock[place] = us
    else:
        known.odd.append(place)


def _form(trial: Trial, base: Iteration, known: _Known) -> RowForm | None:
    """Makes the form; runs that are not known become part of the text between the others."""
    literals = [trial.literals[0]]
    runs: list[DigitRun] = []
    places: dict[int, int] = {-1: -1}
    for place, (digits, literal) in enumerate(zip(trial.digits, trial.literals[1:], strict=True)):
        if place in known.free:
            places[place] = len(runs)
            runs.append(known.free[place])
            if place in trial.padded:
                literals[-1] = literals[-1].rstrip(b" ")
            literals.append(literal)
        else:
            literals[-1] += digits + literal
    constant = {field for field in _SUMMED if getattr(base, field) is not None}
    if not runs or constant - known.meanings.keys():
        return None
    meanings = {
        field: one._replace(number=NumberRuns(*(places[place] for place in one.number)))
        for field, one in known.meanings.items()
    }
    clock = {places[place]: us for place, us in known.clock.items()}
    passed = sum(us * int(trial.digits[place]) for place, us in known.clock.items())
    return RowForm(
        literals,
        runs,
        meanings,
        clock,
        [places[place] for place in known.same],
        base,
        ((base.at.time_us or 0) - passed) % _DAY_US,
    )


def _holds(trial: Trial, base: Iteration, known: _Known, form: RowForm) -> bool:
    """Returns whether lines with other digits are read by the form, and change no state."""
    chance = random.Random(0)
    changes = [_changes(known, chance) for _ in range(_TRIALS)]
    for change in changes:
        event, meant = trial.event(change), _predicted(trial, base, known.meanings, change)
        if event is None or meant is None or event._replace(at=base.at) != meant:
            return False
        us = form.clock_us + sum(us * int(change[place]) for place, us in known.clock.items())
        if known.clock and (us - (event.at.time_us or 0)) % _DAY_US:
            return False
        if form.expression.fullmatch(trial.line(change)) is None:
            return False
    return trial.leave_state(*(trial.line(change) for change in changes[:2]))


def _changes(known: _Known, chance: random.Random) -> Change:
    """Returns other digits for all runs that may have others, except dates."""
    change: Change = {}
    for place, run in known.free.items():
        if place in known.same:
            continue
        width = chance.randint(run.least, max(run.least, min(run.most, 8)))
        most = run.below or 10**width
        least = 1 if run.zero else 10 ** (width - 1)
        digits = b"%0*d" % (width, chance.randint(least, most - 1))
        change[place] = b" " * chance.randint(0, run.blanks) + digits
    return change
