"""`sixdim score`: prints and exports the cards of logs, without a screen."""

import argparse
import sys
from collections.abc import Iterator

from sixdim.metrics.values.card import Card, dumps
from sixdim.parsers.input.source import LogError
from sixdim.tui.base.card_file import is_card
from sixdim.tui.base.errors import DONE, FAILED, USAGE, UserError
from sixdim.tui.base.settings.card_flags import add_card_options
from sixdim.tui.export.gate import add_gate_options, read_gate
from sixdim.tui.export.printed import printed
from sixdim.tui.export.sink import write_out
from sixdim.tui.export.table import add_export_options, export, exports, to_stdout
from sixdim.tui.session.cards import Scored, distinct, read_scored
from sixdim.tui.session.options import read_request
from sixdim.tui.session.reading import read_run, why_unread
from sixdim.tui.session.request import Request

EXAMPLES = """examples:
  sixdim score train.log
  sixdim score train.log --json card.json --target 'acc1>=75.9' --window 6:10
  sixdim score amp8.log --scaled fp32_8.log --baseline fp32_1.log --devices 8
  sixdim score run1.log --repeat run2.log run3.log run4.log run5.log
  sixdim score train.log --telemetry power=power.txt --telemetry memory=mem.txt
  sixdim score --protocol mlperf result_*.txt   minutes of each run and of all
  sixdim score train.log.1 train.log --join     a rotated log
  sixdim score card.json                        print a card again
  sixdim score logs/                            one run, rank0.log … rank7.log
  sixdim score train.log --require 'speed>=4900' --require 'accuracy>=75.9'
  sixdim score train.log --against base.json --tolerance 1% --junit gate.xml

exit codes: 0 done; 1 a given --target, --require or --against fails; 2 wrong
usage or unreadable input
"""


COMMON = (
    *("--target", "--window", "--json", "--markdown", "--baseline", "--repeat", "--telemetry"),
    *("--protocol", "--require", "--against"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim score`."""
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="log files, or - for standard input; a folder of ranks is one run",
    )
    parser.add_argument(
        "--json", metavar="FILE|-", help="write the card as JSON (several logs: an array)"
    )
    parser.add_argument(
        "--join", action="store_true", help="read the logs as the pieces of one run, oldest first"
    )
    add_gate_options(parser)
    add_export_options(parser)
    add_card_options(parser)


def run(args: argparse.Namespace) -> int:
    """Scores each log; returns the exit code."""
    silent = to_stdout(args)
    request = read_request(args)
    gate = read_gate(args, request)
    groups = [args.logs] if args.join else [[path] for path in args.logs]
    names = distinct([paths[-1] for paths in groups])
    runs: list[Scored] = []
    code = DONE
    try:
        for paths, name in zip(groups, names, strict=True):
            try:
                for one, said, was_read in _scored(paths, request, args):
                    scored = one.called(name)
                    runs.append(scored)
                    for text in (*said, *gate.complaints(scored.card)):
                        print(f"sixdim: {scored.name}: {text}", file=sys.stderr)
                    if was_read and not silent:
                        print(printed(scored.card, scored.name), end="")
                    missed = args.target and not scored.card.frozen
                    code = max(code, USAGE if not was_read else FAILED if missed else DONE)
            except LogError as error:
                print(f"sixdim: {error}", file=sys.stderr)
                code = USAGE
    finally:  # if it ends early, the cards that are finished are still written
        cards = [scored.card for scored in runs]
        if args.json and cards:
            write_out(args.json, dumps(cards[0] if len(groups) == len(cards) == 1 else cards))
    if not runs:
        return code
    if len(groups) > 1 and request.settings.protocol.is_time:  # their times are one figure
        print(_of_set(runs, request), file=sys.stderr if silent else sys.stdout)
    export(args, runs)
    return max(code, gate.write(runs))


def _scored(
    paths: list[str], request: Request, args: argparse.Namespace
) -> Iterator[tuple[Scored, list[str], bool]]:
    """Yields a run or the cards of a file, what there is to say, and whether any line was read.

    Raises:
        LogError: The log cannot be read.
        UserError: It cannot be scored so, or a card was made for another target.
    """
    if len(paths) == 1 and is_card(paths[0]):
        for scored in read_scored(paths[0], request):
            made_for = None if scored.card.target is None else scored.card.target["condition"]
            if args.target and made_for != str(request.settings.target):
                raise UserError(
                    f"{scored.name}: its card was made for another target: score the log"
                )
            yield scored, ["a card, printed as it was written"], True
        return
    paths, asked = request.of_logs(paths)
    session = read_run(paths, asked)
    scored = Scored.of(session, paths[-1], exports(args), tuple(paths[:-1]))
    reason = why_unread(session)
    yield scored, [reason] if reason else [*_complaints(scored.card, args)], not reason


def _of_set(runs: list[Scored], request: Request) -> str:
    """Returns one line with the figure of repeated runs, and the runs that it leaves out."""
    from sixdim.metrics.protocols.window_result import of_runs
    from sixdim.metrics.values.print_rule import as_printed

    protocol = request.settings.protocol
    speeds = [run.card.dimensions["speed"] for run in runs]
    figure = of_runs([speed.value for speed in speeds], protocol.over_runs)
    head = f"{protocol.name} over {len(runs)} runs: "
    if figure.value is None:
        return head + f"none: {figure.reason}"
    unit = speeds[0].unit
    text = as_printed(figure.value, protocol.prints)
    left = ", ".join(
        f"{runs[i].name} "
        + (f"{as_printed(v, protocol.prints)} {unit}" if (v := speeds[i].value) else "no time")
        for i in figure.dropped
    )
    return head + f"{text} {unit}" + (f", without {left}" if left else "")


def _complaints(card: Card, args: argparse.Namespace) -> Iterator[str]:
    accuracy = card.dimensions["accuracy"]
    if args.target and not card.frozen:
        yield accuracy.reason or f"target {args.target} not met"
    speed = card.dimensions["speed"]
    if args.window and speed.state != "final":
        yield f"window {args.window}: {speed.reason}"
    for kind in ("nan_loss", "unterminated"):
        for caution in card.warnings:
            if caution.kind == kind:
                # A run with very many problems has no line numbers for the last ones.
                yield f"line {caution.lines[0]}: {caution.text}" if caution.lines else caution.text
