"""Where the journal of a log is: beside it, else in the state folder; another log's gives way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from sixdim.parsers.telemetry.journal import Journal, read_header
from sixdim.parsers.telemetry.logkey import SUFFIX, LogKey, journal_beside, journal_in_state

MAX_OF_ONE_NAME = 100
"""Runs one after the other into one log, whose journals differ by a number."""
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
    own += [name for path in tuple(own) for name in _further_names(path, log) if name.exists()]
    found = [path for path in own if path.is_file() and _may_be_of(path, log)]
    if found:
        return found
    return [
        path
        for folder in (own[0].parent, own[1].parent)
        for path in sorted(folder.glob("*" + SUFFIX))[:MAX_CANDIDATES]
        if (header := read_header(path)) and header.key and header.key.fits(log)
        if not header.key.may_be_anothers(log)
    ]


def doubtful_journals(log: Path, environment: Mapping[str, str]) -> list[Path]:
    """Journals under the log's own name that may be of another run which began alike."""
    own = (journal_beside(log), journal_in_state(log, environment))
    return [
        path
        for path in own
        if (header := read_header(path)) and header.key and header.key.fits(log)
        if header.key.may_be_anothers(log)
    ]


def _may_be_of(path: Path, log: Path) -> bool:
    """Whether a journal under the log's own name is this log's, or free to become it."""
    if not path.exists():
        return True
    if not path.is_file():  # a pipe of that name would wait for a writer
        return False
    header = read_header(path)
    if header is None:
        return path.stat().st_size == 0
    if header.key is None or not log.exists():
        return True
    return header.key.fits(log) and not header.key.may_be_anothers(log)


def _own_name(path: Path, log: Path) -> Path:
    """The first of a log's names for its journal that no other log's has."""
    return next((one for one in (path, *_further_names(path, log)) if _may_be_of(one, log)), path)


def _further_names(path: Path, log: Path) -> Iterator[Path]:
    """Names of a journal with the log's key in them, where another log's has the plain one."""
    key = LogKey.of(log)
    if key is not None:
        stem = f"{path.name.removesuffix(SUFFIX)}.{key.sha256[:12]}"
        yield path.with_name(f"{stem}{SUFFIX}")
        yield from (path.with_name(f"{stem}.{n}{SUFFIX}") for n in range(1, MAX_OF_ONE_NAME))
