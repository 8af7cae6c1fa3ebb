"""`sixdim man`: prints the manual page, made from the flags and examples of the commands."""

import argparse
from collections.abc import Sequence

from sixdim import __version__
from sixdim.tui.help.flags import Command, Flag, commands

EXAMPLES = """examples:
  sixdim man | man -l -                                       read it
  sixdim man > ~/.local/share/man/man1/sixdim.1               install it
"""
_HEAD = r"""
.SH NAME
sixdim \- measure deep\-learning training runs in six dimensions, from their logs
.SH SYNOPSIS
.B sixdim
.I COMMAND
.RI [ flags ]
.SH DESCRIPTION
Reads the log of a training, live or finished, and measures the run in six dimensions: speed,
accuracy, linearity, power, memory, stability. The same log gives the same scorecard, whether it is
watched, replayed or scored, and every figure names the lines that it was computed from.
.PP
Results go to standard output, messages to standard error.
.SH COMMANDS
"""

_TAIL = r"""
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
A given \-\-target, \-\-require or \-\-against fails.
.TP
.B 2
Wrong usage, or input that cannot be read.
.TP
.B 70
sixdim itself failed; the message names a file with the traceback.
.TP
.B 130
Interrupted; 128 + n where a watch was ended by signal n.
.SH ENVIRONMENT
.TP
.B TERM
With
.B dumb
or without a value, watch and replay print lines instead of a screen.
.TP
.B XDG_STATE_HOME
Telemetry journals go below it, in
.BR sixdim ,
where the folder of the log cannot be written.
"""


def run(args: argparse.Namespace) -> int:
    """Prints the page."""
    print(manual(commands()), end="")
    return 0


def manual(commands: Sequence[Command]) -> str:
    """Returns the page. It has no date, so it changes only when the commands do."""
    title = f'.TH SIXDIM 1 "" "sixdim {_plain(__version__)}" "User Commands"'
    return title + _HEAD + "".join(_section(c) for c in commands) + _TAIL.lstrip("\n")


def _section(command: Command) -> str:
    lines = [f".SS sixdim {_plain(command.name)}", f"{_sentence(command.summary)}"]
    lines += [".PP", ".nf", _plain(command.usage), ".fi"] if not command.flags[1:] else []
    for flag in command.flags[1:]:
        lines += [".TP", _flag(flag), _plain(flag.help) or r"\&"]
    lines += [".PP", ".nf", *(_plain(line) for line in command.examples.splitlines()), ".fi"]
    return "\n".join(lines) + "\n"


def _flag(flag: Flag) -> str:
    value = rf" \fI{_plain(flag.metavar)}\fR" if flag.metavar else ""
    return ", ".join(rf"\fB{_plain(name)}\fR{value}" for name in flag.names)


def _sentence(text: str) -> str:
    return _plain(text[0].upper() + text[1:] + ".")


def _plain(text: str) -> str:
    """Returns the text with roff's special characters escaped."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return rf"\&{text}" if text.startswith(".") else text
