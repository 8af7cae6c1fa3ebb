"""The clocks of this machine, which tests replace."""

import time
from collections.abc import Callable
from typing import NamedTuple


class Clock(NamedTuple):
    """Two clocks.

    Attributes:
        monotonic: Seconds that never jump.
        wall_us: Microseconds since 1970.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall_us: Callable[[], int] = lambda: time.time_ns() // 1000
