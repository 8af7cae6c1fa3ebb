"""The exceptions of the Python API: typed, with a message of one line."""

from collections.abc import Iterator
from contextlib import contextmanager

from sixdim.parsers.input.source import LogError as CannotRead
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError


class SixdimError(Exception):
    """Base class of all exceptions for wrong input."""


class OptionError(SixdimError, ValueError):
    """There is no option of that name, or its value cannot be read."""


class LogError(SixdimError):
    """A log, a recording or a card cannot be read."""


@contextmanager
def typed_errors() -> Iterator[None]:
    """Turns the errors of commands into those of the API."""
    try:
        yield
    except CannotRead as error:
        raise LogError(str(error)) from error
    except OSError as error:  # a name that is too long
        raise LogError(label(error, 200)) from error
    except UserError as error:
        # A baseline or recording that cannot be read is an error of that file.
        unreadable = isinstance(error.__cause__, CannotRead | OSError)
        raise (LogError if unreadable else OptionError)(str(error)) from error
