"""`python -m tui` is the `sixdim` command."""

from tui.cli import run

run()
