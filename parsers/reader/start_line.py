"""The line that starts a run's clock, if the publisher of the log names one."""

from __future__ import annotations


class StartLine:
    """The pattern of such a line.

    Args:
        pattern: Text of such a line, with `*` for any text; empty for no line.

    Attributes:
        parts: The texts between the stars.
    """

    def __init__(self, pattern: str) -> None:
        self.parts = tuple(part for part in pattern.split("*") if part)

    def is_in(self, text: str) -> bool:
        """Whether the parts stand in a text, one behind the other."""
        position = 0
        for part in self.parts:
            found = text.find(part, position)
            if found < 0:
                return False
            position = found + len(part)
        return True
