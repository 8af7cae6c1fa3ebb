"""What ends a command early, and the exit codes, which are an API."""

from __future__ import annotations

DONE = 0
FAILED = 1
"""A given --target, --require or --against fails."""
USAGE = 2
"""Wrong usage, or input that cannot be read."""
FAULT = 70
"""A fault of sixdim's own (EX_SOFTWARE of sysexits.h)."""
INTERRUPTED = 130


class UserError(Exception):
    """One clear line for the person at the keyboard, and the exit code that goes with it."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code
