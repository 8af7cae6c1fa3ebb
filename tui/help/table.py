"""The commands that there are, and the parser of each; loads no command before it is asked."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from types import ModuleType


COMMANDS = {
    "watch": "follow a growing log: live panels, frozen scorecard",
    "replay": "the same screen over a finished log",
    "score": "print a log's scorecard (headless)",
    "scaling": "speed by nodes and devices over repeated runs (DLPerf's table)",
    "airank": "time to train, throughput, accuracy, speedup (AI-Rank's tables)",
    "record": "write GPU readings beside a log, without a screen",
    "compare": "put runs side by side: ratios, radar, differences beyond scatter",
    "report": "write one self-contained HTML file about a run",
    "demo": "replay the built-in sample run",
    "teach": "declare a format for a log that none knows, checked against it",
    "formats": "list the log formats; one with an example; a log's format",
    "protocols": "list the throughput protocols; one with its source",
    "trust": "let this folder's sixdim.toml name servers and files outside of it",
    "doctor": "say what this machine offers: GPU readings, file events, versions",
    "schema": "print the JSON Schema of a card",
    "completion": "print the completion script of a shell",
    "man": "print the manual page",
}


def parser_of(name: str) -> tuple[ModuleType, ArgumentParser]:
    """A command's module, and the parser of its flags."""
    from sixdim.tui.help.arguments import Parser

    command = importlib.import_module(f"sixdim.tui.commands.{name}")
    parser = Parser(name, COMMANDS[name], command.EXAMPLES, getattr(command, "COMMON", ()))
    command.add_arguments(parser)
    return command, parser
