"""Lists and opens logs by URL: `s3://`, `hdfs://`, or any other with an fsspec driver."""

import io
from typing import Any

from sixdim.parsers.input.source import LogError
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.batch.log_paths import MOST_FILES, may_be_log, no_such, too_many


class DriverError(UserError, ImportError):
    """No driver is installed for the kind of URL."""


def list_logs(url: str) -> list[str]:
    """Returns the log that the URL names, or every log below it, in the order of folders.

    Raises:
        UserError: There is no log, there are too many, or they cannot be listed.
    """
    try:
        system, root = _system(url)
        if not system.isdir(root):
            if not system.exists(root):
                raise no_such(url)
            return [url]
        below = [path[len(root) :].strip("/") for path in system.find(root)]
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"cannot list {label(url, 200)}: {_words(error)}") from error
    parts = [path.split("/") for path in below]
    matching = [
        (*folders, file)
        for *folders, file in parts
        if may_be_log(file) and not any(folder.startswith(".") for folder in folders)
    ]
    if len(matching) > MOST_FILES:
        raise too_many(url)
    # As in a walk through folders: a folder's own files come first.
    matching.sort(key=lambda path: [*((True, one) for one in path[:-1]), (False, path[-1])])
    return ["/".join((url.rstrip("/"), *path)) for path in matching]


def open_log(url: str) -> io.BufferedReader:
    """Opens the bytes of a log as they are stored.

    Raises:
        LogError: The log cannot be read.
        DriverError: No driver is installed for that kind of URL.
    """
    try:
        system, path = _system(url)
        return io.BufferedReader(_Bytes(url, system.open(path, "rb")))
    except DriverError:
        raise
    except Exception as error:
        raise _unreadable(url, error) from error


class _Bytes(io.RawIOBase):
    """The file of a driver; its errors become `LogError`."""

    def __init__(self, url: str, file: Any) -> None:
        self._url = url
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except Exception as error:
            raise _unreadable(self._url, error) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def _unreadable(url: str, error: Exception) -> LogError:
    if isinstance(error, FileNotFoundError):
        return LogError(f"no log {label(url, 200)}")
    return LogError(f"cannot read {label(url, 200)}: {_words(error)}")


def _words(error: Exception) -> str:
    """Returns the message of a driver's exception; the name of its class if it has none."""
    return label(error, 160) or type(error).__name__


def _system(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path in it.

    Raises:
        DriverError: No driver is installed for it.
    """
    from fsspec.core import url_to_fs

    kind = label(url.partition("://")[0], 40)
    try:
        system, path = url_to_fs(url)
    except ImportError as error:
        raise DriverError(f"no driver for {kind}:// is installed: {_words(error)}") from error
    except ValueError as error:
        raise DriverError(f"no driver for {kind}:// is known: {_words(error)}") from error
    return system, path.rstrip("/") or path
