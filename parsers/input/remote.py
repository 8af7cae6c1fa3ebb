"""Names of logs on other machines, as scp and rsync write them: `user@host:/path`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from sixdim.parsers.text.lines import label

_REMOTE = re.compile(r"((?:[\w.-]{1,64}@)?[\w.-]{1,253}):((?!//)(?:[/~].*|.*/.*))", re.ASCII)
_USER = re.compile(r"([\w.-]{1,64}@[\w.-]{1,253}):(.+)", re.ASCII)


def elsewhere(path: str, program: str) -> str:
    """Returns how to read a log on another machine; empty for a path on this one.

    Args:
        path: As it was given.
        program: What reads the log from its standard input, such as `sixdim watch -`.
    """
    found = _USER.fullmatch(path) or _REMOTE.fullmatch(path)
    if found is None or Path(path).exists():
        return ""
    host, remote = found.groups()
    # The other machine's shell reads the words again.
    quoted = remote if shlex.quote(remote) == remote else shlex.quote(shlex.quote(remote))
    command = f"ssh {host} tail -n +1 -F {quoted} | {program}"
    return f"{label(path, 200)} is on another machine: {label(command, 400)}"
