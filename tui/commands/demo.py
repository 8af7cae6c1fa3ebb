"""`sixdim demo`: replays the built-in sample run, which has all six dimensions."""

import argparse
from pathlib import Path

from sixdim import sample_logs
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import DONE, UserError
from sixdim.tui.base.safe_files import write_atomically
from sixdim.tui.base.settings.card_flags import add_card_options
from sixdim.tui.commands.replay import parse_speed, replay
from sixdim.tui.export.printed import printed
from sixdim.tui.screen.show import add_screen_options, wants_screen
from sixdim.tui.session.options import read_request
from sixdim.tui.session.reading import read_run
from sixdim.tui.session.request import Request

EXAMPLES = """examples:
  sixdim demo                  without a terminal it prints the card
  sixdim demo --speed max      straight to the result
  sixdim demo --write demo     the logs that the examples of the README use
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim demo`."""
    parser.add_argument(
        "--speed",
        default="600",
        metavar="N|max",
        help="how many times as fast as the training (default: 600)",
    )
    parser.add_argument(
        "--write", metavar="DIR", help="write the sample logs to a folder, instead of a replay"
    )
    add_screen_options(parser)


def demo_request() -> tuple[str, Request]:
    """Returns the path of the sample log, and a request for all six dimensions."""
    where = {name: str(sample_logs.path(name)) for name in sample_logs.NAMES}
    words = ["--scaled", where[sample_logs.SCALED], "--baseline", where[sample_logs.BASELINE]]
    words += ["--repeat", *(where[name] for name in sample_logs.REPEATS)]
    words += ["--telemetry", f"power={where[sample_logs.POWER]}"]
    words += ["--telemetry", f"memory={where[sample_logs.MEMORY]}"]
    parser = argparse.ArgumentParser()
    add_card_options(parser)
    return where[sample_logs.RUN], read_request(parser.parse_args(words))


def run(args: argparse.Namespace) -> int:
    """Replays the sample; returns the exit code."""
    if args.write is not None:
        return _write(Path(args.write))
    log, request = demo_request()
    args.json = None
    code = replay(log, request, args, parse_speed(args.speed))
    if wants_screen(args):
        print(printed(read_run([log], request).card()), end="")
    return code


def _write(folder: Path) -> int:
    """Writes the sample logs to a folder; replaces no file.

    Raises:
        UserError: A file exists already, or the folder cannot be written.
    """
    printable = label(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in sample_logs.EXAMPLE_NAMES:
            if (folder / name).exists():
                raise UserError(f"{printable} has a {name}: name a folder without one")
        for name, sample in sample_logs.EXAMPLE_NAMES.items():
            text = sample_logs.path(sample).read_bytes().decode()
            write_atomically(str(folder / name), text)
    except OSError as error:
        raise UserError(f"cannot write to {printable}: {label(error.strerror or error)}") from error
    print(
        f"{len(sample_logs.EXAMPLE_NAMES)} files in {printable}; try there: sixdim score train.log"
    )
    return DONE
