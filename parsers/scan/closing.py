"""What the lines that end an epoch say, learned from those of one epoch.

Readers make of such lines what they will; so it is found by trial. Each number of the example
is replaced by others, the reader reads the lines anew, and where those numbers turn up in the
events is what the number stands for. One that changes anything else stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias

from parsers.events import EpochEnd, Evaluation, Event, Iteration, Metric, Origin
from parsers.format import Reader
from parsers.holes import duration, moment
from parsers.prefix import strip
from parsers.text import Line

MOST_LINES = 12
"""Lines that end one epoch."""
_MOST_TOKENS = 60
_TOKEN = re.compile(
    r"(?P<moment>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?![\d:]))"
    r"|(?P<duration>(?<![\d:])\d{1,4}:\d\d:\d\d(?:\.\d{1,6})?(?![\d:]))"
    r"|(?P<number>\d{1,15}(?:\.\d{1,15})?)"
)
_Path: TypeAlias = tuple[int, ...]
"""Where a part stands: the event, its field, and so on inwards."""
_FIGURES = ("throughput", "train_time", "epoch_time")
"""Of an epoch's end."""
_TIME = (EpochEnd._fields.index("at"), Origin._fields.index("time_us"))


class _Kind(NamedTuple):
    """What a token may be.

    Attributes:
        pattern: Of all tokens like one.
        trials: Two others in its place.
        read: What the reader makes of such a text, if it is what the token stands for.
    """

    pattern: Callable[[str], str]
    trials: Callable[[str], tuple[str, str]]
    read: Callable[[str], float]


def _like_moment(text: str) -> str:
    return re.sub("0", r"\\d", re.escape(re.sub(r"\d", "0", text)))


def _other_moments(text: str) -> tuple[str, str]:
    others = ("2031-07-19 14:38:51.274613", "2027-11-23 05:16:42.830957")
    one, other = (
        "".join(new if old.isdigit() else old for old, new in zip(text, trial, strict=False))
        for trial in others
    )
    return one, other


def _like_duration(text: str) -> str:
    return r"\d{1,4}:[0-5]\d:[0-5]\d" + (r"\.\d{1,6}" if "." in text else "")


def _like_number(text: str) -> str:
    whole, point, _fraction = text.partition(".")
    padded = len(whole) > 1 and whole[0] == "0"
    digits = rf"\d{{{len(whole)}}}" if padded else r"(?:0|[1-9]\d{0,14})"
    return digits + (r"\.\d{1,15}" if point else "")


def _other_numbers(text: str) -> tuple[str, str]:
    if "." in text:
        return "7351.25", "26.4375"
    padded = len(text) > 1 and text[0] == "0"
    return ("7" * len(text), "3" * len(text)) if padded else ("7351", "26")


_KINDS = {
    "moment": _Kind(_like_moment, _other_moments, moment),
    "duration": _Kind(
        _like_duration,
        lambda text: ("3:17:42.5", "11:28:53.25") if "." in text else ("3:17:42", "11:28:53"),
        duration,
    ),
    "number": _Kind(_like_number, _other_numbers, float),
}


class _Token(NamedTuple):
    """A number in the example, and what others may stand in its place."""

    begin: int
    end: int
    text: str
    kind: _Kind

    def reader(self, of: object) -> Callable[[str], float]:
        """What makes a number of its type of such a text."""
        whole = self.kind.read is float and type(of) is int and "." not in self.text
        return int if whole else self.kind.read


class Part(NamedTuple):
    """A number of an event.

    Attributes:
        of: That of the example.
        group: Which group of the pattern holds its text; None where it is the same in all.
        read: Makes the number of the text.
    """

    of: float
    group: int | None
    read: Callable[[str], float]

    def one(self, groups: Sequence[str]) -> Any:
        """The number in one text."""
        return self.of if self.group is None else self.read(groups[self.group])

    def column(
        self, columns: Sequence[Sequence[str]], count: int, known: dict[Part, list[Any]]
    ) -> list[Any]:
        """The numbers in so many texts, of which every group is given as a column.

        What is `known` of another event's parts is not made again.
        """
        if self.group is None:
            return [self.of] * count
        if self not in known:
            known[self] = [*map(self.read, columns[self.group])]
        return known[self]


