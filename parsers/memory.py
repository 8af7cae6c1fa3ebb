"""What the C library does with memory that is no longer used.

glibc gives large pieces back to the system at once, which clears them when it hands them out
again: of a log that is read block by block, a fifth of the time. What counts as large follows the
largest piece that was freed so far (mallopt(3), M_MMAP_THRESHOLD).
"""

from __future__ import annotations

_LARGE = 1 << 24


def keep() -> None:
    """Lets what a block of a log needs stay for the next one."""
    bytes(_LARGE)  # comes cleared and is never touched, so that it takes no memory itself


def give_back() -> None:
    """Gives the system back what nothing uses now, where the C library can (malloc_trim(3))."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
