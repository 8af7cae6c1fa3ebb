"""What to say where an optional library is missing."""

from __future__ import annotations

from sixdim.tui.base.errors import UserError


def missing(flag: str, library: str, extra: str) -> UserError:
    """One line with the way out."""
    return UserError(
        f"{flag} needs {library}, which is not installed: pip install 'sixdim[{extra}]'"
    )
