"""Finds the place of a log's journal: beside the log, else in the state folder."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from sixdim.parsers.telemetry.journal import Journal, read_header
from sixdim.parsers.telemetry.logkey import SUFFIX, LogKey, journal_beside, journal_in_state

MAX_OF_ONE_NAME = 100
"""The most journals of consecutive runs into one log; their names differ by a number."""
MAX_CANDIDATES = 1000
"""The most journals in one folder that a search for a log's journal looks at."""


def open_journal(log: Path, environment: Mapping[str, str]) -> Journal:
    """Opens the journal of `log` for appending, at the best place that can be written.

    The place is beside the log, else in the state folder (created here, mode 0700). If another
    log's journal already has that name (a new run has overwritten the log), the new journal gets
    a name with the log's key in it.

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
    """Returns every journal that belongs to `log` and holds its key.

    It looks for journals under the log's own name, beside it or in the state folder; if there is
    none, for others in the two folders whose key fits the log's first bytes. If there are several,
    the user must choose.
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
    """Returns journals under the log's name that may belong to another run with the same start."""
    own = (journal_beside(log), journal_in_state(log, environment))
    return [
        path
        for path in own
        if (header := read_header(path)) and header.key and header.key.fits(log)
        if header.key.may_be_anothers(log)
    ]


def _may_be_of(path: Path, log: Path) -> bool:
    """Whether a path under the log's own name has this log's journal, or can be used for it."""
    if not path.exists():
        return True
    if not path.is_file():  # opening a pipe would wait for a writer
        return False
    header = read_header(path)
    if header is None:
        return path.stat().st_size == 0
    if header.key is None or not log.exists():
        return True
    return header.key.fits(log) and not header.key.may_be_anothers(log)


def _own_name(path: Path, log: Path) -> Path:
    """Returns the first name for a log's journal that no other log's journal has."""
    return next((one for one in (path, *_further_names(path, log)) if _may_be_of(one, log)), path)


def _further_names(path: Path, log: Path) -> Iterator[Path]:
    """Yields names with the log's key, for when another log's journal has the plain name."""
    key = LogKey.of(log)
    if key is not None:
        stem = f"{path.name.removesuffix(SUFFIX)}.{key.sha256[:12]}"
        yield path.with_name(f"{stem}{SUFFIX}")
        yield from (path.with_name(f"{stem}.{n}{SUFFIX}") for n in range(1, MAX_OF_ONE_NAME))
