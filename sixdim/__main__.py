"""`python -m sixdim` is the `sixdim` command."""

from sixdim.tui.cli import run

run()
