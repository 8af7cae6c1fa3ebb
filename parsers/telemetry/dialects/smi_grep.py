"""`ixsmi -q -l | grep 'Power Draw'` and the like: single `Name : value` lines, one per reading.

DeepSpark's recordings are of this kind: power lines or memory lines without a time, and without a
device unless the command was pasted above them.
"""

import itertools
from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.dialects.command_line import command_line
from sixdim.parsers.telemetry.draft import Draft, is_absent
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_LINE = pattern(
    r"\s*+(?:\[[^\]]{1,40}\]\s*+)?+"
    r"(?P<name>(?:GPU |Board |Average |Instantaneous )?+Power Draw|Used)"
    r"\s*+:\s*+(?P<value>\S[^:]{0,30})"
)
_QUANTITY = {"Used": "memory_mib"}

_PROBE = 2000
_PAIR = _AVERAGE, _INSTANT = "Average Power Draw", "Instantaneous Power Draw"
_GRACE = pattern(r"(?:gmg)++(?:gm?)?+")
IN_PAIRS = (
    "average and instantaneous power are given for one sample: the average is used; the pairs of "
    "the memory, which have no instantaneous figure, and of the module after it are left out"
)
UNLABELLED = "the lines name no device: read as readings of device 0"


def _matches(head: list[Line]) -> bool:
    """Whether there are only such lines, commands and ellipses, with at least one reading."""
    bodies = [line.text for line in head if line.text.strip(" .…-")]
    matching = [text for text in bodies if _LINE.fullmatch(text.rstrip())]
    return bool(matching) and all(_LINE.fullmatch(t.rstrip()) or command_line(t) for t in bodies)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    device: int | None = None
    source = "ixsmi"
    rest = iter(lines)
    first = list(itertools.islice(rest, _PROBE))
    paired = {*_PAIR} <= {_name(line) for line in first}
    module = paired and _has_module(first)
    average, of_memory = "", False
    for line in itertools.chain(first, rest):
        if command := command_line(line.text):
            source, device = command
            continue
        found = _LINE.fullmatch(line.text.rstrip())
        if found is None:
            continue
        name, value = found["name"], found["value"]
        if name.startswith("Board"):
            notes.add("board power lines are left out: a board may carry several devices")
            continue
        if paired and name == _AVERAGE:
            average = value
            continue
        if paired and name == _INSTANT:
            notes.add(IN_PAIRS)
            of_module, of_memory = of_memory and module, is_absent(value)
            if of_module or of_memory:
                continue
            value = value if is_absent(average) else average
        if device is None:
            notes.add(UNLABELLED)
        draft = Draft(device or 0, source)
        draft.put_text(_QUANTITY.get(name, "power_w"), value)
        yield draft.reading()


def _has_module(lines: Iterable[Line]) -> bool:
    """Returns whether the pairs are those of Grace.

    GPU, memory, and a module that has figures, too.
    """
    found = (_LINE.fullmatch(line.text.rstrip()) for line in lines)
    known = [not is_absent(one["value"]) for one in found if one and one["name"] in _PAIR]
    pairs = zip(known[::2], known[1::2], strict=False)
    kinds = "".join("g" if instant else "m" if average else "-" for average, instant in pairs)
    return _GRACE.fullmatch(kinds) is not None


def _name(line: Line) -> str:
    found = _LINE.fullmatch(line.text.rstrip())
    return found["name"] if found else ""


DIALECT = Dialect("smi -q lines", _matches, _read)
