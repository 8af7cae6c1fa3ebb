"""Writes exports to standard output, or atomically to a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.json_file import check_writable, write_atomically


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


def spare_inputs(targets: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """Checks that exports can be written and replace no input; called before anything is read.

    Raises:
        UserError: An export cannot be written, or names one of the inputs.
    """
    targets = list(targets)
    for target in targets:
        check_writable(target)
    read = [Path(path) for path in inputs if path and Path(path).exists()]
    for target in targets:
        if target and Path(target).exists() and any(Path(target).samefile(path) for path in read):
            raise UserError(f"{label(target)} is what is read: write to another file")
