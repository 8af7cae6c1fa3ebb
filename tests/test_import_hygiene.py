"""What a command loads: start-up time and the layers, seen in a fresh process."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sample_logs

HEAVY = ("textual", "rich", "numpy", "watchdog", "pynvml", "asyncio")


def loaded_by(code: str) -> set[str]:
    """Modules loaded after running `code` in a new interpreter."""
    script = f"{code}\nimport sys; print(chr(10).join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    return set(done.stderr.split())


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


def test_version_and_help_load_next_to_nothing() -> None:
    for word in ("--version", "--help"):
        loaded = loaded_by(f"from tui.cli import main; main([{word!r}])")
        assert "tui.cli" in loaded
        assert loaded.isdisjoint({"argparse", "dataclasses", "pathlib", "parsers", "metrics"})


def test_the_score_of_a_small_log_pays_for_nothing_it_does_not_use() -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    loaded = loaded_by(f"from tui.cli import main; main(['score', {log!r}])")
    unused = {
        *("importlib.metadata", "statistics", "fractions", "decimal", "random", "tempfile"),
        *("json", "csv", "tomllib", "threading", "socket", "email", "shutil", "gzip", "lzma"),
        *("multiprocessing", "concurrent.futures", "parsers.scan.block"),
        *("metrics.gate", "metrics.compare", "metrics.telemetry", "metrics.snapshot"),
        *("parsers.rank_folder", "parsers.telemetry.journal", "tui.export.markdown"),
    }
    assert "metrics.scorecard" in loaded
    assert loaded & unused == set()


def test_a_table_of_logs_on_this_machine_loads_no_cluster() -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    loaded = loaded_by(f"from tui.cli import main; main(['scaling', {log!r}])")
    unused = {"tui.cluster", "tui.log_urls", "dask", "distributed", "fsspec"}
    assert "tui.engines" in loaded
    assert loaded & (unused | {"multiprocessing", "concurrent.futures"}) == set()


def test_a_screen_can_answer_keys_before_formats_and_folds_are_loaded() -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    loaded = loaded_by(
        "import tui.commands.watch as w; w.wants_screen = lambda args: True\n"
        "w.show = lambda feed, args: 0\n"
        f"from tui.cli import main; main(['watch', {log!r}])"
    )
    later = {
        *("parsers.interpret", "parsers.format", "parsers.registry", "parsers.formats"),
        *("metrics.run", "metrics.scorecard", "metrics.telemetry", "metrics.view"),
        *(
            "tui.session",
            "tui.sampler",
            "tui.read_back",
            "hashlib",
            "watchdog",
            "importlib.metadata",
            "textual",
        ),
    }
    assert "tui.monitor" in loaded
    assert loaded & later == set()
