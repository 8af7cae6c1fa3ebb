"""`sixdim watch`: follows a growing log."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sixdim.metrics.card.snapshot import BEHIND, LEAST_REFERENCES
from sixdim.metrics.values.card import Status
from sixdim.parsers.input.remote import how_to_read_remote
from sixdim.parsers.input.source import is_stdin
from sixdim.tui.base.card_file import check_growing
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.errors import DONE, FAILED, UserError
from sixdim.tui.base.settings.card_flags import add_against, add_card_options
from sixdim.tui.commands.watch_lines import print_lines
from sixdim.tui.export.sink import check_outputs
from sixdim.tui.screen.show import add_screen_options, show, wants_screen
from sixdim.tui.session.live.feed import KEEP_LINES, Frame
from sixdim.tui.session.live.gpus import Gpus, PolledGpus
from sixdim.tui.session.live.hooks import parse_hooks, print_failures
from sixdim.tui.session.live.monitor import LiveFeed
from sixdim.tui.session.live.recordings_followed import FollowedRecordings
from sixdim.tui.session.options import read_request
from sixdim.tui.session.request import Request

if TYPE_CHECKING:
    from sixdim.tui.session.live.many_logs import ManyFeed

EXAMPLES = """examples:
  sixdim watch train.log                    before, during or after the training
  sixdim watch train.log --json card.json   also write the card
  sixdim watch logs/                        all logs of a folder, new ones too
  ssh HOST tail -n +1 -F train.log | sixdim watch -    a log on another machine
  sixdim watch run1.log run2.log run3.log   several runs; [ and ] choose one
  sixdim watch train.log --target 'acc1>=75.9'
  sixdim watch train.log --against old.log  how far behind or ahead of that run
  sixdim watch train.log --telemetry dcgm:http://node7:9400/metrics
  sixdim watch train.log --on finished='mail -s done me@example.org < "$1"'
  sixdim watch train.log --plain >> out.txt one line per epoch, for cron, pipes
  sixdim watch logs/ --plain --serve 9101   metrics for Prometheus
  python train.py 2>&1 | tee train.log | sixdim watch -

keys: e writes the card now, / searches the log, r shows the radar, ? lists all
"""

COMMON = (
    *("--target", "--window", "--json", "--on", "--telemetry", "--no-gpus", "--repeat"),
    *("--format", "--against", "--plain"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim watch`."""
    parser.add_argument(
        "logs",
        metavar="LOG",
        nargs="+",
        help="log file (it need not exist yet), FIFO, or - for standard input; several logs, or a "
        "folder, are listed",
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="write the card at the target and at the run's end (several logs: a folder)",
    )
    parser.add_argument(
        "--on",
        metavar="EVENT=COMMAND",
        action="append",
        default=[],
        help="run a command at an event: converged, finished, failed, stalled, or behind (with "
        "--against); the card's path is $1 and $SIXDIM_CARD (repeatable)",
    )
    parser.add_argument("--no-gpus", action="store_true", help="do not poll GPUs")
    parser.add_argument(
        "--serve",
        metavar="PORT|ADDRESS:PORT",
        help="serve metrics for Prometheus, at 127.0.0.1 unless an IP address is given, until "
        "interrupted (needs sixdim[prometheus])",
    )
    add_against(parser)
    add_card_options(parser)
    add_screen_options(parser)


