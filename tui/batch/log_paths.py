"""Finds the logs in folders."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError

MOST_FILES = 20_000
_NOT_LOGS = frozenset(
    (".md", ".py", ".sh", ".json", ".csv", ".png", ".jpg", ".zip", ".tar", ".yaml", ".yml")
)


def may_be_log(name: str) -> bool:
    """Returns whether a file with this name in a folder is read as a log."""
    return not name.startswith(".") and PurePosixPath(name).suffix.lower() not in _NOT_LOGS


def is_url(path: str) -> bool:
    """Returns whether the path is a URL: `s3://bucket/logs`."""
    return "://" in path


def find_logs(roots: Sequence[str]) -> list[str]:
    """Returns all files below the folders and the single files, ordered by name.

    Raises:
        UserError: A path does not exist, or there are too many files.
    """
    found: list[str] = []
    for root in roots:
        if not os.path.isdir(root):  # noqa: PTH112 - a path as typed, printed as typed
            if not os.path.exists(root):  # noqa: PTH110 - as typed
                raise no_such(root)
            found.append(root)
            continue
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for file in sorted(files):
                path = str(Path(folder) / file)
                # Unlike `Path.is_file`, this is false in a folder that may not be entered.
                if may_be_log(file) and os.path.isfile(path):  # noqa: PTH113
                    found.append(path)
            if len(found) > MOST_FILES:
                raise too_many(root)
    return found


def no_such(root: str) -> UserError:
    """Returns the error for a path that does not exist."""
    return UserError(f"no file or folder {label(root, 200)}")


def too_many(root: str) -> UserError:
    """Returns the error for too many files."""
    return UserError(f"more than {MOST_FILES} files below {label(root, 200)}")
