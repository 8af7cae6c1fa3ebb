"""The ways in which the lines of one log number its epochs, which need not be one."""

from __future__ import annotations

_MOST = 100
"""Kinds of lines whose way of counting is remembered."""


class Namings:
    """How the lines of each kind number the epochs: a loop from 0, its callback from 1.

    A kind is the text in front of the number, and whether the line says of how many epochs.

    Attributes:
        offset: How far the last number lies above the label of its epoch.
        anew: Whether another training begins with the last number.
    """

    def __init__(self) -> None:
        self.offset = 0
        self.anew = False
        self._offsets: dict[tuple[str, bool], int] = {}
        self._first_number: int | None = None
        self._last_label: int | None = None
        self._from_zero = False  # the lines of the first kind
        self._says_total = False  # any kind so far
        self._second: tuple[str, bool] | None = None  # the kind of a training behind another
        self._kind: tuple[str, bool] | None = None  # of the last line

    def label(self, kind: tuple[str, bool], number: int, trained: int | None) -> int:
        """The label of the epoch that a line names.

        The first line of a kind shows how that kind counts. Epoch 1, when epoch 0 was just
        trained, is that epoch counted from 1. Epoch 0 of several, within epoch 1, the log's first,
        is that epoch counted from 0. Epoch 1 of several behind several epochs that were numbered
        from 0 is another training's.

        Args:
            kind: The kind of line.
            number: The number in it.
            trained: The label of the last epoch, if it was trained.
        """
        changes = self._second is not None and kind != self._kind
        self.anew = changes and number == int(kind == self._second)
        self._kind = kind
        if kind not in self._offsets:
            self._meet(kind, number, trained)
            self._second = kind if self.anew else self._second
        self.offset = self._offsets.get(kind, 0)
        self._last_label = number - self.offset
        return max(self._last_label, 0)

    def _meet(self, kind: tuple[str, bool], number: int, trained: int | None) -> None:
        """Infers from its first line how a kind counts."""
        _text, has_total = kind
        from_one = self._from_zero and number == 1 and trained is not None
        offset = int(from_one and trained == 0)
        if number == 0 and has_total and self._first_number == self._last_label == 1:
            offset = -1
        self.anew = from_one and trained not in (0, 1) and has_total and not self._says_total
        self._from_zero = self._from_zero or (not self._offsets and number == 0)
        self._says_total |= has_total
        if self._first_number is None:
            self._first_number = number
        if len(self._offsets) < _MOST:
            self._offsets[kind] = offset
