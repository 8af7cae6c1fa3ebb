"""The ways in which the lines of one log count its epochs, which need not be one."""

from __future__ import annotations

_MOST = 100
"""Kinds of names that are told apart."""


class Namings:
    """The kinds of names that epochs have, by the text in front and whether of how many is said.

    Attributes:
        less: What the last number is more than the label of its epoch.
        anew: Whether another training begins with it.
    """

    def __init__(self) -> None:
        self.less = 0
        self.anew = False
        self._less: dict[tuple[str, bool], int] = {}
        self._first: int | None = None  # number
        self._number: int | None = None  # the label of the last line
        self._from_zero = False
        self._of_all = False

    def label(self, kind: tuple[str, bool], number: int, last: int | None) -> int:
        """The label of the epoch that a line names.

        A callback and the loop around it may each count in their own way: where lines of another
        kind name epoch 1 first when epoch 0 was just trained, they count the same epochs from 1.
        Where they name epoch 0 of several within epoch 1, the first, they count from 0.
        Where they do so behind several epochs, and say of how many, those were another training's.

        Args:
            kind: The kind of name.
            number: What it counts.
            last: The label of the last epoch, if that was trained.
        """
        less = self._less.get(kind)
        self.anew = False
        if less is None:
            otherwise = self._from_zero and number == 1 and last is not None
            less = int(otherwise and last == 0)
            if number == 0 and kind[1] and self._first == self._number == 1:
                less = -1
            self.anew = otherwise and last not in (0, 1) and kind[1] and not self._of_all
            self._from_zero = self._from_zero or (not self._less and number == 0)
            self._of_all |= kind[1]
            self._first = number if self._first is None else self._first
            if len(self._less) < _MOST:
                self._less[kind] = less
        self.less, self._number = less, number - less
        return max(number - less, 0)
