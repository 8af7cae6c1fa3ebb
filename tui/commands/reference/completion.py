"""`sixdim completion`: prints the completion script of a shell."""

from __future__ import annotations

import argparse

EXAMPLES = """examples:
  eval "$(sixdim completion bash)"                        in ~/.bashrc
  sixdim completion zsh > ~/.zfunc/_sixdim                a folder of your fpath
  sixdim completion fish > ~/.config/fish/completions/sixdim.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the argument of `sixdim completion`."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")


def run(args: argparse.Namespace) -> int:
    """Prints the script."""
    from sixdim.tui.help.completion import SHELLS
    from sixdim.tui.help.flags import commands

    print(SHELLS[args.shell](commands()), end="")
    return 0
