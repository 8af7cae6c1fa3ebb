"""Finds all formats: those in `parsers.formats`, the generic one, and those of packages.

A package provides formats by an entry point in the group `sixdim.formats` that names a `Reader`
subclass or a module of them. A format that cannot be loaded, or whose name is taken, is left
out and reported.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import sixdim.parsers.formats
from sixdim.parsers.reader.announced import GROUP, announced
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line, clean, label

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Registry(NamedTuple):
    """The formats of an installation.

    Attributes:
        formats: Every reader class, by name.
        problems: One sentence for every plugin that was left out, and why.
    """

    formats: tuple[type[Reader], ...]
    problems: tuple[str, ...] = ()


@cache
def registry() -> Registry:
    """Returns the formats of this installation, which are looked for once."""
    if not announced():
        return assemble(())
    from importlib.metadata import entry_points

    return assemble(entry_points(group=GROUP))


def formats() -> tuple[type[Reader], ...]:
    """Returns every format's reader class, by name."""
    return registry().formats


def problems() -> tuple[str, ...]:
    """Returns sentences for the user about plugins that were left out."""
    return registry().problems


def assemble(plugins: Iterable[EntryPoint]) -> Registry:
    """Returns the built-in formats with those of `plugins`."""
    found: dict[str, type[Reader]] = {}
    folder = Path(sixdim.parsers.formats.__path__[0])
    names = sorted(f"formats.{file.stem}" for file in folder.glob("[!_]*.py"))
    for name in (*names, "generic.reader"):
        for reader in _readers(importlib.import_module(f"sixdim.parsers.{name}")):
            found.setdefault(reader.name, reader)
    wrong: list[str] = []
    for plugin in sorted(plugins, key=lambda p: (p.name, p.value)):
        left_out = f"format plugin {label(plugin.name, 40)} left out: "
        try:
            brought = list(_readers(plugin.load()))
            for reader in brought:
                _check(reader)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything
            wrong.append(left_out + label(f"{type(error).__name__}: {error}"))
            continue
        if not brought:
            wrong.append(left_out + "it has no Reader")
        for reader in brought:
            if reader.name in found:
                wrong.append(f"{left_out}there is a format {reader.name!r} already")
            else:
                found[reader.name] = reader
    return Registry(tuple(found[name] for name in sorted(found)), tuple(wrong))


def _readers(brought: object) -> Iterator[type[Reader]]:
    """Yields the named reader classes of a module, or the one class itself."""
    values = vars(brought).values() if isinstance(brought, ModuleType) else (brought,)
    for value in values:
        if isinstance(value, type) and issubclass(value, Reader) and hasattr(value, "name"):
            yield value


def _check(reader: type[Reader]) -> None:
    """Creates a reader and passes it a line, so that a broken one fails here and not in a run."""
    for attribute in ("name", "title", "example"):
        text = getattr(reader, attribute, None)
        if not isinstance(text, str):
            raise TypeError(f"{reader.__name__} has no {attribute}")
        if attribute != "example" and clean(text) != text:  # tables print it as it is
            raise TypeError(f"the {attribute} of {reader.__name__} has control characters")
    reader().read(Line(1, 0, reader.example))
