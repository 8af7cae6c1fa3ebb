"""The latest lines of a log, for showing."""

from collections import deque
from collections.abc import Iterator

from sixdim.parsers.text.lines import Line, LineSplitter


class LatestLines:
    """The latest lines: number and text, prefixes included, oldest first.

    Lines that were not read one by one are held as bytes, and split when they are asked for.

    Attributes:
        most: How many are held at most; 0 where none is added.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: deque[tuple[int, str | bytes]] = deque(maxlen=most)

    def append(self, line: Line) -> None:
        """Adds the next line."""
        self._held.append((line.number, line.text))

    def append_all(self, number: int, data: memoryview, count: int) -> None:
        """Adds whole lines.

        Args:
            number: Number of the first line.
            data: Their bytes.
            count: How many lines there are; none of them is blank.
        """
        if not self.most:
            return
        # Such lines are about equally long.
        size = 2 * self.most * (len(data) // count + 1)
        if size < len(data):
            latest = bytes(data[-size:]).partition(b"\n")[2]
            lines = latest.count(b"\n")
            if lines >= self.most:
                self._held.clear()
                self._held.append((number + count - lines, latest))
                return
        self._held.append((number, bytes(data)))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        lines: deque[tuple[int, str]] = deque()
        for number, text in reversed(self._held):
            if isinstance(text, str):
                lines.appendleft((number, text))
            else:
                lacking = self.most - len(lines)
                pieces = text.rsplit(b"\n", lacking + 1)
                begin = len(pieces[0]) + 1 if len(pieces) > lacking + 1 else 0
                splitter = LineSplitter()
                splitter.number = number + text.count(b"\n", 0, begin)
                found = [(one.number, one.text) for one in splitter.feed(text[begin:])]
                lines.extendleft(reversed(found))
            if len(lines) == self.most:
                break
        self._held.clear()
        self._held.extend(lines)
        return iter(lines)
