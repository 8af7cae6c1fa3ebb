"""What the lines that end an epoch say, learned from those of one epoch.

Readers make of such lines what they will; so it is found by trial. Each number of the example
is replaced by others, the reader reads the lines anew, and where those numbers turn up in the
events is what the number stands for. One that changes anything else stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from parsers.events import EpochEnd, Evaluation, Event, Iteration, Metric, Origin
from parsers.format import Reader
from parsers.prefix import strip
from parsers.scan.closing import FIGURES, Closing, Part, Said
from parsers.scan.tokens import Token, tokens
from parsers.text import Line

MOST_LINES = 12
"""Lines that end one epoch."""
_MOST_TOKENS = 60
_TIME = (EpochEnd._fields.index("at"), Origin._fields.index("time_us"))
_Path: TypeAlias = tuple[int, ...]
"""Where a part stands: the event, its field, and so on inwards."""
_Other: TypeAlias = tuple[Token, str]
"""A number, and what is put in its place."""


def learn(
    reader: Reader, last: Iteration, rate: str, lines: Sequence[str], progress: str = ""
) -> Closing | None:
    """Finds out what lines like these say; None where that cannot be told.

    Args:
        reader: The log's, before or after them; it stays as it is.
        last: The progress line before them.
        rate: As for `Reader.passed`.
        lines: The example, without newlines.
        progress: Text of the progress line.
    """
    try:
        return _learned(reader, last, rate, lines, progress)
    except Exception:  # noqa: BLE001 - a reader of another package may hold what has no copy, or
        return None  # fail on numbers that no log has; its lines are read one by one, as ever


def _learned(
    reader: Reader, last: Iteration, rate: str, lines: Sequence[str], progress: str
) -> Closing | None:
    text = "".join(f"{line}\n" for line in lines)
    numbers = tokens(text)
    if len(numbers) > _MOST_TOKENS:
        return None
    trial = _Trial(reader, last, rate, text)
    example = trial.events()
    if not example or not all(map(_plain, example)):
        return None
    before, known = dict(_parts(example)), {*_known(example)}
    places: dict[_Path, int] = {}
    fixed: set[int] = set()
    for number, token in enumerate(numbers):
        changed = trial.changed(token, before, known)
        if changed is None or not changed.isdisjoint(places):
            fixed.add(number)
        else:
            places.update(dict.fromkeys(changed, number))
    if not _follows(example, _Trial(reader, _another(last), rate, text).events(), last, places):
        return None
    closing = _closing(reader, text, numbers, fixed, places, example)
    changing = [token for number, token in enumerate(numbers) if number not in fixed]
    closing = closing._replace(mark=_mark(text, changing, progress))
    return closing if all(trial.foretold(closing, numbers, fixed, n) for n in (0, 1)) else None


def _plain(event: Event) -> bool:
    """Whether an event is one that an epoch may end in, with nothing out of the ordinary."""
    at = event.at
    if isinstance(event, EpochEnd):
        return event.iteration_time is None and at.file == 0
    if isinstance(event, Evaluation):
        known = event.step is None and not event.after_training and event.model != "teacher"
        return known and at.file == 0
    return False


def _another(last: Iteration) -> Iteration:
    """A progress line that differs from this one in all its numbers."""
    kept = dict.fromkeys(("at", "unit", "scope", "values"))
    parts = ((name, part) for name, part in last._asdict().items() if name not in kept)
    changed = {name: part + 17 for name, part in parts if part is not None}
    return last._replace(at=last.at._replace(line=last.at.line + 17), **changed)


def _follows(
    example: Sequence[Event],
    other: Sequence[Event] | None,
    last: Iteration,
    places: Mapping[_Path, int],
) -> bool:
    """Whether all that the progress line before them gives to the events is its label.

    Args:
        example: The events.
        other: What they are behind another progress line.
        last: The line before the example.
        places: The parts of the events that the lines themselves tell.
    """
    if other is None or len(other) != len(example):
        return False
    for index, (event, changed) in enumerate(zip(example, other, strict=True)):
        assert isinstance(event, EpochEnd | Evaluation)
        told = (index, type(event)._fields.index("epoch")) in places or event.epoch is None
        if not told and event.epoch != last.epoch:
            return False  # the label of which epoch?
        epoch = event.epoch if told or last.epoch is None else last.epoch + 17
        if changed != event._replace(epoch=epoch):
            return False
    return True


class _Trial:
    """Reads the example again and again, with other numbers."""

    def __init__(self, reader: Reader, last: Iteration, rate: str, text: str) -> None:
        self._reader = deepcopy(reader)
        self._reader.passed(last, rate)
        self._text = text

    def events(self, others: Sequence[_Other] = ()) -> list[Event] | None:
        """What the reader makes of the lines; None where it does not know them all."""
        reader = deepcopy(self._reader)
        events: list[Event] = []
        for number, line in enumerate(self._with(others).split("\n")[:-1]):
            found = reader.read(strip(Line(number, 0, line)))
            if found is None or reader.bearing != self._reader.bearing:
                return None
            events += found
        return events

    def _with(self, others: Sequence[_Other]) -> str:
        text = self._text
        for token, other in reversed(others):
            text = text[: token.begin] + other + text[token.end :]
        return text

    def changed(
        self, token: Token, before: Mapping[_Path, object], known: set[_Path]
    ) -> set[_Path] | None:
        """Which of the `known` parts are what a token says; None where it says anything else."""
        told: list[set[_Path]] = []
        for other in token.kind.trials(token.text):
            events = self.events([(token, other)])
            after = {} if events is None else dict(_parts(events))
            if after.keys() != before.keys():
                return None
            paths = {p for p, part in after.items() if _differs(part, before[p])}
            if not paths <= known or any(
                _differs(after[p], token.reader(before[p])(other)) for p in paths
            ):
                return None
            told.append(paths)
        own = {p for p in told[0] if not _differs(before[p], token.reader(before[p])(token.text))}
        return told[0] if told[0] == told[1] == own else None

    def foretold(
        self, closing: Closing, numbers: Sequence[Token], fixed: set[int], which: int
    ) -> bool:
        """Whether the closing says what the reader does, all numbers replaced at once."""
        others = [
            (token, token.kind.trials(token.text)[which])
            for number, token in enumerate(numbers)
            if number not in fixed
        ]
        found = closing.pattern.fullmatch(self._with(others))
        events = self.events(others)
        if found is None or events is None:
            return False
        groups = found.groups()
        return len(events) == len(closing.said) and all(
            said.event(groups) == _bare(event)
            for said, event in zip(closing.said, events, strict=True)
        )


def _parts(value: object, path: _Path = ()) -> Iterator[tuple[_Path, object]]:
    """The numbers and words of events, and the kinds of all that they stand in."""
    if isinstance(value, list | tuple):
        yield (*path, -1), (type(value), len(value))
        for index, part in enumerate(value):
            yield from _parts(part, (*path, index))
    else:
        yield path, value


def _differs(one: object, other: object) -> bool:
    return type(one) is not type(other) or one != other


def _bare(event: Event) -> EpochEnd | Evaluation:
    assert isinstance(event, EpochEnd | Evaluation)
    return event._replace(values=()) if isinstance(event, EpochEnd) else event


def _closing(
    reader: Reader,
    text: str,
    numbers: Sequence[Token],
    fixed: set[int],
    places: Mapping[_Path, int],
    example: Sequence[Event],
) -> Closing:
    """What was found out."""
    bare = [*map(_bare, example)]
    asked = {(index, *path) for index, event in enumerate(bare) for path in _asked(event)}
    held = sorted({places[path] for path in asked & places.keys()})
    groups = {number: group for group, number in enumerate(held)}

    def part(value: Any, *path: int) -> Part:
        number = places.get(path)
        if number is None:
            return Part(value, None, float)
        return Part(value, groups[number], numbers[number].reader(value))

    said = []
    for index, event in enumerate(bare):
        at, fields = event.at, type(event)._fields
        time = None if at.time_us is None else part(at.time_us, index, *_TIME)
        label = part(event.epoch, index, fields.index("epoch"))
        figures = tuple(part(value, index, *path) for path, value in _figures(event))
        said.append(Said(event, time, None if label.group is None else label, figures))
    pattern, begin = [], 0
    for number, token in enumerate(numbers):
        like = re.escape(token.text) if number in fixed else token.kind.pattern(token.text)
        pattern.append(re.escape(text[begin : token.begin]))
        pattern.append(f"({like})" if number in groups else f"(?:{like})")
        begin = token.end
    pattern.append(re.escape(text[begin:]))
    patterns = ("".join(pattern), "".join(("^", *pattern)))
    whole, every = (re.compile(pattern, re.ASCII | re.MULTILINE) for pattern in patterns)
    return Closing(text.count("\n"), whole, every, tuple(said), deepcopy(reader.bearing))


def _mark(text: str, changing: Sequence[Token], progress: str) -> bytes:
    """The longest text of the last line that has no number that changes, and not in `progress`."""
    begin, parts = text.rfind("\n", 0, -1) + 1, []
    for token in changing:
        if token.begin >= begin:
            parts.append(text[begin : token.begin])
            begin = token.end
    parts.append(text[begin:-1])
    return max((part for part in parts if part not in progress), key=len, default="").encode()


def _known(example: Sequence[Event]) -> Iterator[_Path]:
    """Where the numbers stand that may differ from epoch to epoch."""
    for index, event in enumerate(map(_bare, example)):
        yield from ((index, *path) for path in _asked(event))
    begin, value = EpochEnd._fields.index("values"), Metric._fields.index("value")
    for index, end in enumerate(example):
        if isinstance(end, EpochEnd):  # figures that nobody asks for in whole epochs
            yield from ((index, begin, number, value) for number in range(len(end.values)))


def _asked(event: EpochEnd | Evaluation) -> Iterator[_Path]:
    """Where in an event the numbers stand that are asked for."""
    yield _TIME
    yield (type(event)._fields.index("epoch"),)
    yield from (path for path, _value in _figures(event))


def _figures(event: EpochEnd | Evaluation) -> Iterator[tuple[_Path, float]]:
    """The numbers that an event brings, and where they stand."""
    fields = type(event)._fields
    if isinstance(event, Evaluation):
        begin, value = fields.index("metrics"), Metric._fields.index("value")
        yield from (((begin, n, value), m.value) for n, m in enumerate(event.metrics))
        return
    for name in FIGURES:
        if (number := getattr(event, name)) is not None:
            yield (fields.index(name),), number
