"""Reads a finished log, or a recording of scalars (TensorBoard, W&B), into a session."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.parsers.input.source import BLOCK, LogError, LogFile, Source, base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.column_sizes import HUGE, LARGE_BLOCK
from sixdim.tui.session.request import Request
from sixdim.tui.session.session import Session

if TYPE_CHECKING:
    from sixdim.parsers.blocks.reading import Blocks


def read_whole(session: Session, source: Source) -> Session:
    """Folds all that is left of a finished log, and returns the session."""
    # The objects made here have no cycles, so a garbage collection would find nothing.
    collects = gc.isenabled()
    gc.disable()
    log = source if isinstance(source, LogFile) else None
    if log is not None:
        session.expect(log.least)
    try:
        while block := source.read(LARGE_BLOCK if _columns(session) else BLOCK):
            session.feed(block)
            if session.expected >= HUGE and log is not None and (blocks := _columns(session)):
                from sixdim.tui.session.large import read_rest, two_processes

                if two_processes(session):
                    read_rest(session, blocks, log)
    finally:
        gc.freeze()
        if collects:
            gc.enable()
    session.end()
    return session


def _columns(session: Session) -> Blocks | None:
    """Returns what reads the next block by columns; None if its lines are read one by one."""
    blocks = session.interpreter.blocks
    return blocks if blocks is not None and blocks.has_forms else None


def read_run(
    paths: Sequence[str],
    request: Request,
    session: Session | None = None,
    rest: LogFile | None = None,
) -> Session:
    """Reads a log, or the pieces of one, oldest first, with the readings that belong to it.

    Args:
        paths: The logs that `Request.of_logs` returns.
        request: The request that it returns.
        session: The session that folds the log; None for a new one of the request.
        rest: What the session has not read of the log yet; None for all of it.

    Raises:
        LogError: The log cannot be read, or the package of the recording's tool is not installed.
        UserError: It has no such run, its readings cannot be read, or it is one of several
            recordings.
    """
    session = session or request.session(paths[-1])
    if is_recording(paths[-1]):
        _read_recording(session, paths)
    else:
        read_whole(session, rest or LogFile(*paths))
    if session.lacks_run:
        raise UserError(session.lacks_run)
    session.telemetry = request.readings(paths[-1]).telemetry(session.run)
    return session


def is_recording(path: str) -> bool:
    """Returns whether the name of an existing file is that of a recording."""
    file = Path(path)
    return ("tfevents" in file.name or file.suffix == ".wandb") and file.is_file()


def _read_recording(session: Session, paths: Sequence[str]) -> None:
    """Reads a recording with the package of its tool."""
    if len(paths) > 1:
        raise UserError("--join is for text logs: name one recording")
    from sixdim.parsers.reader.scalars import RecordError, reader_of, scalar_events

    file = Path(paths[0])
    reader = reader_of(file)
    assert reader is not None
    kind = "wandb" if file.suffix == ".wandb" else "tensorboard"
    try:
        session.recorded(kind, _bytes(file), scalar_events(reader(file)))
    except RecordError as error:
        raise LogError(label(error, 200)) from error
    except OSError as error:
        reason = label(error.strerror or error)
        raise LogError(f"cannot read {base_name(paths[0])}: {reason}") from error


def _bytes(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        while block := stream.read(BLOCK):
            yield block


def why_unread(session: Session) -> str:
    """Returns why no line of a log was read, as a sentence; empty if some were.

    For a log that no format reads, the sentence names the three nearest formats.
    """
    read = session.interpreter
    if read.detection is not None and read.detection.name:
        unread = read.detection.forced and 0 < read.lines == read.beyond_format
        return f"none of its lines is one of the format {read.detection.name}" if unread else ""
    near = [
        f"{c.name} (confidence {c.confidence:.2f}: {', '.join(c.reasons)})"
        for c in read.candidates()[:3]
    ]
    closest = "; nearest: " + "; ".join(near) if near else "; no line fits any of them"
    help_by = "sixdim formats lists them, sixdim teach proposes one"
    said = f"no known log format among {len(read.formats)} tried{closest} ({help_by})"
    problems = session.run.problems
    if (failed := problems.failed) is not None:
        if failed.kind == "launcher":  # it prints an exit code alone
            failed = problems.latest.get("exception", failed)
        said += f"; the program failed: {failed.text} (line {failed.at.line})"
    return said
