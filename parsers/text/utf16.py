"""Splits UTF-16 text, as PowerShell's `>` writes it, into clean lines."""

from collections.abc import Iterator

from sixdim.parsers.text.lines import Line, LineSplitter

_ORDERS = {b"\xff": "little", b"\xfe": "big"}
"""The first byte of a byte order mark, and its order. No text in UTF-8 has such a byte."""
_UNIT = 2
"""Bytes of a code unit."""


def splitter_of(begin: bytes) -> LineSplitter:
    """Returns the splitter of a log that begins with these bytes, of which the first counts."""
    order = _ORDERS.get(begin[:1])
    return LineSplitter() if order is None else Utf16Splitter(order)


class Utf16Splitter(LineSplitter):
    """Cuts a stream of UTF-16 into clean lines; offsets are those of its bytes.

    Args:
        order: The byte order, `little` or `big`.
    """

    by_columns = False

    def __init__(self, order: str) -> None:
        super().__init__()
        self._half = b""  # of a code unit whose second byte has not come
        self._encoding = "utf-16-le" if order == "little" else "utf-16-be"
        self._newline, self._return = (end.encode(self._encoding) for end in "\n\r")

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """As `LineSplitter.feed`."""
        data = self._half + chunk
        whole = len(data) - len(data) % _UNIT
        data, self._half = data[:whole], data[whole:]
        begin = 0
        for end in sorted([*_places(data, self._newline), *_places(data, self._return)]):
            line = self._complete(data[begin:end])
            begin = end + _UNIT
            self.offset += _UNIT
            if line is not None:
                yield line
            self.number += data[end:begin] == self._newline
        self._hold(data[begin:])

    def _without_hole(self, raw: bytes) -> bytes:
        return raw  # a zero may be half of a character

    def _decoded(self, raw: bytes) -> str:
        return raw.decode(self._encoding, "replace").removeprefix("\ufeff")


def _places(data: bytes, unit: bytes) -> Iterator[int]:
    """Yields the places of a code unit, which begins at an even byte."""
    place = data.find(unit)
    while place >= 0:
        aligned = place % _UNIT == 0
        if aligned:
            yield place
        place = data.find(unit, place + (_UNIT if aligned else 1))
