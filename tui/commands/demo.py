"""`sixdim demo`: the main job on the built-in sample, all six dimensions filled."""

from __future__ import annotations

import argparse

from sixdim import sample_logs
from sixdim.tui.base.card_flags import add_card_options
from sixdim.tui.commands.replay import parse_speed, print_card, replay
from sixdim.tui.screen.show import add_screen_options, wants_screen
from sixdim.tui.session.options import Request, read_request

EXAMPLES = """examples:
  sixdim demo                  replays the sample run (prints its card without a terminal)
  sixdim demo --speed max      straight to the frozen card
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim demo`."""
    parser.add_argument("--speed", default="600", metavar="N|max", help="default: 600")
    add_screen_options(parser)


def demo_request() -> tuple[str, Request]:
    """The sample's path, and the runs and recordings that fill all six dimensions."""
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
    log, request = demo_request()
    args.json = None
    code = replay(log, request, args, parse_speed(args.speed))
    if wants_screen(args):
        print_card(log, request)
    return code
