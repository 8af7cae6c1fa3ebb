"""The `sixdim` command: finds the subcommand and loads nothing else.

Start-up time is part of the product: Textual, pynvml and watchdog are loaded by the
commands that need them, when they need them. This module itself loads next to nothing, so
that `--version` and `--help` answer at once.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from sixdim import __version__
from sixdim.tui.base.errors import DONE, FAULT, INTERRUPTED, USAGE, UserError, raised_at
from sixdim.tui.help.table import COMMANDS, parser_of

TYPE_CHECKING = False  # known to type checkers; loading `typing` would cost a millisecond
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from sixdim.tui.screen.opening import Opening


_HELP = """usage: sixdim COMMAND ...

Reads the log of a deep-learning training, live or finished, and measures the run
in six dimensions: speed, accuracy, linearity, power, memory, stability.

{commands}

examples:
  sixdim watch train.log                     before, during or after the training
  sixdim score train.log --json card.json    print the scorecard and write it
  sixdim replay train.log --speed 600        see a finished run again
  sixdim demo                                a built-in run; --write DIR: its logs
  sixdim help COMMAND                        common flags and examples

exit codes: 0 done; 1 a given --target, --require or --against fails; 2 wrong
usage or unreadable input; 70 sixdim itself failed; 130 interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["--version"]:
        return _ending(lambda: _print(f"sixdim {__version__}\n", DONE))
    if words[:1] == ["help"] and words[1:]:
        words = [words[1], "--help"]
    if not words or words[0] in ("-h", "--help", "help"):
        width = max(map(len, COMMANDS))
        listed = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
        text, code = _HELP.format(commands=listed), DONE if words else USAGE
        return _ending(lambda: _print(text, code))
    name, *rest = words
    if name not in COMMANDS:
        from sixdim.metrics.values.nearest import did_you_mean

        meant = did_you_mean(name, COMMANDS, "sixdim --help lists them")
        if os.access(name, os.R_OK):
            meant = "to read that log: sixdim score LOG, or sixdim watch LOG"
        return _complain(f"no command {name[:40]!r}; {meant}")
    if name != "watch":
        return _ending(lambda: _run(name, rest))
    from sixdim.tui.screen.opening import opening

    with opening(rest) as picture:
        return _ending(lambda: _run(name, rest, picture))


def _run(name: str, rest: list[str], picture: Opening | None = None) -> int:
    """Runs one command; returns the exit code."""
    from sixdim.tui.base.settings.settings_file import parsed

    command, parser = parser_of(name)
    args = parsed(parser, rest)
    args.opening = picture
    code: int = command.run(args)
    return code


def _print(text: str, code: int) -> int:
    """Prints a text; returns the exit code."""
    print(text, end="")
    return code


def _ending(do: Callable[[], int]) -> int:
    """Returns the exit code of what is done; an exception ends it with a message of one line."""
    try:
        code = do()
        sys.stdout.flush()
    except UserError as error:
        return _complain(str(error), error.code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has seen enough; nothing is left to say, not even at exit.
        _drop_stdout()
        return 0
    except OSError as error:  # a full disk behind `> card.txt`, a terminal that is gone
        _drop_stdout()
        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        return _complain(f"cannot go on: {where}{error.strerror or error}")
    except Exception as error:  # noqa: BLE001 - the last resort: one line instead of a traceback
        from sixdim.parsers.input.source import LogError

        if isinstance(error, LogError):
            return _complain(str(error))
        return _complain(_report(error), FAULT)
    return code


def _report(error: Exception) -> str:
    """Writes a fault's traceback to a file; returns the line that says so."""
    import tempfile
    import traceback

    summary = f"a fault of its own, {type(error).__name__} at {raised_at(error)}"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="sixdim-fault-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write(f"sixdim {__version__}, Python {sys.version}\n")
            traceback.print_exception(error, file=file)
    except OSError:
        return f"{summary} (no place for its traceback); please report it"
    return f"{summary}; please report it with {file.name}"


def _drop_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, code: int = USAGE) -> int:
    from sixdim.parsers.text.lines import clean

    print(f"sixdim: {clean(message)}", file=sys.stderr)
    return code


class _Messages(io.TextIOWrapper):
    """Standard error. A message that cannot be written (a full disk) changes no exit code."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            return


def run() -> NoReturn:
    """Runs the console script, and exits with its code."""
    # Modules, flags and formats stay for good: to look through them for garbage is time lost.
    gc.set_threshold(10_000)
    # OpenBLAS starts a thread for each core, which spins for its first hundredths of a second. What
    # is computed here needs none. Programs started from here get `os.environ`, which has no such
    # setting.
    if "OPENBLAS_NUM_THREADS" not in os.environ:
        os.putenv("OPENBLAS_NUM_THREADS", "1")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller: what is printed there is dropped
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    # A terminal that knows no UTF-8 gets escapes, never a UnicodeEncodeError.
    escapes = "backslashreplace"
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=escapes)
    if isinstance(err := sys.stderr, io.TextIOWrapper):
        sys.stderr = _Messages(err.buffer, err.encoding, escapes, line_buffering=True)
    try:
        code = main()
    except KeyboardInterrupt:  # between two commands' own ends
        code = INTERRUPTED
    gc.freeze()  # nor does the interpreter look through what is left at its end
    sys.exit(code)
