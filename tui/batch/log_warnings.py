"""Yields and prints warnings about a set of logs, with file and line."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator

from sixdim.parsers.text.lines import label
from sixdim.tui.batch.log_figures import Figures

_MOST_LISTED = 3


def warn(lines: Iterable[str]) -> None:
    """Prints warnings on standard error."""
    for line in lines:
        print(f"warning: {line}", file=sys.stderr)


def warnings_about(read: list[Figures]) -> Iterator[str]:
    """Yields all warnings about the logs, with the file and, if known, the line."""
    for figures in read:
        where = label(figures.path, 300)
        if figures.card is None:
            yield f"{where}: left out: {figures.error}"
            continue
        for name in ("devices", "nodes", "batch_per_device"):
            said, found = figures.name.facts.get(name), figures.facts.get(name)
            if said is not None and found is not None and found[1] != "flag" and found[0] != said:
                yield f"{where}: its name says {name} {said}, and {found[1]} says {found[0]}"
    yield from _without_speed(read)
    yield from _cautions(read)
    yield from _identical(read)


def _without_speed(read: list[Figures]) -> Iterator[str]:
    """Yields each reason why logs have no speed, with the logs."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for figures in read:
        if figures.card is not None and figures.speed is None:
            reasons[figures.card.dimensions["speed"].reason].append(figures.path)
    for reason, paths in reasons.items():
        yield f"{_listed(paths)}: no speed: {reason}"


def _listed(paths: list[str]) -> str:
    """Returns the first paths, and the number of the others."""
    named = ", ".join(label(path, 300) for path in paths[:_MOST_LISTED])
    more = len(paths) - _MOST_LISTED
    return f"{named} and {more} more" if more > 0 else named


def _cautions(read: list[Figures]) -> Iterator[str]:
    """Yields the warnings of the cards: a few of each kind, and the number of the others."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for figures in read:
        for caution in figures.card.warnings if figures.card is not None else ():
            if caution.kind == "incomplete":
                continue  # a benchmark stops its runs after some iterations
            at = f", line {caution.lines[0]}" if caution.lines else ""
            kinds[caution.kind].append(f"{label(figures.path, 300)}{at}: {caution.text}")
    for kind, messages in kinds.items():
        yield from messages[:_MOST_LISTED]
        if len(messages) > _MOST_LISTED:
            yield f"and {len(messages) - _MOST_LISTED} more logs with {kind.replace('_', ' ')}"


def _identical(read: list[Figures]) -> Iterator[str]:
    """Yields a warning for each group of byte-identical logs."""
    same: dict[object, list[str]] = defaultdict(list)
    for figures in read:
        if figures.card is not None:
            same[figures.card.provenance["sha256"]].append(figures.path)
    for copies in same.values():
        if len(copies) > 1:
            yield f"byte-identical logs: {_listed(copies)}"
