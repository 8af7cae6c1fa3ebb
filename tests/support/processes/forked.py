"""Commands that are processes of their own, and share one start of an interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[3]
_FORKING = """
import json, os, sys
import sixdim.tui.commands.score
from sixdim.tui.cli import run
from tests.support.processes.live import LINES, card_of

card_of(b"".join(LINES[:100]))  # what all of them load is loaded once
codes = []
for words in json.loads(sys.argv[1]):
    child = os.fork()
    if not child:
        sys.argv[1:] = words
        run()
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(f"\\n{codes}")
"""


def codes_of(commands: Sequence[Sequence[str]], errors: int, folder: Path = ROOT) -> list[int]:
    """Runs `sixdim` with each of these words, one after the other.

    Args:
        commands: The words of each command.
        errors: The standard error of all of them.
        folder: Where they run.

    Returns:
        Their exit codes.
    """
    done = subprocess.run(
        [sys.executable, "-c", _FORKING, json.dumps(commands)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=errors,
        timeout=180,
        check=True,
    )
    codes: list[int] = json.loads(done.stdout.splitlines()[-1])
    return codes
