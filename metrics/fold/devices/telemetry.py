"""Folds readings of GPUs epoch by epoch, in bounded memory.

For each device and epoch it holds exact sums, never the readings (see
`metrics.fold.devices.device`).
"""

from collections.abc import Sequence
from typing import TypeAlias

from sixdim.metrics.fold.devices.device import OWN_SCOPES, Device, DeviceSums, Window
from sixdim.parsers.reading import NOT_OF_RUN, Reading

MAX_DEVICES = 4096
"""Devices of which readings are added; a journal with more is broken."""


Choice: TypeAlias = int | str
"""A device as the user names it: its index, or its UUID or the beginning of one."""


def names(choice: Choice, index: int, uuid: str) -> bool:
    """Returns whether a choice names this device."""
    return choice == index if isinstance(choice, int) else uuid.startswith(choice)


class TelemetryFold:
    """Every reading of a run, folded.

    Attributes:
        readings: Readings applied.
        labelled: Whether any reading carried an epoch.
        others: Devices on which no process of the run was seen while it was on others.
    """

    def __init__(self) -> None:
        self.readings = 0
        self.labelled = False
        self.others: set[tuple[str, int]] = set()
        self._own: set[tuple[str, int]] = set()
        self._devices: dict[tuple[str, int], Device] = {}

    def apply(self, reading: Reading) -> None:
        """Folds one reading in."""
        key = (reading.host, reading.device)
        if key not in self._devices and len(self._devices) >= MAX_DEVICES:
            return
        if self._devices.setdefault(key, Device()).add(reading):
            self.readings += 1
            self.labelled = self.labelled or reading.epoch is not None
            if reading.process_scope in OWN_SCOPES:
                self._own.add(key)
                self.others.discard(key)
            elif key not in self._own and NOT_OF_RUN in reading.missing:
                self.others.add(key)

    def latest(self) -> tuple[Reading, ...]:
        """Returns the last reading of each device, in the order of host and index."""
        return tuple(device.latest for _, device in sorted(self._devices.items()))

    def epochs(self) -> tuple[int, ...]:
        """Returns every epoch label that readings carried, in order."""
        ends = {begin for device in self._devices.values() for begin, _ in device.pairs}
        return tuple(sorted(label for label in ends if label is not None))

    def window(
        self, window: Window | None, devices: Sequence[Choice] | None = None
    ) -> tuple[DeviceSums, ...]:
        """Returns what was read in a window of epochs, both ends included, by device.

        Without a window all epochs count, and without a choice all devices but `others`.
        """
        return tuple(
            device.within(window)
            for key, device in sorted(self._devices.items())
            if (devices is None and key not in self.others)
            or any(names(one, key[1], device.latest.uuid) for one in devices or ())
        )
