"""Fits text into a width without splitting a word."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from rich.cells import cell_len, set_cell_size

from sixdim.parsers.text.lines import clean

ELLIPSIS = "…"
LONGEST_WORD = 24


# Characters that change the width of their neighbours, on which terminals disagree: variation
# selectors, skin tones, flag letters. Without them, every terminal agrees with our column count.
_JOINERS: dict[int, str | None] = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400)])
_JOINERS.update(dict.fromkeys(range(0x1F1E6, 0x1F200), "\ufffd"))


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """Returns a text without characters that control a terminal."""
    if text.isascii() and text.isprintable():
        return text
    text = clean(text).replace("\t", " ").translate(_JOINERS)
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def cells_of(text: str) -> int:
    """Returns the width of a clean text in cells."""
    return len(text) if text.isascii() else cell_len(text)


def shorten(text: str, width: int) -> str:
    """Returns the whole text, or the words that fit and an ellipsis.

    Only what would leave most of the width empty is cut inside: what is too long for a word
    (a path), and scripts that put no blanks between words.
    """
    text = plain(text)
    if cells_of(text) <= width:
        return text
    if width <= 1:
        return ELLIPSIS[:width]
    first, *others = text.split(" ")
    line = first if cells_of(first) + 2 <= width else ""
    for word in others if line == first else ():
        if cells_of(line) + cells_of(word) + 3 > width:
            if cells_of(word) > LONGEST_WORD or cells_of(word) > len(word):
                line = ""
            break
        line += f" {word}"
    if line.strip():
        return f"{line} {ELLIPSIS}"
    return set_cell_size(text, width - 1).rstrip() + ELLIPSIS


def shorten_inside(text: str, width: int) -> str:
    """Returns the whole text, or its beginning and its end, where names of runs differ."""
    text = plain(text)
    if cells_of(text) <= width or width < 8:
        return shorten(text, width)
    end = (width - 1) // 2
    tail = text[-end:]
    while cells_of(tail) > end:
        tail = tail[1:]
    return set_cell_size(text, width - 1 - cells_of(tail)).rstrip() + ELLIPSIS + tail


def distinct_names(names: Sequence[str], width: int) -> dict[str, str]:
    """Shortens names to a width; of long names that begin alike, to the words that differ."""
    groups: dict[str, set[str]] = {}
    for name in names:
        groups.setdefault(shorten_inside(name, width), set()).add(name)
    found: dict[str, str] = {}
    for short, alike in groups.items():
        begin, end = _alike([*alike]), _alike([name[::-1] for name in alike])
        for name in alike:
            unlike = _middle(name, begin, end) if len(alike) > 1 else ""
            found[name] = shorten_inside(unlike, width) if unlike else short
    return found


def _alike(names: Sequence[str]) -> int:
    """Returns the number of characters with which all names begin."""
    return sum(1 for _ in takewhile(lambda chars: len(set(chars)) == 1, zip(*names, strict=False)))


def _middle(name: str, begin: int, end: int) -> str:
    """Returns a name without a number of characters at both ends, but with whole words."""
    while begin and name[begin - 1].isalnum():
        begin -= 1
    while end and name[len(name) - end].isalnum():
        end -= 1
    middle = name[begin : len(name) - end]
    return f"{ELLIPSIS if begin else ''}{middle}{ELLIPSIS if end else ''}"


def wrap(text: str, width: int, lines: int) -> list[str]:
    """Returns at most `lines` lines of whole words, with an ellipsis if that is not all."""
    wrapped: list[str] = []
    rest = plain(text).strip()
    while rest and lines > 0 and width > 0:
        if lines == 1 or cells_of(rest) <= width:
            wrapped.append(shorten(rest, width))
            break
        head, rest = _first_line(rest, width)
        wrapped.append(head)
        lines -= 1
    return wrapped


def _first_line(text: str, width: int) -> tuple[str, str]:
    words = text.split(" ")
    line = words[0]
    used = 1
    for word in words[1:]:
        if cells_of(line) + 1 + cells_of(word) > width:
            break
        line += f" {word}"
        used += 1
    return shorten(line, width), " ".join(words[used:])


def choose(width: int, *variants: str) -> str:
    """Returns the first variant that fits, else the last one shortened."""
    for variant in variants:
        if cells_of(variant) <= width:
            return variant
    return shorten(variants[-1], width)
