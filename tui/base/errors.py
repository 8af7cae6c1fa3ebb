"""The error that ends a command, and the exit codes, which scripts rely on."""

DONE = 0
FAILED = 1
"""A given --target, --require or --against fails."""
USAGE = 2
"""Wrong usage, or input that cannot be read."""
FAULT = 70
"""sixdim itself failed (EX_SOFTWARE of sysexits.h)."""
INTERRUPTED = 130


class UserError(Exception):
    """Ends a command with a message of one line and an exit code."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


def missing(flag: str, library: str, extra: str) -> UserError:
    """Returns the error that names an optional library and the extra to install."""
    return UserError(
        f"{flag} needs {library}, which is not installed: pip install 'sixdim[{extra}]'"
    )


def raised_at(error: BaseException) -> str:
    """Returns where a fault of sixdim was raised: `protocol.py:220`; empty if it never was."""
    import traceback
    from pathlib import PurePath

    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def one_line(error: BaseException) -> str:
    """Returns a fault of sixdim and where it was raised: `OverflowError: … (protocol.py:220)`."""
    from sixdim.parsers.text.lines import label

    where = f" ({place})" if (place := raised_at(error)) else ""
    return label(f"{type(error).__name__}: {error}", 200) + where
