"""Writes a card to a file so that a reader never sees half of one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError


def write_atomically(path: str, text: str) -> None:
    """Writes beside, flushes to disk, renames: the old file stays whole until the new one is.

    A symbolic link at `path` is replaced, never written through. A device or pipe
    (`/dev/stdout`) is written to, never replaced.

    Raises:
        UserError: The folder is missing, read-only or full.
    """
    import tempfile  # loads random and its company: only where a file is written

    target = Path(path)
    try:
        if _is_device(target):
            with target.open("w", encoding="utf-8") as device:
                device.write(text)
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise UserError(_sentence(path, error)) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            os.fsync(file.fileno())
        Path(temporary).replace(target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise UserError(_sentence(path, error)) from error


def check_writable(path: str | None) -> None:
    """Checks before hours of training that a file can be written later.

    Args:
        path: Where it will be; None and `-` (standard output) are always right.

    Raises:
        UserError: Its folder is missing or closed to us, or a folder lies in its place.
    """
    if path is None or path == "-":
        return
    target = Path(path)
    try:
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
    """Makes a folder for files to come, where there is none.

    Raises:
        UserError: It cannot be made, or not be written to.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot make the folder {label(path)}: {label(error)}") from error
    check_writable(str(Path(path, "card.json")))


def _is_device(target: Path) -> bool:
    """Whether the name leads to a device or pipe: replacing that would break the machine."""
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
