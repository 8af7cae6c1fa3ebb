"""The error for a missing optional library."""

from __future__ import annotations

from sixdim.tui.base.errors import UserError


def missing(flag: str, library: str, extra: str) -> UserError:
    """Returns the error that names the library and the extra to install."""
    return UserError(
        f"{flag} needs {library}, which is not installed: pip install 'sixdim[{extra}]'"
    )
