"""Makes a request from the flags of a card, which are the same for every command."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sixdim.metrics.values.convergence import TargetError, parse_target
from sixdim.metrics.values.protocol import Records
from sixdim.metrics.values.settings import Reference, Settings
from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.plugins import known_formats, named_format, say_problems
from sixdim.tui.base.readings import Readings, found, named
from sixdim.tui.base.settings.protocol_flags import read_protocol
from sixdim.tui.session.log_or_card import log_or_card

if TYPE_CHECKING:
    from sixdim.metrics.card.curves import RunCurves
    from sixdim.parsers.events import Fact
    from sixdim.parsers.input.rank_folder import RankFolder
    from sixdim.parsers.statements.format import Reader
    from sixdim.tui.session.session import Session

_GPU = re.compile(r"\d{1,5}|(?:GPU|MIG)-[0-9a-zA-Z/-]{1,60}")
_FACTS = {
    "devices": "devices",
    "nodes": "nodes",
    "batch_per_device": "batch",
    "global_batch": "global_batch",
    "samples_per_epoch": "samples_per_epoch",
}


def same_file(one: str, other: str) -> bool:
    """Returns whether two paths name the same existing file."""
    with suppress(OSError, ValueError):
        return Path(one).samefile(other)
    return False


def parse_window(text: str | None) -> tuple[int, int] | None:
    """Returns the two epoch labels of a text such as `6:10`; None for None.

    Raises:
        UserError: The text is not two epoch labels in ascending order.
    """
    if text is None:
        return None
    first, colon, last = text.partition(":")
    if not (colon and first.isdigit() and last.isdigit() and len(text) < 20):
        raise UserError(f"--window {label(text, 40)!r} is not A:B, two epoch labels such as 6:10")
    if int(first) > int(last) or int(last) - int(first) > 100_000:
        raise UserError(f"--window {label(text, 40)} must run from a lower to a higher epoch label")
    return int(first), int(last)


class Request(NamedTuple):
    """Everything that a command needs to read and score a log.

    The first session imports the formats and folds, so that a screen is displayed and answers keys
    before.

    Attributes:
        settings: How the card is computed.
        declared: Formats of the settings file, in addition to those of
            `parsers.reader.registry`.
        forced: The reader that `--format` names; None to detect the format.
        named: The recordings that `--telemetry` names; None without that flag.
        folders: The folders of ranks, by the path of the log that is read of each.
        references: The curves of the runs that `--against` names, by path.
    """

    settings: Settings
    declared: tuple[type[Reader], ...] = ()
    forced: type[Reader] | None = None
    named: Readings | None = None
    folders: Mapping[str, RankFolder] = MappingProxyType({})
    references: Mapping[str, RunCurves] = MappingProxyType({})

    def session(self, path: str, keep: int = 0, all_figures: bool = False) -> Session:
        """Makes a session for the log at a path, or for a base name without a file."""
        from sixdim.parsers.reader.registry import formats
        from sixdim.tui.base.log_name import named as facts_of
        from sixdim.tui.session.session import Session

        facts, name = facts_of(path).facts, base_name(path)
        if (folder := self.folders.get(path)) is not None:
            nodes = {"nodes": folder.nodes} if folder.nodes else {}
            facts, name = {"devices": folder.ranks, **nodes, **facts}, folder.name
        settings = replace(self.settings, named=facts)
        known = (*formats(), *self.declared)
        return Session(
            *(name, settings, known, self.forced, keep),
            all_figures=all_figures,
            references=tuple(
                run for other, run in self.references.items() if not same_file(other, path)
            ),
        )

    def of_chief(self, path: str, folder: RankFolder | None) -> tuple[str, Request]:
        """Returns the log to read for a path, and a request with its folder of ranks, if any."""
        if folder is None:
            return path, self
        return folder.chief, self._replace(folders={**self.folders, folder.chief: folder})

    def alone(self) -> Request:
        """Returns this request without readings, given facts and other runs."""
        settings = replace(
            self.settings, given={}, run=None, baseline=None, scaled=None, repeats=()
        )
        return self._replace(settings=settings, named=None, references=MappingProxyType({}))

    def readings(self, path: str) -> Readings:
        """Returns the recordings of `--telemetry`, else the journal beside the log."""
        return self.named if self.named is not None else found(path)


def read_request(args: argparse.Namespace) -> Request:
    """Makes a request from parsed flags, and reads the other runs that they name.

    Raises:
        UserError: A flag or a named file cannot be read.
    """
    say_problems()
    forced = named_format(args.format, known_formats(args)) if args.format else None
    try:
        target = parse_target(args.target, "--target") if args.target else None
    except TargetError as error:
        raise UserError(str(error)) from error
    protocol = read_protocol(args)
    if args.window and protocol.records is not Records.EPOCH:
        raise UserError(
            f"--window counts epochs, and {protocol.name} reads {protocol.records} records: "
            "--skip and --take are its window"
        )
    given: dict[str, Fact] = {
        fact: value for fact, flag in _FACTS.items() if (value := getattr(args, flag)) is not None
    }
    settings = Settings(
        target=target,
        protocol=protocol,
        from_header=args.start == "header",
        start_line="" if args.start in ("iteration", "header") else args.start,
        window=parse_window(args.window),
        run=args.run,
        given=given,
        by_node=args.baseline_nodes is not None,
        telemetry_devices=_devices(args.gpus),
        flops_per_sample=args.model_flops_per_sample,
        peak_flops=args.peak_flops,
    )
    request = Request(settings, getattr(args, "declared", ()), forced, named(args.telemetry))
    return request._replace(settings=_with_references(args, request))


def _devices(text: str | None) -> tuple[int | str, ...] | None:
    if text is None:
        return None
    parts = list(dict.fromkeys(part.strip() for part in text.split(",")))
    if not all(_GPU.fullmatch(part) for part in parts):
        wanted = "a list of indices or UUIDs such as 0,1 or GPU-5020332b"
        raise UserError(f"--gpus {label(text, 40)!r} is not {wanted}")
    return tuple(int(part) if part.isdigit() else part for part in parts)


def _with_references(args: argparse.Namespace, request: Request) -> Settings:
    plain = request._replace(settings=replace(request.settings, given={}, run=None))
    baseline = reference(args.baseline, plain) if args.baseline else None
    if baseline is not None:
        # A baseline whose log does not give its devices has one device, unless it is by node.
        devices = args.baseline_devices or baseline.devices or (None if args.baseline_nodes else 1)
        baseline = baseline._replace(devices=devices, nodes=args.baseline_nodes or baseline.nodes)
    scaled = reference(args.scaled, plain) if args.scaled else None
    if scaled is not None:
        scaled = scaled._replace(
            devices=args.devices or scaled.devices, nodes=args.nodes or scaled.nodes
        )
    return replace(
        request.settings,
        baseline=baseline,
        scaled=scaled,
        repeats=tuple(reference(path, plain) for path in args.repeat),
    )


def reference(path: str, request: Request) -> Reference:
    """Reads another run, from its log or its card.

    Raises:
        UserError: The file is neither, or has several cards.
    """
    name = base_name(path)
    found = log_or_card(path, lambda: request.session(path))
    if not isinstance(found, list):
        return Reference.of(name, found.card())
    if len(found) != 1:
        raise UserError(f"{name} holds {len(found)} cards, not one")
    return Reference.of(name, found[0])