class Said(NamedTuple):
    """One event that the lines bring.

    Attributes:
        example: As the example brought it, without further figures of its own.
        time: Its clock; None without one.
        label: The epoch's label; None where the line does not say.
        figures: Its numbers, in the order of `Ending.figures`.
    """

    example: EpochEnd | Evaluation
    time: Part | None
    label: Part | None
    figures: tuple[Part, ...]

    def regrouped(self, order: Mapping[int, int]) -> Said:
        """The same, the groups in another order."""

        def moved(part: Part | None) -> Any:
            if part is None or part.group is None:
                return part
            return part._replace(group=order[part.group])

        return self._replace(
            time=moved(self.time), label=moved(self.label), figures=tuple(map(moved, self.figures))
        )

    def names(self) -> list[tuple[str, str, bool]]:
        """Of each figure: name, unit, and whether higher is better."""
        if isinstance(self.example, Evaluation):
            return [(m.name, m.unit, m.higher_is_better) for m in self.example.metrics]
        return [(name, "", True) for name in _FIGURES if getattr(self.example, name) is not None]

    def event(self, groups: Sequence[str]) -> EpochEnd | Evaluation:
        """The event in one text, in the example's place."""
        at = self.example.at
        if self.time is not None:
            at = at._replace(time_us=self.time.one(groups))
        epoch = None if self.label is None else self.label.one(groups)
        numbers = [part.one(groups) for part in self.figures]
        if isinstance(self.example, Evaluation):
            metrics = zip(self.example.metrics, numbers, strict=True)
            told = tuple(metric._replace(value=value) for metric, value in metrics)
            return self.example._replace(at=at, epoch=epoch, metrics=told)
        named = {name: n for (name, *_), n in zip(self.names(), numbers, strict=True)}
        return self.example._replace(at=at, epoch=epoch, **named)


class Closing(NamedTuple):
    """The lines that end an epoch.

    Attributes:
        lines: How many.
        pattern: What they look like, each with its newline.
        said: What they say.
        bearing: What else their meaning rests on: the reader's own, as it was.
    """

    lines: int
    pattern: re.Pattern[str]
    said: tuple[Said, ...]
    bearing: object


def learn(reader: Reader, last: Iteration, rate: str, lines: Sequence[str]) -> Closing | None:
    """Finds out what lines like these say; None where that cannot be told.

    Args:
        reader: The log's, before or after them; it stays as it is.
        last: The progress line before them.
        rate: As for `Reader.passed`.
        lines: The example, without newlines.
    """
    text = "".join(f"{line}\n" for line in lines)
    tokens = [
        _Token(found.start(), found.end(), found[0], _KINDS[str(found.lastgroup)])
        for found in _TOKEN.finditer(text)
    ]
    if len(tokens) > _MOST_TOKENS:
        return None
    trial = _Trial(reader, last, rate, text)
    example = trial.events()
    if not example or not all(map(_plain, example)):
        return None
    before, known = dict(_parts(example)), {*_known(example)}
    places: dict[_Path, int] = {}
    fixed: set[int] = set()
    for number, token in enumerate(tokens):
        changed = trial.changed(token, before, known)
        if changed is None or not changed.isdisjoint(places):
            fixed.add(number)
        else:
            places.update(dict.fromkeys(changed, number))
    closing = _closing(reader, text, tokens, fixed, places, example)
    if closing is None or not all(trial.foretold(closing, tokens, fixed, n) for n in (0, 1)):
        return None
    return closing


def _plain(event: Event) -> bool:
    """Whether an event is one that an epoch may end in, with nothing out of the ordinary."""
    at = event.at
    if isinstance(event, EpochEnd):
        return event.iteration_time is None and at.file == 0
    if isinstance(event, Evaluation):
        known = event.step is None and not event.after_training and event.model != "teacher"
        return known and at.file == 0
    return False


