"""Makes a request from the flags of a card, which are the same for every command."""

import argparse
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sixdim.metrics.values.convergence import TargetError, parse_target
from sixdim.metrics.values.protocol import Records
from sixdim.metrics.values.settings import Reference, Settings
from sixdim.parsers.input.source import base_name
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.plugins import known_formats, named_format, say_problems
from sixdim.tui.base.readings import NO_READINGS, named_readings
from sixdim.tui.base.settings.protocol_flags import read_protocol
from sixdim.tui.session.request import Request

if TYPE_CHECKING:
    from sixdim.parsers.events import Fact

_WINDOW = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")
_GPU = re.compile(r"\d{1,5}|(?:GPU|MIG)-[0-9a-zA-Z/-]{1,60}")
_FACTS = {
    "devices": "devices",
    "nodes": "nodes",
    "batch_per_device": "batch",
    "global_batch": "global_batch",
    "samples_per_epoch": "samples_per_epoch",
}


def parse_window(text: str | None) -> tuple[int, int] | None:
    """Returns the two epoch labels of a text such as `6:10`; None for None.

    Raises:
        UserError: The text is not two epoch labels in ascending order.
    """
    if text is None:
        return None
    found = _WINDOW.fullmatch(text)
    if found is None:
        raise UserError(f"--window {label(text, 40)!r} is not A:B, two epoch labels such as 6:10")
    first, last = map(int, found.groups())
    if not 0 <= last - first <= 100_000:
        raise UserError(f"--window {label(text, 40)} must run from a lower to a higher epoch label")
    return first, last


def read_begin_and_end(args: argparse.Namespace) -> Settings:
    """Returns settings with `--start` and `--target`: where times begin, and what ends a run.

    Raises:
        UserError: The target cannot be read.
    """
    try:
        target = parse_target(args.target, "--target") if args.target is not None else None
    except TargetError as error:
        raise UserError(str(error)) from error
    line = "" if args.start in ("iteration", "header") else args.start
    return Settings(target=target, from_header=args.start == "header", start_line=line)


def read_request(args: argparse.Namespace) -> Request:
    """Makes a request from parsed flags, and reads the other runs that they name.

    Raises:
        UserError: A flag or a named file cannot be read.
    """
    say_problems()
    forced = named_format(args.format, known_formats(args)) if args.format else None
    begin_and_end = read_begin_and_end(args)
    protocol = read_protocol(args)
    if args.window and protocol.records is not Records.EPOCH:
        raise UserError(
            f"--window counts epochs, and {protocol.name} reads {protocol.records} records: "
            "--skip and --take are its window"
        )
    window = parse_window(args.window)
    records = protocol.take if window is None else len(range(window[0], window[1] + 1))
    if args.trim and records is not None and 2 * protocol.trim >= records:
        raise UserError(f"--trim {protocol.trim} at each end leaves none of {records} records")
    given: dict[str, Fact] = {
        fact: value for fact, flag in _FACTS.items() if (value := getattr(args, flag)) is not None
    }
    settings = begin_and_end._replace(
        protocol=protocol,
        window=window,
        run=args.run,
        given=given,
        by_node=args.baseline_nodes is not None,
        telemetry_devices=_devices(args.gpus),
        flops_per_sample=args.model_flops_per_sample,
        peak_flops=args.peak_flops,
    )
    request = Request(
        settings, getattr(args, "declared", ()), forced, named_readings(args.telemetry)
    )
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
    settings = request.settings._replace(given={}, run=None)
    plain = request._replace(settings=settings, named=NO_READINGS)
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
    return request.settings._replace(
        baseline=baseline, scaled=scaled, repeats=tuple(_repeats(args.repeat, plain))
    )


def _repeats(paths: Sequence[str], request: Request) -> Iterator[Reference]:
    """Yields the repeated runs, named by their paths if two of them have the same base name."""
    distinct = len({*map(base_name, paths)}) == len(paths)
    for path in paths:
        run = reference(path, request)
        yield run if distinct else run._replace(name=label(path))


def reference(path: str, request: Request) -> Reference:
    """Reads another run, from its log or its card.

    Raises:
        UserError: The file is neither, or has several cards.
    """
    from sixdim.tui.session.cards import read_one  # loads the folds: few commands name other runs

    return Reference.of(base_name(path), read_one(path, request).card)
