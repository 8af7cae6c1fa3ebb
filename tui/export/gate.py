"""Reads the flags of the gate, and writes its results: JUnit and a summary."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.values.card import REQUIRABLE, Card
from sixdim.tui.base.errors import DONE, FAILED, UserError
from sixdim.tui.export.sink import write_out
from sixdim.tui.export.wording import outcome
from sixdim.tui.session.cards import Scored, read_one
from sixdim.tui.session.request import Request

if TYPE_CHECKING:
    from sixdim.metrics.tables.gate import Check, Requirement


def add_gate_options(parser: argparse.ArgumentParser) -> None:
    """Adds the flags that state what a pipeline requires of a card."""
    gate = parser.add_argument_group("gate for pipelines (exit code 1 where it does not hold)")
    gate.add_argument(
        "--require",
        metavar="COND",
        action="append",
        default=[],
        help="condition that must hold, such as speed>=4900 (repeatable); figures: "
        f"{', '.join(REQUIRABLE)}",
    )
    gate.add_argument(
        "--against", metavar="LOG|CARD", help="run that no dimension may be worse than"
    )
    gate.add_argument(
        "--tolerance",
        metavar="SHARE",
        action="append",
        default=[],
        help="how much worse a dimension may be: 1%% (the default), 0.01, or speed=3%% for one "
        "of them (repeatable)",
    )
    gate.add_argument("--junit", metavar="FILE|-", help="write the result as JUnit XML")
    gate.add_argument(
        "--summary", metavar="FILE|-", help="write the result and the card as Markdown"
    )


class Gate(NamedTuple):
    """The requirements that every card must meet.

    Attributes:
        requirements: The conditions of `--require`.
        base: The run of `--against`; None without it.
        tolerance: The share by which each dimension may be worse; None if nothing is required.
        target: Whether `--target` was given; it is then a requirement, too.
        junit: The path of the JUnit file; None to write none.
        summary: The path of the Markdown summary; None to write none.
    """

    requirements: tuple[Requirement, ...] = ()
    base: Scored | None = None
    tolerance: Mapping[str, float] | None = None
    target: bool = False
    junit: str | None = None
    summary: str | None = None

    def checks(self, card: Card) -> list[Check]:
        """Checks every requirement against one card."""
        if self.tolerance is None:
            return []
        from sixdim.metrics.tables.gate import against, required, target_met

        out = [target_met(card)] if self.target else []
        out += [required(card, one) for one in self.requirements]
        if self.base is not None:
            out += against(card, self.base.card, self.base.name, self.tolerance)
        return out

    def complaints(self, card: Card) -> list[str]:
        """Returns one line for each requirement that fails, except the target."""
        failed = (check for check in self.checks(card)[self.target :] if not check.passed)
        return [f"required {check.name}, {outcome(check)}" for check in failed]

    def write(self, runs: Iterable[Scored]) -> int:
        """Writes the files of --junit and --summary; returns the exit code for all runs."""
        results = [(run.name, run.card, self.checks(run.card)) for run in runs]
        if self.junit:
            from sixdim.tui.export.junit import as_junit

            write_out(self.junit, as_junit([(name, found) for name, _, found in results]))
        if self.summary:
            from sixdim.tui.export.markdown import as_summary

            write_out(self.summary, as_summary(results))
        passed = all(check.passed for _, _, found in results for check in found)
        return DONE if passed else FAILED


def read_gate(args: argparse.Namespace, request: Request) -> Gate:
    """Makes a gate from the flags, and reads the run of `--against`.

    Raises:
        UserError: A requirement or the base cannot be read, or --junit or --tolerance is given
            without a requirement.
    """
    if not (args.require or args.against or args.tolerance or args.junit or args.target):
        return Gate(summary=args.summary)
    from sixdim.metrics.tables.gate import GateError, parse_requirement, parse_tolerance

    try:
        requirements = tuple(parse_requirement(text) for text in args.require)
    except GateError as error:
        raise UserError(f"--require: {error}") from error
    try:
        tolerance = parse_tolerance(args.tolerance)
    except GateError as error:
        raise UserError(f"--tolerance: {error}") from error
    if args.tolerance and not args.against:
        raise UserError("--tolerance belongs to --against CARD")
    if args.junit and not (requirements or args.against or args.target):
        raise UserError("--junit needs a requirement: --require, --against or --target")
    base = read_one(args.against, request.alone()) if args.against else None
    return Gate(requirements, base, tolerance, bool(args.target), args.junit, args.summary)
