"""Lists the exporters of a scored run by their flags.

An exporter is a module of this package with `write(target, runs)`. It is loaded when its flag is
given, and imports optional packages inside `write`.
"""

import argparse
import importlib
from collections.abc import Sequence
from typing import NamedTuple

from sixdim.tui.base.errors import missing
from sixdim.tui.export.sink import check_outputs, one_to_stdout
from sixdim.tui.session.cards import Scored


class Exporter(NamedTuple):
    """An exporter: its module in this package, the argument of its flag, and the help text.

    Attributes:
        needs: The module and the package of an optional library; empty if it needs none.
    """

    module: str
    metavar: str
    help: str
    needs: tuple[str, str] | tuple[()] = ()


EXPORTERS = {
    "markdown": Exporter("markdown", "FILE|-", "write the card as Markdown"),
    "csv": Exporter("csv_file", "FILE|-", "write the epochs as CSV, one row each"),
    "prometheus": Exporter("prometheus", "FILE|-", "write a Prometheus textfile (name it *.prom)"),
    "tensorboard": Exporter(
        "tracking.tensorboard",
        "DIR",
        "write TensorBoard event files (needs sixdim[tensorboard])",
        ("tensorboardX", "tensorboardX"),
    ),
    "mlflow": Exporter(
        "tracking.mlflow",
        "DIR|URI",
        "log the run to MLflow (needs sixdim[mlflow])",
        ("mlflow", "mlflow-skinny"),
    ),
}


def add_export_options(parser: argparse.ArgumentParser) -> None:
    """Adds a flag for each exporter."""
    group = parser.add_argument_group("exports")
    for flag, exporter in EXPORTERS.items():
        group.add_argument(f"--{flag}", metavar=exporter.metavar, help=exporter.help)


def to_stdout(args: argparse.Namespace) -> bool:
    """Returns whether an export is written to standard output, in place of the card.

    Raises:
        UserError: Several exports go to standard output, one would replace an input, or its library
            is not installed.
    """
    for flag, exporter in EXPORTERS.items():
        if getattr(args, flag) and exporter.needs:
            module, package = exporter.needs
            try:
                __import__(module)
            except ImportError as error:
                raise missing(f"--{flag}", package, flag) from error
    flags = (*EXPORTERS, "json", "junit", "summary")
    targets = {flag: getattr(args, flag) for flag in flags}
    one_to_stdout(targets)
    check_outputs((targets[flag] for flag in flags if flag not in ("tensorboard", "mlflow")), args)
    return "-" in targets.values()


def export(args: argparse.Namespace, runs: Sequence[Scored]) -> None:
    """Writes every export whose flag is given."""
    for flag, exporter in EXPORTERS.items():
        if target := getattr(args, flag):
            importlib.import_module(f"sixdim.tui.export.{exporter.module}").write(target, runs)


def exports(args: argparse.Namespace) -> bool:
    """Returns whether the flag of any export is given."""
    return any(getattr(args, flag) for flag in EXPORTERS)
