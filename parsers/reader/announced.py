"""Finds out whether any installed package provides formats, without loading one."""

import sys
from functools import cache
from pathlib import Path

GROUP = "sixdim.formats"
"""The entry point group in which a package names its formats."""


@cache
def announced() -> bool:
    """Returns whether any installed package may name the group.

    `importlib.metadata`, which looks for the same files in the same folders, takes longer to load
    than all built-in formats, and few installations have further formats.
    """
    group = f"[{GROUP}]".encode()
    for place in map(Path, sys.path):
        if place.is_file():
            return True  # a zip archive: only `importlib.metadata` knows what is in it
        for kind in ("dist-info", "egg-info"):
            for names in place.glob(f"*.{kind}/entry_points.txt"):
                try:
                    found = group in names.read_bytes()
                except OSError:  # `importlib.metadata` passes over what it may not read
                    continue
                if found:
                    return True
    return False
