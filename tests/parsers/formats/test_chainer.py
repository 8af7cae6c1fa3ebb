"""Chainer: the reports of its extensions, in JSON, as a table, and beside a progress bar."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from sixdim.parsers.events import Event
from tests.support.logs import detected, epoch_ends, evaluations, iterations, read, score, scored

REPORTS: list[Mapping[str, float]] = [
    {
        "epoch": epoch,
        "iteration": 600 * epoch,
        "main/loss": 0.5 / epoch,
        "validation/main/loss": 0.75,
        "validation/main/accuracy": accuracy,
        "elapsed_time": 15.0 * epoch,
    }
    for epoch, accuracy in ((1, 0.875), (2, 0.9375), (3, 0.90625))
]


def as_json(reports: list[Mapping[str, float]]) -> str:
    return json.dumps(reports, indent=4)


def as_table(reports: list[Mapping[str, float]], bars: Mapping[int, str] | None = None) -> str:
    """The table as PrintReport makes it; a cell without a value is blank."""
    widths = {name: max(10, len(name)) for name in REPORTS[0]}
    lines = ["  ".join(f"{name:{width}}" for name, width in widths.items())]
    for number, report in enumerate(reports, 1):
        cells = [
            f"{report[name]:<{width}g}" if name in report else " " * width
            for name, width in widths.items()
        ]
        lines.append((bars or {}).get(number, "") + "\x1b[J" + "  ".join(cells))
    return "\n".join([*lines, ""])


def bar(iteration: int, epoch: int, rate: str) -> str:
    return (
        f"\x1b[J     total [{'#' * 10}{'.' * 40}] {iteration / 18:.2f}%\n"
        f"this epoch [{'#' * 25}{'.' * 25}] 50.00%\n"
        f"{iteration:>10} iter, {epoch} epoch / 3 epochs\n"
        f"{rate:>10} iters/sec. Estimated time to finish: 0:00:05.193215.\n\x1b[4A"
    )


def accuracies(events: list[Event]) -> list[tuple[int | None, float]]:
    return [(one.epoch, score(one, "acc1")) for one in evaluations(events)]


@pytest.mark.parametrize("log", [as_json(REPORTS), as_table(REPORTS)], ids=["json", "table"])
def test_a_report_is_an_epoch_with_its_evaluation(log: str) -> None:
    assert detected(log) == "chainer"
    events = read(log, "chainer")
    assert [(one.epoch, one.epoch_time, one.iteration_time) for one in epoch_ends(events)] == [
        (1, 15.0, 0.025), (2, 15.0, 0.025), (3, 15.0, 0.025)
    ]  # fmt: skip
    assert accuracies(events) == [(1, 0.875), (2, 0.9375), (3, 0.90625)]
    accuracy = scored(log)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.90625, 0.9375)


def test_a_cell_without_a_value_is_blank_and_those_after_it_keep_their_columns() -> None:
    kept = {"epoch", "iteration", "main/loss", "elapsed_time"}
    first = {name: value for name, value in REPORTS[0].items() if name in kept}
    events = read(as_table([first, *REPORTS[1:]]), "chainer")
    assert [one.epoch_time for one in epoch_ends(events)] == [15.0, 15.0, 15.0]
    assert accuracies(events) == [(2, 0.9375), (3, 0.90625)]


def test_the_progress_bar_says_the_plan_and_the_pace() -> None:
    bars = {
        1: bar(300, 0, "inf"),
        2: bar(900, 1, "42"),
        3: bar(1500, 2, "40.5") + bar(1800, 3, "8"),
    }
    log = as_table(REPORTS, bars)
    assert detected(log) == "chainer"
    found = [(one.epoch, one.step, one.duration) for one in iterations(read(log, "chainer"))]
    assert found == [(1, 300, None), (2, 900, 1 / 42), (3, 1500, 1 / 40.5)]
    card = scored(log)
    assert (card["run_end"]["epochs"], card["status"]) == (3, "finished")


def test_reports_inside_an_epoch_are_progress_and_give_no_time_of_the_epoch() -> None:
    reports: list[Mapping[str, float]] = [
        {"epoch": iteration // 600, "iteration": iteration, "main/loss": 0.5, "elapsed_time": time}
        for iteration, time in ((400, 10.0), (800, 20.0), (1200, 30.0))
    ]
    events = read(as_json(reports), "chainer")
    assert [(one.epoch, one.step) for one in iterations(events)] == [(1, 400)]
    assert [one.duration for one in iterations(events)] == [10 / 400]
    assert [(one.epoch, one.epoch_time) for one in epoch_ends(events)] == [(1, None), (2, None)]


def test_reports_inside_epochs_are_the_speed_and_evaluations_are_none_of_it() -> None:
    """As ESPnet 1: 250 iterations of 0.1 s, an evaluation of 10 s, a report and a bar each 100."""
    bars = {}
    reports: list[Mapping[str, float]] = []
    seconds = 0.0
    for iteration in range(100, 3001, 100):
        epoch = iteration // 250
        ends_epoch = epoch > (iteration - 100) // 250
        seconds += 10.0 + 10.0 * ends_epoch
        scores = {"validation/main/accuracy": 0.5 + epoch / 100} if ends_epoch else {}
        reports.append(
            {"epoch": epoch, "iteration": iteration, "elapsed_time": seconds}
            | {"main/loss": 2.5}
            | scores
        )
        bars[len(reports) + 1] = bar(iteration, epoch, f"{iteration / seconds:.5g}")
    card = scored(as_table(reports, bars))
    speed = card["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(10.0)
    assert card["dimensions"]["accuracy"]["value"] == pytest.approx(0.62)


def test_the_bar_says_how_many_iterations_an_epoch_of_the_table_has() -> None:
    """Its rate is one of many iterations before it: 0.25 a second at first, 2 a second later."""
    names = ("epoch", "main/loss", "elapsed_time")
    reports: list[Mapping[str, float]] = [
        {"epoch": e, "main/loss": 0.5, "elapsed_time": 600.0 + 200 * e} for e in range(1, 13)
    ]
    widths = {name: max(10, len(name)) for name in names}
    rows = ["  ".join(f"{name:{width}}" for name, width in widths.items())]
    for report in reports:
        e = int(report["epoch"])
        cells = "  ".join(f"{report[name]:<{width}g}" for name, width in widths.items())
        rows.append(
            f"     total [{'#' * 25}{'.' * 25}] 50.00%\nthis epoch [{'#' * 25}{'.' * 25}] 50.00%\n"
            f"{400 * e - 200:>10} iter, {e - 1} epoch / 12 epochs\n"
            f"      {0.25 * e:.2f} iters/sec. Estimated time to finish: 0:00:05.193215.\n"
            f"\x1b[4A\x1b[J{cells}"
        )
    card = scored("\n".join([*rows, ""]))
    speed = card["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(400 / 200)
    assert speed["derived"].endswith("evaluation included")


def test_reports_without_a_time() -> None:
    """The names of the figures are Chainer's, whatever else a report has."""
    reports: list[Mapping[str, float]] = [
        {"main/loss": 2.0 / n, "iteration": 600 * n, "epoch": n, "validation/main/loss": 3.0 / n}
        for n in (1, 2, 3)
    ]
    card = scored(as_json(reports))
    assert (card["run"]["format"], card["run"]["epochs"]) == ("chainer", 3)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("loss", 1.0)
