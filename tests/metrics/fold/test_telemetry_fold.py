"""What readings amount to: means, peaks, gaps, energy, windows."""

from __future__ import annotations

import json
import statistics
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.metrics.dimensions.telemetry.averages import Averages, Selection
from sixdim.metrics.dimensions.telemetry.memory import memory
from sixdim.metrics.dimensions.telemetry.power import power
from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.metrics.values.card import State
from sixdim.parsers.reading import NOT_OF_RUN, RUN_GONE, Reading
from tests.support.telemetry import folded

SECOND = 1_000_000


def card(fold: TelemetryFold, window: tuple[int, int] | None = None, **options: Any) -> Any:
    figure = power(fold, Selection(window, **options)).to_json()
    return json.loads(json.dumps(figure, allow_nan=False))


def every_second(*watts: float | None, device: int = 0, epoch: int | None = None) -> list[Reading]:
    return [
        Reading(device, time_us=second * SECOND, power_w=value, epoch=epoch)
        for second, value in enumerate(watts)
    ]


def test_the_worked_example_is_exact() -> None:
    watts = (161, 169, 161, 174, 163)
    used = (30671, 30670, 30671, 30671, 30670)
    fold = folded(Reading(0, power_w=float(w)) for w in watts)
    for mib in used:
        fold.apply(Reading(0, memory_mib=float(mib)))
    figure = card(fold, (6, 64), devices_in_job=8)
    assert figure["value"] == 165.6
    assert figure["devices"] == [0]
    assert figure["readings"] == 5
    assert figure["coverage"] is None
    assert figure["coverage_reason"] == "the readings carry no time"
    assert figure["window"] == "whole recording"
    assert figure["job_total"] == 1324.8
    assert figure["state"] == "final"
    assert "energy_j" not in figure
    mib_card = memory(fold)
    assert mib_card.value == 30670.6
    assert mib_card.details["peak"] == 30671.0


@pytest.mark.parametrize(
    ("times", "reason"),
    [
        ([0], "a device has a single reading"),
        ([0, None], "a device has a single reading"),
        ([None], "the readings carry no time"),
    ],
)
def test_why_the_coverage_is_unknown(times: list[int | None], reason: str) -> None:
    readings = [Reading(n, time_us=at, power_w=100.0) for n, at in enumerate(times)]
    assert card(folded(readings))["coverage_reason"] == reason


def test_faults_that_hold_the_clocks_down_are_counted_in_the_window() -> None:
    """A board at its power limit is sound; one that is too hot is not."""
    hot, sound = ("power cap", "thermal (hardware)"), ("power cap",)
    fold = folded(
        Reading(0, epoch=epoch, power_w=100.0, throttle=hot if epoch > 6 else sound)
        for epoch in (5, 6, 7, 8)
    )
    (fault,) = card(fold, (6, 7))["faults"]
    assert fault == {"device": 0, "reason": "thermal (hardware)", "count": 1, "readings": 2}
    assert "faults" not in card(fold, (5, 6))


def test_a_device_that_other_processes_use_is_named_where_they_did() -> None:
    fold = folded(
        Reading(device, epoch=epoch, memory_mib=9.0, process_mib=5.0, process_scope=scope)
        for epoch in (6, 7)
        for device, scope in ((0, "run"), (1, "shared" if epoch == 7 else "run"))
    )
    assert memory(fold, Selection((7, 7))).details["shared"] == [1]
    assert "shared" not in memory(fold, Selection((6, 6))).details


def test_sums_over_all_processes_do_not_count_once_those_of_the_run_are_known() -> None:
    every = Reading(0, epoch=1, memory_mib=90.0, process_mib=80.0, process_scope="device")
    run = every._replace(process_mib=30.0, process_scope="run")
    shared = every._replace(epoch=2, process_mib=50.0, process_scope="shared")
    details = memory(folded((every, run, shared, every))).details
    assert (details["process_mean"], details["process_peak"]) == (40.0, 50.0)
    assert details["process_scope"] == "the run's own processes, beside others"
    assert memory(folded((every, run, every))).details["process_mean"] == 30.0
    first = memory(folded((every, every)))
    assert first.details["process_mean"] == 80.0
    assert first.details["process_scope"] == "every compute process on the device"
    assert memory(folded((every, run, shared, every))).value == 90.0


