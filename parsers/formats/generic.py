"""Any log: what its own words say, where no named format is sure.

Lines with a loss, an accuracy or a rate under one of the field's usual names are read, and so
are tables under a header of such names. Whose throughput a rate is stays unknown, unless it
says that it is one device's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sixdim.parsers.events import EpochEnd, Evaluation, Event, Iteration, Metric, RunInfo, Scope
from sixdim.parsers.grammar.figures import lower_is_better
from sixdim.parsers.grammar.holes import number
from sixdim.parsers.grammar.names import BAR, Named, meaning, named_numbers, words_of
from sixdim.parsers.grammar.shape import Broken, Fields
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_ITERATIONS = "it/s"
_FIGURES = frozenset({"loss", "quality", "rate"})
_EVALUATING = frozenset({"test", "val", "valid", "validation", "eval", "evaluation"})
_EVALUATING_STEMS = ("test", "val", "eval")
_CELLS = pattern(r"\t|,|\||\s{2,}")
_CLOCK = pattern(r"\d{1,4}+:\d\d(?::\d\d)?+")
_NAME = pattern(r"[A-Za-z][\w@./%() -]*+")
_STRAY_NUMBER = pattern(r"(?<![\w@.-])\d")
_OPENING = 60
_OPENING_WORDS = 3
"""Words, within so many characters, of which one tells an evaluation."""
_LONGEST_ROW = 4_000
_MOST_KINDS = 1_000


class Figures:
    """A line with named figures.

    Args:
        least: How many of loss, quality, rate, epoch and step it must at least have.
    """

    anchor = ""
    clue = ""

    def __init__(self, least: int) -> None:
        self.least = least

    def begins(self, text: str) -> bool:
        """See `Shape.begins`: nothing tells."""
        return False

    def match(self, text: str) -> Fields | Broken | None:
        """The figures under `named`."""
        named = named_numbers(text)
        roles = {one.role for one in named}
        if not roles & _FIGURES or len(roles) < self.least:
            return {"named": named} if "epoch" in roles and self.least == 0 else None
        return {"named": named}


class _Row:
    """Never matches by itself: the reader says which lines are rows of its table."""

    anchor = ""
    clue = ""

    def begins(self, text: str) -> bool:
        """See `Shape.begins`: nothing tells."""
        return False

    def match(self, text: str) -> Fields | Broken | None:
        return None


class Generic(Reader):
    """Reads one log by the names in it."""

    name = "generic"
    title = "any log with named numbers (last resort)"
    tried = "tqdm 4.70.1, flax 0.12.8, fastai 2.8.12"
    example = "epoch 3 step 40/5005: loss 2.31, acc 45.1 %, 1234.5 images/sec"
    unread = (
        "figures without one of the field's names or units, prose, nested JSON, multi-line "
        "reports, and whose throughput it is"
    )
    fallback = True

    def __init__(self) -> None:
        self._epoch: int | None = None
        self._planned: int | None = None
        self._rated: str | None = None
        self._columns: list[str] = []
        self._kinds: set[tuple[tuple[str, str], ...]] = set()

    def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
        """As `Reader.recognise`; tables are told by their header, which comes first."""
        text = line.text.strip()[:_LONGEST_ROW]
        cells = [cell.strip() for cell in _CELLS.split(text.strip("|,\t "))]
        if self._columns and len(cells) == len(self._columns):
            row = _row(self._columns, cells)
            if row is not None:
                return self.statements[1], {"named": row, "row": True}
        if len(cells) >= 3 and _is_header(cells):
            self._columns = cells
            return self.statements[0], {"named": []}
        known = super().recognise(line)
        return (
            known if known is None or self._repeats(known[1]) else (self.statements[-1], known[1])
        )

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`, of what `recognise` finds."""
        return self.respond(line, self.recognise(line))

    def _repeats(self, fields: Fields | Broken) -> bool:
        """Whether these names stood in a line before: a log repeats itself, prose does not."""
        if isinstance(fields, Broken):
            return False
        kind = tuple((one.role, one.name) for one in fields["named"][:16])
        before = kind in self._kinds
        if not before and len(self._kinds) < _MOST_KINDS:
            self._kinds.add(kind)
        return before

    def _line(self, line: Line, f: Fields) -> Iterator[Event]:
        return self.say(line, f["named"], of_epoch="row" in f)

    def say(self, line: Line, named: list[Named], *, of_epoch: bool = False) -> Iterator[Event]:
        """The events of a line with these figures.

        Args:
            line: Where they stand.
            named: The figures.
            of_epoch: Whether the line is about a whole epoch, as a table's row is.
        """
        roles = self._roles(named)
        if "epoch" in roles:
            self._epoch = int(roles["epoch"].value)
        if "epochs" in roles and self._planned != roles["epochs"].value:
            self._planned = int(roles["epochs"].value)
            yield RunInfo(line.origin(), "epochs_planned", self._planned)
        evaluates = not _EVALUATING.isdisjoint(words_of(line.text[:_OPENING])[:_OPENING_WORDS])
        alone = not {"loss", "rate", "step"} & roles.keys()
        # `train_loss … valid_loss … accuracy`: only what trains is named as such.
        alone |= any(one.split == "eval" for one in named) and all(
            one.split for one in named if one.role == "loss"
        )
        tested = [
            one
            for one in named
            if one.role in ("loss", "quality")
            and (
                one.split == "eval"
                or (not one.split and (evaluates or (alone and one.role == "quality")))
            )
        ]
        trained = [one for one in named if one.role in ("loss", "quality") and one not in tested]
        yield from self._trained(line, roles, trained, of_epoch=of_epoch)
        if tested:
            step = roles.get("step")
            yield Evaluation(
                line.origin(),
                tuple(_metric(one) for one in _unique(tested)),
                epoch=self._epoch,
                step=int(step.value) if step and self._epoch is None else None,
            )

    def _roles(self, named: list[Named]) -> dict[str, Named]:
        """The figure that counts of each role."""
        roles: dict[str, Named] = {}
        for one in named:
            roles.setdefault(one.role, one)
        rate = self._rate_of(named)
        if rate is None:
            roles.pop("rate", None)
        else:
            roles["rate"] = rate
        return roles

    def _rate_of(self, named: list[Named]) -> Named | None:
        """The line's rate: the job's samples or tokens rather than a device's or iterations.

        One unit serves the whole log: rates of another than its first are other figures.
        """
        rates = [one for one in named if one.role == "rate"]
        things = sorted((one for one in rates if one.unit != _ITERATIONS), key=_is_a_devices)
        if self._rated is None and things:
            self._rated = things[0].unit
        kept = _ITERATIONS if self._rated is None else self._rated  # "": a bare `throughput`
        return next((one for one in (*things, *rates) if one.unit == kept), None)

    def _trained(
        self, line: Line, roles: dict[str, Named], trained: list[Named], *, of_epoch: bool
    ) -> Iterator[Event]:
        rate, time = roles.get("rate"), roles.get("epoch time")
        loss = next((one for one in trained if one.role == "loss"), None)
        if rate is None and time is None and not trained:
            return
        means = rate is None and bool(trained) and all(one.split == "train" for one in trained)
        whole = "step" not in roles and ("epoch" in roles or of_epoch or means)
        values = tuple(_metric(one) for one in trained if one.role == "quality")
        if whole:
            yield EpochEnd(
                line.origin(),
                self._epoch,
                throughput=rate.value if rate else None,
                unit=rate.unit if rate else "",
                scope=Scope.DEVICE if rate and rate.per_device else Scope.UNKNOWN,
                epoch_time=time.value if time else None,
                values=(*((_metric(loss),) if loss else ()), *values),
            )
        else:
            step, steps, spent = roles.get("step"), roles.get("steps"), roles.get("duration")
            seconds = spent.value if spent else None
            if rate and rate.unit == _ITERATIONS:  # with a batch it becomes samples
                seconds = seconds or 1 / rate.value
                rate = None
            yield Iteration(
                line.origin(),
                epoch=self._epoch,
                step=int(step.value) if step else None,
                steps=int(steps.value) if steps else None,
                throughput=rate.value if rate else None,
                unit=rate.unit if rate else "",
                scope=Scope.DEVICE if rate and rate.per_device else Scope.UNKNOWN,
                loss=loss.value if loss else None,
                duration=seconds,
                values=values,
            )
            if step and step.name == BAR and steps and steps.value == step.value:
                yield EpochEnd(line.origin(), self._epoch)

    def _header(self, line: Line, f: Fields) -> Iterator[Event]:
        return iter(())

    statements = (
        Statement(_Row(), _header, 0.1, "table header"),
        Statement(_Row(), _line, 0.1, "table row"),
        Statement(Figures(2), _line, 0.1, "named figures"),
        Statement(Figures(1), _line, 0.05, "named figure"),
        Statement(Figures(0), _line, 0.0, "epoch"),
        Statement(_Row(), _line, 0.0, "first of its kind"),
    )


