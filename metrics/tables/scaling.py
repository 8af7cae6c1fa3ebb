"""DLPerf's table: speed by nodes and devices, over repeated runs.

Source: DLPerf's extraction scripts: the average and the median of the runs to two decimals;
speedup = median / the median on one device, that one rounded already, to two decimals.
"""

import math
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sixdim.metrics.values.card import Json
from sixdim.metrics.values.protocol import TIMES

_CASE = re.compile(r"(?P<nodes>\d{1,5})n(?P<cards>\d{1,5})g", re.IGNORECASE)
_HALF = frozenset(("fp16", "amp"))
MIXED = "fp16/amp"


@dataclass(frozen=True, slots=True, order=True)
class Case:
    """The nodes that a run ran on, and the cards of each."""

    nodes: int
    cards: int

    @property
    def devices(self) -> int:
        """Of the job."""
        return self.nodes * self.cards

    def __str__(self) -> str:
        return f"{self.nodes}n{self.cards}g"


ONE = Case(1, 1)


def parse_case(text: str) -> Case | None:
    """Reads `2n8g`; None where it is something else."""
    found = _CASE.fullmatch(text)
    if found is None or int(found["nodes"]) < 1 or int(found["cards"]) < 1:
        return None
    return Case(int(found["nodes"]), int(found["cards"]))


