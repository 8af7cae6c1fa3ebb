"""Yields and prints warnings about a set of logs, with file and line."""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator

from sixdim.metrics.values.card import Caution
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
    scored = [(figures, figures.card) for figures in read if figures.card is not None]
    unknown = ((c.dimensions["speed"].reason, one.path) for one, c in scored if one.speed is None)
    for reason, paths in _grouped(unknown).items():
        yield f"{_listed(paths)}: no speed: {reason}"
    # Of the warnings of the cards a few of each kind; a benchmark stops its runs unfinished.
    cautions = (
        (one.kind, f"{label(figures.path, 300)}{_at(one)}: {one.text}")
        for figures, card in scored
        for one in card.warnings
        if one.kind != "incomplete"
    )
    for kind, messages in _grouped(cautions).items():
        yield from messages[:_MOST_LISTED]
        if len(messages) > _MOST_LISTED:
            yield f"and {len(messages) - _MOST_LISTED} more logs with {kind.replace('_', ' ')}"
    for copies in _grouped((card.provenance["sha256"], one.path) for one, card in scored).values():
        if len(copies) > 1:
            yield f"byte-identical logs: {_listed(copies)}"


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Returns the second values by the first ones, in order."""
    groups: dict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def _at(caution: Caution) -> str:
    return f", line {caution.lines[0]}" if caution.lines else ""


def _listed(paths: list[str]) -> str:
    """Returns the first paths, and the number of the others."""
    named = ", ".join(label(path, 300) for path in paths[:_MOST_LISTED])
    more = len(paths) - _MOST_LISTED
    return f"{named} and {more} more" if more > 0 else named
