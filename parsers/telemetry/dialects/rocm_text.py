"""`rocm-smi` in a loop: table (also `hy-smi`), lists (`GPU[0] : GPU use (%): 7`), and `--csv`."""

from collections.abc import Iterable, Iterator

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes, any_line, any_stripped
from sixdim.parsers.telemetry.dialects.rocm_json import NAMED, card_reading
from sixdim.parsers.telemetry.draft import SHARE_ONLY, Draft
from sixdim.parsers.telemetry.stamps import time_of
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_TITLE = pattern(
    r"(?P<what>GPU|Device|[DH]CU)\s.{1,120}\sPwrCap\s++VRAM%\s++(?:GPU|[DH]CU)%(?:\s.{0,60})?+"
)
_CARD = pattern(
    r"(?P<index>\d{1,4})\s.{0,40}?\s(?P<temperature>\d{1,3}\.\d{1,2}|N/A)(?:°?[cC])?+\s{1,20}"
    r"(?P<power>\d{1,5}\.\d{1,3}W|N/A)\s.{1,90}\s(?P<limit>\d{1,5}\.\d{1,3}W|N/A|unsupported)\s++"
    r"(?:\d{1,3}%|N/A)\s++(?P<use>\d{1,3}(?:\.\d{1,2})?%|N/A)(?:\s.{0,60})?+"
)


def _read(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    time_us: int | None = None
    below, source = False, "rocm-smi"
    for line in lines:
        text = line.text.strip()
        if title := _TITLE.fullmatch(text):
            below, source = True, "hy-smi" if title["what"].endswith("CU") else "rocm-smi"
        elif below and (card := _CARD.fullmatch(text)):
            draft = Draft(int(card["index"]), source, time_us=time_us)
            draft.put_text("power_w", card["power"])
            draft.put_text("power_limit_w", card["limit"])
            draft.put_text("temperature_c", card["temperature"])
            draft.put_text("utilisation", card["use"])
            draft.lack("memory_mib", SHARE_ONLY)
            yield draft.reading()
        elif (stamp := time_of(text)) is not None:
            time_us, below = stamp, False


TABLE = Dialect("rocm-smi table", any_stripped(_TITLE.fullmatch), _read)

_LISTED = pattern(r"GPU\[(?P<index>\d{1,4})\]\s*+: (?P<key>[^:]{1,80}):\s++(?P<value>\S.*+)")


def _listed(text: str) -> bool:
    found = _LISTED.fullmatch(text.strip())
    return found is not None and found["key"] in NAMED


def _read_lists(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    """Yields the readings of a sample, which ends where a figure of a card comes again."""
    time_us: int | None = None
    cards: dict[int, dict[str, str]] = {}
    for line in lines:
        found = _LISTED.fullmatch(line.text.strip())
        stamp = time_of(line.text) if found is None else None
        key = found["key"] if found else ""
        again = found is not None and key in NAMED and key in cards.get(int(found["index"]), ())
        if again or stamp is not None:
            yield from (card_reading(index, card, time_us) for index, card in cards.items())
            cards, time_us = {}, stamp if stamp is not None else time_us
        if found is not None:
            cards.setdefault(int(found["index"]), {}).setdefault(key, found["value"].strip())
    yield from (card_reading(index, card, time_us) for index, card in cards.items())


LISTS = Dialect("rocm-smi lists", any_line(_listed), _read_lists)

_ROW = pattern(r"card(?P<index>\d{1,5})")


def csv_header(text: str) -> list[str]:
    """Returns the columns of a header of `--csv`; empty for any other line."""
    cells = text.split(",")
    return cells if cells[0] == "device" and NAMED & set(cells) else []


def _read_csv(lines: Iterable[Line], notes: Notes) -> Iterator[Reading]:
    columns: list[str] = []
    time_us: int | None = None
    skipped = 0
    for line in lines:
        cells = line.text.split(",")
        card = _ROW.fullmatch(cells[0])
        if found := csv_header(line.text):
            columns = found
        elif card is None:
            stamp = time_of(line.text)
            time_us = stamp if stamp is not None else time_us
        elif len(cells) == len(columns):
            row = dict(zip(columns, cells, strict=True))
            yield card_reading(int(card["index"]), row, time_us)
        else:
            skipped += 1
    notes.left_out(skipped)


CSV = Dialect("rocm-smi CSV", any_line(csv_header), _read_csv)
