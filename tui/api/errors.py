"""The exceptions of the Python API: typed, with a message of one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sixdim.parsers.input.source import LogError as CannotRead
from sixdim.tui.base.errors import UserError


class SixdimError(Exception):
    """Everything that `sixdim` raises on purpose."""


class OptionError(SixdimError, ValueError):
    """An option has no such name, or its value cannot be read."""


class LogError(SixdimError):
    """A log, a recording or a card cannot be read."""


@contextmanager
def typed_errors() -> Iterator[None]:
    """Turns the errors of commands into those of the API."""
    try:
        yield
    except CannotRead as error:
        raise LogError(str(error)) from error
    except UserError as error:
        # A named baseline or recording that cannot be read is a complaint about that file.
        unreadable = isinstance(error.__cause__, CannotRead | OSError)
        raise (LogError if unreadable else OptionError)(str(error)) from error