def test_readings_before_and_after_the_runs_processes_are_not_of_the_run() -> None:
    idle, left = (78.0, "", ()), (120.0, "", (RUN_GONE,))
    made = [idle, idle, (310.0, "run", ()), (330.0, "run", ()), left, left]
    fold = folded(
        Reading(
            0,
            time_us=second * SECOND,
            power_w=watts,
            energy_j=1000.0 + 300 * second,
            process_mib=7866.0 if scope else None,
            process_scope=scope,
            missing=missing,
        )
        for second, (watts, scope, missing) in enumerate(made)
    )
    figure = card(fold)
    assert (figure["value"], figure["readings"]) == (320.0, 2)  # not (78 + 78 + ... + 120) / 6
    assert figure["energy_j"] == 300.0  # of the second between both
    assert fold.latest()[0].power_w == 120.0


def test_a_pause_without_processes_between_two_parts_of_a_run_is_not_of_the_run() -> None:
    parts = ((300.0, "run", ()),) * 2
    made = [*parts, (80.0, "", (RUN_GONE,)), (80.0, "", (RUN_GONE,)), *parts]
    fold = folded(
        Reading(
            0,
            time_us=second * SECOND,
            power_w=watts,
            energy_j=500.0 * second,
            process_scope=scope,
            missing=missing,
        )
        for second, (watts, scope, missing) in enumerate(made)
    )
    figure = card(fold)
    assert (figure["value"], figure["readings"]) == (300.0, 4)
    assert figure["energy_j"] == 1000.0  # two seconds of 500 J, not the three between


def test_a_window_that_has_not_begun_has_no_readings_yet() -> None:
    fold = folded(every_second(100.0, epoch=2))
    assert card(fold, (6, 6), final=False)["reason"] == "no readings of epoch 6 yet"
    assert card(fold, (6, 6))["reason"] == "no readings in epochs 6-6"
    assert card(fold, (6, 7), final=False)["reason"] == "no readings in epochs 6-7"


def test_only_the_window_counts() -> None:
    fold = folded(
        Reading(0, time_us=(10 * epoch + k) * SECOND, epoch=epoch, power_w=100.0 * epoch)
        for epoch in range(5)
        for k in range(10)
    )
    figure = card(fold, (1, 2))
    assert figure["value"] == 150.0
    assert figure["readings"] == 20
    assert figure["window"] == "epochs 1-2"
    # 9 s at 100 W, 1 s that climbs from 100 W to 200 W, 9 s at 200 W.
    assert figure["energy_j"] == 9 * 100 + 150 + 9 * 200
    assert figure["coverage"] == 1.0
    assert card(fold, (7, 9))["reason"] == "no readings in epochs 7-9"
    assert card(fold, (7, 9))["state"] == "unknown"


def test_devices_are_chosen_and_named_when_absent() -> None:
    fold = folded([*every_second(100, 100), *every_second(200, 300, device=1)])
    assert card(fold)["value"] == 175.0
    assert [d["value"] for d in card(fold)["per_device"]] == [100.0, 250.0]
    assert card(fold, devices=[1])["value"] == 250.0
    short = power(fold, Selection(devices=[0, 3]))
    assert (short.value, short.state) == (100.0, State.SHORT)
    assert short.reason == "no readings of device 3"


def test_a_device_lost_for_a_while_weighs_as_much_as_the_others() -> None:
    fold = folded([*every_second(100, 100, 100, 100), *every_second(200, None, None, device=1)])
    assert card(fold)["value"] == 150.0


