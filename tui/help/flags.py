"""The flags of every command as plain data, for completion scripts and the manual."""

import argparse
from dataclasses import dataclass

from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.tui.help.table import COMMANDS, parser_of


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag of one command.

    Attributes:
        names: `-o`, `--output`.
        metavar: What its value is called; empty where it takes none.
        help: One sentence.
        values: The values there are, where they are few.
    """

    names: tuple[str, ...]
    metavar: str
    help: str
    values: tuple[str, ...] = ()

    @property
    def files(self) -> bool:
        """Whether its value is a path."""
        return any(word in self.metavar for word in ("FILE", "LOG", "CARD", "DIR"))


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        name: On the command line.
        summary: One line.
        usage: Its usage, on one line.
        flags: In the order of its help, `--help` first.
        choices: Values of its positional argument, where they are few.
        examples: As its help shows them.
    """

    name: str
    summary: str
    usage: str
    flags: tuple[Flag, ...]
    choices: tuple[str, ...]
    examples: str


def commands() -> list[Command]:
    """Returns all commands, in the order of `sixdim --help`."""
    return [_command(name) for name in COMMANDS]


def _command(name: str) -> Command:
    module, parser = parser_of(name)
    formatter = parser._get_formatter()
    flags, choices = [], []
    for action in parser._actions:
        if not action.option_strings:
            choices += [str(c) for c in action.choices or ()]
            continue
        text = formatter._expand_help(action) if action.help else ""
        flags.append(Flag(tuple(action.option_strings), _metavar(action), text, _values(action)))
    usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    return Command(name, COMMANDS[name], usage, tuple(flags), tuple(choices), module.EXAMPLES)


def _metavar(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    return str(action.metavar or action.dest.upper())


def _values(action: argparse.Action) -> tuple[str, ...]:
    if action.choices:
        return tuple(str(choice) for choice in action.choices)
    if "--protocol" in action.option_strings:
        return tuple(PROTOCOLS)
    if "--format" in action.option_strings:
        from sixdim.parsers.reader.registry import formats

        return tuple(known.name for known in formats())
    return ()
