"""Vectorised scanf: the progress lines of a large log, read a block at a time.

All follows from what a format states: `template` derives from a statement and one line of
this log what every like line looks like, `lockstep` reads all lines of a block by it, and
`block` hands what does not fit to the line parser, in order. Same events, same card; numpy is
loaded only when a log is large enough to pay for it.
"""

from __future__ import annotations

import os

SWITCH = "SIXDIM_SCAN"
"""Environment variable that turns the block scan off (`off`), or its second process (`alone`)."""


def wanted() -> bool:
    """Whether the block scan may be used at all."""
    return os.environ.get(SWITCH, "").lower() not in ("off", "0", "no")


def shared() -> bool:
    """Whether a second process may help with a log that is there whole."""
    alone = os.environ.get(SWITCH, "").lower() == "alone"
    return not alone and hasattr(os, "fork") and len(os.sched_getaffinity(0)) > 1
