"""Rates, times and samples in MLPerf's records."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Event, Iteration, RunEnd, Scope
from tests.support.corpus import text
from tests.support.inputs.mlperf_records import RUN, record
from tests.support.logs import only, scored


def test_the_samples_that_the_end_states() -> None:
    stop = record(9_000, "run_stop", about=', "status": "success", "samples_count": 3072')
    _name, events = text(*RUN[:-1], stop)
    assert [e.samples for e in events if isinstance(e, RunEnd)] == [3072]


def _detection_run(rates: tuple[float, float], local: int = 16, samples: int = 500) -> list[Event]:
    """A detection run of two epochs of 100 and 10 seconds, the second cut by the end."""
    t = 1_700_000_000_000
    _, events = text(
        record(t, "submission_benchmark", '"ssd"'),
        record(t, "local_batch_size", str(local)),
        record(t, "global_batch_size", "64"),
        record(t, "run_start"),
        record(t, "train_samples", str(samples)),
        record(t, "epoch_start", about=', "epoch_num": 0'),
        record(t + 100_000, "epoch_stop", about=', "epoch_num": 0'),
        record(t + 100_000, "tracked_stats", f'{{"throughput": {rates[0]}}}'),
        record(t + 100_000, "epoch_start", about=', "epoch_num": 1'),
        record(t + 110_000, "epoch_stop", about=', "epoch_num": 1'),
        record(t + 110_000, "tracked_stats", f'{{"throughput": {rates[1]}}}'),
        record(t + 111_000, "run_stop", about=', "status": "success"'),
    )
    return events


@pytest.mark.parametrize(
    ("rate", "local", "samples", "scope"),
    [
        (80.5, 16, 500, Scope.DEVICE),  # 16 * 500 in 100 s
        (88.0, 16, 500, Scope.DEVICE),
        (88.5, 16, 500, Scope.JOB),
        (320.0, 16, 500, Scope.JOB),  # 64 * 500
        (5.0, 1, 500, Scope.JOB),  # the 500 may be samples of the job
        (0.5, 1, 50, Scope.DEVICE),  # fewer than one batch: they are batches
        (320.0, 64, 500, Scope.JOB),  # one device is the job
    ],
)
def test_the_rate_of_one_device(rate: float, local: int, samples: int, scope: Scope) -> None:
    """Whose a rate is follows from the samples and the time of an epoch, also for a cut one."""
    found = only(_detection_run((rate, rate), local, samples), EpochEnd)
    assert [(e.throughput, e.scope) for e in found if e.throughput] == [(rate, scope)] * 2


@pytest.mark.parametrize(
    ("named", "unit"), [("bert", "samples/s"), ("gpt3", "tokens/s"), ("minigo", None)]
)
def test_what_a_rate_counts(named: str, unit: str | None) -> None:
    lines = [*RUN[:6], record(1_700_000_063_000, "throughput", "1234.5"), *RUN[6:]]
    lines[1] = record(1_700_000_000_500, "submission_benchmark", f'"{named}"')
    found = [e.unit for e in only(text(*lines)[1], Iteration) if e.throughput]
    assert found == ([] if unit is None else [unit])


def test_a_rate_after_the_end_does_not_take_it_back() -> None:
    """It is that of the whole run, whose only epoch has no record of its own."""
    bert = [record(1_700_000_000_500, "submission_benchmark", '"bert"'), *RUN[2:3], *RUN[4:6]]
    bert += [record(1_700_000_063_250, "epoch_stop", about=', "epoch_num": 98765')]
    stop = record(1_700_000_065_125, "run_stop", about=', "status": "success"')
    rate = record(1_700_000_065_130, "tracked_stats", '{"throughput": 1580.25}')
    card = scored("\n".join([*bert, stop, rate, rate]) + "\n")
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 63.125)
    assert card["dimensions"]["speed"]["value"] == 1580.25


def test_a_rate_after_the_end_of_a_run_without_epochs_is_its_closing_figure() -> None:
    """GPT-3 counts samples; a rate that comes after the freeze is named, not taken."""
    lines = (
        record(1_700_000_000_500, "submission_benchmark", '"gpt3"'),
        record(1_700_000_002_000, "run_start"),
        record(1_700_000_900_000, "eval_accuracy", "2.68", ', "epoch_num": 1154000'),
        record(1_700_000_901_000, "run_stop", about=', "status": "success"'),
        record(1_700_000_902_000, "tracked_stats", '{"throughput": 5.25}'),
    )
    speed = scored("".join(f"{line}\n" for line in lines))["dimensions"]["speed"]
    assert speed["value"] is None
    assert speed["reason"].endswith(
        "its closing line has one: --records summary --metric throughput"
    )


def test_the_time_of_an_iteration_where_no_rate_is_printed() -> None:
    """3264 samples in 0.5 s, where no epoch has its time; a log with rates needs no times."""
    time = record(1_700_000_030_000, "tracked_stats", '{"train_step_time": 0.5}')
    rate = record(1_700_000_029_000, "tracked_stats", '{"throughput": 6000.0}')
    card = scored("\n".join([*RUN[:5], time, *RUN[7:]]) + "\n")
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (6528, "samples/s")
    rated = only(text(*RUN[:6], rate, time, *RUN[6:])[1], Iteration)
    assert [(i.throughput, i.duration) for i in rated] == [(6000, None)]


@pytest.mark.parametrize(("after", "rate"), [(False, 20.0), (True, None)])
def test_the_samples_after_the_end_are_those_of_the_run(after: bool, rate: float | None) -> None:
    """HugeCTR counts what it trained, here nine tenths of an epoch."""
    t = 1_700_000_000_000
    samples = record(t, "train_samples", "1000")
    begin = [record(t, "run_start"), record(t, "submission_benchmark", '"dlrm"')]
    run = [
        record(t, "epoch_start", about=', "epoch_num": 1'),
        record(t + 45_000, "tracked_stats", '{"throughput": 22.0}'),
        record(t + 45_000, "eval_accuracy", "0.8", ', "epoch_num": 1.9'),
        record(t + 45_000, "run_stop", about=', "status": "success"'),
    ]
    lines = [*begin, *run, samples] if after else [*begin, samples, *run]
    card = scored("\n".join(lines) + "\n")
    assert card["end_to_end"]["value"] == (rate and pytest.approx(rate))  # 900 samples in 45 s
    assert card["run"].get("samples_per_epoch") == (None if after else 1000)
