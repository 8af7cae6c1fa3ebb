"""What a telemetry source says of one GPU at one moment."""

from typing import NamedTuple

NOT_OF_RUN = ("process_mib", "no process of the run is on this device")
"""What `Reading.missing` holds where the run's processes are on other devices."""
RUN_GONE = ("process_mib", "no process of the run is on any device")
"""What `Reading.missing` holds after the run's processes have left the devices."""
BOARD_AT = "the board's power stands at device "
"""How the reason begins for a device whose power is part of another one's reading."""


class Reading(NamedTuple):
    """One telemetry sample of one device. A field that could not be read is None.

    Attributes:
        device: Index as the source counts.
        host: Host name, or empty for this machine or where unknown.
        source: `nvml`, `ixml`, `ixsmi`, `recorded`, ….
        name: Product name, sanitised.
        uuid: The device's own identity, where known.
        time_us: Wall clock of the sample, microseconds since 1970; None where unknown.
        epoch: Epoch current when it was made, where known.
        power_w: Watts drawn by the board.
        power_limit_w: Watts it may draw.
        memory_mib: MiB used on the board.
        memory_total_mib: MiB on the board.
        process_mib: MiB used by processes; whose, says `process_scope`.
        process_scope: `run` for the run's own processes, `shared` for them on a device that others
            compute on as well, `device` for every compute process on the device; empty where
            `process_mib` is unknown.
        utilisation: Percent of time a kernel ran.
        temperature_c: Degrees Celsius.
        throttle: Why clocks are held down; empty when they are not.
        energy_j: The device's own energy counter in joules.
        missing: (field, reason) for every field that could not be read.
    """

    device: int
    host: str = ""
    source: str = ""
    name: str = ""
    uuid: str = ""
    time_us: int | None = None
    epoch: int | None = None
    power_w: float | None = None
    power_limit_w: float | None = None
    memory_mib: float | None = None
    memory_total_mib: float | None = None
    process_mib: float | None = None
    process_scope: str = ""
    utilisation: float | None = None
    temperature_c: float | None = None
    throttle: tuple[str, ...] = ()
    energy_j: float | None = None
    missing: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> int | str:
        """The device's index, or its host and index where a host is known."""
        return f"{self.host}/{self.device}" if self.host else self.device
