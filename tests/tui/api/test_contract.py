"""The names of `import sixdim`, and what loading them costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import sixdim
from sixdim import sample_logs
from tests.support.processes.executed import loaded_by

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


def test_every_name_of_the_contract_is_there() -> None:
    for name in sixdim.__all__:
        assert getattr(sixdim, name) is not None
        assert name in dir(sixdim)
    assert not hasattr(sixdim, "nothing_of_that_name")


def test_importing_the_package_loads_nothing_else() -> None:
    before = loaded_by("pass")
    assert loaded_by("import sixdim") - before == {"sixdim"}


def test_a_card_loads_no_screen_and_no_numpy() -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    loaded = loaded_by(f"import sixdim; sixdim.score({log!r}).speed.value")
    assert "sixdim.metrics.card.scorecard" in loaded
    assert loaded.isdisjoint({"textual", "rich", "numpy", "watchdog", "asyncio"})


def test_star_gives_the_contract() -> None:
    code = "from sixdim import *; print(sorted(n for n in dir() if not n.startswith('_')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = sorted(name for name in sixdim.__all__ if not name.startswith("_"))
    assert done.stdout.strip() == str(expected)
    assert done.stderr == ""


def test_nothing_is_printed_and_nothing_exits(tmp_path: Path) -> None:
    code = (
        "import sixdim\n"
        "for log, options in (('none.log', {}), (__file__, {}), ('-', {'target': 'x'})):\n"
        "    try: sixdim.score(log, **options)\n"
        "    except sixdim.SixdimError: pass\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
