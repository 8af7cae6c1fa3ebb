"""Rewrites error messages of argparse as plain sentences."""

import argparse
import re

_MISSING = "the following arguments are required: "
_CHOICE = re.compile(r"argument (?P<name>\S+): invalid choice: '(?P<word>[^']*)'")


def complaint(parser: argparse.ArgumentParser, message: str) -> str:
    """Returns an error message of argparse as a sentence that begins with the argument's name.

    `--reduce 'medain' is none of mean, median, …; did you mean median?`, `LOG is missing`,
    `--devices: '0' is not a positive number`.
    """
    from sixdim.metrics.values.nearest import did_you_mean

    if found := _CHOICE.match(message):
        name, word = found["name"], found["word"]
        named = [one for one in parser._actions if name in (*one.option_strings, one.dest)]
        choices = [str(choice) for one in named for choice in one.choices or ()]
        meant = did_you_mean(word, choices, "")
        return f"{name} {word!r} is none of {', '.join(choices)}" + (meant and f"; {meant}")
    if message.startswith(_MISSING):
        return f"{message.removeprefix(_MISSING)} is missing"
    return message.removeprefix("argument ")
