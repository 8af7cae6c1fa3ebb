"""`sixdim report`: writes one self-contained HTML file about a run."""

import argparse

from sixdim.metrics.tables.compare import compare
from sixdim.tui.base.errors import DONE
from sixdim.tui.base.settings.card_flags import add_card_options
from sixdim.tui.export.report.comparison_html import compared
from sixdim.tui.export.report.html import as_html
from sixdim.tui.export.sink import check_outputs, write_out
from sixdim.tui.session.cards import Scored, read_one
from sixdim.tui.session.options import read_request

EXAMPLES = """examples:
  sixdim report train.log -o report.html
  sixdim report train.log -o report.html --reference base.json  with a radar
  sixdim report card.json -o report.html     without charts and lines of the log

The file contains no script and loads nothing from elsewhere.
"""


COMMON = (
    *("--output", "--reference", "--target", "--window", "--baseline", "--repeat", "--telemetry"),
    *("--protocol", "--format", "--devices"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim report`."""
    parser.add_argument("log", metavar="LOG|CARD", help="log file, or the card of a run")
    parser.add_argument(
        "-o", "--output", metavar="FILE|-", required=True, help="write the report to this file"
    )
    parser.add_argument(
        "--reference", metavar="LOG|CARD", help="run to compare with in a radar chart"
    )
    add_card_options(parser)


def run(args: argparse.Namespace) -> int:
    """Writes the report; returns the exit code."""
    check_outputs([args.output], args)
    request = read_request(args)
    scored = read_one(args.log, request, curves=True)
    comparison = None
    if args.reference:
        base = read_one(args.reference, request.alone())
        cards = (base.card, scored.card)
        both = compare(cards, (base.name, scored.name))
        comparison = compared(both, cards, "Against the reference")
    write_out(args.output, as_html(scored, _lines(scored), comparison))
    return DONE


def _lines(scored: Scored) -> dict[int, str]:
    """Returns the text of every evidence line; empty if the log cannot be read again."""
    if scored.path in ("", "-"):
        return {}
    from sixdim.tui.base.log_lines import cited

    card = scored.card
    wanted = {number for figure in card.figures().values() for number in figure.evidence.lines}
    return cited(scored.path, wanted, card.provenance["bytes"])
