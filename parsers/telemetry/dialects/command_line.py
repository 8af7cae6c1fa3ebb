"""Reads a command that was pasted above its output: `# ixsmi -q -i 5`."""

from typing import NamedTuple

from sixdim.parsers.text.patterns import pattern

_COMMAND = pattern(r"[^$#]{0,80}[$#]\s++(?P<tool>[a-z]{1,10}-?smi)\b(?P<rest>.{0,400})")
_INDEX = pattern(r"(?:-i|--id=?)\s*+(\d{1,4})(?![\d,])\b")


class CommandLine(NamedTuple):
    """A command of a vendor's tool.

    Attributes:
        tool: The command's name.
        device: The one device that it names; None if it asks for all or several.
    """

    tool: str
    device: int | None


def command_line(text: str) -> CommandLine | None:
    """Returns the command on a line that begins with a shell's prompt; else None."""
    found = _COMMAND.match(text)
    if found is None:
        return None
    index = _INDEX.search(found["rest"])
    return CommandLine(found["tool"], int(index[1]) if index else None)
