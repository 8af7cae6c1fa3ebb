"""Remembers which settings files may name addresses and files outside of their folder.

A `sixdim.toml` may have come with someone else's logs. Before it is trusted, it cannot name an
address, a command, or a file outside of its folder. Flags, the user's own settings and a file named
with `--config` can. The trust is for the present content of the file and ends when it changes.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sixdim.parsers.telemetry.logkey import state_folder
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.readings import role_and_path

_HARMLESS = ("none", "nvml", "ixml")
"""Sources of readings that use no address and run no command."""
_FILES = ("telemetry", "baseline", "scaled", "repeat")
"""Settings that name files or addresses to read."""


def check(said: Mapping[str, Any], file: Path) -> None:
    """Checks the settings, by the name of their flag, of a file found in the working folder.

    Raises:
        UserError: It names something outside of its folder and is not trusted.
    """
    for name in _FILES:
        value = said.get(name) or []
        for text in [value] if isinstance(value, str) else value:
            if not _inside(name, text, file.parent) and not is_trusted(file):
                raise UserError(
                    f"{label(file)}: {name} {label(text, 60)} is outside of its folder, and the "
                    "file may have come with the logs: give it as a flag, name the file with "
                    f"--config, or sixdim trust {label(file.parent)}"
                )


def _inside(name: str, text: str, folder: Path) -> bool:
    """Returns whether a setting names a regular file in the folder, or no file and no address."""
    if name == "telemetry":
        if text in _HARMLESS:
            return True
        text = role_and_path(text)[1]
    if ":" in text or text in ("-", "ixsmi"):
        return False
    try:
        path = (folder / text).resolve()
        below = path.is_relative_to(folder.resolve())
        return below and (path.is_file() or not path.exists())
    except (OSError, ValueError, RuntimeError):
        return False


def is_trusted(file: Path) -> bool:
    """Returns whether the user trusted this file with its present content."""
    try:
        known = _store().read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return _mark(file) in known


def trust(file: Path) -> None:
    """Trusts a settings file with its present content.

    Raises:
        UserError: The file cannot be read, or the list of trusted files not be written.
    """
    store = _store()
    try:
        mark = _mark(file)
    except OSError as error:
        raise UserError(f"cannot read {label(file)}: {label(error.strerror or error)}") from error
    try:
        store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with store.open("a", encoding="utf-8") as out:
            out.write(f"{mark}\n")
    except OSError as error:
        raise UserError(
            f"cannot write {label(store, 200)}: {label(error.strerror or error)} (XDG_STATE_HOME "
            "names another folder)"
        ) from error


def _store() -> Path:
    return state_folder(os.environ) / "trusted"


def _mark(file: Path) -> str:
    """Returns a hash of a file's content and path, which differs for a copy or a changed file."""
    place = os.fsencode(file.resolve())
    return hashlib.sha256(hashlib.sha256(file.read_bytes()).digest() + place).hexdigest()
