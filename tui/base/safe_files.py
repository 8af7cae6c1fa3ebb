"""Writes a file so that a reader never sees half of one, and reads small files of anyone."""

import os
import stat
from pathlib import Path

from sixdim.parsers.telemetry.files import open_regular
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError


def write_atomically(path: str, text: str) -> None:
    """Writes a file so that it has the old content or the new one, never a part.

    A symbolic link at `path` is replaced, never written through. A device or pipe
    (`/dev/stdout`) is written to, never replaced.

    Raises:
        UserError: The folder is missing, read-only or full, or the name is `-`.
    """
    import tempfile  # loads random and more, so only where a file is written

    if path == "-":
        raise UserError("- is not the name of a file here: name one, such as ./-")
    target = Path(path)
    try:
        if _is_device(target):
            with target.open("w", encoding="utf-8") as device:
                device.write(text)
            return
        start = f".{target.name[:40]}."  # a file system takes names of 255 bytes at most
        handle, temporary = tempfile.mkstemp(prefix=start, dir=target.parent)
    except OSError as error:
        raise UserError(_sentence(path, error)) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            os.fsync(file.fileno())
        Path(temporary).replace(target)
    except BaseException as error:  # an interrupt leaves no file behind either
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UserError(_sentence(path, error)) from error
        raise


def check_writable(path: str | None) -> None:
    """Checks at the start of a command that a file, not `-`, can be written later.

    Raises:
        UserError: Its folder is missing or not writable, or the path is a folder.
    """
    if path is None or path == "-":
        return
    target = Path(path)
    try:
        if not path:
            raise UserError("a file to write has an empty name")
        if target.is_dir():
            raise UserError(f"cannot write {label(path)}: it is a folder")
        if not target.parent.is_dir():
            folder = label(str(target.parent))
            raise UserError(f"cannot write {label(path)}: no folder {folder} (mkdir -p {folder})")
        closed = target if _is_device(target) else target.parent
        if not os.access(closed, os.W_OK):
            raise UserError(f"cannot write {label(path)}: no permission")
    except (OSError, ValueError) as error:
        raise UserError(f"cannot write {label(path)}: {label(error)}") from error


def check_folder(path: str) -> None:
    """Makes a folder if it does not exist, and checks that files can be written to it.

    Raises:
        UserError: It cannot be made or written to.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot make the folder {label(path)}: {label(error)}") from error
    check_writable(str(Path(path, "card.json")))


def read_small(path: Path, most: int, what: str) -> bytes:
    """Returns the content of a regular file of limited size, no pipe and no device.

    Args:
        path: The file.
        most: Bytes that it may have.
        what: What it should be, for the error message.

    Raises:
        UserError: It cannot be read, or is larger.
    """
    try:
        with open_regular(path) as file:
            data = file.read(most + 1)
    except OSError as error:
        raise UserError(f"cannot read {label(path)}: {label(error.strerror or error)}") from error
    if len(data) > most:
        raise UserError(f"{label(path)} is larger than {most >> 10} KiB: no {what}")
    return data


def _is_device(target: Path) -> bool:
    """Returns whether the path is a device or pipe, which must not be replaced by a file."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    inside = target.absolute().parts[:2]
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or inside in (("/", "dev"), ("/", "proc"))


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sentence(path: str, error: OSError) -> str:
    return f"cannot write {label(path)}: {label(error.strerror or error)}"
