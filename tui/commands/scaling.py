"""`sixdim scaling`: DLPerf's table of speed by nodes and devices, over repeated runs."""

import argparse
import json
from collections.abc import Iterator

from sixdim.metrics.tables.scaling import (
    Case,
    Row,
    Speed,
    Table,
    as_dlperf,
    baseless,
    cells,
    parse_case,
    tables_of,
)
from sixdim.parsers.events import Fact
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import DONE, FAILED, UserError
from sixdim.tui.base.tables import one_csv, rendered
from sixdim.tui.batch.log_figures import Figures
from sixdim.tui.batch.log_set import add_set_options, add_shape_option, read_set, speed_of
from sixdim.tui.batch.log_warnings import warn
from sixdim.tui.batch.runs_file import read_runs

EXAMPLES = """examples:
  sixdim scaling logs/                1n1g/rn50_b128_fp32_1.log, 1n8g/…, 2n8g/…
  sixdim scaling logs/ --columns per-node --format markdown
  sixdim scaling logs/ --format json  DLPerf's result file
  sixdim scaling logs/ --protocol dlperf-mindspore --skip 20
  sixdim scaling --runs speeds.json   {"1n1g": [369.8, 371.3], "1n8g": [2774]}
  sixdim scaling s3://bucket/logs --dask tcp://head:8786

exit codes: 0 done; 1 no log gave a speed; 2 wrong usage or unreadable input
"""

_NO_DEVICES = "neither the log nor its name has the number of devices"

COMMON = (
    *("--runs", "--format", "--protocol", "--framework", "--model", "--precision", "--batch"),
    *("--log-format", "--skip", "--take"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim scaling`."""
    parser.add_argument("paths", nargs="*", metavar="DIR", help="folders of logs, or single logs")
    parser.add_argument(
        "--runs", metavar="FILE", help="JSON file with the speeds of runs, instead of logs"
    )
    parser.add_argument(
        "--columns",
        choices=("total", "per-node"),
        default="total",
        help="label columns by all devices (default), or by devices per node",
    )
    add_shape_option(parser)
    add_set_options(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the tables; returns the exit code."""
    if bool(args.runs) == bool(args.paths):
        raise UserError("name folders of logs, or --runs FILE")
    if args.runs:
        sets = read_runs(args.runs)
        read: list[Figures] = []
    else:
        read = read_set(args)
        sets = [("", list(_speeds(read)))]
    tables: list[tuple[str, Table]] = []
    for name, speeds in sets:
        made, doubts = tables_of(speeds)
        tables += [(name, table) for table in made]
        warn(f"{name}: {doubt}" if name else doubt for doubt in doubts)
    if args.shape == "json":
        warn(
            f'{table.title or "the table"}: "speedup": 1.0 is DLPerf\'s word for none'
            for _, table in tables
            if baseless(table)
        )
        print(json.dumps(_json(tables)))
    else:
        _print(tables, args)
        if args.shape == "table" and read:
            _print_sources(read)
    return DONE if any(row.median is not None for _, t in tables for row in t.rows) else FAILED


def _speeds(read: list[Figures]) -> Iterator[Speed]:
    for figures in read:
        case = case_of(figures)
        if case is None:
            warn([f"{label(figures.path, 300)}: left out: {_NO_DEVICES}"])
            continue
        said = figures.name.facts
        precision = _flagged(figures, "precision") or said.get("precision")
        batch = _flagged(figures, "batch_per_device") or said.get("batch_per_device")
        yield Speed(
            case,
            speed_of(figures),
            str(_flagged(figures, "model") or said.get("model") or figures.fact("model") or ""),
            str(precision or figures.fact("precision") or ""),
            batch if isinstance(batch, int) else figures.count("batch_per_device"),
            str(figures.fact("framework") or ""),
            figures.card.dimensions["speed"].unit if figures.card is not None else "",
        )


def _flagged(figures: Figures, name: str) -> Fact | None:
    found = figures.facts.get(name)
    return found[0] if found is not None and found[1] == "flag" else None


def case_of(figures: Figures) -> Case | None:
    """Returns nodes and cards: from the folder's name if it has them, else from the log."""
    named = parse_case(figures.name.case)
    if named is not None:
        return named
    devices = figures.count("devices")
    nodes = figures.count("nodes") or 1
    if devices is None or devices % nodes:
        return None
    return Case(nodes, devices // nodes)


def _json(tables: list[tuple[str, Table]]) -> object:
    if any(name for name, _ in tables):
        names = dict.fromkeys(name for name, _ in tables)
        return {n: as_dlperf([t for name, t in tables if name == n]) for n in names}
    return as_dlperf([table for _, table in tables])


def _print(tables: list[tuple[str, Table]], args: argparse.Namespace) -> None:
    per_node = args.columns == "per-node"
    if args.shape == "csv" and tables:
        named = [(name or table.title, cells(table, per_node)) for name, table in tables]
        print(one_csv(named), end="")
        return
    for number, (name, table) in enumerate(tables):
        title = name or table.title
        if len(tables) > 1 or args.shape == "table":
            print(("\n" if number else "") + ("#### " if args.shape == "markdown" else "") + title)
            print()
        print(rendered(cells(table, per_node), args.shape), end="")
        if args.shape == "table":
            print()
            for row in table.rows:
                print(f"  {row.case}  {_runs(row)}")


def _runs(row: Row) -> str:
    if not row.runs:
        return "no run with a speed"
    listed = ", ".join(f"{value:.10g}" for value in row.runs)
    if len(row.runs) == 1:
        return f"one run: {listed}"
    return f"average {row.average:.2f} of {len(row.runs)} runs: {listed}"


def _print_sources(read: list[Figures]) -> None:
    print("\nwhere it comes from")
    for figures in read:
        assert figures.card is not None
        protocol = figures.card.dimensions["speed"].details.get("protocol", "")
        facts = ", ".join(
            f"{name.replace('_', ' ')} {label(value, 40)} ({source})"
            for name in ("framework", "nodes", "devices", "precision", "batch_per_device")
            if name in figures.facts
            for value, source in (figures.facts[name],)
        )
        speed = "-" if figures.speed is None else f"{figures.speed:.10g}"
        print(f"  {label(figures.path, 300)}  {speed} by {protocol}: {facts}")
