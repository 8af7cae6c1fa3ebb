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
