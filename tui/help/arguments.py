"""The parser of a command's flags; its help has the common flags, or all of them."""

import argparse
import copy
import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NoReturn

from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import USAGE
from sixdim.tui.base.settings.usage import complaint

_UNKNOWN = re.compile(r"unrecognized arguments: (-\S+)")
_EXTRA = re.compile(r"unrecognized arguments: (.*)", re.DOTALL)
_SHORT = re.compile(r";| \((?!strict)")
_OPTIONAL = re.compile(r"\[[^][]*\]")
_Help = partial(argparse.RawDescriptionHelpFormatter, width=80)
_EXAMPLES = 4
"""Number of examples below the common flags."""


class _HelpAll(argparse.Action):
    """Prints the help with every flag, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: Any, **_named: Any) -> NoReturn:
        assert isinstance(parser, Parser)
        print(parser.format_help_all(), end="")
        parser.exit()


class _Once(argparse.Action):
    """Stores the value of an argument; refuses a flag that was given with another value before."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        assert isinstance(parser, Parser)
        if option_string is not None and parser.given.setdefault(self.dest, values) != values:
            parser.error(f"{option_string} is given twice, with different values")
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """Parses the flags of one command. Its error messages contain no escape sequences.

    Args:
        command: Name of the command.
        summary: What it does, as `sixdim --help` lists it.
        examples: Command lines to show below the flags.
        common: The flags that `--help` shows, if the command has many.

    Attributes:
        given: The values of the flags that were read so far, by their destination.
    """

    def __init__(
        self, command: str, summary: str, examples: str, common: Sequence[str] = ()
    ) -> None:
        super().__init__(
            prog=f"sixdim {command}",
            description=summary[0].upper() + summary[1:] + ".",
            epilog=examples,
            formatter_class=_Help,
            add_help=False,
        )
        self._common = common
        self.given: dict[str, Any] = {}
        self.register("action", None, _Once)
        self.add_argument("-h", "--help", action="help", help="show the common flags")
        self.add_argument("--help-all", action=_HelpAll, nargs=0, help="show all flags")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As the method of `ArgumentParser`, which `parse_args` calls."""
        self.given.clear()
        return super().parse_known_args(args, namespace)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """As the method of `ArgumentParser`; an empty value is an error.

        It is the one of a shell's variable that is not set: `--against "$LAST"` would compare with
        nothing, and pass.
        """
        if not arg_string:
            raise argparse.ArgumentError(action, "its value is empty")
        return super()._get_value(action, arg_string)

    def format_help(self) -> str:
        """Returns the arguments, the common flags with short explanations, and some examples."""
        if not self._common:
            few = [one for one in self._named() if one.dest not in ("help", "help_all")]
            return self._help([(None, (*self._positional(), *few))], self.epilog or "")
        first = [_shortened(one) for one in (*self._positional(), *self._chosen())]
        more = f"All {len(self._named())} flags: {self.prog} --help-all"
        examples = (self.epilog or "").splitlines()[: 1 + _EXAMPLES]
        return self._help([(None, first)], "\n".join([*examples, "", more]))

    def format_help_all(self) -> str:
        """Returns all flags: the common ones first, the others in groups."""
        common = self._chosen()
        groups: list[tuple[str | None, Iterable[argparse.Action]]] = [
            (None, (*self._positional(), *common))
        ]
        for group in self._action_groups[1:]:
            rest = [one for one in group._group_actions if one not in common]
            groups.append((group.title if group.title != "options" else "other flags", rest))
        return self._help(groups, self.epilog or "")

    def error(self, message: str) -> NoReturn:
        """Prints one line, without argparse's usage, and exits with code 2."""
        self.exit(USAGE, f"{self.prog}: {label(self._hint(message), 400)}\n")

    def _hint(self, message: str) -> str:
        """Returns the complaint with what may have been meant, or where the flags are listed."""
        from sixdim.metrics.values.nearest import did_you_mean

        if found := _UNKNOWN.match(message):
            flag = found[1].partition("=")[0]
            otherwise = f"{self.prog} --help-all lists them"
            return f"no flag {flag}; {did_you_mean(flag, self._flags(), otherwise)}"
        if found := _EXTRA.match(message):
            several = any(one.nargs in ("+", "*") for one in self._positional())
            after = "stands after a flag: name it before the flags"
            wrong = after if several else "is one argument too many"
            return f"{found[1]} {wrong} ({self.prog} --help)"
        return f"{complaint(self, message)} ({self.prog} --help)"

    def _help(
        self, groups: Iterable[tuple[str | None, Iterable[argparse.Action]]], below: str
    ) -> str:
        import shutil  # loads the archive modules, so only where help is printed

        self.formatter_class = partial(_Help, width=shutil.get_terminal_size().columns - 2)
        formatter = self._get_formatter()
        words = [_placeholder(one) for one in self._positional()]
        formatter.add_usage(" ".join([self.prog, *words, "[flags]"]), [], [])
        formatter.add_text(self.description)
        for title, actions in groups:
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(below)
        return formatter.format_help()

    def _positional(self) -> list[argparse.Action]:
        return [one for one in self._actions if not one.option_strings]

    def _named(self) -> list[argparse.Action]:
        return [one for one in self._actions if one.option_strings]

    def _flags(self) -> list[str]:
        return [name for one in self._named() for name in one.option_strings if name[1] == "-"]

    def _chosen(self) -> list[argparse.Action]:
        return [self._option_string_actions[name] for name in self._common]


def _shortened(action: argparse.Action) -> argparse.Action:
    """Returns the flag with only the first clause of its help."""
    short = copy.copy(action)
    short.help = _SHORT.split(action.help or "", maxsplit=1)[0]
    if isinstance(action.metavar, str):
        short.metavar = _OPTIONAL.sub("", action.metavar)
    if action.option_strings and action.nargs == "+":
        short.nargs, short.metavar = None, f"{short.metavar} …"
    return short


def _placeholder(action: argparse.Action) -> str:
    """Returns a positional argument as the usage shows it."""
    name = str(action.metavar or action.dest.upper())
    if action.choices:
        name = "|".join(map(str, action.choices))
    if action.nargs in ("+", "*"):
        name = f"{name} [{name} …]" if action.nargs == "+" else f"[{name} …]"
    return f"[{name}]" if action.nargs == "?" else name