def test_a_gap_is_left_out_and_counted() -> None:
    seconds = [0, 1, 2, 3, 63, 64, 65]
    fold = folded(Reading(0, time_us=s * SECOND, power_w=100.0 + s) for s in seconds)
    figure = card(fold)
    assert (figure["interval_s"], figure["gaps"], figure["gap_s"]) == (1.0, 1, 60.0)
    assert figure["coverage"] == 5 / 65
    assert figure["energy_j"] == 100.5 + 101.5 + 102.5 + 163.5 + 164.5
    assert figure["energy_method"] == "integral"


def test_one_missed_reading_is_no_gap() -> None:
    fold = folded(Reading(0, time_us=s * SECOND, power_w=100.0) for s in (0, 1, 2, 4, 5))
    assert (card(fold)["gaps"], card(fold)["energy_j"]) == (0, 500.0)


def test_watts_are_weighted_by_time() -> None:
    fold = folded(
        Reading(0, time_us=us, power_w=w)
        for us, w in ((0, 100.0), (1 * SECOND, 100.0), (2 * SECOND, 300.0), (4 * SECOND, 300.0))
    )
    # 1 s at 100, 1 s of climb, 2 s at 300, while the plain mean is 200.
    assert card(fold)["value"] == 200.0
    assert card(fold)["time_weighted"] == (100 + 200 + 600) / 4


def test_the_energy_counter_wins_over_the_integral_and_spans_gaps() -> None:
    counted = ((0, 1000.0), (1, 1200.0), (2, 1400.5), (60, 9000.25))
    fold = folded(
        Reading(0, time_us=s * SECOND, power_w=150.0, energy_j=joules) for s, joules in counted
    )
    figure = card(fold)
    assert (figure["energy_j"], figure["energy_method"]) == (8000.25, "counter")


def test_an_energy_counter_that_resets_gives_way_to_the_integral() -> None:
    counted = (900.0, 1000.0, 10.0, 110.0, 1e12, 1e12 + 50)
    fold = folded(
        Reading(0, time_us=s * SECOND, power_w=100.0, energy_j=j) for s, j in enumerate(counted)
    )
    figure = card(fold)
    # The counter's steps that can be true are 250 J in three of the five seconds.
    assert (figure["energy_j"], figure["energy_method"]) == (500.0, "integral")
    assert figure["counter_resets"] == 2
    assert "counter covers less of the window" in figure["energy_reason"]


def test_a_counter_that_resets_where_nothing_else_is_known_loses_only_that_step() -> None:
    counted = (900.0, 1000.0, 10.0, 110.0, 1e12, 1e12 + 50)
    fold = folded(Reading(0, time_us=s * SECOND, energy_j=j) for s, j in enumerate(counted))
    (device,) = fold.window(None)
    assert (device.energy_j, device.energy_method) == (250.0, "counter")


@pytest.mark.parametrize(
    "counted",
    [
        [100.0 * s if s < 4 else None for s in range(100)],  # refused from then on
        [100.0 * min(s, 10) + 1 for s in range(100)],  # stopped
        [100.0 * (s if s < 50 else s - 50) + 1 for s in range(100)],  # reset once
        [None if s < 90 else 100.0 * s for s in range(100)],  # came late
    ],
)
def test_a_counter_of_a_part_of_the_window_is_not_the_windows_energy(
    counted: list[float | None],
) -> None:
    fold = folded(
        Reading(0, time_us=s * SECOND, power_w=100.0, energy_j=j) for s, j in enumerate(counted)
    )
    assert (card(fold)["energy_j"], card(fold)["energy_method"]) == (9900.0, "integral")


