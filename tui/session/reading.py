"""Reads a finished log into a session."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sixdim.parsers.input.source import LogFile
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.options import Request
from sixdim.tui.session.recordings import is_recording, read_recording
from sixdim.tui.session.session import Session


def logs_to_read(named: Sequence[str], request: Request) -> tuple[list[str], Request]:
    """Returns the logs to read; for a folder of ranks, the log of its first rank.

    Raises:
        LogError: A folder does not hold the logs of one run's ranks.
    """
    paths = []
    for path in named:
        folder = None
        if Path(path).is_dir():
            from sixdim.parsers.input.rank_folder import required

            folder = required(path)
        chief, request = request.of_chief(path, folder)
        paths.append(chief)
    return paths, request


def read_run(paths: Sequence[str], request: Request, session: Session | None = None) -> Session:
    """Reads a log, or the pieces of one, oldest first, with the readings that belong to it.

    Args:
        paths: The paths that `logs_to_read` returns.
        request: The request that it returns.
        session: The session that folds the log; None for a new one of the request.

    Raises:
        LogError: The log cannot be read.
        UserError: It has no such run, or several recordings are given.
    """
    session = session or request.session(paths[-1])
    if is_recording(paths[-1]):
        read_recording(session, paths)
    else:
        session.read(LogFile(*paths))
    add_readings(session, paths[-1], request)
    return session


def add_readings(session: Session, path: str, request: Request) -> None:
    """Adds the readings of the requested run.

    Raises:
        UserError: There is no such run in the log, or the readings cannot be read.
    """
    try:
        run = session.fold.chosen(request.settings.run)
    except IndexError as error:
        raise UserError(f"--run {request.settings.run}: {error}") from error
    session.telemetry = request.readings(path).telemetry(run)


def nothing_read(session: Session) -> bool:
    """Returns whether no line was read: no format fits, or no line fits the given format."""
    read = session.interpreter
    if read.detection is None or not read.detection.name:
        return True
    return read.detection.forced and 0 < read.lines == read.beyond_format


def unknown_format(session: Session) -> str:
    """Returns a sentence for a log that no format reads, with the three nearest formats."""
    near = [
        f"{c.name} (confidence {c.confidence:.2f}: {', '.join(c.reasons)})"
        for c in session.interpreter.candidates()[:3]
    ]
    tried = len(session.interpreter.formats)
    closest = "; nearest: " + "; ".join(near) if near else "; no line fits any of them"
    failed = session.run.failed
    trouble = (
        "" if failed is None else f"; the program failed: {failed.text} (line {failed.at.line})"
    )
    return f"no known log format among {tried} tried{closest} (sixdim formats lists them){trouble}"
