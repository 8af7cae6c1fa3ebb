"""Recorded readings count where the run trained, and where they cannot the card says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import sixdim
from sixdim.parsers.reading import RUN_GONE, Reading
from sixdim.parsers.telemetry.journal_line import encode, encode_header

BEGIN = datetime(2026, 3, 1, 22, 10, tzinfo=UTC)
EPOCHS, EPOCH = 12, timedelta(minutes=1)


def write_log(folder: Path, clock: str, begin: datetime = BEGIN) -> Path:
    """A run of 12 minutes: an epoch a minute, a line every ten seconds."""
    lines = []
    for tenth in range(EPOCHS * 6):
        epoch, step = divmod(tenth, 6)
        time = (begin + EPOCH * tenth / 6).strftime(clock)
        lines.append(f"{time}Epoch: [{epoch + 1}][{step}/6] loss: {2 / (tenth + 1):.4f}\n")
    path = folder / "train.log"
    path.write_text("".join(lines))
    return path


def write_readings(folder: Path, ahead: timedelta, *, days: int = 1) -> str:
    """300 W while the run trains, 50 W for ten minutes before it and after it."""
    rows = ["timestamp, index, power.draw [W]\n"]
    for day in range(days):
        begin = BEGIN + ahead + timedelta(days=day)
        for second in range(-600, 1320, 5):
            watts = 300 if 0 <= second < 720 else 50
            time = (begin + timedelta(seconds=second)).strftime("%Y/%m/%d %H:%M:%S.000")
            rows.append(f"{time}, 0, {watts}.00 W\n")
    path = folder / "gpu.csv"
    path.write_text("".join(rows))
    return str(path)


DATED, CLOCK, SYSLOG = "%Y-%m-%d %H:%M:%S ", "%H:%M:%S ", "%b %d %H:%M:%S node1 train[7]: "


@pytest.mark.parametrize(
    ("clock", "ahead"),
    [
        (DATED, timedelta(0)),
        (CLOCK, timedelta(0)),
        (CLOCK, timedelta(days=3)),
        (SYSLOG, timedelta(0)),
        (SYSLOG, timedelta(days=365)),
    ],
)
def test_readings_of_the_time_of_the_run_count(
    tmp_path: Path, clock: str, ahead: timedelta
) -> None:
    card = sixdim.score(write_log(tmp_path, clock), telemetry=[write_readings(tmp_path, ahead)])
    assert card.power.value == 300.0
    assert card.power.details["window"] == "epochs 6-12"
    # From 22:15:00, the first line of epoch 6, to 22:21:50, the last one of epoch 12.
    assert card.power.details["window_s"] == 410.0


def write_undated(folder: Path, begin: datetime, *, days: int = 1) -> str:
    """`nvidia-smi dmon -o T`: 300 W while the run trains, 50 W for ten minutes around it."""
    out = ["#Time        gpu   pwr    fb", "#HH:MM:SS    Idx     W    MB"]
    for second in range(-600, 1320 + 86_400 * (days - 1), 5):
        watts = 300 if 0 <= second < 720 else 50
        out.append(f" {begin + timedelta(seconds=second):%T}      0   {watts} 31000")
    path = folder / "dmon.txt"
    path.write_text("\n".join([*out, ""]))
    return str(path)


@pytest.mark.parametrize("begin", [BEGIN, datetime(2026, 3, 1, 23, 57, tzinfo=UTC)])
@pytest.mark.parametrize("clock", [DATED, CLOCK, SYSLOG])
def test_readings_without_a_date_are_of_the_days_of_the_log(
    tmp_path: Path, clock: str, begin: datetime
) -> None:
    log, readings = write_log(tmp_path, clock, begin), write_undated(tmp_path, begin)
    card = sixdim.score(log, telemetry=[readings])
    assert (card.power.value, card.memory.value) == (300.0, 31_000.0)
    assert card.power.details["window_s"] == 410.0
    assert "dmon.txt: rows have no date" in str(card)


def test_readings_without_a_date_beside_dated_ones(tmp_path: Path) -> None:
    """The dated recording is of the same GPU an hour later, and none of it counts."""
    later = write_readings(tmp_path, timedelta(hours=1))
    undated = write_undated(tmp_path, BEGIN)
    card = sixdim.score(write_log(tmp_path, DATED), telemetry=[undated, later])
    assert card.power.value == 300.0


def test_readings_of_another_time_of_day_do_not_count(tmp_path: Path) -> None:
    readings = write_undated(tmp_path, BEGIN + timedelta(hours=3))
    power = sixdim.score(write_log(tmp_path, DATED), telemetry=[readings]).power
    assert power.value is None
    assert power.reason.startswith(
        "no reading (2026-03-02 01:00:00 to 2026-03-02 01:31:55) is of the run's time ("
    )


@pytest.mark.parametrize(
    ("clock", "ahead", "zones"),
    [
        (DATED, timedelta(hours=-8), True),
        (DATED, timedelta(hours=14, minutes=21), True),
        (DATED, timedelta(hours=14, minutes=22), False),
        (DATED, timedelta(days=3), False),
        (CLOCK, timedelta(hours=8), True),
        (SYSLOG, timedelta(days=3), False),
    ],
)
def test_readings_of_another_time_are_not_averaged(
    tmp_path: Path, clock: str, ahead: timedelta, zones: bool
) -> None:
    card = sixdim.score(write_log(tmp_path, clock), telemetry=[write_readings(tmp_path, ahead)])
    assert (card.power.value, card.power.state) == (None, "unknown")
    assert card.power.reason.startswith(
        f"no reading ({BEGIN + ahead - timedelta(minutes=10):%F %T}"
    )
    assert ("time zone" in card.power.reason) == zones


def test_a_log_without_a_date_beside_readings_of_two_days_is_not_related(tmp_path: Path) -> None:
    readings = write_readings(tmp_path, timedelta(0), days=2)
    card = sixdim.score(write_log(tmp_path, CLOCK), telemetry=[readings])
    assert card.power.value is None
    assert card.power.reason == ("the log's clock shows no date, and the readings are of many days")


def test_a_log_without_a_clock_is_averaged_whole_and_the_card_says_so(tmp_path: Path) -> None:
    readings = write_readings(tmp_path, timedelta(0))
    card = sixdim.score(write_log(tmp_path, ""), telemetry=[readings])
    assert card.power.value == pytest.approx((144 * 300 + 240 * 50) / 384)
    assert card.power.details["window"] == "whole recording"
    assert "readings of GPU 0, whole recording" in str(card)


def rows(folder: Path, *spans: tuple[datetime, int], watts: float = 300.0) -> str:
    """A reading a second: (when, for how many seconds)."""
    path = folder / "rows.csv"
    path.write_text(
        "timestamp, index, power.draw [W]\n"
        + "".join(
            f"{begin + timedelta(seconds=second):%Y/%m/%d %H:%M:%S}.000, 0, {watts} W\n"
            for begin, seconds in spans
            for second in range(seconds + 1)
        )
    )
    return str(path)


LAST = 710
"""Seconds from the log's first line to its last."""


