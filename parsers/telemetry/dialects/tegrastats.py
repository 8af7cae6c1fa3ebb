"""NVIDIA's `tegrastats` on Jetson modules: one line per sample, with the figures of the module.

Power is that of the GPU's own rail, where the module has one. `VDD_IN` is the power of the whole
module, and rails such as `VDD_CPU_GPU_CV` and `VDD_GPU_SOC` feed other parts, too: neither is the
GPU's power.
"""

from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_stripped
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

SHARED_MEMORY = "the memory is the module's: its GPU has none of its own"
SHARED_RAIL = "the rail {rail} feeds more than the GPU"
NO_RAIL = "no rail of the GPU is printed"
OWN_RAIL = "power is that of the rail {rail}, which feeds the GPU alone, without memory"

_SAMPLE = pattern(
    r"(?:(?P<M>\d\d)-(?P<D>\d\d)-(?P<Y>\d{4}) (?P<time>\d\d:\d\d:\d\d) )?+"
    r"RAM \d{1,7}/\d{1,7}MB \(lfb .*+"
)
_USE = pattern(r"GR3D_FREQ (?P<percent>\d{1,3})%")
_HEAT = pattern(r"(?<!\w)(?:GPU|gpu)@(?P<celsius>-?\d{1,3}(?:\.\d{1,3})?)C")
_RAIL = pattern(
    r"(?<!\w)(?P<name>POM_5V_GPU|GPU|VDD_\w{0,8}GPU\w{0,8}) (?P<mw>\d{1,6})(?:mW)?+/\d{1,6}"
)
OWN_RAILS = frozenset({"POM_5V_GPU", "VDD_SYS_GPU", "VDD_GPU", "GPU"})


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    for line in lines:
        sample = _SAMPLE.fullmatch(line.text.strip())
        if sample is None:
            continue
        draft = Draft(0, "tegrastats")
        if sample["time"]:
            draft.time_us = time_of("{Y}-{M}-{D} {time}".format(**sample.groupdict()))
        if use := _USE.search(line.text):
            draft.put_text("utilisation", use["percent"])
        if heat := _HEAT.search(line.text):
            draft.put_text("temperature_c", heat["celsius"])
        rails = {one["name"]: one["mw"] for one in _RAIL.finditer(line.text)}
        if own := next((name for name in rails if name in OWN_RAILS), ""):
            # A rail may be switched off: unlike a board's, its 0 W is a measurement.
            draft.values["power_w"] = int(rails[own]) / 1000
            notes.add(OWN_RAIL.format(rail=own))
        else:
            shared = next(iter(rails), "")
            draft.lack("power_w", SHARED_RAIL.format(rail=shared) if shared else NO_RAIL)
        draft.lack("memory_mib", SHARED_MEMORY)
        yield draft.reading()


DIALECT = Dialect("tegrastats", any_stripped(_SAMPLE.fullmatch), _read)
