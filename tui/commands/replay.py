"""`sixdim replay`: plays a finished log back on the screen, by the log's own clock."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sixdim.metrics.values.card import dumps
from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.card_file import check_logs
from sixdim.tui.base.errors import DONE, UserError
from sixdim.tui.base.settings.card_flags import add_against, add_card_options
from sixdim.tui.export.epoch_lines import EpochLines
from sixdim.tui.export.printed import printed
from sixdim.tui.export.sink import check_outputs, write_out
from sixdim.tui.screen.show import add_screen_options, show, wants_screen
from sixdim.tui.session.live.feed import Frame
from sixdim.tui.session.options import read_request
from sixdim.tui.session.reading import read_run, why_unread
from sixdim.tui.session.request import Request

EXAMPLES = """examples:
  sixdim replay train.log
  sixdim replay train.log --speed 600
  sixdim replay train.log --speed max          straight to the result

keys: space pauses, arrows step by an epoch, + and - change the speed, g goes to
an epoch, End goes to the result, ? lists all
"""


COMMON = (
    *("--speed", "--target", "--window", "--json", "--baseline", "--repeat", "--telemetry"),
    *("--format", "--against", "--plain"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim replay`."""
    parser.add_argument("log", metavar="LOG", help="log file, or a folder of ranks")
    parser.add_argument(
        "--speed",
        default="60",
        metavar="N|max",
        help="how many times as fast as the training (default: 60)",
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write the card of the finished run; the key e writes it as it is on the screen",
    )
    add_against(parser)
    add_card_options(parser)
    add_screen_options(parser)


def run(args: argparse.Namespace) -> int:
    """Replays a log; returns the exit code."""
    log, request = args.log, read_request(args)
    check_outputs([args.json], args)
    check_logs([log])
    (log,), request = request.of_logs([log])
    if args.against:
        from sixdim.tui.session.references import with_references

        request = with_references(request, args.against, [log])
    return replay(log, request, args, parse_speed(args.speed))


def parse_speed(text: str) -> float | None:
    """Reads `60`, `0.5`, `60x` or `max` (None).

    Raises:
        UserError: It is none of these.
    """
    if text == "max":
        return None
    try:
        speed = float(text.removesuffix("x"))
    except ValueError:
        speed = 0.0
    if not 0.1 <= speed <= 100_000:
        raise UserError(f"--speed {label(text, 20)!r} is not a number from 0.1 to 100000, or max")
    return speed


def replay(path: str, request: Request, args: argparse.Namespace, speed: float | None) -> int:
    """Plays the log on a screen; without one, prints its epochs and its card."""
    if not wants_screen(args):
        return _print_whole(path, request, args.json)
    if args.json == "-":
        raise UserError("--json -: name a file, or print lines instead of a screen: --plain")
    from sixdim.tui.session.replay.replay import ReplayFeed

    with unpacking(base_name(path)) as report:
        feed = ReplayFeed(path, request, time.monotonic, speed, args.json, report)
    code = show(feed, args)
    if feed.lacks_run:
        raise UserError(feed.lacks_run)
    feed.writer.check()
    return code


@contextmanager
def unpacking(name: str) -> Iterator[Callable[[int], None]]:
    """Shows on the terminal how much of a compressed log is unpacked, then erases that."""
    if not sys.stderr.isatty():
        yield lambda size: None
        return
    try:
        yield lambda size: print(
            f"\runpacking {name}: {size >> 20} MiB", end="", file=sys.stderr, flush=True
        )
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _print_whole(path: str, request: Request, json: str | None) -> int:
    session = read_run([path], request)
    if reason := why_unread(session):
        raise UserError(f"{session.name}: {reason}")
    if json:
        write_out(json, dumps(session.card()))
    if json == "-":
        return DONE
    frame = Frame(session.snapshot(), mode="replay", references=session.references)
    for line in EpochLines().lines(frame):
        print(line)
    print(printed(session.card()), end="")
    return DONE
