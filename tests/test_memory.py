"""What the C library is asked to do with memory."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_SHARES = """
import re, sys, threading
from parsers.memory import give_back, one_heap

if sys.argv[1] == "one":
    one_heap()
held, go_on = [], threading.Event()

def work():
    held.extend(bytes(600 + n % 900) for n in range(10_000))  # too large for Python's own pools
    go_on.wait()

thread = threading.Thread(target=work)
thread.start()
while len(held) < 10_000:
    pass
maps = open("/proc/self/maps").read()
reserved = [int(end, 16) - int(begin, 16) for begin, end in re.findall("(.+)-(.+) ---p", maps)]
print(sum(size > 32 << 20 for size in reserved))
go_on.set()
thread.join()
held.clear()
give_back()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
@pytest.mark.parametrize(("heaps", "more"), [("one", 0), ("many", 1)])
def test_threads_share_one_heap_where_that_was_asked_for(heaps: str, more: int) -> None:
    # A heap of a thread's own reserves 64 MiB of addresses.
    done = subprocess.run(
        [sys.executable, "-c", _SHARES, heaps], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == more