def run(args: argparse.Namespace) -> int:
    """Watches a log; returns the exit code."""
    check_growing(args.logs)
    if args.json == "-":
        raise UserError("--json -: name a file; sixdim score LOG --json - prints the card as JSON")
    args.polled = _polled(args)
    args.recorded, args.telemetry = args.telemetry, []
    request = read_request(args)
    for path in args.logs:
        if remote := how_to_read_remote(path):
            raise UserError(remote)
    roots, request = request.of_logs(list(dict.fromkeys(args.logs)), other_folders=True)
    if args.against:
        from sixdim.tui.session.references import with_references

        request = with_references(request, args.against, roots)
    # Before the terminal is looked at: the keys of a piped log come from another descriptor.
    stdin = _take_stdin(args) if len(roots) == 1 and is_stdin(roots[0]) else 0
    screen = wants_screen(args)
    feed = _feed(args, request, roots, stdin, KEEP_LINES if screen else 0)
    printed_messages: set[str] = set()
    with _served(args.serve, feed):
        if screen:
            code = show(feed, args)
        else:
            code = print_lines(feed, printed_messages, stays=bool(args.serve))
    print_failures((one.hooks for one in feed.feeds), printed_messages)
    for one in feed.feeds:
        if one.fault is not None:
            raise one.fault
        if why := one.no_card or one.unread:
            raise UserError(why)
    for one in feed.feeds:
        one.writer.check()
    missed = args.target and any(one.card().status is not Status.CONVERGED for one in feed.feeds)
    return FAILED if code == DONE and missed else code


def _served(address: str | None, feed: LiveFeed | ManyFeed) -> AbstractContextManager[None]:
    """Serves the newest frame of each log to Prometheus, if an address is given."""
    if not address:
        return nullcontext()
    from sixdim.tui.export.serve import parse_address, serving

    def latest() -> list[Frame]:
        return [one.latest for one in feed.feeds if one.latest is not None]

    return serving(parse_address(address), latest)


def _feed(
    args: argparse.Namespace, request: Request, roots: list[str], stdin: int, keep: int
) -> LiveFeed | ManyFeed:
    """Returns the feed of the log, or of all logs if several or a folder are named.

    `stdin` is the descriptor of a piped log, and `keep` how many of the latest lines the frames
    hold.
    """
    clock = Clock()
    commands = parse_hooks(args.on)
    if BEHIND in commands and len(args.against) < LEAST_REFERENCES:
        raise UserError(f"--on {BEHIND} needs a band: --against two runs or more")

    def one(log: str, card: str | None, gpus: Gpus, name: str = "") -> LiveFeed:
        return LiveFeed(
            log, request, clock, gpus, card, stdin=stdin, keep=keep, commands=commands, name=name
        )

    if len(roots) > 1 or Path(roots[0]).is_dir():
        from sixdim.tui.commands.watch_many import feed_of_many

        return feed_of_many(args.json, request, roots, one)
    check_outputs([args.json], args, *roots, *args.recorded)
    if args.recorded:
        return one(roots[0], args.json, FollowedRecordings(args.recorded, clock.monotonic))
    return one(roots[0], args.json, _gpus(args, roots[0], clock))


def _take_stdin(args: argparse.Namespace) -> int:
    """Moves the piped log to another descriptor, so that keys can be read from the terminal.

    Returns:
        The descriptor of the piped log.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise UserError("- reads a pipe: python train.py 2>&1 | tee train.log | sixdim watch -")
    piped = os.dup(0)
    if sys.stdout.isatty() and not args.plain:
        with suppress(OSError):  # no terminal to read keys from: print lines
            os.dup2(os.open("/dev/tty", os.O_RDWR), 0)
    return piped


def _polled(args: argparse.Namespace) -> str | None:
    """Removes the source to poll from --telemetry and returns it; None if there is none."""
    from sixdim.parsers.telemetry.choose import is_live

    live = [flag for flag in args.telemetry if is_live(flag)]
    args.telemetry = [flag for flag in args.telemetry if flag not in live]
    if len(live) > 1 or (live and args.telemetry):
        raise UserError("--telemetry: one source to poll, or recorded files, not both")
    return live[0] if live else None


def _gpus(args: argparse.Namespace, log: str, clock: Clock) -> Gpus:
    from sixdim.parsers.telemetry.choose import choose

    if args.no_gpus or args.polled == "none":
        return Gpus("GPUs are not polled")
    return PolledGpus(log, partial(choose, args.polled, os.environ, Path(log)), clock)
