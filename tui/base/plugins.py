"""Every format there is for a command: built in, brought by other packages, and declared."""

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
    """The formats to choose from, those of the settings file last."""
    from sixdim.parsers.reader.registry import formats

    return (*formats(), *getattr(args, "declared", ()))


def say_problems() -> None:
    """Says on standard error which plugins were left out, and why."""
    if not announced():
        return
    from sixdim.parsers.reader.registry import problems

    for problem in problems():
        print(f"sixdim: {problem}", file=sys.stderr)


def named_format(
    name: str | None, known: tuple[type[Reader], ...], flag: str = "--format"
) -> type[Reader] | None:
    """The format of that name; None where no name is given.

    Raises:
        UserError: There is none; the message lists those there are.
    """
    if not name:
        return None
    for reader in known:
        if reader.name == name:
            return reader
    names = [reader.name for reader in known]
    meant = did_you_mean(name, names, "sixdim formats lists them")
    raise UserError(f"{flag}: no format {label(name, 40)!r}; {meant}")
