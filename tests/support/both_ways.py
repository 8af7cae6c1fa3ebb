"""Reads a log by columns and line by line."""

from __future__ import annotations

from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.spans import LineSpan
from sixdim.tui.session.session import Session
from tests.support.inputs.generated import state


class Columns(Session):
    """A session that reads every piece by columns, and counts the lines that were read so."""

    def __init__(self, target: str, keep: int) -> None:
        goal = parse_target(target, "--target") if target else None
        super().__init__("train.log", Settings(target=goal), formats(), keep=keep)
        self.by_blocks(least=1, together=3)
        self.together = 0

    def _add(self, span: LineSpan) -> None:
        super()._add(span)
        assert self.interpreter.blocks is not None
        self.together += span.lines if self.interpreter.blocks.folded else 0


def assert_alike(data: bytes, size: int, target: str = "") -> int:
    """Reads a log by columns and line by line; all is the same at the end.

    With curves and the latest lines, for a screen, it is the same after each piece of a size.

    Returns:
        How many lines were read by columns, in either way.
    """
    return min(_assert_alike(data, size, target, keep) for keep in (0, 40))


def _assert_alike(data: bytes, size: int, target: str, keep: int) -> int:
    columns = Columns(target, keep)
    lines = Session("train.log", columns.settings, formats(), keep=keep)
    for begin in range(0, len(data), size):
        for session in (columns, lines):
            session.feed(data[begin : begin + size])
        assert not keep or state(columns) == state(lines)
    for session in (columns, lines):
        session.end()
    assert state(columns) == state(lines)
    return columns.together
