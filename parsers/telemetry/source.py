"""The interface of live sources of readings, and the result of a source that cannot be used."""

from typing import NamedTuple, Protocol

from sixdim.parsers.reading import Reading


class Unavailable(NamedTuple):
    """A source that cannot be used here.

    Attributes:
        source: Its name, e.g. `nvml`.
        reason: The reason, in one sentence.
    """

    source: str
    reason: str


class Source(Protocol):
    """Something that can be asked for one reading of each device, again and again."""

    name: str
    notes: tuple[str, ...]
    """Remarks for the user on this source's figures."""
    patience_s: float
    """Seconds that an answer may take (a library call, a command's run, a round trip)."""

    def read(self, now_us: int) -> list[Reading]:
        """Returns one reading of each device, stamped `now_us` (microseconds since 1970).

        A field that cannot be read is None with its reason in `missing`; a source never
        raises for a device or a field. It may block: `parsers.telemetry.poller` bounds that.
        """

    def close(self) -> None:
        """Releases the library, file or connection; harmless when repeated."""


def lost(known: Reading, reason: str, now_us: int) -> Reading:
    """Makes the reading of a device that gave figures before and gives none now."""
    return Reading(
        device=known.device,
        host=known.host,
        source=known.source,
        name=known.name,
        uuid=known.uuid,
        time_us=now_us,
        missing=(("memory_mib", reason), ("power_w", reason)),
    )
