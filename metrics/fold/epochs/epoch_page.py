"""Epochs that are over, packed into some 200 bytes each."""

import pickle
import zlib
from collections.abc import Sequence
from typing import Any

from sixdim.metrics.fold.epochs.epoch import Epoch
from sixdim.metrics.fold.sums.line_sums import LineSums

COLUMNS = ("first_line", "last_line", "records", "start_us", "ended", "epoch_time", "train_time")
"""The attributes that are read of all epochs of a run together."""


class EpochPage:
    """Some epochs as compressed bytes, and each of `COLUMNS` as bytes of its own.

    Args:
        epochs: Those that do not change any more; None for one that is kept as an object.

    Attributes:
        timed: Whether any of them may have a throughput.
    """

    def __init__(self, epochs: Sequence[Epoch | None]) -> None:
        self.timed = any(epoch is not None and epoch.timed for epoch in epochs)
        self._epochs = zlib.compress(_packed([e and _held(e) for e in epochs]), 1)
        # To compress a column costs more time than it saves memory.
        self._columns = {n: _packed([getattr(e, n, None) for e in epochs]) for n in COLUMNS}

    def epochs(self) -> list[Epoch | None]:
        """Returns the epochs, as new objects."""
        held = pickle.loads(zlib.decompress(self._epochs))
        return [None if one is None else _epoch(*one) for one in held]

    def column(self, name: str) -> list[Any]:
        """Returns one of `COLUMNS`."""
        found: list[Any] = pickle.loads(self._columns[name])
        return found


def _held(epoch: Epoch) -> tuple[dict[str, Any], ...]:
    """Returns the attributes of an epoch and its sums: pickling objects takes twice the time."""
    of_lines = vars(epoch.lines)
    return {**vars(epoch), "lines": None}, {**of_lines, "sums": None}, vars(epoch.lines.sums)


def _epoch(attributes: dict[str, Any], of_lines: dict[str, Any], sums: dict[str, Any]) -> Epoch:
    epoch, lines = Epoch.__new__(Epoch), LineSums()
    vars(lines.sums).update(sums)
    vars(lines).update(of_lines, sums=lines.sums)
    vars(epoch).update(attributes, lines=lines)
    return epoch


def _packed(value: object) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
