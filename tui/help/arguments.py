"""The parser of a command's flags."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import USAGE


class _Help(argparse.RawDescriptionHelpFormatter):
    """Knows how wide the terminal is; argparse makes one for every flag that is declared."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """As `shutil.get_terminal_size` has it, which loads three unpackers to tell."""
    try:
        return int(os.environ["COLUMNS"]) or 80
    except (KeyError, ValueError):
        pass
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (AttributeError, ValueError, OSError):
        return 80


class Parser(argparse.ArgumentParser):
    """Repeats what a person (or a file name that a glob expanded) wrote, without its escapes.

    Args:
        command: Name of the command.
        summary: What it does, as `sixdim --help` lists it.
        examples: How it is used.
    """

    def __init__(self, command: str, summary: str, examples: str) -> None:
        super().__init__(
            prog=f"sixdim {command}",
            description=summary[0].upper() + summary[1:] + ".",
            epilog=examples,
            formatter_class=_Help,
        )

    def error(self, message: str) -> NoReturn:
        """Complains in one line, which the usage would bury, and ends with exit code 2."""
        self.exit(USAGE, f"{self.prog}: {label(message, 400)} ({self.prog} --help)\n")
