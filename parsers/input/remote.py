"""Names of logs on other machines: `user@host:/path`, as scp and rsync write them, and URLs."""

import re
import shlex
from pathlib import Path

from sixdim.parsers.text.lines import label

_REMOTE = re.compile(r"((?:[\w.-]{1,64}@)?[\w.-]{1,253}):((?!//)(?:[/~].*|.*/.*))", re.ASCII)
_USER = re.compile(r"([\w.-]{1,64}@[\w.-]{1,253}):(.+)", re.ASCII)
_URL = re.compile(r"[a-z][a-z0-9+.-]{0,20}://\S+", re.ASCII | re.IGNORECASE)


def how_to_read_remote(path: str) -> str:
    """Returns how to read a log on another machine; empty for a path on this one."""
    if _URL.fullmatch(path):
        fetched = path.lower().startswith(("http:", "https:", "ftp:"))
        how = f"curl -sSL {shlex.quote(path)} | sixdim score -" if fetched else "copy it here first"
        return f"{label(path, 200)} is an address, not a file: {label(how, 400)}"
    found = _USER.fullmatch(path) or _REMOTE.fullmatch(path)
    if found is None or Path(path).exists():
        return ""
    host, remote = found.groups()
    # The other machine's shell reads the words again.
    quoted = remote if shlex.quote(remote) == remote else shlex.quote(shlex.quote(remote))
    command = f"ssh {host} tail -n +1 -F {quoted} | sixdim watch -"
    return f"{label(path, 200)} is on another machine: {label(command, 400)}"
