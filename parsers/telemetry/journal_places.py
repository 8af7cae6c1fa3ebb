"""Where the journal of a log is: beside it, else in the state folder; another log's gives way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sixdim.parsers.telemetry.journal import Journal, read_header
from sixdim.parsers.telemetry.logkey import SUFFIX, LogKey, journal_beside, journal_in_state

MAX_CANDIDATES = 1000
"""Journals looked at in one folder when a log's own is sought."""


def open_journal(log: Path, environment: Mapping[str, str]) -> Journal:
    """Opens the journal of `log` for appending, at the best place that can be written.

    Beside the log, else in the state folder (created here, mode 0700). Where another log's
    journal already has that name (the log was overwritten by a new run), the new one takes a
    name with the log's key in it.

    Raises:
        JournalBusyError: Another monitor writes it; `JournalReader` can follow that one.
        OSError: Neither place can be written.
    """
    try:
        return Journal.open(_own_name(journal_beside(log), log), log)
    except OSError:
        path = journal_in_state(log, environment)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Journal.open(_own_name(path, log), log)


def find_journals(log: Path, environment: Mapping[str, str]) -> list[Path]:
    """Every journal that belongs to `log` and holds its key.

    Those under the log's own name, beside it or in the state folder; only where there is none,
    any other in these two folders whose key fits the log's first bytes. More than one is a
    question to the user.
    """
    own = [journal_beside(log), journal_in_state(log, environment)]
    own += [keyed for path in own if (keyed := _keyed(path, log)) != path]
    found = [path for path in own if path.exists() and _may_be_of(path, log)]
    if found:
        return found
    return [
        path
        for folder in (own[0].parent, own[1].parent)
        for path in sorted(folder.glob("*" + SUFFIX))[:MAX_CANDIDATES]
        if (header := read_header(path)) and header.key and header.key.fits(log)
    ]


def _may_be_of(path: Path, log: Path) -> bool:
    """Whether a journal under the log's own name is this log's, or free to become it."""
    if not path.exists():
        return True
    header = read_header(path)
    if header is None:
        return path.stat().st_size == 0
    return header.key is None or not log.exists() or header.key.fits(log)


def _own_name(path: Path, log: Path) -> Path:
    return path if _may_be_of(path, log) else _keyed(path, log)


def _keyed(path: Path, log: Path) -> Path:
    key = LogKey.of(log)
    stem = path.name.removesuffix(SUFFIX)
    return path.with_name(f"{stem}.{key.sha256[:12]}{SUFFIX}") if key else path
