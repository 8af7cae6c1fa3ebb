"""One sample of `-q`, as text or XML: the devices of one moment, and their readings."""

from collections.abc import Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Notes
from sixdim.parsers.telemetry.dialects.smi_fields import (
    Devices,
    Processes,
    smi_draft,
    take_board_power,
)
from sixdim.parsers.telemetry.draft import Draft

MOST_DEVICES = 1024
_MOST_FIELDS = 4096
UNNUMBERED = "{count} of {attached} devices, and no index: numbered by their order"


class DeviceFields:
    """The identity (bus or UUID, or empty) of one device, and its fields' texts by path."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.fields: dict[str, str] = {}
        self.processes = Processes()

    def take(self, path: str, value: str) -> None:
        """Stores a field, or the memory of a process; of fields with one name the first counts."""
        if not self.processes.take(path, value) and len(self.fields) < _MOST_FIELDS:
            self.fields.setdefault(path, value)


class Sample:
    """The devices of one moment, in the order of the text.

    Attributes:
        time_us: Microseconds since 1970; None if the text does not say.
        attached: Number of devices in the machine; 0 if the text does not say.
        devices: The devices that the text describes.
    """

    def __init__(self, attached: int = 0) -> None:
        self.time_us: int | None = None
        self.attached = attached
        self.devices: list[DeviceFields] = []

    def ends_before(self, identity: str) -> bool:
        """Returns whether the device with this identity begins another sample."""
        known = any(identity == device.identity for device in self.devices)
        return known or len(self.devices) >= MOST_DEVICES

    def begin(self, identity: str) -> DeviceFields:
        """Adds and returns the next device."""
        self.devices.append(DeviceFields(identity))
        return self.devices[-1]

    def readings(
        self, indices: Devices, source: str, notes: Notes, asked: int | None = None
    ) -> Iterator[Reading]:
        """Yields a reading of each device with figures; `asked` is the device a command named."""
        owners: dict[str, int] = {}
        for device in self.devices:
            index = indices.known(device.identity)
            if index is None:
                index = indices.new(device.identity, self._stated(device, source, asked, notes))
            draft = Draft(index, source, time_us=self.time_us)
            smi_draft(device.fields, draft, notes)
            take_board_power(device.fields, draft, owners, notes)
            if draft.values or draft.missing:
                device.processes.fill(draft)
                yield draft.reading()

    def _stated(self, device: DeviceFields, source: str, asked: int | None, notes: Notes) -> str:
        """Returns the index that the text gives to a new device; empty if its place is its index.

        ixsmi's minor numbers are its indices. NVIDIA's seldom differ from them, so they are used if
        some devices are left out (`-i 5`), because then the order does not give the index.
        """
        partial = len(self.devices) < self.attached
        if asked is not None and len(self.devices) == 1:
            return str(asked)
        minor = device.fields.get("minor_number", "") if source == "ixsmi" or partial else ""
        if partial and not minor:
            notes.add(UNNUMBERED.format(count=len(self.devices), attached=self.attached))
        return minor
