"""The formats that a command can use: built in, from other packages, and declared."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.reader.announced import announced
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError

if TYPE_CHECKING:
    from sixdim.parsers.statements.format import Reader


def known_formats(args: argparse.Namespace) -> tuple[type[Reader], ...]:
    """Returns all formats, those declared in the settings file last."""
    from sixdim.parsers.reader.registry import formats

    return (*formats(), *getattr(args, "declared", ()))


def say_problems() -> None:
    """Prints on standard error which plugins were ignored, and why."""
    if not announced():
        return
    from sixdim.parsers.reader.registry import problems

    for problem in problems():
        print(f"sixdim: {problem}", file=sys.stderr)


def named_format(
    name: str | None, known: tuple[type[Reader], ...], flag: str = "--format"
) -> type[Reader] | None:
    """Returns the format of that name; None if no name is given.

    Raises:
        UserError: There is no such format.
    """
    if not name:
        return None
    for reader in known:
        if reader.name == name:
            return reader
    names = [reader.name for reader in known]
    meant = did_you_mean(name, names, "sixdim formats lists them")
    raise UserError(f"{flag}: no format {label(name, 40)!r}; {meant}")