@dataclass(frozen=True, slots=True)
class Speed:
    """One run's throughput.

    Attributes:
        case: Where it ran.
        value: The job's throughput; None where its log gives none.
        model: Model, or its name in the file names.
        precision: `fp32`, `fp16`, `amp`, …; empty where unknown.
        batch: Batch size of a device; None where unknown.
        framework: As the log or a path says it.
        unit: Of the value; empty for samples/s.
    """

    case: Case
    value: float | None
    model: str = ""
    precision: str = ""
    batch: int | None = None
    framework: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One case of a table.

    Attributes:
        case: Where its runs ran.
        runs: Their speeds, in the order given.
        average: Mean, to two decimals; None without runs.
        median: Median, to two decimals.
        speedup: Relative to one device; None without a run on one device.
    """

    case: Case
    runs: tuple[float, ...]
    average: float | None
    median: float | None
    speedup: float | None


@dataclass(frozen=True, slots=True)
class Table:
    """One model at one precision and batch size.

    Attributes:
        model: Model.
        precision: Precision; `fp16/amp` where both names stand for one.
        batch: Batch size of a device; None where unknown.
        framework: Framework; empty where unknown or several.
        rows: By nodes and cards.
        unit: `ms`, `min`, … where its figures are times; empty for throughputs.
    """

    model: str
    precision: str
    batch: int | None
    framework: str
    rows: tuple[Row, ...] = ()
    unit: str = ""

    @property
    def title(self) -> str:
        """`rn50 fp32 batch 128`."""
        parts = [self.framework, self.model, self.precision]
        parts += [f"batch {self.batch}"] if self.batch is not None else []
        return " ".join(part for part in parts if part)


def rows_of(speeds: Mapping[Case, Sequence[float]], unit: str = "") -> tuple[Row, ...]:
    """Returns the rows of a table from the runs of each case; times (`unit`) have no speedup."""
    digits = _digits(unit)
    medians = {c: round(statistics.median(runs), digits) for c, runs in speeds.items() if runs}
    base = None if unit else medians.get(ONE)
    out = []
    for case, runs in sorted(speeds.items()):
        median = medians.get(case)
        speedup = round(median / base, 2) if median is not None and base else None
        average = round(math.fsum(runs) / len(runs), digits) if runs else None
        out.append(Row(case, tuple(runs), average, median, speedup))
    return tuple(out)


def tables_of(speeds: Iterable[Speed]) -> tuple[list[Table], list[str]]:
    """Returns (tables, warnings) of many runs: a table for each model, precision and batch size.

    `fp16` and `amp` are two names of one precision, unless one case holds runs of both.
    """
    listed = list(speeds)
    warnings = []
    split = set()
    for key in sorted({_place(s) for s in listed}, key=repr):
        names = {s.precision for s in listed if _place(s) == key} & _HALF
        if len(names) > 1:
            split.add((key[0], key[1]))
            warnings.append(
                f"{key[2]} holds runs named fp16 and runs named amp: they are two tables"
            )
    groups: dict[tuple[str, str, int | None, str], list[Speed]] = {}
    for speed in listed:
        joined = speed.precision in _HALF and (speed.model, speed.batch) not in split
        precision = "half" if joined else speed.precision
        unit = speed.unit if speed.unit in TIMES else ""
        groups.setdefault((speed.model, precision, speed.batch, unit), []).append(speed)
    tables = []
    for (model, precision, batch, unit), members in sorted(groups.items(), key=repr):
        named = sorted({s.precision for s in members})
        label = (MIXED if len(named) > 1 else named[0]) if precision == "half" else precision
        frameworks = {s.framework for s in members if s.framework}
        cases: dict[Case, list[float]] = {}
        for speed in members:
            runs = cases.setdefault(speed.case, [])
            if speed.value is not None:
                runs.append(speed.value)
        framework = frameworks.pop() if len(frameworks) == 1 else ""
        rows = rows_of(cases, unit)
        tables.append(Table(model, label, batch, framework, rows, unit))
    return tables, [*warnings, *(text for table in tables for text in _remarks(table))]


def _place(speed: Speed) -> tuple[str, int | None, Case]:
    return speed.model, speed.batch, speed.case


def _remarks(table: Table) -> Iterable[str]:
    name = table.title or "the table"
    if baseless(table):
        yield f"{name}: no run on one device, so no speedup"
    for row in table.rows:
        if row.median is None:
            yield f"{name}: {row.case} has no run with a speed"
        if row.speedup is not None and row.speedup > row.case.devices:
            yield (
                f"{name}: {row.case} is {row.speedup:g} times as fast as one device with "
                f"{row.case.devices} of them: an efficiency above 1"
            )
    counts = {len(row.runs) for row in table.rows if row.runs}
    if len(counts) > 1:
        yield f"{name}: the cases have from {min(counts)} to {max(counts)} runs"


def as_dlperf(tables: Sequence[Table]) -> dict[str, Json]:
    """Returns DLPerf's file: `{model: {case: {average_speed, batch_size_per_device, …}}}`.

    Where two tables share a model, precision and batch size join its name. As there, the
    speedup is 1.0 in every row of a table that has no run on one device.
    """
    shared = {t.model for t in tables if sum(o.model == t.model for o in tables) > 1}
    out: dict[str, Json] = {}
    for table in tables:
        name = table.model or "model"
        if table.model in shared:
            batch = "" if table.batch is None else f"_b{table.batch}"
            name = f"{name}{batch}_{table.precision.replace('/', '-')}".rstrip("_")
        out[name] = {
            str(row.case): {
                "average_speed": row.average,
                "batch_size_per_device": table.batch,
                "median_speed": row.median,
                "speedup": 1.0 if row.median is not None and baseless(table) else row.speedup,
            }
            for row in table.rows
        }
    return out


def baseless(table: Table) -> bool:
    """Returns whether a table of throughputs has none on one device to compare with."""
    return not table.unit and all(row.case != ONE or row.median is None for row in table.rows)


def cells(table: Table, per_node: bool) -> list[list[str]]:
    """Returns the published table: a header and a row for each case; `-` for no figure.

    With `per_node`, devices of a node are counted, beside the batch size, instead of all.
    """
    unit = table.unit or "samples/s"
    speed = f"{unit}({table.framework})" if table.framework else unit
    if per_node:
        head = ["node_num", "gpu_num_per_node", "batch_size_per_device", speed, "speedup"]
    else:
        head = ["node_num", "gpu_num", unit, "speedup"]
    out = [head]
    for row in table.rows:
        figures = [_decimal(row.median, _digits(table.unit)), _decimal(row.speedup)]
        if per_node:
            batch = "-" if table.batch is None else str(table.batch)
            out.append([str(row.case.nodes), str(row.case.cards), batch, *figures])
        else:
            out.append([str(row.case.nodes), str(row.case.devices), *figures])
    return out


def _decimal(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _digits(unit: str) -> int:
    """Returns the decimals that DLPerf prints: two of throughputs, three of latencies."""
    return 3 if unit else 2
