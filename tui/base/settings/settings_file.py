"""`sixdim.toml`: the flags that a project always needs, and the formats that it declares.

The file is untrusted: it can only change how a card is computed, and declare formats. It cannot
name a command to run or a file to write. In the working folder it cannot name an address, or a file
outside of that folder, before it is trusted (`tui.base.settings.trust`).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sixdim.metrics.values.nearest import did_you_mean
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.safe_files import read_small
from sixdim.tui.base.settings.usage import complaint

if TYPE_CHECKING:
    from sixdim.parsers.reader.declared import Declared

NAME = "sixdim.toml"
MOST_BYTES = 256 << 10
_MOST_FORMATS = 64
_REPEATABLE = frozenset({"repeat", "telemetry"})
_JOINED = {"target": ",", "gpus": ",", "window": ":"}
_DECLARED = "format"


def parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Parses the flags of a command, and adds the settings for flags that are not given.

    If the command reads settings, the result has the declared formats under `declared`.

    Raises:
        UserError: The settings file cannot be read, or has a name that is no flag.
    """
    if "--config" not in parser._option_string_actions:
        return parser.parse_args(words)
    file = _FileParser()
    defaults = {action.dest: action.default for action in parser._actions}
    settable = {name: defaults[name] for name in file.names if name in defaults}
    # A flag that may be set by the file is None unless it was given on the command line.
    args = parser.parse_args(words, argparse.Namespace(**dict.fromkeys(settable)))
    open_ = {dest for dest in settable if getattr(args, dest) is None}
    path = find(args.config)
    table = read(path) if path else {}
    where = label(path) if path else ""
    args.declared = declared_formats(table, where)
    said = file.values(table, where)
    if path == Path(NAME) and args.config is None:
        from sixdim.tui.base.settings.trust import check

        check({dest: value for dest, value in said.items() if dest in open_}, path)
    for dest in open_:
        setattr(args, dest, said.get(dest, settable[dest]))
    names = [dest.replace("_", "-") for dest in said if dest in open_]
    names += [f"format {reader.name}" for reader in args.declared]
    if names:
        print(f"sixdim: settings of {where}: {', '.join(names)}", file=sys.stderr)
    return args


def from_table(table: Mapping[str, Any]) -> argparse.Namespace:
    """Returns the flags of a card as a settings file with this content would set them.

    Raises:
        UserError: There is no such flag, or a value cannot be read.
    """
    file = _FileParser()
    args = file.parse_args([])
    args.declared = declared_formats(table, "format")
    for dest, value in file.values(table, "options").items():
        setattr(args, dest, value)
    return args


def find(named: str | None) -> Path | None:
    """Returns the settings file: the one named, else `./sixdim.toml`, else the user's own.

    None if there is none, or if `/dev/null` is named. A folder of that name, or a link to nowhere,
    is returned, too, so that the one who reads it reports what is wrong with it.

    Raises:
        UserError: The one named does not exist.
    """
    if named == os.devnull:
        return None
    if named is not None:
        path = Path(named)
        if not path.exists():
            raise UserError(f"--config: no file {label(named)}")
        return path
    home = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    places = [Path(NAME)]
    with suppress(RuntimeError):  # no home folder
        places.append(Path(home, "sixdim", NAME).expanduser())
    # The home folder of another user (`sudo -u`) may not be looked into: that is no settings file.
    return next((path for path in places if os.path.lexists(path)), None)


def read(path: Path) -> dict[str, Any]:
    """Returns the content of the file.

    Raises:
        UserError: It cannot be read, is too large, or is not TOML.
    """
    import tomllib

    data = read_small(path, MOST_BYTES, "settings file")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{label(path)} is not TOML: {label(error, 120)}") from error


def declared_formats(table: Mapping[str, Any], where: str) -> tuple[type[Declared], ...]:
    """Returns the formats that `[format]`, or each `[[format]]`, declares.

    Raises:
        UserError: A table is not a valid format, or uses the name of another one.
    """
    given = table.get(_DECLARED)
    if given is None or isinstance(given, str):
        return ()
    tables = given if isinstance(given, list) else [given]
    if len(tables) > _MOST_FORMATS:
        raise UserError(f"{where}: {len(tables)} formats; at most {_MOST_FORMATS} are read")
    if not all(isinstance(one, dict) for one in tables):
        raise UserError(f"{where}: format must be a name, a [format] table, or [[format]] tables")
    from sixdim.parsers.reader.declared import DeclarationError, declared
    from sixdim.parsers.reader.registry import formats

    used = {known.name for known in formats()}
    out = []
    for one in tables:
        try:
            reader = declared(one)
        except DeclarationError as error:
            raise UserError(f"{where}: [format] {error}") from error
        if reader.name in used:
            raise UserError(f"{where}: [format] there is a format {reader.name!r} already")
        used.add(reader.name)
        out.append(reader)
    return tuple(out)


class _FileParser(argparse.ArgumentParser):
    """Parses the flags of a card from the file; its error messages name the file.

    Attributes:
        names: The settings that there are, by the names of their flags.
    """

    def __init__(self) -> None:
        from sixdim.tui.base.settings.card_flags import add_card_options

        super().__init__(add_help=False, allow_abbrev=False)
        add_card_options(self)
        self.names = [action.dest for action in self._actions if action.dest != "config"]
        self._where = ""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{self._where}: {label(complaint(self, message).removeprefix('--'), 200)}")

    def values(self, table: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Returns the settings in the file, each parsed in the same way as its flag."""
        words: list[str] = []
        said: list[str] = []
        for key, value in table.items():
            dest = key.replace("-", "_")
            if dest == _DECLARED and not isinstance(value, str):
                continue
            flag = dest.replace("_", "-")
            if dest not in self.names:
                flags = [name.replace("_", "-") for name in self.names]
                meant = did_you_mean(flag, flags, f"there are {', '.join(flags)}")
                raise UserError(f"{where}: no setting {label(key, 40)!r}; {meant}")
            if dest in said:
                raise UserError(f"{where}: {label(key, 40)} is there twice, with - and with _")
            said.append(dest)
            words += [f"--{flag}={text}" for text in _texts(dest, value, f"{where}: {flag}")]
        self._where = where
        found = vars(self.parse_args(words))
        return {dest: found[dest] for dest in said}


def _texts(dest: str, value: object, where: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield _text(value, where)
    elif dest in _REPEATABLE:
        yield from (_text(one, where) for one in value)
    elif dest in _JOINED:
        yield _JOINED[dest].join(_text(one, where) for one in value)
    else:
        raise UserError(f"{where} takes one value, not a list")


def _text(value: object, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UserError(f"{where} must be a text or a number")
    if value == "":
        raise UserError(f"{where} is empty")
    return str(value)
