"""The package has one name: no module of sixdim is loaded under a second one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sixdim import sample_logs

ROOT = Path(__file__).parents[2]
SHORT = "parsers metrics tui sample_logs"


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a piece of Python in a folder, with sixdim importable from its checkout."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


def test_every_module_is_loaded_under_one_name(tmp_path: Path) -> None:
    done = run(
        "import importlib, pkgutil, sys, sixdim\n"
        "for found in pkgutil.walk_packages(sixdim.__path__, 'sixdim.'):\n"
        "    if not found.name.endswith('__main__'):\n"
        "        importlib.import_module(found.name)\n"
        f"found = {{name.split('.')[0] for name in sys.modules}} & {{*{SHORT!r}.split()}}\n"
        "sys.exit(str(found) if found else 0)",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr


def test_a_users_own_modules_of_the_same_names_are_left_alone(tmp_path: Path) -> None:
    for name in SHORT.split():
        (tmp_path / f"{name}.py").write_text("raise SystemExit('loaded by mistake')\n")
    log = str(sample_logs.path(sample_logs.RUN))
    code = f"import sixdim; from sixdim.tui.cli import main; main(['score', {log!r}])"
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "speed" in done.stdout.lower()
