"""Adds a declared format to a settings file and leaves the rest of the file unchanged."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.safe_files import write_atomically
from sixdim.tui.base.settings.settings_file import declared_formats, read

_ONE = re.compile(r"^\[format\][ \t]*(?=#|\r?$)", re.MULTILINE)


def as_toml(table: Mapping[str, Any], *, several: bool = False) -> str:
    """Returns the table as TOML: `[format]`, or one of several `[[format]]`."""
    head = "[[format]]" if several else "[format]"
    return "\n".join([head, *(f"{key} = {_text(value)}" for key, value in table.items()), ""])


def _text(value: str) -> str:
    # A basic string of TOML is one of JSON, save that TOML wants DEL escaped as well.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def add_to(path: str, table: Mapping[str, Any]) -> None:
    """Adds a declared format to a settings file, which need not exist yet, in one atomic step.

    Raises:
        UserError: The file is a link, is no settings file, has a format of that name, or
            cannot be written.
    """
    file, name = Path(path), label(path)
    if file.is_symlink():
        raise UserError(f"{name} is a link: name the file that it leads to")
    before: dict[str, Any] = {}
    text = ""
    if file.exists():
        before = read(file)
        text = file.read_bytes().decode()
        text += "" if not text or text.endswith("\n") else "\n"
    had = before.get("format", [])
    if isinstance(had, str):
        raise UserError(f"{name} names a format ({label(had, 40)}): move that to --format")
    if isinstance(had, dict):
        text, had = _ONE.sub("[[format]]", text, count=1), [had]
    text += ("\n" if text else "") + as_toml(table, several=bool(had))
    after = _parsed(text, name)
    expected = {**before, "format": [*had, dict(table)] if had else dict(table)}
    if after != expected:
        raise UserError(f"{name} cannot be added to safely: write the table in by hand")
    declared_formats(after, name)
    write_atomically(path, text)


def _parsed(text: str, name: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise UserError(f"{name} cannot be added to: write the table in by hand") from error
