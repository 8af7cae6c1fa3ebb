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
