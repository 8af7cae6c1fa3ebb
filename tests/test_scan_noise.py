"""Lines that say nothing are told by the block, also by the example of others."""

from __future__ import annotations

import numpy as np
import pytest

from parsers.events import Event, RunInfo
from parsers.format import Reader
from parsers.formats.torchvision import Torchvision
from parsers.scan.noise import Noise
from parsers.scan.words import PAD, Text
from parsers.text import Line

LINES = 300
"""So many alike are worth a template."""


class Coded(Reader):
    """A format that looks for a code anywhere in a line."""

    name = "coded"
    title = "a format of this test"
    example = "the code 7 came"
    marks = ("code 7",)

    def read(self, line: Line) -> list[Event] | None:
        """As `Reader.read`."""
        if "code 7" in line.text:
            return [RunInfo(line.origin(), "code", 7)]
        return None


def silent(noise: Noise, lines: list[str]) -> set[int]:
    """Which of the lines are noise."""
    data = "".join(line + "\n" for line in lines).encode()
    buffer = np.zeros(len(data) + PAD + 8 & ~7, dtype=np.uint8)
    buffer[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(buffer == 0x0A)
    begins = np.append(0, ends[:-1] + 1)
    every = np.arange(len(lines))
    return set(noise.among(Text(buffer), memoryview(data), begins, ends, every).tolist())


@pytest.mark.parametrize(
    ("others", "wanted"),
    [
        ("worker says: loaded {} of 9 files in -{}.5 s", "CUDA out of memory. Tried 3 and 0.5"),
        ("worker says: loaded {} of 9 files", "worker says: loaded 3 of 9 files, out of memory"),
        ("{} of 9 files loaded", "Epoch: [3] Avg img/s: 12.5"),
        ("I9 says {}", "I1 says 7"),
        ("loading{} of {} files", "loading [3] of 8 files Traceback (most recent call last)"),
    ],
)
def test_what_somebody_looks_for_is_no_noise_among_thousands_of_other_lines(
    others: str, wanted: str
) -> None:
    noise = Noise((Torchvision(),))
    for begin in range(0, 10 * LINES, LINES):
        lines = [others.format(n, n * 7) for n in range(begin, begin + LINES)]
        lines[17:17] = [wanted]
        assert 17 not in silent(noise, lines)


def test_lines_that_differ_in_numbers_are_all_noise() -> None:
    noise = Noise((Coded(),))
    for begin in (0, 990, 99_990):
        lines = [f"worker says: loaded {n} of 9 files" for n in range(begin, begin + LINES)]
        assert silent(noise, lines) == {*range(LINES)}


def test_a_number_that_a_format_looks_for_is_found_among_others() -> None:
    noise = Noise((Coded(),))
    for _ in range(3):
        lines = [f"worker says: code {n % 10}" for n in range(LINES)]
        assert silent(noise, lines) == {n for n in range(LINES) if n % 10 != 7}
