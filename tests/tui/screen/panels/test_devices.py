"""Many devices in a small panel: eight fit, sixteen scroll."""

from __future__ import annotations

from dataclasses import replace

from sixdim.parsers.reading import Reading
from sixdim.tui.screen.panels.telemetry import telemetry_rows
from sixdim.tui.screen.widgets.cells import Row
from sixdim.tui.session.live.feed import Frame
from tests.support.screens import ScriptedFeed, frame_at, on_screen, readings


def with_devices(count: int) -> Frame:
    frame = frame_at(34)
    return replace(frame, snapshot=replace(frame.snapshot, readings=readings(count)))


def text_of(rows: list[Row]) -> list[str]:
    return ["".join(span.text for span in row) for row in rows]


def test_eight_devices_fit_in_the_panel_of_an_80x24_screen() -> None:
    rows = text_of(telemetry_rows(with_devices(8), 48, 9))
    assert [row.split()[0] for row in rows] == [*"01234567", "mean"]
    assert "165.6 W" in rows[-1] and "30670.6 MiB" in rows[-1]


def test_a_device_that_tells_nothing_says_why_and_one_held_down_says_so() -> None:
    frame = with_devices(8)
    _, second, *rest = frame.snapshot.readings
    lost = Reading(0, missing=(("memory_mib", "GPU is lost"), ("power_w", "GPU is lost")))
    hot = second._replace(throttle=("thermal (hardware)",))
    frame = replace(frame, snapshot=replace(frame.snapshot, readings=(lost, hot, *rest)))
    rows = text_of(telemetry_rows(frame, 48, 9))
    assert rows[0] == "0    n/a: GPU is lost"
    assert "  ! ther" in rows[1]
    wide = text_of(telemetry_rows(with_devices(8), 70, 12))
    assert wide[6].startswith("5          n/a") and wide[6].endswith("°C  power: not supported")
    assert all(len(row) <= 48 for row in rows)


def test_devices_of_several_hosts_are_named_with_their_hosts() -> None:
    frame = with_devices(2)
    first, second = frame.snapshot.readings
    lost = Reading(0, host="node2", missing=(("power_w", "GPU is lost"),))
    hosts = (first._replace(host="node1"), second._replace(host="node1"), lost)
    far = tuple(one._replace(host="a-host-whose-name-is-long") for one in hosts)

    def names(readings: tuple[Reading, ...]) -> list[str]:
        snapshot = replace(frame.snapshot, readings=readings)
        rows = text_of(telemetry_rows(replace(frame, snapshot=snapshot), 48, 10))
        assert all(len(row) <= 48 for row in rows)
        return [row.split("  ")[0] for row in rows[1:4]]

    assert names(hosts) == ["node1/0", "node1/1", "node2/0"]
    assert names(far) == ["a-host-w…-long/0", "a-host-w…-long/1", "a-host-w…-long/0"]


def test_a_wide_panel_names_the_products() -> None:
    names = "NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3 (MIG slice: power is the board's)"
    first, second = (
        r._replace(name=n, throttle=()) for r, n in zip(readings(2), names, strict=True)
    )
    frame = with_devices(2)

    def shown(width: int, second: Reading) -> list[str]:
        snapshot = replace(frame.snapshot, readings=(first, second))
        return text_of(telemetry_rows(replace(frame, snapshot=snapshot), width, 9))[1:3]

    assert [row[40:] for row in shown(100, second)] == [*names]
    assert [row[40:] for row in shown(60, second)] == ["NVIDIA H100 80GB …"] * 2
    assert [row[38:] for row in shown(59, second)] == ["", ""]
    held = second._replace(throttle=("thermal (hardware)",))
    assert shown(100, held)[1][40:] == "! thermal (hardware)"


def test_eight_devices_leave_room_for_their_energy() -> None:
    frame = with_devices(8)
    power = frame.snapshot.card.dimensions["power"]
    counted = power._replace(details={**power.details, "energy_j": 7.2e6})
    card = frame.snapshot.card._replace(
        dimensions={**frame.snapshot.card.dimensions, "power": counted}
    )
    frame = replace(frame, snapshot=replace(frame.snapshot, card=card))
    last = text_of(telemetry_rows(frame, 48, 9))[-1]
    assert last.endswith("  2.000 kWh")
    assert len(last) <= 48


def test_a_mean_that_is_unknown_has_no_unit() -> None:
    frame = with_devices(8)
    known = frame.snapshot.card.dimensions
    card = frame.snapshot.card._replace(
        dimensions={**known, "power": known["power"]._replace(value=None)}
    )
    frame = replace(frame, snapshot=replace(frame.snapshot, card=card))
    assert " n/a " in (last := text_of(telemetry_rows(frame, 48, 9))[-1])
    assert (" W " in last, " MiB " in last) == (False, True)


def test_sixteen_devices_scroll_to_both_ends() -> None:
    frame = with_devices(16)
    top = text_of(telemetry_rows(frame, 48, 10))
    assert [row.split()[0] for row in top[1:8]] == list("0123456")
    assert top[8] == "1–7 of 16 devices, ↑↓"
    bottom = text_of(telemetry_rows(frame, 48, 10, 99))
    assert [row.split()[0] for row in bottom[1:8]] == ["9", "10", "11", "12", "13", "14", "15"]
    assert bottom[8] == "10–16 of 16 devices, ↑↓"


def devices_on_screen(*presses: str) -> str:
    rows = on_screen(ScriptedFeed([with_devices(32)]), (80, 24), "3", *presses)
    return next(row for row in rows if "of 32 devices" in row)


def test_the_arrows_scroll_the_devices_where_no_log_is_shown() -> None:
    assert "1–16 of 32" in devices_on_screen()
    assert "3–18 of 32" in devices_on_screen("down", "down")
    past_the_end = ("down",) * 20
    assert "17–32 of 32" in devices_on_screen(*past_the_end)
    assert "16–31 of 32" in devices_on_screen(*past_the_end, "up")
