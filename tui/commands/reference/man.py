"""`sixdim man`: prints the manual page."""

from __future__ import annotations

import argparse

EXAMPLES = """examples:
  sixdim man | man -l -                                       read it
  sixdim man > ~/.local/share/man/man1/sixdim.1               install it
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Takes no flags."""


def run(args: argparse.Namespace) -> int:
    """Prints the page in roff."""
    from sixdim.tui.help.flags import commands
    from sixdim.tui.help.manual import manual

    print(manual(commands()), end="")
    return 0
