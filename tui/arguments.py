"""The parser of a command's flags."""

from __future__ import annotations

import argparse
from typing import NoReturn

from parsers.text import label


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
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """Complains, and ends with exit code 2."""
        super().error(label(message, 400))
