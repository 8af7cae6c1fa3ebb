"""Reads runs that were recorded as scalars: TensorBoard's event files, W&B's offline runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from sixdim.parsers.input.source import BLOCK, LogError, base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.session import Session


def is_recording(path: str) -> bool:
    """Returns whether the name of an existing file is that of a recording."""
    file = Path(path)
    return ("tfevents" in file.name or file.suffix == ".wandb") and file.is_file()


def read_recording(session: Session, paths: Sequence[str]) -> None:
    """Reads a recording with the package of its tool.

    Raises:
        LogError: The recording cannot be read, or the package is not installed.
        UserError: There are several paths.
    """
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