class _Trial:
    """Reads the example again and again, with other numbers."""

    def __init__(self, reader: Reader, last: Iteration, rate: str, text: str) -> None:
        self._reader = deepcopy(reader)
        self._reader.passed(last, rate)
        self._text = text

    def events(self, others: Sequence[tuple[_Token, str]] = ()) -> list[Event] | None:
        """What the reader makes of the lines; None where it does not know them all."""
        text, reader = self._text, deepcopy(self._reader)
        for token, other in sorted(others, reverse=True):
            text = text[: token.begin] + other + text[token.end :]
        events: list[Event] = []
        for number, line in enumerate(text.split("\n")[:-1]):
            found = reader.read(strip(Line(number, 0, line)))
            if found is None or reader.bearing != self._reader.bearing:
                return None
            events += found
        return events

    def changed(
        self, token: _Token, before: Mapping[_Path, object], known: set[_Path]
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
        self, closing: Closing, tokens: Sequence[_Token], fixed: set[int], which: int
    ) -> bool:
        """Whether the closing says what the reader does, all numbers replaced at once."""
        others = [
            (token, token.kind.trials(token.text)[which])
            for number, token in enumerate(tokens)
            if number not in fixed
        ]
        text = self._text
        for token, other in sorted(others, reverse=True):
            text = text[: token.begin] + other + text[token.end :]
        found = closing.pattern.fullmatch(text)
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
    tokens: Sequence[_Token],
    fixed: set[int],
    places: Mapping[_Path, int],
    example: Sequence[Event],
) -> Closing | None:
    """What was found out; None where it is not enough."""
    groups: dict[int, int] = {}

    def part(value: Any, path: _Path) -> Part:
        number = places.get(path)
        if number is None:
            return Part(value, None, float)
        group = groups.setdefault(number, len(groups))
        return Part(value, group, tokens[number].reader(value))

    said = []
    for index, event in enumerate(map(_bare, example)):
        fields, at = type(event)._fields, event.at
        time = None if at.time_us is None else part(at.time_us, (index, *_TIME))
        label = None if event.epoch is None else part(event.epoch, (index, fields.index("epoch")))
        if label is not None and label.group is None:
            return None  # the label of which epoch?
        figures = [part(value, (index, *path)) for path, value in _figures(event)]
        said.append(Said(event, time, label, tuple(figures)))
    # Groups are numbered as they stand in the text.
    order = {groups[number]: place for place, number in enumerate(sorted(groups))}
    said = [one.regrouped(order) for one in said]
    pattern, begin = [], 0
    for number, token in enumerate(tokens):
        pattern.append(re.escape(text[begin : token.begin]))
        like = re.escape(token.text) if number in fixed else token.kind.pattern(token.text)
        pattern.append(f"({like})" if number in groups else f"(?:{like})")
        begin = token.end
    pattern.append(re.escape(text[begin:]))
    return Closing(
        text.count("\n"), re.compile("".join(pattern), re.ASCII), tuple(said), reader.bearing
    )


def _known(example: Sequence[Event]) -> Iterator[_Path]:
    """Where the numbers stand that may differ from epoch to epoch."""
    for index, event in enumerate(example):
        assert isinstance(event, EpochEnd | Evaluation)
        fields = type(event)._fields
        yield (index, *_TIME)
        yield (index, fields.index("epoch"))
        yield from ((index, *path) for path, _number in _figures(event))
        if isinstance(event, EpochEnd):  # which nobody asks for in whole epochs
            begin, value = fields.index("values"), Metric._fields.index("value")
            yield from ((index, begin, number, value) for number in range(len(event.values)))


def _figures(event: EpochEnd | Evaluation) -> Iterator[tuple[_Path, float]]:
    """The numbers that an event brings, and where they stand."""
    fields = type(event)._fields
    if isinstance(event, Evaluation):
        begin, value = fields.index("metrics"), Metric._fields.index("value")
        yield from (((begin, n, value), m.value) for n, m in enumerate(event.metrics))
        return
    for name in _FIGURES:
        if (number := getattr(event, name)) is not None:
            yield (fields.index(name),), number
