"""The sizes in bytes from which a log is read by columns."""

import os

LARGE = 4 << 20
"""A log that is expected to have so many bytes, or has brought as many, is read by columns."""
LARGE_BLOCK = 1 << 20
"""Bytes of a finished log that are read at once by columns."""
WORTH = 1 << 14
"""The smallest piece that is read by columns."""
HUGE = 32 << 20
"""A finished log of this size is read by two processes."""


def by_columns() -> bool:
    """Returns whether large logs may be read by columns: unless SIXDIM_BLOCKS is `off`."""
    return os.environ.get("SIXDIM_BLOCKS", "") != "off"
