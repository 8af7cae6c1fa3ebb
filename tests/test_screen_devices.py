"""Many devices in a small panel: eight fit, sixteen scroll."""

from __future__ import annotations

from dataclasses import replace

from tests.screens import frame_at, readings
from tui.feed import Frame
from tui.panels.telemetry import telemetry_rows
from tui.widgets.cells import Row


def with_devices(count: int) -> Frame:
    frame = frame_at(34)
    return replace(frame, snapshot=replace(frame.snapshot, readings=readings(count)))


def text_of(rows: list[Row]) -> list[str]:
    return ["".join(span.text for span in row) for row in rows]


def test_eight_devices_fit_in_the_panel_of_an_80x24_screen() -> None:
    rows = text_of(telemetry_rows(with_devices(8), 48, 9))
    assert [row.split()[0] for row in rows] == [*"01234567", "mean"]
    assert "165.6 W" in rows[-1] and "30670.6 MiB" in rows[-1]


def test_sixteen_devices_scroll_to_both_ends() -> None:
    frame = with_devices(16)
    top = text_of(telemetry_rows(frame, 48, 10))
    assert [row.split()[0] for row in top[1:8]] == list("0123456")
    assert top[8] == "1–7 of 16 devices, ↑↓"
    bottom = text_of(telemetry_rows(frame, 48, 10, 99))
    assert [row.split()[0] for row in bottom[1:8]] == ["9", "10", "11", "12", "13", "14", "15"]
    assert bottom[8] == "10–16 of 16 devices, ↑↓"
