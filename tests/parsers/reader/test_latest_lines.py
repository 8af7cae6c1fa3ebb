"""The latest lines, however they came: one by one, or many as bytes."""

from __future__ import annotations

import random

import pytest

from sixdim.parsers.reader.latest import LatestLines
from sixdim.parsers.text.lines import Line


@pytest.mark.parametrize("seed", range(30))
def test_the_latest_lines_are_the_last_ones_of_the_log(seed: int) -> None:
    rng = random.Random(seed)
    most = rng.choice((1, 7, 40))
    latest, every, number = LatestLines(most), list[tuple[int, str]](), 1
    for _ in range(rng.randrange(1, 12)):
        count = rng.choice((1, 1, 2, most - 1, most, most + 1, 3 * most)) or 1
        texts = [f"step {number + place} " + "x" * rng.randrange(3) for place in range(count)]
        every += [(number + place, text) for place, text in enumerate(texts)]
        if rng.random() < 0.5:
            data = "".join(f"{text}\n" for text in texts).encode()
            latest.append_all(number, memoryview(data), count)
        else:
            for line, text in every[-count:]:
                latest.append(Line(line, 0, text))
        number += count
        if rng.random() < 0.3:
            assert [*latest] == every[-most:]
    assert [*latest] == every[-most:]
    assert [*latest] == every[-most:]
