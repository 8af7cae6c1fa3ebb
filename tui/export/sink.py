"""Writes exports to standard output, or atomically to a file."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.readings import role_and_path
from sixdim.tui.base.safe_files import check_writable, write_atomically

_INPUTS = (
    *("logs", "log", "runs", "reference", "against"),
    *("baseline", "scaled", "repeat", "telemetry", "config"),
)
"""The arguments that name files to read."""


def write_out(target: str, text: str) -> None:
    """Writes text to a file, or to standard output if the target is `-`.

    Raises:
        UserError: The file cannot be written.
    """
    if target == "-":
        sys.stdout.write(text)
    else:
        write_atomically(target, text)


def one_to_stdout(targets: Mapping[str, str | None]) -> None:
    """Checks that at most one export goes to standard output.

    Raises:
        UserError: Several do.
    """
    both = [f"--{name}" for name, target in targets.items() if target == "-"]
    if len(both) > 1:
        raise UserError(f"{' and '.join(both)} cannot share standard output: name a file for one")


def check_outputs(targets: Iterable[str | None], args: argparse.Namespace, *inputs: str) -> None:
    """Checks that exports can be written and replace no input; called before anything is read.

    Args:
        targets: Paths of the files that will be written; None for an export that is not asked for.
        args: The command's arguments, which name the files that it reads.
        inputs: Further files that it reads.

    Raises:
        UserError: An export cannot be written, names an input, or names the file of another one.
    """
    files = []
    for target in targets:
        check_writable(target)
        if target is not None and target != "-":
            files.append(Path(target))
    read = [path for path in _inputs(args, inputs) if path.exists()]
    for position, file in enumerate(files):
        if file.exists() and any(file.samefile(path) for path in read):
            raise UserError(f"{label(file)} is what is read: write to another file")
        if any(_same_file(file, other) for other in files[:position]):
            raise UserError(f"two results would be written to {label(file)}: name another for one")


def _same_file(one: Path, other: Path) -> bool:
    """Returns whether two results replace each other; a device takes both."""
    same = one.name == other.name and one.parent.resolve() == other.parent.resolve()
    return same and (one.is_file() or not one.exists())


def _inputs(args: argparse.Namespace, more: Iterable[str]) -> Iterator[Path]:
    """Yields the files that a command reads."""
    for values in (more, *(getattr(args, name, None) or [] for name in _INPUTS)):
        for text in [values] if isinstance(values, str) else values:
            yield Path(role_and_path(text)[1])
