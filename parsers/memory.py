"""What the C library does with memory that is no longer used.

glibc gives large pieces back to the system at once, which clears them when it hands them out
again: of a log that is read block by block, a fifth of the time. What counts as large follows the
largest piece that was freed so far (mallopt(3), M_MMAP_THRESHOLD).
"""

from __future__ import annotations

_LARGE = 1 << 24
_ARENA_MAX = -8
"""Of `mallopt`: how many heaps there may be (M_ARENA_MAX in glibc's malloc.h)."""


def keep() -> None:
    """Lets what a block of a log needs stay for the next one."""
    bytes(_LARGE)  # comes cleared and is never touched, so that it takes no memory itself


def give_back() -> None:
    """Gives the system back what nothing uses now, where the C library can (malloc_trim(3))."""
    _ask("malloc_trim", 0)


def one_heap() -> None:
    """Has the threads begun from now on share one heap, where the C library can (mallopt(3)).

    They take turns anyway; each one's own would keep what the others could use.
    """
    _ask("mallopt", _ARENA_MAX, 1)


def _ask(name: str, *numbers: int) -> None:
    import ctypes

    function = getattr(ctypes.CDLL(None), name, None)
    if function is not None:
        function(*numbers)
