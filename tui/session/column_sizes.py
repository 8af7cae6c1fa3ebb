"""From which size on a log is read by columns."""

from __future__ import annotations

import os

LARGE = 4 << 20
"""Bytes that are read before it is worth reading the others by columns, if it is not known how many
there are."""
LARGE_BLOCK = 1 << 20
"""Bytes that are then read at once."""
WORTH = 1 << 17
"""Bytes that a growing log brings at once which are worth it, too."""
HUGE = 32 << 20
"""Bytes of a log that is read by columns from the beginning, if it is finished by two processes."""


def by_columns() -> bool:
    """Whether large logs may be read by columns: unless SIXDIM_BLOCKS says `off`."""
    return os.environ.get("SIXDIM_BLOCKS", "") != "off"
