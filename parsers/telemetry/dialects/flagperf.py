"""FlagPerf's Iluvatar monitor: a time, then `26C 50W 513MiB 32768MiB 0%` for each device."""

from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_stripped
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_ROW = pattern(
    r"(?P<temperature_c>\d{1,3}C|N/A)\s++(?P<power_w>\d{1,6}W|N/A)\s++"
    r"(?P<memory_mib>\d{1,7}MiB|N/A)\s++(?P<memory_total_mib>\d{1,7}MiB|N/A)\s++"
    r"(?P<utilisation>\d{1,3}%|N/A)"
)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    time_us: int | None = None
    device = 0
    for line in lines:
        text = line.text.strip()
        if (stamp := time_of(text)) is not None:
            time_us, device = stamp, 0
        elif row := _ROW.fullmatch(text):
            draft = Draft(device, "ixsmi", time_us=time_us)
            for field, value in row.groupdict().items():
                draft.put_text(field, value)
            device += 1
            yield draft.reading()


DIALECT = Dialect("flagperf monitor", any_stripped(_ROW.fullmatch), _read)
