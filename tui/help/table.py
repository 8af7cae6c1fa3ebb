"""The names of all commands, and the parser of each, which is loaded when it is needed."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from types import ModuleType


COMMANDS = {
    "watch": "follow a training live, on a screen or as lines",
    "replay": "play a finished log back on the same screen",
    "score": "print the scorecard of a log",
    "scaling": "tabulate the speed of many logs by nodes and devices (DLPerf)",
    "airank": "tabulate time to train, speed and accuracy of many logs (AI-Rank)",
    "record": "record GPU readings beside a log, without a screen",
    "compare": "compare runs: ratios, radar chart, differences beyond variation",
    "report": "write one HTML file about a run",
    "demo": "replay the built-in sample run",
    "teach": "propose and check a format for a log that no known format reads",
    "formats": "list the log formats, describe one, or identify that of a log",
    "protocols": "list the rules for throughput, or describe one",
    "trust": "let a folder's sixdim.toml name servers and files outside of it",
    "doctor": "show what this machine has: GPU readings, file events, versions",
    "schema": "print the JSON Schema of a card",
    "completion": "print the completion script of a shell",
    "man": "print the manual page",
}

_REFERENCE = frozenset({"formats", "protocols", "doctor", "schema", "completion", "man"})
"""Commands that read no run; their modules are in `sixdim.tui.commands.reference`."""


def parser_of(name: str) -> tuple[ModuleType, ArgumentParser]:
    """Returns the module of a command and the parser of its flags."""
    from sixdim.tui.help.arguments import Parser

    folder = "sixdim.tui.commands.reference" if name in _REFERENCE else "sixdim.tui.commands"
    command = importlib.import_module(f"{folder}.{name}")
    parser = Parser(name, COMMANDS[name], command.EXAMPLES, getattr(command, "COMMON", ()))
    if hasattr(command, "add_arguments"):
        command.add_arguments(parser)
    return command, parser
