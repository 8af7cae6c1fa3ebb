"""The exporters of a scored run: a new one is one file here and its name below.

An exporter is a module with FLAG, METAVAR and HELP, and `write(target, runs)`. What it needs
beyond the standard library it imports inside `write`.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence

from tui.cards import Scored
from tui.export.sink import one_to_stdout, spare_inputs

EXPORTERS = ("markdown", "csv_file", "prometheus", "tensorboard", "mlflow")


def add_export_options(parser: argparse.ArgumentParser) -> None:
    """Adds a flag for each exporter."""
    group = parser.add_argument_group("exports")
    for name in EXPORTERS:
        exporter = importlib.import_module(f"tui.export.{name}")
        group.add_argument(f"--{exporter.FLAG}", metavar=exporter.METAVAR, help=exporter.HELP)


def to_stdout(args: argparse.Namespace) -> bool:
    """Whether an export takes standard output, where the printed card would stand.

    Raises:
        UserError: More than one does, or one would be written over an input.
    """
    targets = {flag: getattr(args, flag) for flag in _flags()} | {"json": args.json}
    one_to_stdout(targets)
    inputs = [*args.logs, args.against, args.baseline, args.scaled, *args.repeat]
    spare_inputs([*targets.values(), args.junit, args.summary], inputs)
    return "-" in targets.values()


def export(args: argparse.Namespace, runs: Sequence[Scored]) -> None:
    """Writes every export that was asked for."""
    for name in EXPORTERS:
        exporter = importlib.import_module(f"tui.export.{name}")
        target = getattr(args, exporter.FLAG)
        if target:
            exporter.write(target, runs)


def _flags() -> list[str]:
    return [importlib.import_module(f"tui.export.{name}").FLAG for name in EXPORTERS]
