"""`sixdim trust`: lets a settings file name addresses, and files outside of its folder."""

import argparse
from pathlib import Path

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import DONE, UserError
from sixdim.tui.base.settings.settings_file import NAME
from sixdim.tui.base.settings.trust import trust

EXAMPLES = """examples:
  sixdim trust                 the sixdim.toml of this folder
  sixdim trust ~/experiments

Look at the file first: its settings may then name servers to ask and files to
read. After a change, the file has to be trusted again.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the argument of `sixdim trust`."""
    parser.add_argument(
        "folder",
        nargs="?",
        default=".",
        metavar="DIR",
        help="folder of the file (default: this one)",
    )


def run(args: argparse.Namespace) -> int:
    """Trusts the folder's settings file; returns the exit code."""
    file = Path(args.folder, NAME)
    if not file.is_file():
        raise UserError(f"no {NAME} in {label(args.folder)}")
    trust(file)
    print(f"trusted: {label(file)}")
    return DONE
