"""Reads progress lines by the meaning of their holes, with a function generated for each form."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Self

from sixdim.parsers.events import Iteration, Metric, Origin, Scope
from sixdim.parsers.grammar.shapes.convert import PAIR, conversion, function, pairs_of
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.shape import Fields, Shared
from sixdim.parsers.grammar.vocabulary.units import printed_unit
from sixdim.parsers.statements.record_fields import Further, RecordFields
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import compiled


class IterationRecord(Shared, RecordFields):
    """Reads progress lines by the meaning of their holes; see `RecordFields`."""

    def read(self, reader: Any, line: Line, fields: Fields) -> tuple[Any, ...]:
        """Returns a line's new facts and its event; nothing if it repeats the line before."""
        names = (*fields,)
        read = self._by_names.get(names)
        if read is None:
            read = self._by_names[names] = self._of_fields(names)
        return read(reader, line, fields)

    @cached_property
    def _by_names(self) -> dict[tuple[str, ...], Callable[..., tuple[Any, ...]]]:
        """The functions that read a line's fields, by the fields' names: few sets of them occur."""
        return {}

    def _of_fields(self, names: tuple[str, ...]) -> Callable[..., tuple[Any, ...]]:
        values = {name: f"fields[{name!r}]" for name in names}
        statements, scope = self._statements(values, pair="fields['pairs'].get({!r}, '')".format)
        made: Callable[..., tuple[Any, ...]]
        made = function("(reader, line, fields)", statements, scope)
        return made

    def reads(
        self, expression: str, groups: list[tuple[str, str]], anchor: str, ends: str
    ) -> Callable[[Any, Line, str], tuple[Any, ...] | None]:
        """Makes a function that matches a line of one form and turns its values into an event.

        Args:
            expression: The regular expression of such a line.
            groups: What its groups hold, as for `convert.conversion`.
            anchor: How such a line begins; a line that has this text once more is not read.
            ends: Characters that may stand around a pair's value.

        Returns:
            A function that returns the events of a text; None if it must be read otherwise.
        """
        converted = conversion(groups)
        values = {name: f"v{i}" for i, (name, kind) in enumerate(groups) if kind != PAIR}
        texts = {name: f"v{i}" for i, (name, kind) in enumerate(groups) if kind == PAIR}
        rates = dict(self.unit_in).values()  # no further figures
        pairs = pairs_of([(name, "" if name in rates else kind) for name, kind in groups])
        statements, scope = self._statements(values, pairs, pair=lambda key: texts.get(key, "''"))
        begin = ["found = find(text)", "if found is None: return None"]
        if anchor:
            literals = re.sub(r"\?P<\w+>", "", expression)
            times = literals.count(re.escape(anchor)) or 1
            begin.append(f"if text.count(anchor) > {times}: return None")
        if groups:
            begin.append(", ".join(f"t{i}" for i in range(len(groups))) + ", = found.groups()")
        convert = "\n".join(f"    {one}" for one in converted.statements or ["pass"])
        begin.append(f"try:\n{convert}\nexcept (ValueError, OverflowError):\n    return None")
        begin += self.unusual(values, texts, scope)
        scope |= converted.scope
        scope |= {"find": compiled(expression).match, "anchor": anchor, "ends": ends}
        made: Callable[[Any, Line, str], tuple[Any, ...] | None]
        made = function("(reader, line, text)", [*begin, *statements], scope)
        return made

    def unusual(
        self, values: Mapping[str, str], pairs: Mapping[str, str], scope: dict[str, Any]
    ) -> list[str]:
        """Returns Python statements that return None for a line that `read` must handle.

        Args:
            values: The fields that the line has, and the expression of each one's value.
            pairs: Its pairs, and the expression of each one's text.
            scope: The names that all statements use; those that the new statements use are added.
        """
        return []

    def _statements(
        self, values: Mapping[str, str], pairs: str = "", *, pair: Callable[[str], str]
    ) -> tuple[list[str], dict[str, Any]]:
        """Generates the Python statements that return the event of a line.

        Args:
            values: The fields that the line has, and the expression of each one's value.
            pairs: Expression of the line's pairs; by default they are one of the fields.
            pair: Returns the expression of a pair's text, by the pair's key.

        Returns:
            The statements, and the names that they use.
        """
        scope: dict[str, Any] = {"new": tuple.__new__, "Iteration": Iteration, "Origin": Origin}
        scope |= {"Metric": Metric, "unknown": Scope.UNKNOWN}
        pairs = values.get("pairs", pairs or "{}")
        time_us, rank = values.get(self.time, "line.time_us"), values.get(self.rank, "line.rank")
        out = [f"at = new(Origin, (line.number, line.offset, {time_us}, {rank}, line.host, 0))"]
        out += self._duration(values)
        rate = next((rate for rate in self.rates if rate.hole in values), None)
        hole = next((name for name in self.throughput if name in values), "")
        speed = values.get(hole, "None")
        if rate is not None:
            speed = values[rate.hole]
        facts = [(repr(name), values[hole]) for hole, name in self.facts if hole in values]
        new = " or ".join(f"reader.facts.get({name}) != {value}" for name, value in facts)
        reports = ", ".join(f"*reader.report(at, {name}, {value})" for name, value in facts)
        if speed == "None" and self.work is not None:
            scope["work"] = self.work
            if facts:  # the work may depend on them
                out.append(f"reports = ({reports},) if {new} else ()")
                new, reports = "reports", "*reports"
            out.append("speed = done / duration if duration and (done := work(reader)) else None")
            speed = "speed"
        unit, scale = "''", "unknown"
        if speed != "None":
            stated = rate or self
            scope |= {"unit": stated.unit, "whose": stated.scope}
            unit, scale = "unit", "whose"
            if hole in dict(self.unit_in):
                scope["printed_unit"] = printed_unit
                unit = f"printed_unit({pair(dict(self.unit_in)[hole])}, unit)"
        if speed == "speed":
            unit, scale = f"{unit} if speed else ''", f"{scale} if speed else unknown"
        loss = next((values[name] for name in self.loss if name in values), "None")
        epoch, step, steps = (values.get(n, "None") for n in (self.epoch, self.step, self.steps))
        figures = self._figures(values, pairs, scope)
        mean = values.get(self.mean_throughput, "None")
        mean_time = values.get(self.mean_duration, "None")
        if self.milliseconds and mean_time != "None":
            mean_time += " / 1000"
        parts = (
            f"at, {epoch}, {step}, {steps}, {speed}, {unit}, {scale}, {loss}, duration, {figures}, "
            f"{mean}, {mean_time}"
        )
        out.append(f"event = new(Iteration, ({parts}))")
        if self.once:
            same = " and ".join(f"event.{part} == before.{part}" for part in self.once)
            out.append("before = reader.before(at)")
            out.append(f"if before is not None and {same}: return ()")
        out.append("reader.note(event)")
        if facts:
            out.append(f"if {new}: return ({reports}, event)")
        return [*out, "return (event,)"], scope

    def _figures(self, values: Mapping[str, str], pairs: str, scope: dict[str, Any]) -> str:
        """Returns the expression of the further figures."""
        stated = "".join(
            f"Metric({one.name!r}, {values[one.hole]}, {one.unit!r}, {one.higher_is_better!r}), "
            for one in self.figures
            if one.hole in values
        )
        if self.further is None or pairs == "{}":
            return f"({stated})"
        scope["further"] = self.further
        return f"(*further({pairs}), {stated})"

    def _duration(self, values: Mapping[str, str]) -> list[str]:
        """Returns the statements that set `duration`, the seconds of one iteration."""
        if self.per_second:
            pace = values.get(self.per_second)
            return [f"duration = 1 / {pace} if {pace} else None" if pace else "duration = None"]
        printed = next((values[name] for name in self.duration if name in values), None)
        if printed is None or (self.since and self.since not in values):
            return ["duration = None"]
        if self.since:
            passed = f"{values[self.step]} - {values[self.since]}"
            return [f"passed = {passed}", f"duration = {printed} / passed if passed > 0 else None"]
        return [f"duration = {printed} / 1000" if self.milliseconds else f"duration = {printed}"]


class NamedRecord(IterationRecord):
    """As `IterationRecord`, but a part that is not stated is in the hole of its name, if any."""

    def __new__(cls, **stated: Any) -> Self:
        """Takes the fields of `RecordFields`."""
        return super().__new__(cls, **(_BY_NAME | stated))


_BY_NAME: dict[str, Any] = {
    "epoch": "epoch",
    "step": "step",
    "steps": "steps",
    "throughput": ("throughput",),
    "loss": ("loss",),
    "duration": ("duration",),
    "facts": (("epochs", "epochs_planned"),),
}


def first(names: Iterable[str], fields: Mapping[str, object]) -> str:
    """Returns the first of `names` that is in `fields`; empty if none is."""
    for name in names:
        if name in fields:
            return name
    return ""


def further(*skip: str, names: Mapping[str, tuple[str, str]] | None = None) -> Further:
    """Returns a finder of all figures among pairs except `skip`; `names` is as for `figures`."""
    return lambda pairs: figures(pairs, skip, names=names)
