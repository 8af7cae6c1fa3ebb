"""Which epochs of an MLPerf run were trained, and how much of the last one."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import RunEnd
from tests.support.corpus import text
from tests.support.inputs.mlperf_records import RUN, record
from tests.support.logs import evaluations, scored


@pytest.mark.parametrize(
    ("first", "numbers", "passed"),
    [
        (1, (0.5, 0.95), 0.95),  # counts from 0, although its epoch is called 1
        (1, (1.05, 1.5), 0.5),  # counts from that 1
        (0, (0.5, 1.25), 1.25),
        (1, (1, 2), None),  # whole epochs are counted by their labels
    ],
)
def test_the_part_of_an_epoch_that_was_trained(
    first: int, numbers: tuple[float, ...], passed: float | None
) -> None:
    _name, events = text(
        *RUN[:5],
        record(1_700_000_003_000, "epoch_start", about=f', "epoch_num": {first}'),
        *(
            record(1_700_000_010_000, "eval_accuracy", "0.1", f', "epoch_num": {number}')
            for number in numbers
        ),
        RUN[-1],
    )
    (end,) = [e for e in events if isinstance(e, RunEnd)]
    assert end.epochs == passed


@pytest.mark.parametrize("number", [10_000, 10_001])
def test_samples_in_the_place_of_an_epoch(number: int) -> None:
    found = evaluations(
        text(
            *RUN[:6],
            record(1_700_000_063_000, "eval_accuracy", "0.5", f', "epoch_num": {number}'),
        )[1]
    )
    is_epoch = number == 10_000
    expected = (number, None) if is_epoch else (None, number)
    assert [(e.epoch, e.step) for e in found] == [expected]


@pytest.mark.parametrize(("passed", "epochs"), [("0.95", 0), ("1", 1)])
def test_a_part_of_an_epoch_is_no_whole_one(passed: str, epochs: int) -> None:
    """The rate after the end closes the epoch that the end cut short."""
    card = scored(
        "\n".join(
            [
                *RUN[:5],
                record(1_700_000_003_000, "epoch_start", about=', "epoch_num": 0'),
                record(1_700_000_063_000, "epoch_stop", about=f', "epoch_num": {passed}'),
                record(
                    1_700_000_063_000,
                    "run_stop",
                    about=f', "status": "success", "epoch_num": {passed}',
                ),
                record(1_700_000_063_001, "tracked_stats", '{"throughput": 20000.5}'),
                "",
            ]
        )
    )
    assert (card["run_end"]["epochs"], card["status"]) == (epochs, "finished")


@pytest.mark.parametrize(
    ("evaluated", "epochs"),
    [
        (((0, 0.2), (1, 0.3)), 2),  # once in each epoch, and the last time at its end
        (((0, 0.2), (1, 0.25), (1, 0.3)), 1),  # within the last epoch
        (((0, 0.2), (0, 0.3)), 1),  # of the one before, in the midst of the last
        (((0, 0.2),), 1),
    ],
)
def test_the_last_epoch_is_over_if_it_was_evaluated(
    evaluated: tuple[tuple[int, float], ...], epochs: int
) -> None:
    """MLPerf's SSD evaluates an epoch, ends the run, and then says that the epoch is over."""
    t = 1_700_000_000_000
    lines = [*RUN[:5], record(t + 3000, "epoch_start", about=', "epoch_num": 0')]
    for n, (epoch, value) in enumerate(evaluated):
        at = t + 60_000 * (n + 1)
        lines.append(record(at, "eval_accuracy", str(value), f', "epoch_num": {epoch}'))
        if n == 0:
            lines.append(record(at + 1000, "epoch_stop", about=', "epoch_num": 0'))
            lines.append(record(at + 2000, "epoch_start", about=', "epoch_num": 1'))
    lines.append(record(t + 900_000, "run_stop", about=', "status": "success"'))
    lines.append(record(t + 900_001, "epoch_stop", about=', "epoch_num": 1'))
    card = scored("\n".join(lines) + "\n")
    assert (card["run_end"]["epochs"], card["status"]) == (epochs, "finished")


@pytest.mark.parametrize(("last", "epochs"), [(5_700, 1), (5_900, 2)])
def test_an_epoch_that_begins_while_the_one_before_is_evaluated_is_none(
    last: int, epochs: int
) -> None:
    """The result ends the run in the next epoch, which numbers the epochs from 0."""
    t = 1_700_000_000_000
    lines = [
        *RUN[:5],
        record(t, "epoch_start", about=', "epoch_num": 0'),
        record(t + 58_000, "epoch_stop", about=', "epoch_num": 0'),
        record(t + 60_000, "epoch_start", about=', "epoch_num": 1'),
        record(t + 60_000 + last - 1, "eval_accuracy", "0.3", ', "epoch_num": 1'),
        record(t + 60_000 + last, "run_stop", about=', "status": "success"'),
        record(t + 60_000 + last, "epoch_stop", about=', "epoch_num": 1'),
    ]
    card = scored("\n".join(lines) + "\n")
    assert (card["run_end"]["epochs"], card["run"]["epochs"]) == (epochs, epochs)


@pytest.mark.parametrize("closed", [False, True])
def test_an_epoch_that_the_end_of_the_run_leaves_open_is_none(closed: bool) -> None:
    """Mask R-CNN is evaluated while the next epoch trains, which the result then stops."""
    t = 1_700_000_000_000
    stop = [record(t + 120_000, "epoch_stop", about=', "epoch_num": 2')] if closed else []
    lines = [
        *RUN[:5],
        record(t, "epoch_start", about=', "epoch_num": 1'),
        record(t + 60_000, "epoch_stop", about=', "epoch_num": 1'),
        record(t + 60_000, "epoch_start", about=', "epoch_num": 2'),
        record(t + 60_100, "tracked_stats", '{"throughput": 22.0}'),
        record(t + 110_000, "eval_accuracy", "0.3", ', "epoch_num": 1'),
        *stop,
        record(t + 120_000, "run_stop", about=', "status": "success"'),
    ]
    card = scored("\n".join(lines) + "\n")
    assert (card["status"], card["run_end"]["epochs"]) == ("finished", 1 + closed)


def test_evaluations_that_count_from_1_are_of_the_run_s_first_epochs() -> None:
    """MiniGo's first epoch is 18; its models are evaluated after the run, and count from 1."""
    t = 1_700_000_000_000
    lines = [record(t, "run_start"), record(t, "submission_benchmark", '"minigo"')]
    for n in range(30):
        lines.append(record(t + 10_000 * n, "epoch_start", about=f', "epoch_num": {18 + n}'))
        stop = record(t + 10_000 * (n + 1), "epoch_stop", about=f', "epoch_num": {18 + n}')
        lines.append(stop)
    for n in range(1, 26):  # the 25th reaches the target
        rate = 0.02 * n + 0.01
        lines.append(record(t + 400_000, "eval_accuracy", f"{rate:.2f}", f', "epoch_num": {n}'))
    lines.append(record(t + 250_000, "run_stop", about=', "status": "success"'))
    card = scored("\n".join(lines) + "\n")
    assert (card["run"]["epochs"], card["target"]["epoch"]) == (25, 42)
