"""The latest lines of a log, for showing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from sixdim.parsers.text.lines import Line, LineSplitter


class LatestLines:
    """The latest lines: number and text, prefixes included, oldest first.

    Lines that were not read one by one are held as bytes, and split when they are asked for.

    Args:
        most: How many lines.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: deque[tuple[int, str | bytes]] = deque(maxlen=most)

    def append(self, line: Line) -> None:
        """Adds the next line."""
        self._held.append((line.number, line.text))

    def append_all(self, number: int, data: memoryview, count: int) -> None:
        """Adds whole lines.

        Args:
            number: Of the first one.
            data: Their bytes.
            count: How many there are, none of them blank.
        """
        if not self._most:
            return
        # Such lines are about equally long.
        size = 2 * self._most * (len(data) // count + 1)
        if size < len(data):
            latest = bytes(data[-size:]).partition(b"\n")[2]
            lines = latest.count(b"\n")
            if lines >= self._most:
                self._held.clear()
                self._held.append((number + count - lines, latest))
                return
        self._held.append((number, bytes(data)))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        lines = deque[tuple[int, str]](maxlen=self._most)
        for number, text in self._held:
            if isinstance(text, str):
                lines.append((number, text))
                continue
            splitter = LineSplitter()
            splitter.number = number
            lines.extend((line.number, line.text) for line in splitter.feed(text))
        self._held.clear()
        self._held.extend(lines)
        return iter(lines)
