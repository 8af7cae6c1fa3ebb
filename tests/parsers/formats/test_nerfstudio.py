"""Nerfstudio: a table that draws its last rows again with each new one."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, iterations, read, scored

HEAD = "Step (% Done)       Train Iter (time)    ETA (time)           Train Rays / Sec     \n"
RULE = "-" * 83 + "\n"
BEGIN = "[08:31:02] Saving config to: outputs/poster/nerfacto/config.yml     writer.py:448\n"
FINISHED = "╭──────────── 🎉 Training Finished 🎉 ────────────╮\n"


def _row(step: int, seconds: str = "100.000 ms", rays: str = "40.96 K") -> str:
    done = f"{step} ({step / 10:.2f}%)"
    return f"{done:<20}{seconds:<21}{'1 m, 20 s':<21}{rays:<21}\n"


def _table(*steps: int) -> str:
    """The table as it is drawn for each of the steps, with the four rows before it."""
    every = (steps[max(0, n - 4) : n + 1] for n in range(len(steps)))
    return "".join(HEAD + RULE + "".join(map(_row, rows)) + RULE for rows in every)


def test_rows_that_are_drawn_again_count_once() -> None:
    log = BEGIN + _table(*range(0, 1000, 10)) + FINISHED
    assert detected(log) == "nerfstudio"
    assert [one.step for one in iterations(read(log, "nerfstudio"))] == [*range(0, 1000, 10)]
    card = scored(log)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], card["status"]) == (10, "it/s", "finished")


def test_a_log_without_the_closing_line_is_incomplete() -> None:
    assert scored(BEGIN + _table(*range(0, 1000, 10)))["status"] == "incomplete"


@pytest.mark.parametrize(
    ("printed", "seconds"),
    [
        ("107.563 ms", 0.107563),
        ("14 s, 338.214 ms", 14.338214),
        ("2 m, 5 s", 125.0),
        ("1 h, 2 m, 3 s", 3723.0),
    ],
)
def test_times_of_all_lengths(printed: str, seconds: float) -> None:
    (one,) = iterations(read(HEAD + _row(10, printed), "nerfstudio"))
    assert one.duration == pytest.approx(seconds, rel=1e-12)


@pytest.mark.parametrize(
    ("printed", "rays"), [("38.30 K", 38300.0), ("12.47 M", 12.47e6), ("512.00", 512.0), ("", None)]
)
def test_rays_with_their_prefixes(printed: str, rays: float | None) -> None:
    (one,) = iterations(read(HEAD + _row(10, rays=printed), "nerfstudio"))
    assert [value.value for value in one.values] == ([] if rays is None else [rays])


def test_a_training_that_begins_again_counts_its_rows_from_the_start() -> None:
    log = BEGIN + _table(*range(0, 500, 10)) + BEGIN + _table(*range(0, 300, 10))
    found = [one.step for one in iterations(read(log, "nerfstudio"))]
    assert found == [*range(0, 500, 10), *range(0, 300, 10)]
