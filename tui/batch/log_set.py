"""A set of logs for one table: its flags, and how its logs are found and read."""

import argparse

from sixdim.metrics.dimensions.linearity import job_speed
from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Fact
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.plugins import known_formats, named_format, say_problems
from sixdim.tui.base.settings.card_flags import add_config_option, count
from sixdim.tui.base.settings.protocol_flags import add_protocol_options, read_protocol
from sixdim.tui.base.tables import FORMATS
from sixdim.tui.batch.engines import engine_of, read_logs
from sixdim.tui.batch.log_figures import Figures, Job
from sixdim.tui.batch.log_warnings import warn, warnings_about


def add_shape_option(parser: argparse.ArgumentParser) -> None:
    """Adds the --format of a table; `format` in a settings file is that of the logs."""
    parser.add_argument(
        "--format",
        dest="shape",
        choices=FORMATS,
        default="table",
        help="how the table is written (default: table)",
    )


def add_set_options(parser: argparse.ArgumentParser) -> None:
    """Adds the flags for many logs: facts for all of them, and the protocol."""
    add_config_option(parser)
    parser.add_argument(
        "--log-format", dest="format", metavar="NAME", help="log format, instead of detecting it"
    )
    parser.add_argument(
        "--framework",
        type=label,
        metavar="NAME",
        help="framework of all logs (flags win over the logs)",
    )
    parser.add_argument("--model", type=label, metavar="NAME", help="model of all logs")
    parser.add_argument("--precision", type=label, metavar="NAME", help="precision of all logs")
    parser.add_argument(
        "--batch", type=count, metavar="N", help="batch size of one device, of all logs"
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="read the logs, which may be URLs, on the Dask cluster of this scheduler: its address "
        "or its scheduler file (needs sixdim[cluster])",
    )
    add_protocol_options(parser, "auto", "the usual one for the format")


def read_set(
    args: argparse.Namespace, settings: Settings | None = None, first: str = "custom"
) -> list[Figures]:
    """Reads the logs that the paths name, and prints on standard error what is wrong with them.

    `first` is the protocol where none is named; where it gives no speed, the one that is usual for
    the log's format is used.

    Raises:
        UserError: There are none.
    """
    engine = engine_of(args)
    paths = engine.find(args.paths)
    if not paths:
        raise UserError(f"no log below {', '.join(label(p, 80) for p in args.paths)}")
    auto = args.protocol == "auto"
    chosen = read_protocol(args, PROTOCOLS[first] if auto else None)
    auto = auto and chosen is PROTOCOLS[first]
    facts = {"framework": args.framework, "model": args.model, "precision": args.precision}
    facts["batch_per_device"] = args.batch
    given: dict[str, Fact] = {name: value for name, value in facts.items() if value}
    base = (settings or Settings())._replace(protocol=chosen, given=given)
    usual = ("only" if first == "custom" else "otherwise") if auto else ""
    say_problems()
    forced = named_format(args.format, known_formats(args), "--log-format")
    declared = tuple(reader.declaration for reader in args.declared)
    jobs = [Job(path, base, usual, forced.name if forced else "", declared) for path in paths]
    read = read_logs(jobs, engine)
    warn(warnings_about(read))
    if auto and first != "custom" and any(one.card and one.speed is None for one in read):
        warn(["--protocol custom gives the mean of the progress lines instead"])
    return [figures for figures in read if figures.card is not None]


def speed_of(figures: Figures) -> float | None:
    """Returns the throughput of the whole job that a log gives."""
    if figures.card is None:
        return None
    scope = figures.card.dimensions["speed"].details.get("scope", "")
    return job_speed(figures.speed, scope, figures.count("devices"))
