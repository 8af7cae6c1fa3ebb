"""The flags that shape a card, the same for every command."""

import argparse
from collections.abc import Callable
from contextlib import suppress

from sixdim.parsers.grammar.shapes.holes import number
from sixdim.parsers.text.lines import label
from sixdim.tui.base.settings.protocol_flags import add_protocol_options


def add_config_option(parser: argparse._ActionsContainer) -> None:
    """Adds --config, with which a command reads the settings file."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="settings file (default: ./sixdim.toml, else the one in $XDG_CONFIG_HOME/sixdim); "
        "flags win over it",
    )


def add_target_option(parser: argparse._ActionsContainer) -> None:
    """Adds --target."""
    parser.add_argument(
        "--target",
        metavar="COND",
        help="condition that ends the run, such as 'acc1>75.9'; several joined by commas, such as "
        "'acc1>75.9,loss<=2.1' (default: the threshold in the log)",
    )


def add_start_option(parser: argparse._ActionsContainer) -> None:
    """Adds --start."""
    parser.add_argument(
        "--start",
        metavar="iteration|header|TEXT",
        default="iteration",
        help="where times begin: at the first iteration (default), at the run's header, or at the "
        "first line that has the text (* matches anything)",
    )


def add_card_options(parser: argparse.ArgumentParser) -> None:
    """Adds every flag that can change a card."""
    what = parser.add_argument_group("what is scored")
    add_config_option(what)
    add_target_option(what)
    what.add_argument(
        "--window", metavar="A:B", help="first and last epoch of the speed window (default: 6:10)"
    )
    what.add_argument("--format", metavar="NAME", help="log format, instead of detecting it")
    what.add_argument(
        "--run",
        type=count,
        metavar="N",
        help="which run, if the log has several (default: the last one)",
    )
    add_start_option(what)
    add_protocol_options(parser)
    facts = parser.add_argument_group("facts that the log may not have (flags win over the log)")
    for flag, kind, text in _FACTS:
        facts.add_argument(flag, type=kind, metavar="N", help=text)
    _add_other_runs(parser)


def _add_other_runs(parser: argparse.ArgumentParser) -> None:
    """Adds the flags that name further runs, and GPU readings."""
    other = parser.add_argument_group("other runs and readings")
    other.add_argument(
        "--baseline", metavar="LOG|CARD", help="run on one device or node, for linearity"
    )
    other.add_argument(
        "--baseline-devices", type=count, metavar="N", help="number of devices of the baseline"
    )
    other.add_argument(
        "--baseline-nodes",
        type=count,
        metavar="N",
        help="number of nodes of the baseline, for linearity by node",
    )
    other.add_argument(
        "--scaled",
        metavar="LOG|CARD",
        help="many-device run for linearity (default: the scored run)",
    )
    other.add_argument(
        "--repeat",
        metavar="LOG|CARD",
        nargs="+",
        action="extend",
        default=[],
        help="further complete runs, for stability",
    )
    other.add_argument(
        "--telemetry",
        metavar="[power=|memory=]FILE",
        action="append",
        default=[],
        help="file of GPU readings; watch polls sources, too, such as dcgm:URL (repeatable)",
    )
    other.add_argument(
        "--gpus", metavar="0,1|UUID", help="devices whose power and memory count (default: all)"
    )


def count(text: str) -> int:
    """Reads a positive whole number: 1281167, 1_281_167 or 1e6."""
    try:
        value: float = int(text) if text.isascii() else 0
    except ValueError:
        value = _positive(text)
    if not 0 < value < 10**12 or value != int(value):
        raise _not_positive(text)
    return int(value)


def _positive(text: str) -> float:
    with suppress(ValueError):
        value = number(text)
        if 0 < value < 1e30:
            return value
    raise _not_positive(text)


def _not_positive(text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{label(text, 20)!r} is not a positive number")


_FACTS: tuple[tuple[str, Callable[[str], float], str], ...] = (
    ("--devices", count, "number of devices of the job"),
    ("--nodes", count, "number of nodes of the job"),
    ("--batch", count, "batch size of one device"),
    ("--global-batch", count, "batch size of the job"),
    ("--samples-per-epoch", count, "training samples"),
    (
        "--model-flops-per-sample",
        _positive,
        "FLOPs to train on one sample (one token where the speed is tokens/s): 6e9",
    ),
    ("--peak-flops", _positive, "peak FLOP/s of one device: 312e12"),
)
"""The flags of facts, and what each is."""


def add_against(parser: argparse.ArgumentParser) -> None:
    """Adds `--against`."""
    parser.add_argument(
        "--against",
        metavar="LOG|CARD",
        action="append",
        default=[],
        help="compare with an earlier run; the charts show both (repeatable)",
    )