@pytest.mark.parametrize(("again", "known"), [(LAST // 2, True), (LAST // 2 + 1, False)])
def test_a_day_is_the_runs_if_no_other_has_more_than_half_as_much_of_it(
    tmp_path: Path, again: int, known: bool
) -> None:
    next_day = (BEGIN + timedelta(days=1), again)
    log = write_log(tmp_path, CLOCK)
    power = sixdim.score(log, telemetry=[rows(tmp_path, (BEGIN, LAST), next_day)]).power
    if known:
        assert (power.value, power.details["readings"]) == (300.0, LAST + 1 - 300)
    else:
        assert power.reason == "the log's clock shows no date, and the readings are of many days"


@pytest.mark.parametrize(("second", "counts"), [(LAST, True), (LAST + 1, False)])
def test_the_last_line_ends_what_counts(tmp_path: Path, second: int, counts: bool) -> None:
    readings = rows(tmp_path, (BEGIN + timedelta(seconds=second), 0))
    power = sixdim.score(write_log(tmp_path, DATED), telemetry=[readings]).power
    assert (power.value == 300.0) is counts
    assert power.reason.startswith("the readings cover" if counts else "no reading (")


@pytest.mark.parametrize(("second", "value"), [(300, 300.0), (299, None)])
def test_the_first_line_of_an_epoch_begins_it(
    tmp_path: Path, second: int, value: float | None
) -> None:
    readings = rows(tmp_path, (BEGIN + timedelta(seconds=second), 0))
    power = sixdim.score(write_log(tmp_path, DATED), telemetry=[readings]).power
    assert power.value == value
    assert value is not None or power.reason == "no readings in epochs 6-12"


def test_a_log_whose_clock_goes_back_says_so(tmp_path: Path) -> None:
    """An autumn's night: 180 s before the run ends, its local clock falls back by an hour."""
    log = write_log(tmp_path, DATED)
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join([*lines[:54], *(line.replace(" 22:", " 21:") for line in lines[54:])]))
    power = sixdim.score(log, telemetry=[rows(tmp_path, (BEGIN, LAST))]).power
    assert power.value is None
    assert power.reason == (
        "the log's clock goes back: which readings are of which epoch is not known"
    )


@pytest.mark.parametrize(("devices", "value"), [(2, 300.0), (1, None)])
def test_readings_of_more_devices_than_train_are_not_averaged(
    tmp_path: Path, devices: int, value: float | None
) -> None:
    path = tmp_path / "two.csv"
    text = Path(rows(tmp_path, (BEGIN, LAST))).read_text()
    path.write_text(text + text.partition("\n")[2].replace(", 0, ", ", 3, "))
    log = write_log(tmp_path, DATED)
    card = sixdim.score(log, telemetry=[str(path)], devices=devices)
    assert (card.power.value, card.memory.value) == (value, None)
    if value is None:
        assert card.power.reason == "2 devices were read and 1 train: --gpus says which"
        chosen = sixdim.score(log, telemetry=[str(path)], devices=devices, gpus="3")
        assert (chosen.power.value, chosen.power.details["devices"]) == (300.0, [3])


def write_journal(folder: Path, *readings: Reading) -> str:
    path = folder / "gpu.jsonl"
    path.write_bytes(encode_header("train.log", None) + b"".join(map(encode, readings)))
    return str(path)


def test_a_card_warns_of_devices_that_others_use_and_of_faults(tmp_path: Path) -> None:
    sound = Reading(0, epoch=7, power_w=300.0, memory_mib=9.0, process_mib=5.0, process_scope="run")
    shared = sound._replace(process_scope="shared", throttle=("thermal (hardware)", "power cap"))
    log = write_log(tmp_path, "")
    card = sixdim.score(log, telemetry=[write_journal(tmp_path, sound, sound)])
    assert {one.kind for one in card.warnings} == {"incomplete"}
    card = sixdim.score(log, telemetry=[write_journal(tmp_path, sound, shared)])
    said = {one.kind: one.text for one in card.warnings}
    assert "GPU 0" in said["shared_device"]
    assert said["device_fault"] == "GPU 0 was held down in 1 of 2 readings: thermal (hardware)"


def test_readings_beside_a_log_without_training_are_not_its_power(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("loading the data\nTraceback (most recent call last):\nOSError: no such disk\n")
    with pytest.raises(sixdim.FormatError) as refused:
        sixdim.score(log, telemetry=[write_journal(tmp_path, Reading(0, power_w=70.0))])
    power = refused.value.card.power
    assert (power.value, power.reason) == (None, "no record of training was read")


def test_readings_after_the_run_left_the_devices_are_not_placed_by_the_clock(
    tmp_path: Path,
) -> None:
    """Something else may use the devices before the run is resumed."""
    begin = int(BEGIN.timestamp()) * 1_000_000
    trains = [Reading(0, time_us=begin + s * 1_000_000, power_w=300.0) for s in range(0, 720, 5)]
    other = [one._replace(power_w=50.0, missing=(RUN_GONE,)) for one in trains[100:104]]
    journal = write_journal(tmp_path, *trains[:100], *other, *trains[104:])
    card = sixdim.score(write_log(tmp_path, DATED), telemetry=[journal])
    assert card.power.value == 300.0
