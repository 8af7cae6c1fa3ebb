"""Finds out how each kind of line in one log numbers the epochs: from 0 or from 1."""

_MOST = 100
"""The most kinds of lines that are stored."""


class Namings:
    """Finds how each kind of line numbers the epochs: a loop may count from 0, its callback from 1.

    A kind is the text in front of the number, with `begin` for a line that only begins an epoch,
    and whether the line has the total of epochs.

    Attributes:
        offset: The number that the current kind of line prints minus the label of its epoch.
        anew: Whether the last number began another training.
        last_label: The label of the last epoch that a line named.
    """

    def __init__(self) -> None:
        self.offset = 0
        self.anew = False
        self._offsets: dict[tuple[str, bool], int] = {}
        self._first_number: int | None = None
        self.last_label: int | None = None
        self._from_zero = False  # lines of the first kind count from 0
        self._had_total = False  # a line had the total of epochs
        self._second: tuple[str, bool] | None = None  # kind of the lines of a second training
        self._kind: tuple[str, bool] | None = None  # kind of the last line

    def number_first(self) -> None:
        """Notes that the first epoch has the number 1, as its bars have no label."""
        if self._first_number is None:
            self._first_number = self.last_label = 1

    def label(self, kind: tuple[str, bool], number: int, trained: int | None) -> int:
        """Returns the label of the epoch that a line names.

        The first line of a kind shows how that kind counts. A 1 after epoch 0 was trained means
        epoch 0, counted from 1. A 0 inside the log's first epoch, labelled 1, means epoch 1,
        counted from 0. A `1/N` after several epochs that were counted from 0 begins another
        training.

        Args:
            kind: The kind of the line.
            number: The number on it.
            trained: The label of the current epoch, if it has a figure of the training.
        """
        self.anew = False
        if kind != self._kind:
            self._change(kind, number, trained)
        self.last_label = label = number - self.offset
        return label if label > 0 else 0

    def _change(self, kind: tuple[str, bool], number: int, trained: int | None) -> None:
        """Processes a line whose kind differs from that of the line before."""
        self.anew = self._second is not None and number == int(kind == self._second)
        before, self._kind = self._kind, kind
        if kind not in self._offsets:
            begun = before is not None and before[0].startswith("begin ")
            self._infer(kind, number, 0 if begun and self.last_label == 0 else trained)
            self._second = kind if self.anew else self._second
        self.offset = self._offsets.get(kind, 0)

    def _infer(self, kind: tuple[str, bool], number: int, trained: int | None) -> None:
        """Infers how a kind counts from its first line."""
        _text, has_total = kind
        from_one = self._from_zero and number == 1 and trained is not None
        offset = int(from_one and trained == 0)
        in_first = self._first_number == self.last_label == 1
        if number == 0 and in_first:
            offset = -1
        self.anew = from_one and trained not in (0, 1) and has_total and not self._had_total
        self._from_zero = self._from_zero or (not self._offsets and number == 0)
        self._had_total |= has_total
        if self._first_number is None:
            self._first_number = number
        if len(self._offsets) < _MOST:
            self._offsets[kind] = offset
