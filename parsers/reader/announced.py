"""Whether any installed package brings formats, found out without loading one."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

GROUP = "sixdim.formats"
"""The group of entry points by which it does."""


@cache
def announced() -> bool:
    """Whether any installed package may name the group.

    `importlib.metadata` costs more to load than all built-in formats, and hardly anyone brings
    a format. It looks in the same folders for the same files.
    """
    group = f"[{GROUP}]".encode()
    for place in map(Path, sys.path):
        if place.is_file():
            return True  # a zip archive: only `importlib.metadata` knows what is in it
        for kind in ("dist-info", "egg-info"):
            for said in place.glob(f"*.{kind}/entry_points.txt"):
                if group in said.read_bytes():
                    return True
    return False
