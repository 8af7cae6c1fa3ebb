"""Energy for work done: per epoch, per sample, to the target; and when it cannot be said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs
from sixdim.metrics.dimensions.telemetry.averages import Selection
from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.dimensions.telemetry.power import Work, power
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.metrics.values.card import State
from sixdim.parsers.reading import NOT_OF_RUN, Reading
from sixdim.parsers.telemetry.journal import Journal
from sixdim.tui.cli import main

SECOND = 1_000_000


def run_of(
    *,
    epochs: int = 4,
    seconds: int = 100,
    devices: int = 2,
    counter: bool = False,
    skip: range = range(0),
) -> TelemetryFold:
    """Epochs of `seconds` each at one reading a second: device d draws a steady 100 (d + 1) W."""
    fold = TelemetryFold()
    for second in range(epochs * seconds):
        if second in skip:
            continue
        for device in range(devices):
            watts = 100.0 * (device + 1)
            fold.apply(
                Reading(
                    device,
                    time_us=second * SECOND,
                    epoch=second // seconds,
                    power_w=watts,
                    memory_mib=10.0,
                    energy_j=watts * second if counter else None,
                )
            )
    return fold


def energy_of(
    fold: TelemetryFold, work: Work, jobs: int | None = 2, **options: Any
) -> dict[str, Any]:
    return dict(power(fold, Selection((1, 3), devices_in_job=jobs, **options), work).details)


WORK = Work(epochs=3, seconds=300.0, samples_per_epoch=1000, to_target=(0, 3), to_target_s=400.0)


@pytest.mark.parametrize("counter", [False, True])
def test_joules_of_epochs_and_samples(counter: bool) -> None:
    energy = energy_of(run_of(counter=counter), WORK)
    # 300 W together, from the window's first reading to its last: 299 s of 300, and 399 of 400.
    assert energy["energy_method"] == ("counter" if counter else "integral")
    assert energy["job_energy_j"] == 300 * 299
    assert energy["joules_per_epoch"] == 300 * 299 / 3
    assert energy["joules_per_sample"] == 300 * 299 / 3 / 1000
    assert energy["samples_per_joule"] == 1000 * 3 / (300 * 299)
    assert energy["wh_to_target"] == 300 * 399 / 3600
    assert energy["job_energy_basis"] == "2 of 2 devices"
    assert energy["window_s"] == 300.0
    assert energy["window_coverage"] == 299 / 300


def test_one_device_measured_of_eight_is_scaled_and_said() -> None:
    energy = energy_of(run_of(devices=1), WORK, jobs=8)
    assert energy["energy_j"] == 100 * 299
    assert energy["job_energy_j"] == 8 * 100 * 299
    assert energy["job_energy_basis"] == "1 of 8 devices"


def test_the_energy_of_a_board_is_that_of_all_its_devices() -> None:
    """100 W for 3 epochs of 100 s are 30 kJ for both dies, and 60 kJ for a job of four."""
    fold = run_of(devices=1)
    for second in range(400):
        sharing = (("power_w", "the board's power stands at device 0"),)
        fold.apply(Reading(1, time_us=second * SECOND, epoch=second // 100, missing=sharing))
    figure = energy_of(fold, WORK)
    assert figure["job_energy_j"] == pytest.approx(30_000, rel=0.01)
    assert figure["wh_to_target"] == pytest.approx(40_000 / 3600, rel=0.01)
    assert figure["job_energy_basis"] == "2 of 2 devices"
    assert energy_of(fold, WORK, 4)["job_energy_j"] == pytest.approx(60_000, rel=0.01)


def test_a_chosen_device_counts_to_the_target_where_no_process_of_the_run_was_seen() -> None:
    """100 W and 200 W for the 399 s between the first reading and the last."""
    fold = run_of()
    fold.apply(Reading(0, epoch=3, process_mib=10.0, process_scope="run"))
    fold.apply(Reading(1, epoch=3, missing=(NOT_OF_RUN,)))
    assert energy_of(fold, WORK, devices=[0, 1])["wh_to_target"] == 300 * 399 / 3600


def test_what_the_window_lacks_is_said_and_not_made_up() -> None:
    assert energy_of(run_of(), WORK, jobs=None)["energy_per_epoch_reason"] == (
        "the devices of the job are not known: --devices N"
    )
    whole = power(run_of(), Selection((1, 3), devices_in_job=2), WORK)
    assert whole.value == 150.0
    surplus = power(run_of(devices=3), Selection((1, 3), devices_in_job=2), WORK)
    assert (surplus.value, surplus.details) == (None, {})
    assert surplus.reason == "3 devices were read and 2 train: --gpus says which"
    chosen = power(run_of(devices=3), Selection((1, 3), [0, 2], devices_in_job=2), WORK)
    assert chosen.value == 200.0
    late = energy_of(run_of(skip=range(210)), WORK)
    assert late["energy_per_epoch_reason"] == "no readings in epoch 1"
    lone = energy_of(run_of(skip=range(310)), WORK)
    assert lone["energy_per_epoch_reason"] == "no readings in 2 of 3 epochs"
    far = power(run_of(), Selection((1, 10**15), devices_in_job=2), WORK).details
    assert str(far["energy_per_epoch_reason"]).startswith("no readings in 999999")
    assert (late["coverage"], late["window_coverage"]) == (1.0, 189 / 300)
    assert "joules_per_epoch" not in late
    running = energy_of(run_of(), Work(epochs=None, seconds=300.0))
    assert "joules_per_epoch" not in running


def test_the_energy_of_some_of_the_devices_is_not_that_of_all() -> None:
    fold = run_of(devices=1)
    for epoch in range(4):
        fold.apply(Reading(1, epoch=epoch, power_w=200.0))  # no time, no counter
    energy = energy_of(fold, WORK)
    assert energy["energy_per_epoch_reason"] == "a device has neither energy nor times"
    assert "energy_j" not in energy


def test_a_long_gap_spoils_the_integral_and_not_the_counter() -> None:
    gap = range(150, 190)
    energy = energy_of(run_of(skip=gap), WORK)
    assert energy["energy_per_epoch_reason"] == "the readings stand for 86% of the time only"
    assert energy["window_coverage"] == (299 - 41) / 300
    assert energy_of(run_of(skip=gap, counter=True), WORK)["job_energy_j"] == 300 * 299


def test_a_target_met_before_the_monitor_came() -> None:
    energy = energy_of(run_of(skip=range(100)), WORK)
    assert energy["joules_per_epoch"] == 300 * 299 / 3
    assert energy["wh_to_target_reason"] == "no readings in epoch 0"


def test_samples_that_are_not_known() -> None:
    energy = energy_of(run_of(), Work(epochs=3, seconds=None))
    assert energy["joules_per_epoch"] == 300 * 299 / 3
    assert energy["joules_per_sample_reason"] == "the samples of an epoch are not known"
    assert "window_s" not in energy


def test_a_recording_without_epochs_is_no_epochs_energy() -> None:
    fold = TelemetryFold()
    for second in range(10):
        fold.apply(Reading(0, time_us=second * SECOND, power_w=100.0))
    energy = energy_of(fold, WORK, jobs=1)
    assert energy["energy_j"] == 900
    assert energy["energy_per_epoch_reason"] == "the recording knows no epochs"
    assert "window_s" not in energy


def test_memory_says_how_much_of_the_window_it_saw() -> None:
    late = memory(run_of(skip=range(250)), Selection((1, 3)), 300.0)
    assert late.details["window_coverage"] == 149 / 300
    assert (late.state, late.reason) == (State.SHORT, "the readings cover 50 % of the window")
    whole = memory(run_of(), Selection((1, 3)), 300.0)
    assert (whole.state, whole.reason) == (State.FINAL, "")


def test_a_journal_beside_a_log_puts_its_energy_on_the_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(sample_logs.path(sample_logs.RUN).read_bytes())
    journal = Journal.open(tmp_path / "train.log.sixdim.jsonl", log)
    journal.append(
        Reading(d, time_us=s * SECOND, epoch=s // 282, power_w=200.0, energy_j=200.0 * s)
        for s in range(0, 65 * 282, 47)
        for d in range(8)
    )
    journal.close()
    assert main(["score", str(log), "--json", "-"]) == 0
    card = json.loads(capsys.readouterr().out)["dimensions"]["power"]
    # Epochs 6 to 64: first reading at 1692 s, last at 18283 s; eight devices at 200 W.
    assert card["job_energy_j"] == 8 * 200 * (18283 - 1692)
    assert card["joules_per_sample"] == 8 * 200 * (18283 - 1692) / 59 / 1281167
    assert card["wh_to_target"] == 8 * 200 * 18283 / 3600


def test_a_counter_alone_that_fell_silent_makes_no_energy_of_the_run() -> None:
    fold = TelemetryFold()
    for second in range(300):
        counted = 300.0 * second if second < 10 else None
        power_w = 300.0 if second == 150 else None
        epoch = 1 + second // 100
        fold.apply(
            Reading(0, time_us=second * 10**6, epoch=epoch, power_w=power_w, energy_j=counted)
        )
    energy = energy_of(fold, Work(epochs=3, seconds=300.0, samples_per_epoch=1000), jobs=1)
    assert "joules_per_sample" not in energy
    assert energy["energy_per_epoch_reason"] == "the readings stand for 3% of the time only"
