"""Places in a mask, against numpy's own search."""

from __future__ import annotations

import numpy as np
import pytest

from parsers.scan.words import positions


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.9, 1.0])
@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 4099])
def test_every_set_place_is_found(share: float, size: int) -> None:
    mask = np.random.default_rng(size).random(size) < share
    assert positions(mask).tolist() == np.flatnonzero(mask).tolist()


def test_places_one_by_one_and_neighbours() -> None:
    for at in range(20):
        mask = np.zeros(20, dtype=np.bool_)
        mask[at] = True
        assert positions(mask).tolist() == [at]
        mask[(at + 1) % 20] = True
        assert positions(mask).tolist() == np.flatnonzero(mask).tolist()
