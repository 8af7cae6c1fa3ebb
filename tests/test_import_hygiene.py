"""What a command loads: start-up time and the layers, seen in a fresh process."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sample_logs

HEAVY = ("textual", "rich", "numpy", "watchdog", "pynvml", "asyncio")


def loaded_by(code: str) -> set[str]:
    """Top-level modules loaded after running `code` in a new interpreter."""
    script = f"{code}\nimport sys; print(chr(10).join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    return {name.partition(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["score", str(sample_logs.path(sample_logs.RUN)), "--json", "-"],
        ["replay", str(sample_logs.path(sample_logs.RUN)), "--plain"],
        ["formats"],
    ],
    ids=lambda words: words[0],
)
def test_headless_commands_load_nothing_heavy(words: list[str]) -> None:
    loaded = loaded_by(f"from tui.cli import main; main({words!r})")
    assert "tui" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_parsers_and_metrics_load_no_screen() -> None:
    loaded = loaded_by(
        "import parsers.interpret, parsers.registry, metrics.scorecard, metrics.view"
    )
    assert loaded.isdisjoint(HEAVY)
    assert "tui" not in loaded
