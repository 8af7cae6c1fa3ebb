"""What the entry point of the command sets up for the whole process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc"
)
NAME = "OPENBLAS_NUM_THREADS"
CODE = f"""
import os, sys
from sixdim.tui import cli

def main():
    import numpy
    hook = {{**os.environ}}.get("{NAME}", "unset")
    print(len(os.listdir("/proc/self/task")), hook)
    return 0

cli.main = main
cli.run()
"""


def threads(set_by_the_user: dict[str, str]) -> list[str]:
    """Threads of the command once numpy is loaded, and the setting that its hooks would get."""
    environment = {name: value for name, value in os.environ.items() if name != NAME}
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env=environment | set_by_the_user,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_numpy_starts_no_threads_beside_a_training() -> None:
    assert threads({}) == ["1", "unset"]


def test_a_setting_of_the_user_stays() -> None:
    assert threads({NAME: "2"})[1] == "2"
