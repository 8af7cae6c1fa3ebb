"""`sixdim scaling`: DLPerf's table of speed by nodes and devices, over repeated runs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from sixdim.metrics.dimensions.linearity import job_speed
from sixdim.metrics.protocols.named import PROTOCOLS
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
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Fact
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import DONE, FAILED, UserError
from sixdim.tui.base.plugins import known_formats, named_format, say_problems
from sixdim.tui.base.settings.card_flags import add_config_option
from sixdim.tui.base.settings.protocol_flags import add_protocol_options, read_protocol, whole
from sixdim.tui.base.tables import FORMATS, one_csv, rendered
from sixdim.tui.batch.engines import add_engine_option, engine_of, read_logs
from sixdim.tui.batch.log_figures import Figures, Job
from sixdim.tui.batch.log_warnings import warn, warnings_about
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


def add_shape_option(parser: argparse.ArgumentParser) -> None:
    """Adds the --format of a table; `format` in a settings file is that of the logs."""
    parser.add_argument(
        "--format",
        dest="shape",
        choices=FORMATS,
        default="table",
        help="how the table is written (default: table)",
    )


def add_set_options(parser: argparse.ArgumentParser) -> None:
    """Adds the flags for many logs: facts for all of them, and the protocol."""
    add_config_option(parser)
    parser.add_argument(
        "--log-format", dest="format", metavar="NAME", help="log format, instead of detecting it"
    )
    parser.add_argument(
        "--framework",
        type=label,
        metavar="NAME",
        help="framework of all logs (flags win over the logs)",
    )
    parser.add_argument("--model", type=label, metavar="NAME", help="model of all logs")
    parser.add_argument("--precision", type=label, metavar="NAME", help="precision of all logs")
    parser.add_argument(
        "--batch", type=whole, metavar="N", help="batch size of one device, of all logs"
    )
    add_engine_option(parser)
    add_protocol_options(parser, "auto", "the usual one for the format")


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


def read_set(
    args: argparse.Namespace, settings: Settings | None = None, first: str = "custom"
) -> list[Figures]:
    """Reads the logs that the paths name, and prints on standard error what is wrong with them.

    `first` is the protocol where none is named; where it gives no speed, the one that is usual for
    the log's format is used.

    Raises:
        UserError: There are none.
    """
    engine = engine_of(args)
    paths = engine.find(args.paths)
    if not paths:
        raise UserError(f"no log below {', '.join(label(p, 80) for p in args.paths)}")
    auto = args.protocol == "auto"
    chosen = read_protocol(args, PROTOCOLS[first] if auto else None)
    auto = auto and chosen is PROTOCOLS[first]
    given: dict[str, Fact] = {
        name: value
        for name, value in (
            ("framework", args.framework),
            ("model", args.model),
            ("precision", args.precision),
            ("batch_per_device", args.batch),
        )
        if value
    }
    base = (settings or Settings())._replace(protocol=chosen, given=given)
    usual = ("only" if first == "custom" else "otherwise") if auto else ""
    say_problems()
    forced = named_format(args.format, known_formats(args), "--log-format")
    declared = tuple(reader.declaration for reader in args.declared)
    jobs = [Job(path, base, usual, forced.name if forced else "", declared) for path in paths]
    read = read_logs(jobs, engine)
    warn(warnings_about(read))
    if auto and first != "custom" and any(one.card and one.speed is None for one in read):
        warn(["--protocol custom gives the mean of the progress lines instead"])
    return [figures for figures in read if figures.card is not None]


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


def speed_of(figures: Figures) -> float | None:
    """Returns the throughput of the whole job that a log gives."""
    if figures.card is None:
        return None
    scope = figures.card.dimensions["speed"].details.get("scope", "")
    return job_speed(figures.speed, scope, figures.count("devices"))


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
