"""What a command loads: start-up time and the layers, seen in a fresh process."""

from __future__ import annotations

import pytest

from sixdim import sample_logs
from tests.support.processes.executed import loaded_by

HEAVY = ("textual", "rich", "numpy", "watchdog", "pynvml", "asyncio")
SECOND_NAMES = {"parsers", "metrics", "tui", "sample_logs"}
"""The folders of a checkout: a module of sixdim must not be loaded by these names, too."""


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
    loaded = loaded_by(f"from sixdim.tui.cli import main; main({words!r})")
    assert "sixdim.tui" in loaded
    assert loaded.isdisjoint(HEAVY)
    assert SECOND_NAMES.isdisjoint(name.split(".")[0] for name in loaded)


def test_parsers_and_metrics_load_no_screen() -> None:
    loaded = loaded_by(
        "import sixdim.parsers.reader.interpret, sixdim.parsers.reader.registry\n"
        "import sixdim.metrics.card.scorecard, sixdim.metrics.card.run_snapshot"
    )
    assert loaded.isdisjoint(HEAVY)
    assert "sixdim.tui" not in loaded


def test_version_and_help_load_next_to_nothing() -> None:
    for word in ("--version", "--help"):
        loaded = loaded_by(f"from sixdim.tui.cli import main; main([{word!r}])")
        assert "sixdim.tui.cli" in loaded
        assert loaded.isdisjoint(
            {"argparse", "dataclasses", "pathlib", "sixdim.parsers", "sixdim.metrics"}
        )


def test_the_score_of_a_small_log_pays_for_nothing_it_does_not_use() -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    loaded = loaded_by(f"from sixdim.tui.cli import main; main(['score', {log!r}])")
    unused = {
        *("importlib.metadata", "statistics", "fractions", "decimal", "random", "tempfile"),
        *("json", "csv", "tomllib", "threading", "socket", "email", "shutil", "gzip", "lzma"),
        *("multiprocessing", "concurrent.futures", "numpy", "dataclasses", "inspect", "pickle"),
        *(
            "sixdim.metrics.tables.gate",
            "sixdim.metrics.tables.compare",
            "sixdim.metrics.fold.devices.telemetry",
            "sixdim.metrics.card.snapshot",
        ),
        *(
            "sixdim.parsers.input.rank_folder",
            "sixdim.parsers.telemetry.journal",
            "sixdim.tui.export.markdown",
        ),
    }
    assert "sixdim.metrics.card.scorecard" in loaded
    # argparse itself loads dataclasses from Python 3.14 on.
    of_python = loaded_by("import argparse; argparse.ArgumentParser().parse_args([])")
    assert loaded & unused == of_python & {"dataclasses", "inspect"}


def test_a_table_of_logs_on_this_machine_loads_no_cluster() -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    loaded = loaded_by(f"from sixdim.tui.cli import main; main(['scaling', {log!r}])")
    unused = {
        "sixdim.tui.batch.cluster",
        "sixdim.tui.batch.log_urls",
        "dask",
        "distributed",
        "fsspec",
    }
    assert "sixdim.tui.batch.engines" in loaded
    assert loaded & (unused | {"multiprocessing", "concurrent.futures"}) == set()


def test_a_screen_can_answer_keys_before_formats_and_folds_are_loaded() -> None:
    log = str(sample_logs.path(sample_logs.RUN))
    loaded = loaded_by(
        "import sixdim.tui.commands.watch as w; w.wants_screen = lambda args: True\n"
        "w.show = lambda feed, args: 0\n"
        f"from sixdim.tui.cli import main; main(['watch', {log!r}])"
    )
    later = {
        *(
            "sixdim.parsers.reader.interpret",
            "sixdim.parsers.statements.format",
            "sixdim.parsers.reader.registry",
            "sixdim.parsers.formats",
        ),
        *(
            "sixdim.metrics.fold.runs.run",
            "sixdim.metrics.card.scorecard",
            "sixdim.metrics.fold.devices.telemetry",
            "sixdim.metrics.card.run_snapshot",
        ),
        *(
            "sixdim.tui.session.session",
            "sixdim.tui.session.live.sampler",
            "hashlib",
            "watchdog",
            "importlib.metadata",
            "textual",
        ),
    }
    assert "sixdim.tui.session.live.monitor" in loaded
    assert loaded & later == set()
