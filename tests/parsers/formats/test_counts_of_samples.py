"""`[640/20000]` after an epoch: samples where both counts are whole batches, else iterations."""

from __future__ import annotations

import pytest

from tests.support.logs import scored


def log(line: str, of: int, apart: int, epochs: int = 4) -> str:
    """Two seconds from line to line, by the log's clock."""
    lines, seconds = [], 0
    for epoch in range(1, epochs + 1):
        for count in range(0, of, apart):
            clock = f"2024-05-01 {10 + seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} "
            said = line.format(epoch=epoch, count=count, of=of, percent=100 * count // of)
            lines.append(f"{clock}{said}{2.5 - seconds / 10_000:.6f}")
            seconds += 2
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("line", "of", "apart", "speed", "unit"),
    [
        ("Train Epoch: {epoch} [{count}/{of}]\tLoss: ", 20_000, 640, 320.0, "samples/s"),
        ("Epoch {epoch} [{count}/{of}] loss = ", 2_560, 64, 32.0, "samples/s"),
        ("Train Epoch: {epoch} [{count}/{of} ({percent}%)]\tLoss: ", 20_000, 640, 320, "samples/s"),
        ("Train Epoch: {epoch} [{count}/{of}]\tLoss: ", 938, 20, 10.0, "it/s"),
        ("Epoch: [{epoch}][{count}/{of}] loss: ", 40_032, 1000, 500.0, "it/s"),
        ("Epoch: [{epoch}][{count}/{of}] loss: ", 160_128, 4000, 2000.0, "it/s"),
        ("Epoch {epoch}, Step [{count}/{of}], loss: ", 20_000, 640, 320.0, "it/s"),
        ("Epoch {epoch} iter {count}/{of} loss: ", 2_560, 64, 32.0, "it/s"),
    ],
)
def test_what_counts_after_an_epoch_are(
    line: str, of: int, apart: int, speed: float, unit: str
) -> None:
    figure = scored(log(line, of, apart))["dimensions"]["speed"]
    assert (figure["value"], figure["unit"]) == (pytest.approx(speed), unit)


@pytest.mark.parametrize(
    ("between", "unit"),
    [
        (640, "samples/s"),
        (1000, "samples/s"),
        (16, "samples/s"),
        (24, "samples/s"),
        (10, "it/s"),
        (200, "it/s"),
        (40, None),  # batches of 8, or a line after so many iterations: the log does not say
        (80, None),
        (120, None),
    ],
)
def test_what_is_counted_in_brackets_with_a_percentage(between: int, unit: str | None) -> None:
    line = "Train Epoch: {epoch} [{count}/{of} ({percent}%)]\tLoss: "
    card = scored(log(line, 40 * between, between, epochs=8))
    speed = card["dimensions"]["speed"]
    if unit is None:
        assert speed["value"] is None
    else:
        assert (speed["value"], speed["unit"]) == (pytest.approx(between / 2), unit)
        samples = 40 * between if unit == "samples/s" else None
        assert card["run"]["samples_per_epoch"] == samples


@pytest.mark.parametrize("time", ["elapsed {0:.1f}s", "time {0:.1f}s"])
def test_the_time_since_the_start_is_one_of_samples_where_the_count_is(time: str) -> None:
    """64 samples in each iteration of 3 s: no 21.3 iterations a second."""
    text, seconds = "", 0.0
    for epoch in range(1, 7):
        for count in range(320, 3201, 320):
            seconds += 15
            share = f"[{count}/3200 ({count / 32:.0f}%)]"
            text += f"Train Epoch: {epoch} {share}, loss={2 / epoch:.4f}, {time.format(seconds)}\n"
        text += f"Test set: Average loss: {2 / epoch:.4f}, Accuracy: 0.8{epoch}\n"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(64 / 3), "samples/s")


def test_a_printed_time_of_a_batch_is_none_of_samples() -> None:
    text = "".join(
        f"Train Epoch: {epoch} [{n}/3200 ({n / 32:.0f}%)], loss={2 / epoch:.4f}, batch time 0.25s\n"
        for epoch in range(1, 7)
        for n in range(320, 3201, 320)
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (4.0, "it/s")
