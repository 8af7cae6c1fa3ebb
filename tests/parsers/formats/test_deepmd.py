"""DeePMD-kit: three lines a report, and a mean time of a batch when it is over."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Metric
from tests.support.logs import detected, iterations, read, scored, scores_by_step

CLOCK = "[2026-01-05 10:00:{:02},100] DEEPMD INFO    "
REPORT = (
    "Batch {step:>7}: trn: rmse = {rmse:.2f}e+00, rmse_e = 9.26e-01, rmse_f = 2.84e-01, lr = 1e-03",
    "Batch {step:>7}: val: rmse = {val:.2f}e+00, rmse_e = 9.28e-01, rmse_f = 2.82e-01",
    "Batch {step:>7}: total wall time = {time:.2f} s, eta = 0:00:07 at 2026-01-05 10:00",
)


def log(*, whole: bool = True) -> str:
    """Batches 1, 20, 40 and 60; 0.05 s a batch from the second report on."""
    lines = [(0, "Start to train 60 steps.")]
    for number, (step, time) in enumerate([(1, 1.5), (20, 0.95), (40, 1.0), (60, 1.0)]):
        said = {"step": step, "time": time, "rmse": 9 - number, "val": 8 - number}
        lines += [(number + 1, line.format(**said)) for line in REPORT]
    if whole:
        lines.append((5, "average training time: 0.0500 s/batch (20 batches excluded)"))
        lines.append((5, "Trained model has been saved to: model.ckpt"))
    return "".join(CLOCK.format(second) + line + "\n" for second, line in lines)


def test_a_report_is_a_progress_line_and_an_evaluation() -> None:
    assert detected(log()) == "deepmd"
    events = read(log(), "deepmd")
    found = iterations(events)
    assert [(one.step, one.steps, one.loss) for one in found] == [
        (1, 60, None), (20, 60, None), (40, 60, None), (60, 60, None)
    ]  # fmt: skip
    assert [one.duration for one in found] == pytest.approx([1.5, 0.05, 0.05, 0.05])
    assert found[1].values == (Metric("rmse", 8.0, "", False),)
    assert scores_by_step(events) == [
        (1, {"rmse": 8.0}), (20, {"rmse": 7.0}), (40, {"rmse": 6.0}), (60, {"rmse": 5.0})
    ]  # fmt: skip


def test_the_speed_is_the_mean_of_the_closing_line() -> None:
    card = scored(log())
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (card["status"], speed["value"], speed["unit"]) == ("finished", 20.0, "it/s")
    assert (card["run"]["unit"], card["run"]["scope"]) == ("it/s", "job")
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("rmse", 5.0, 5.0)
    assert card["run_end"]["run_time_s"] == 4.0  # from the first report to the closing line


def test_a_run_that_was_killed_has_the_speed_of_its_reports() -> None:
    card = scored("".join(log(whole=False).splitlines(keepends=True)[:-3]))
    assert card["status"] == "incomplete"
    assert card["dimensions"]["accuracy"]["value"] == 6.0


def test_version_3_0_writes_in_lower_case() -> None:
    assert detected(log().replace("Batch ", "batch ")) == "deepmd"
    lower = scored(log(whole=False).replace("Batch ", "batch "))
    assert lower["dimensions"] == scored(log(whole=False))["dimensions"]


@pytest.mark.parametrize("first", [100, 1_000_100])
@pytest.mark.parametrize("tail", ["", ", total wall time 4.40 s"])
def test_version_2_has_one_line_with_a_time(first: int, tail: str) -> None:
    """The first line of a training that goes on from a checkpoint has no known interval."""
    text = "".join(
        f"DEEPMD INFO    batch {first + 100 * n:7d} training time 4.00 s, testing time 0.02 s{tail}\n"
        for n in range(8)
    )
    assert detected(text) == "deepmd"
    assert [one.duration for one in iterations(read(text, "deepmd"))] == [None, *[0.04] * 7]
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (25, "it/s")
    over = scored(text + "DEEPMD INFO    finished training\nDEEPMD INFO    wall time: 36.201 s\n")
    assert (over["status"], over["run_end"]["run_time_s"]) == ("finished", 36.201)


def table(*rows: str, columns: str) -> str:
    """`lcurve.out`: the errors of every hundredth batch."""
    return f"#  step   {columns}   lr\n" + "".join(f"{row}\n" for row in rows)


def test_the_table_has_the_errors_of_both() -> None:
    log = table(
        "   0   1.25e+01  1.00e+01   4.5e-01   4.7e-01   1.0e-03",
        " 100   2.50e+00  3.00e+00   2.5e-02   2.0e-02   1.0e-03",
        " 200   4.00e+00  2.00e+00   1.5e-02   1.0e-02   5.0e-04",
        columns="rmse_val   rmse_trn   rmse_e_val   rmse_e_trn",
    )
    assert detected(log) == "deepmd"
    events = read(log, "deepmd")
    assert [(one.step, one.values[0].value) for one in iterations(events)] == [
        (0, 10.0), (100, 3.0), (200, 2.0)
    ]  # fmt: skip
    assert scores_by_step(events) == [
        (0, {"rmse": 12.5}),
        (100, {"rmse": 2.5}),
        (200, {"rmse": 4.0}),
    ]
    accuracy = scored(log)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (4.0, 2.5)


def test_a_table_without_a_validation_has_no_evaluation() -> None:
    rows = ("   0   1.00e+01   4.7e-01   1.0e-03", " 100   3.00e+00   2.0e-02   1.0e-03")
    events = read(table(*rows, columns="rmse_trn   rmse_e_trn"), "deepmd")
    assert [one.step for one in iterations(events)] == [0, 100]
    assert scores_by_step(events) == []


def test_an_error_without_data_to_compare_with_is_none() -> None:
    rows = ("   0        nan   1.00e+01   1.0e-03", " 100        nan   3.00e+00   1.0e-03")
    events = read(table(*rows, columns="rmse_val   rmse_trn"), "deepmd")
    assert len(iterations(events)) == 2
    assert scores_by_step(events) == []


@pytest.mark.parametrize(
    "head", ["DEEPMD rank:0  INFO    ", "DEEPMD INFO    deepmd.train.trainer      "]
)
def test_a_rank_and_the_name_of_a_module_in_front_of_a_message(head: str) -> None:
    text = log().replace("DEEPMD INFO    ", head)
    assert detected(text) == "deepmd"
    assert scored(text)["dimensions"]["speed"]["value"] == 20.0
    assert scores_by_step(read(text, "deepmd")) == scores_by_step(read(log(), "deepmd"))
