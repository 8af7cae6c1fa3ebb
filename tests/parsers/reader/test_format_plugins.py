"""Formats of other packages, found as pip leaves them: by the metadata of what is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "example-format"
PAGE = (ROOT / "docs" / "write-a-format.md").read_text()


def fence(kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def install(where: Path, name: str, entry: str, source: str) -> None:
    """Puts a package where `pip install --target` would."""
    (where / f"{name}.py").write_text(source)
    info = where / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[sixdim.formats]\n{name} = {entry}\n")


def sixdim(where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sixdim", *words],
        cwd=where,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{where}"},
        capture_output=True,
        text=True,
        timeout=180,
    )


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages, with the log of the guide."""
    (tmp_path / "train.log").write_text(fence("log"))
    return tmp_path


def test_the_example_package_is_the_guide_and_is_found(site: Path) -> None:
    source = (EXAMPLE / "sixdim_acme" / "__init__.py").read_text()
    assert source == fence("python")
    pyproject = (EXAMPLE / "pyproject.toml").read_text()
    assert fence("toml") in pyproject
    project = tomllib.loads(pyproject)["project"]
    install(site, "sixdim_acme", project["entry-points"]["sixdim.formats"]["acme"], source)
    listed = sixdim(site, "formats")
    assert re.search(r"^acme +Acme's trainer$", listed.stdout, re.MULTILINE)
    assert listed.stderr == ""
    done = sixdim(site, "score", "train.log")
    assert "train.log · acme" in done.stdout
    assert "816.5 samples/s" in done.stdout


BROKEN = {
    "raises": ("raise RuntimeError('no licence \\x1b[31m')", "RuntimeError: no licence"),
    "exits": ("import sys\nsys.exit(3)", "SystemExit: 3"),
    "imports": ("import not_there_at_all", "ModuleNotFoundError"),
    "empty": ("", "it has no Reader"),
    "fails on its example": (
        "from sixdim.plugin import Reader\n"
        "class Bad(Reader):\n    name = 'bad'\n    title = 'x'\n    example = 'y'\n"
        "    def read(self, line):\n        raise KeyError('oops')\n",
        "KeyError: 'oops'",
    ),
    "takes a name": (
        fence("python").replace('name = "acme"', 'name = "timm"'),
        "a format 'timm' already",
    ),
    "steers": (
        fence("python").replace('title = "', 'title = "\\x1b]0;pwn\\x07'),
        "the title of Acme has control characters",
    ),
}


def test_each_broken_plugin_is_said_once_and_left_out(site: Path) -> None:
    for number, (source, _told) in enumerate(BROKEN.values()):
        install(site, f"broken_{number}", f"broken_{number}", source)
    done = sixdim(site, "formats")
    assert done.returncode == 0
    said = sorted(line for line in done.stderr.splitlines() if "plugin" in line)
    for number, (line, (_source, message)) in enumerate(zip(said, BROKEN.values(), strict=True)):
        assert line.startswith(f"sixdim: format plugin broken_{number} left out: ")
        assert message in line and "\x1b" not in line
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("score", "train.log", "--format", "generic"), 0),
        (("airank", "train.log", "--log-format", "generic"), 1),  # no figure for its table
    ],
)
def test_a_command_says_a_broken_plugin_once(site: Path, words: tuple[str, ...], code: int) -> None:
    source, message = BROKEN["raises"]
    install(site, "broken_one", "broken_one", source)
    done = sixdim(site, *words)
    (said,) = [line for line in done.stderr.splitlines() if "plugin" in line]
    assert done.returncode == code
    assert said.startswith("sixdim: format plugin broken_one left out: ")
    assert message in said and "\x1b" not in said
    assert "Traceback" not in done.stderr


def test_a_format_may_annotate_its_methods_without_a_future_import() -> None:
    source = (
        "from sixdim.plugin import Event, Events\n"
        "def read() -> Events | None: ...\n"
        "def first() -> Event | None: ...\n"
    )
    exec(compile(source, "ours.py", "exec", dont_inherit=True), {})
