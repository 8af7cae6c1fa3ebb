"""Places of marked bytes, against numpy's own search."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from parsers.scan.words import Marks, Mask


def _places(data: NDArray[np.uint8]) -> list[int]:
    def odd(some: NDArray[np.uint8], out: Mask) -> None:
        np.not_equal(some, 0, out=out)

    found: list[int] = Marks(600_000).where(data, odd).tolist()
    return found


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.9, 1.0])
@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 4099, 262_144, 262_145, 600_000])
def test_every_marked_place_is_found(share: float, size: int) -> None:
    data = (np.random.default_rng(size).random(size) < share).astype(np.uint8)
    assert _places(data) == np.flatnonzero(data).tolist()


def test_places_one_by_one_and_neighbours() -> None:
    for at in range(20):
        data = np.zeros(20, dtype=np.uint8)
        data[at] = 1
        assert _places(data) == [at]
        data[(at + 1) % 20] = 1
        assert _places(data) == np.flatnonzero(data).tolist()


def test_nothing_is_left_of_the_block_before() -> None:
    marks = Marks(300_000)

    def odd(some: NDArray[np.uint8], out: Mask) -> None:
        np.not_equal(some, 0, out=out)

    assert marks.where(np.ones(300_000, dtype=np.uint8), odd).size == 300_000
    assert marks.where(np.zeros(299_999, dtype=np.uint8), odd).size == 0