def _is_a_devices(rate: Named) -> bool:
    return rate.per_device


def _metric(one: Named) -> Metric:
    return Metric(one.canonical, one.value, one.unit, not lower_is_better(one.canonical))


def _unique(named: Iterable[Named]) -> list[Named]:
    first: dict[str, Named] = {}
    for one in named:
        first.setdefault(one.canonical, one)
    return list(first.values())


def _is_header(cells: list[str]) -> bool:
    """Whether these are column names, two of them figures' or an epoch's."""
    if any(len(cell) > 40 or not _NAME.fullmatch(cell) for cell in cells):
        return False
    if any(_STRAY_NUMBER.search(cell) for cell in cells):
        return False
    found = [meaning(cell, "1", "") for cell in cells]
    roles = [one.role for one in found if one is not None]
    return len(roles) >= 2 and len(roles) * 2 >= len(cells) and not _FIGURES.isdisjoint(roles)


def _row(columns: list[str], cells: list[str]) -> list[Named] | None:
    """The row's figures, or None where a cell is neither a number nor empty."""
    out: list[Named] = []
    for column, cell in zip(columns, cells, strict=True):
        if not cell:
            continue
        if _CLOCK.fullmatch(cell):
            continue
        digits = cell.removesuffix("%")
        try:
            number(digits)
        except ValueError:
            return None
        unit = "%" if digits != cell else ""
        one = meaning(column, digits, unit)
        if one is not None:
            out.append(one)
    return out or None
