"""Opens files whose names came from outside."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from sixdim.parsers.text.lines import label


def open_regular(path: Path) -> BinaryIO:
    """Opens a regular file for reading; a pipe or device of that name would block for ever.

    Raises:
        OSError: It cannot be opened, or is no regular file.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise OSError(f"{label(path)} is {'a directory' if stat.S_ISDIR(mode) else 'no regular file'}")