def test_a_counter_that_is_renewed_seldom_still_counts() -> None:
    fold = folded(
        Reading(0, time_us=s * SECOND, power_w=100.0, energy_j=99.0 * (s // 10) * 10 + 1)
        for s in range(101)
    )
    assert (card(fold)["energy_j"], card(fold)["energy_method"]) == (9900.0, "counter")


def test_a_counter_that_stands_still_is_not_believed() -> None:
    fold = folded(r._replace(energy_j=7.0) for r in every_second(100, 100, 100))
    assert (card(fold)["energy_j"], card(fold)["energy_method"]) == (200.0, "integral")


def test_another_board_under_the_same_index_starts_its_own_counter() -> None:
    fold = folded(
        Reading(0, uuid=uuid, time_us=s * SECOND, power_w=100.0, energy_j=j)
        for s, (uuid, j) in enumerate((("a", 10.0), ("a", 110.0), ("b", 500.0), ("b", 600.0)))
    )
    (device,) = fold.window(None)
    assert device.counter_j == 200.0
    # No counter tells of the second in which the boards were changed.
    assert (card(fold)["energy_j"], card(fold)["energy_method"]) == (300.0, "integral")


def test_a_clock_that_runs_back_is_counted_and_adds_no_time() -> None:
    fold = folded(Reading(0, time_us=s * SECOND, power_w=100.0) for s in (10, 11, 5, 6, 7))
    figure = card(fold)
    assert figure["clock_jumps"] == 1
    assert figure["energy_j"] == 300.0


def test_what_could_not_be_read_is_counted_with_its_reason() -> None:
    refused = Reading(0, memory_mib=1.0, missing=(("power_w", "Not Supported"),))
    figure = card(folded([refused] * 3))
    assert figure["value"] is None
    assert figure["reason"] == "device 0: Not Supported"
    some = card(folded([refused, *every_second(100)]))
    assert some["missing"] == [
        {"device": 0, "field": "power_w", "reason": "Not Supported", "count": 1}
    ]


def test_before_the_run_is_over_a_figure_is_provisional() -> None:
    assert power(folded(every_second(1)), Selection(final=False)).state is State.RUNNING
    waiting = power(TelemetryFold(), Selection(reason="no GPU found", final=False))
    assert (waiting.state, waiting.reason) == (State.WAITING, "no GPU found")


def test_hosts_are_distinguished() -> None:
    fold = folded(Reading(0, host=h, power_w=w) for h, w in (("a", 100.0), ("b", 300.0)))
    assert card(fold)["devices"] == ["a/0", "b/0"]
    assert card(fold)["value"] == 200.0


def test_a_lost_device_keeps_its_name_on_the_screen() -> None:
    fold = folded([Reading(0, name="B100", uuid="u", power_w=1.0), Reading(0)])
    assert fold.latest() == (Reading(0, name="B100", uuid="u"),)


watts = st.floats(min_value=0.001, max_value=2000, allow_nan=False)


@given(st.lists(watts, min_size=1, max_size=60))
def test_the_mean_is_correctly_rounded_in_any_order(values: list[float]) -> None:
    exact = float(sum(map(Fraction, values)) / len(values))
    assert power(folded(every_second(*values))).value == exact
    assert power(folded(every_second(*reversed(values)))).value == exact


@given(st.lists(st.tuples(st.integers(1, 900), watts), min_size=2, max_size=60))
def test_covered_time_gaps_and_the_whole_add_up(steps: list[tuple[int, float]]) -> None:
    clock = 0
    readings = []
    for length, value in steps:
        clock += length * 1000
        readings.append(Reading(0, time_us=clock, power_w=value))
    (device,) = folded(readings).window(None)
    weighted = device.quantities["power_w"].weighted()
    total_us = readings[-1].time_us - readings[0].time_us  # type: ignore[operator]  # each has one
    assert round((weighted.covered_s + weighted.gap_s) * SECOND) == total_us
    middle = statistics.median_low([length / 1000 for length, _ in steps[1:]])
    # An eighth of an octave is the width of a class.
    assert weighted.interval_s is not None
    assert middle / 1.125 <= weighted.interval_s <= middle * 1.125


def test_memory_does_not_grow_with_the_number_of_readings() -> None:
    import pickle

    def size(count: int) -> int:
        fold = folded(
            Reading(0, time_us=s * SECOND, epoch=3, power_w=100.0 + s % 7) for s in range(count)
        )
        return len(pickle.dumps(fold))

    assert size(3000) < size(300) + 100


def test_what_happens_after_the_window_changes_no_figure_of_it() -> None:
    """A frozen card stays as it is while the monitor goes on reading."""
    refused = (("power_w", "busy"),)
    seconds = [
        Reading(
            0,
            time_us=s * SECOND,
            power_w=None if s in (3, 25, 26) else 100.0,
            energy_j=float(s * 100) if s != 27 else 1.0,
            missing=refused if s in (3, 25, 26) else (),
            epoch=s // 10,
        )
        for s in range(30)
    ]
    before, after = TelemetryFold(), TelemetryFold()
    for reading in seconds[:20]:
        before.apply(reading)
    for reading in (*seconds, Reading(0, time_us=0, power_w=1.0, epoch=None)):
        after.apply(reading)
    figure = power(before, Selection((0, 1)))
    assert power(after, Selection((0, 1))) == figure
    assert figure.details["missing"] == [
        {"device": 0, "field": "power_w", "reason": "busy", "count": 1}
    ]


def test_devices_without_a_process_of_the_run_do_not_count_while_others_have_one() -> None:
    idle = Reading(1, power_w=20.0, missing=(NOT_OF_RUN,))
    late = Reading(2, power_w=100.0, missing=(NOT_OF_RUN,))
    before = Reading(0, power_w=200.0, process_mib=1.0, process_scope="device")
    run = Reading(0, power_w=300.0, process_mib=1.0, process_scope="run")
    fold = folded((before, run, idle, late, run._replace(device=2), idle, late))
    assert power(fold).details["devices"] == [0, 2]
    # What was read before a process of the run was found on a device does not count.
    assert power(fold).value == (300 + (300 + 100) / 2) / 2
    assert power(fold, Selection(devices=[1])).value == 20.0
    assert power(folded((idle._replace(missing=()),))).value == 20.0


def test_the_newest_reading_has_its_memory_from_the_recording_of_the_memory() -> None:
    power_fold = folded([Reading(0, power_w=161.0, memory_mib=1.0), Reading(1, power_w=90.0)])
    memory_fold = folded(
        [Reading(0, memory_mib=30670.0, memory_total_mib=32768.0), Reading(2, memory_mib=7.0)]
    )
    shown = Telemetry(power_fold, memory_fold).latest()
    assert [(r.device, r.power_w, r.memory_mib, r.memory_total_mib) for r in shown] == [
        (0, 161.0, 30670.0, 32768.0),
        (1, 90.0, None, None),
        (2, None, 7.0, None),
    ]
    assert Telemetry(power_fold, power_fold).latest() == power_fold.latest()
    assert Telemetry(None, memory_fold).latest() == memory_fold.latest()
    assert Telemetry().latest() == ()


@pytest.mark.parametrize(("reasons", "counted"), [(16, []), (17, [1]), (18, [2])])
def test_reasons_beyond_the_sixteenth_are_counted_together(
    reasons: int, counted: list[int]
) -> None:
    fold = folded(Reading(0, missing=(("power_w", f"error {n}"),)) for n in range(reasons))
    (device,) = fold.window(None)
    assert len(device.missing) == min(reasons, 16) + len(counted)
    assert [n for (_, why), n in device.missing.items() if why == "several reasons"] == counted


def test_readings_with_and_without_a_time_may_alternate() -> None:
    times = (None, 10, 11, None, 13, 14)
    fold = folded(
        Reading(0, power_w=100.0, time_us=None if at is None else at * SECOND) for at in times
    )
    (device,) = fold.window(None)
    weighted = device.quantities["power_w"].weighted()
    # Only the seconds from 10 to 11 and from 13 to 14 lie between two readings with a time.
    assert (weighted.covered_s, weighted.area) == (2.0, 200.0)


@pytest.mark.parametrize(
    ("covered", "said"),
    [(1, "less than 1 %"), (9, "less than 1 %"), (11, "1 %"), (20, "2 %")],
)
def test_a_small_share_of_the_window_is_not_called_none(covered: int, said: str) -> None:
    fold = folded(every_second(*[100.0] * (covered + 1), epoch=1))
    averages = Averages(fold, "power_w", Selection((1, 1)), window_s=1000.0)
    reason = averages.dimension("W", {}).reason
    assert reason == f"the readings cover {said} of the window"
