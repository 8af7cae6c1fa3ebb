"""The Python of the documentation runs, and prints what the page shows below it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs
from tests.support.pages import NAMES, ROOT

_PAIR = re.compile(r"^```python\n(.*?)^```$(?:\s*^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
_NEXT = "-- the next example"
PAGES = ["card.md", "python.md", "../README.md"]


@pytest.mark.parametrize("name", PAGES)
def test_every_example_runs_and_prints_what_is_shown(
    name: str, tmp_path: Path, sixdim: Callable[..., tuple[int, str, str]]
) -> None:
    for shown, sample in NAMES.items():
        shutil.copy(sample_logs.path(sample), tmp_path / shown)
    card = tmp_path / "card.json"
    assert sixdim("score", tmp_path / "train.log", "--json", card)[0] == 0
    examples = _PAIR.findall((ROOT / "docs" / name).read_text())
    assert examples
    # One example may use what those before it on the page have defined.
    code = f"\nprint({_NEXT!r})\n".join(one for one, _output in examples)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.stderr == ""
    assert done.stdout.split(f"{_NEXT}\n") == [output for _one, output in examples]
