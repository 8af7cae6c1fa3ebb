"""Identifies the log that a journal belongs to, and names the places of journals."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sixdim.parsers.telemetry.files import open_regular
from sixdim.parsers.text.patterns import pattern

SUFFIX = ".sixdim.jsonl"
"""Ending of a journal's name."""
KEY_BYTES = 4096
MOST_KEY_BYTES = 64 << 20
"""The most bytes of a log that are hashed."""
_CHUNK = 1 << 20
_NOWHERE = Path("/dev/null/sixdim")
"""A folder that cannot be created or read."""
_SHA256 = pattern(r"[0-9a-f]{64}")


class LogKey(NamedTuple):
    """Identifies a log by its content.

    Attributes:
        length: Number of hashed bytes, from the beginning of the log.
        sha256: Hex digest of these bytes.
    """

    length: int
    sha256: str

    @classmethod
    def checked(cls, length: object, sha256: object) -> LogKey | None:
        """Makes a key from untrusted data; None if the data is no key."""
        whole = isinstance(length, int) and not isinstance(length, bool)
        if not whole or not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
            return None
        assert isinstance(length, int)
        return cls(length, sha256) if 0 < length <= MOST_KEY_BYTES else None

    @classmethod
    def of(cls, log: Path, length: int = KEY_BYTES) -> LogKey | None:
        """Returns the key of a log's first `length` bytes; None if the log is missing or empty."""
        from hashlib import sha256

        digest, read = sha256(), 0
        try:
            with open_regular(log) as file:
                while chunk := file.read(min(length - read, _CHUNK)):
                    digest.update(chunk)
                    read += len(chunk)
        except OSError:
            return None
        return cls(read, digest.hexdigest()) if read else None

    def fits(self, log: Path) -> bool:
        """Returns whether the log still begins with the bytes that the key was made from."""
        return LogKey.of(log, self.length) == self

    def may_be_anothers(self, log: Path) -> bool:
        """Whether the key covers so little of the log that another run's log may begin alike.

        Runs of one script print the same configuration first; what distinguishes them comes later.
        """
        try:
            return self.length <= KEY_BYTES and log.stat().st_size > 2 * KEY_BYTES
        except OSError:
            return False


def journal_beside(log: Path) -> Path:
    """Returns the first choice for a journal: beside the log, under the log's whole name."""
    return log.with_name(log.name + SUFFIX)


def state_folder(environment: Mapping[str, str]) -> Path:
    """Returns the folder for journals of logs in read-only folders (XDG base folders)."""
    state = environment.get("XDG_STATE_HOME", "")
    if state.startswith("/"):
        return Path(state) / "sixdim"
    try:
        return Path.home() / ".local" / "state" / "sixdim"
    except RuntimeError:  # no HOME, and the user is in no list: there is no second place
        return _NOWHERE


def journal_in_state(log: Path, environment: Mapping[str, str]) -> Path:
    """Returns the second choice: in the state folder, the log's name with a hash of its place."""
    from hashlib import sha256  # most logs have no journal

    place = sha256(os.fsencode(log.absolute())).hexdigest()[:16]
    return state_folder(environment) / f"{log.name[:100]}.{place}{SUFFIX}"


def journals_near(log: Path, environment: Mapping[str, str]) -> bool:
    """Returns whether the folders for this log's journal hold a journal of any log."""
    folders = (log.parent, state_folder(environment))
    return any(True for folder in folders for _ in folder.glob("*" + SUFFIX))
