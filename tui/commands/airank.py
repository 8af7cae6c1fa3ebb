"""`sixdim airank`: AI-Rank's row set, and the grids of devices, precisions and frameworks."""

import argparse
import json
from dataclasses import asdict

from sixdim.metrics.tables.airank import Result, by_devices, by_framework, remarks, rows
from sixdim.metrics.values.card import Card
from sixdim.metrics.values.protocol import TIMES
from sixdim.tui.base.errors import DONE, FAILED
from sixdim.tui.base.settings.card_flags import add_start_option, add_target_option
from sixdim.tui.base.tables import one_csv, rendered
from sixdim.tui.batch.figures_file import is_figures_file, read_figures
from sixdim.tui.batch.log_figures import Figures
from sixdim.tui.batch.log_set import add_set_options, add_shape_option, read_set, speed_of
from sixdim.tui.batch.log_warnings import warn
from sixdim.tui.session.options import read_begin_and_end

EXAMPLES = """examples:
  sixdim airank logs/ --target 'acc1>=75.9'
  sixdim airank GPUx1.log GPUx8.log GPUx32.log --metric train.total_ips
  sixdim airank report.csv --table frameworks     figures instead of logs
  sixdim airank logs/ --table rows --format csv
  sixdim airank logs/ --start header
  sixdim airank s3://bucket/logs --dask tcp://head:8786

columns of report.csv: framework,devices,precision,batch,throughput,…

exit codes: 0 done; 1 no figure at all; 2 wrong usage or unreadable input
"""
TABLES = ("all", "rows", "devices", "frameworks")


COMMON = ("--table", "--target", "--start", "--format", "--log-format", "--framework", "--model")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim airank`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="DIR|FILE",
        help="folders of logs, single logs, or files of figures (.json, .csv)",
    )
    add_target_option(parser)
    add_start_option(parser)
    parser.add_argument(
        "--table", choices=TABLES, default="all", help="which tables (default: all)"
    )
    add_shape_option(parser)
    add_set_options(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the tables; returns the exit code."""
    settings = read_begin_and_end(args)
    given = [path for path in args.paths if is_figures_file(path)]
    args.paths = [path for path in args.paths if path not in given]
    results = [result for path in given for result in read_figures(path)]
    read = read_set(args, settings, "ai-rank") if args.paths else []
    results += [_result(figures) for figures in read]
    warn(remarks(results, {figures.path for figures in read if figures.speed is None}))
    if args.shape == "json":
        print(json.dumps([asdict(result) for result in results], indent=1))
    elif args.shape == "csv":
        print(one_csv(_tables(results, args.table)), end="")
    else:
        for number, (title, table) in enumerate(_tables(results, args.table)):
            print(("\n" if number else "") + title + "\n")
            print(rendered(table, args.shape), end="")
    return DONE if any(r.throughput is not None or r.time2train for r in results) else FAILED


def _tables(results: list[Result], which: str) -> list[tuple[str, list[list[str]]]]:
    tables = []
    if which in ("all", "rows"):
        tables.append(("AI-Rank", rows(results)))
    placed = [result for result in results if result.devices is not None]
    models = dict.fromkeys(result.model for result in placed)
    for model in models:
        own = [result for result in placed if result.model == model]
        head = f"{model or '-'}, " if len(models) > 1 else ""
        if which in ("all", "devices"):
            frameworks = dict.fromkeys(result.framework for result in own)
            tables += [
                (f"{head}{name or '-'}: samples/s", by_devices(own, name)) for name in frameworks
            ]
        if which in ("all", "frameworks"):
            tables.append((f"{head}samples/s by setting", by_framework(own)))
    return tables


def _result(figures: Figures) -> Result:
    card = figures.card
    assert card is not None
    end, target = card.run_end or {}, card.target or {}
    is_time = card.dimensions["speed"].unit in TIMES
    return Result(
        framework=str(figures.fact("framework") or ""),
        devices=figures.count("devices"),
        precision=str(figures.fact("precision") or ""),
        batch=figures.count("batch_per_device"),
        throughput=None if is_time else speed_of(figures),
        time2train=target.get("time_to_train_s"),
        run_time=end.get("run_time_s"),
        accuracy=_accuracy(card),
        model=str(figures.fact("model") or ""),
        source=figures.path,
    )


def _accuracy(card: Card) -> float | None:
    """Returns the best accuracy of a card; None if its metric is a loss."""
    accuracy = card.dimensions["accuracy"]
    if accuracy.details.get("lower_is_better"):
        return None
    best: float | None = (card.run_end or {}).get("best")
    return best * 100 if best is not None and accuracy.unit == "fraction" else best
