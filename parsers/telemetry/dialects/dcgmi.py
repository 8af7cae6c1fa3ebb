"""`dcgmi dmon`, and the field-by-field CSV that DCGM's own bindings write."""

from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_stripped
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.metric_names import DCGM_FIELDS
from sixdim.parsers.telemetry.stamps import COUNTED
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

SHORT = {
    "POWER": ("power_w", 1.0),
    "POWINST": ("power_w", 1.0),
    "TOTEC": ("energy_j", 1e-3),
    "FBUSD": ("memory_mib", 1.0),
    "FBTTL": ("memory_total_mib", 1.0),
    "GPUTL": ("utilisation", 1.0),
    "TMPTR": ("temperature_c", 1.0),
    "EPLMT": ("power_limit_w", 1.0),
    "PMLMT": ("power_limit_w", 1.0),
}
"""The fields of dcgmi's short column names, in W, mJ, MiB, %, C."""

_HEADER = pattern(r"#\s?Entity\s++(?P<columns>[A-Z][A-Z0-9 \t]*+)")
_ROW = pattern(r"\s*+GPU\s++(?P<index>\d{1,5})\s++(?P<cells>\S.*+)")


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    columns: list[str] = []
    skipped = 0
    for line in lines:
        if header := _HEADER.fullmatch(line.text.strip()):
            columns = header["columns"].split()
            continue
        row = _ROW.fullmatch(line.text)
        if row is None:
            continue
        cells = row["cells"].split()
        if len(cells) != len(columns):
            skipped += 1
            continue
        draft = Draft(int(row["index"]), "dcgm")
        for column, cell in zip(columns, cells, strict=True):
            if column in SHORT:
                _put(draft, *SHORT[column], cell)
        yield draft.reading()
    notes.left_out(skipped)


def _put(draft: Draft, field: str, scale: float, text: str) -> None:
    if field not in draft.values:  # instant and average power may both be printed: the first counts
        draft.put_scaled(field, text, scale)


DIALECT = Dialect("dcgmi dmon", any_stripped(_HEADER.fullmatch), _read)

_FIELDS = "GPUId,TimeStampUs,Field,Values"
MOST_SAMPLES = 5_000_000


def _read_fields(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    """Yields readings from rows that have one field each: a device and a moment make a reading."""
    drafts: dict[tuple[int, int], Draft] = {}
    skipped = 0
    for line in lines:
        cells = line.text.strip().split(",")
        if len(cells) != 4 or not (cells[0].isdecimal() and cells[1].isdecimal()):
            skipped += line.text.strip() != _FIELDS
            continue
        if cells[2] not in DCGM_FIELDS or len(cells[0]) > 5 or len(cells[1]) > 18:
            continue
        key = (int(cells[1]), int(cells[0]))
        if key not in drafts and len(drafts) >= MOST_SAMPLES:
            notes.add("more than 5 million samples: the rest is left out")
            continue
        notes.add(COUNTED)
        draft = drafts.setdefault(key, Draft(key[1], "dcgm", time_us=key[0]))
        _put(draft, *DCGM_FIELDS[cells[2]], cells[3])
    notes.left_out(skipped, "lines that are no row")
    for _, draft in sorted(drafts.items()):
        yield draft.reading()


FIELD_CSV = Dialect("dcgm field CSV", any_stripped(lambda text: text == _FIELDS), _read_fields)
