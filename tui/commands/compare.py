"""`sixdim compare`: several runs, as ratios to one of them."""

import argparse
import json

from sixdim.metrics.tables.compare import compare
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import DONE, UserError
from sixdim.tui.base.settings.card_flags import add_card_options
from sixdim.tui.export.sink import check_outputs, one_to_stdout, write_out
from sixdim.tui.session.cards import Scored, distinct, read_scored
from sixdim.tui.session.options import read_request

EXAMPLES = """examples:
  sixdim compare base.log new.log
  sixdim compare base.json new.json --markdown compare.md --svg radar.svg
  sixdim compare a.log b.log c.log --reference c.log --html compare.html
  sixdim compare a.log b.log --json -

For runs that need --telemetry, --repeat or --scaled, write their cards first
and compare those: sixdim score A.log --telemetry A.csv --json a.json
"""

_OWN = ("telemetry", "repeat", "scaled")


COMMON = (
    *("--reference", "--markdown", "--svg", "--html", "--json", "--target", "--window"),
    *("--protocol", "--format", "--devices"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim compare`."""
    parser.add_argument("runs", nargs="+", metavar="LOG|CARD", help="two or more logs or cards")
    parser.add_argument(
        "--reference",
        metavar="LOG|CARD",
        help="the run that the others are divided by (default: the first)",
    )
    out = parser.add_argument_group("output (default: text on standard output)")
    for flag, what in (
        ("markdown", "write the comparison as Markdown"),
        ("svg", "write the radar chart of the ratios as SVG"),
        ("html", "write the comparison as one HTML file"),
        ("json", "write the comparison as JSON"),
    ):
        out.add_argument(f"--{flag}", metavar="FILE|-", help=what)
    add_card_options(parser)


def run(args: argparse.Namespace) -> int:
    """Compares; returns the exit code."""
    for flag in _OWN:
        if getattr(args, flag):
            raise UserError(f"--{flag} belongs to one run: score it with --json, compare the cards")
    targets = {name: getattr(args, name) for name in ("markdown", "svg", "html", "json")}
    one_to_stdout(targets)
    check_outputs(targets.values(), args)
    runs, reference = _read(args)
    cards, names = [r.card for r in runs], [r.name for r in runs]
    result = compare(cards, names, reference)
    from sixdim.tui.export.comparison_text import as_markdown, as_text

    if targets["markdown"]:
        write_out(targets["markdown"], as_markdown(result, cards))
    if targets["json"]:
        data = json.dumps(result.to_json(cards), indent=2, ensure_ascii=True, allow_nan=False)
        write_out(targets["json"], data + "\n")
    if targets["svg"]:
        from sixdim.tui.export.report.page import drawing
        from sixdim.tui.export.report.radar import radar_alone

        write_out(targets["svg"], drawing(radar_alone(result)))
    if targets["html"]:
        from sixdim.tui.export.report.comparison_html import as_html

        write_out(targets["html"], as_html(result, cards))
    if "-" not in targets.values():
        print(as_text(result, cards), end="")
    return DONE


def _read(args: argparse.Namespace) -> tuple[list[Scored], int]:
    """Returns the runs, and the position of the reference, which may be a further run."""
    request = read_request(args)
    runs: list[Scored] = []
    reference = 0
    paths = list(args.runs)
    if args.reference and args.reference not in paths:
        paths.insert(0, args.reference)
    for path, name in zip(paths, distinct(paths), strict=True):
        if path == args.reference:
            reference = len(runs)
        found = read_scored(path, request)
        if path == args.reference and len(found) != 1:
            raise UserError(f"--reference {label(path)} holds {len(found)} cards, not one")
        runs += [one.called(name) for one in found]
    if len(runs) < 2:
        raise UserError("compare needs two runs or more: sixdim compare A.log B.log")
    return runs, reference
