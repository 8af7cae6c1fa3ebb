"""The sizes in bytes from which a log is read by columns."""

from __future__ import annotations

import os

LARGE = 4 << 20
"""Bytes after which the rest of a log of unknown size is read by columns."""
LARGE_BLOCK = 1 << 20
"""Bytes that are read at once from then on."""
WORTH = 1 << 17
"""The smallest piece that is read by columns."""
HUGE = 32 << 20
"""A log of this size is read by columns from its beginning; if finished, by two processes."""


def by_columns() -> bool:
    """Returns whether large logs may be read by columns: unless SIXDIM_BLOCKS is `off`."""
    return os.environ.get("SIXDIM_BLOCKS", "") != "off"
