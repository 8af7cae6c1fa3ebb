"""Flags that choose a protocol and change parts of it: `--protocol paddle-tipc --skip 5`."""

import argparse
import re
from collections.abc import Collection
from typing import Any

from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.protocols.scale import NAMES
from sixdim.metrics.values.nearest import did_you_mean
from sixdim.metrics.values.protocol import Inverse, Protocol, Records, Reduce
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError

_INVERSE = {"no": Inverse.NO, "each": Inverse.EACH, "mean": Inverse.MEAN}
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_TRIM = re.compile(r"(?:(?P<share>\d{1,2}(?:\.\d{1,4})?)%)?,?(?P<count>\d{1,9})?")
FLAGS = (
    *("records", "metric", "skip", "skip_end", "take", "take_end", "trim", "reduce", "inverse"),
    "scale",
)


def add_protocol_options(
    parser: argparse.ArgumentParser, default: str = "deepspark", default_text: str = "deepspark"
) -> None:
    """Adds the flags; `default_text` says what the default is."""
    how = parser.add_argument_group(
        "how throughput is computed (every flag here changes the chosen protocol)"
    )
    how.add_argument(
        "--protocol",
        default=default,
        metavar="NAME",
        help=f"rule for the throughput; sixdim protocols lists them (default: {default_text}; "
        "custom: the mean of all progress lines)",
    )
    how.add_argument("--records", choices=[str(r) for r in Records], help="which records count")
    how.add_argument(
        "--metric",
        type=label,
        metavar="NAME",
        help="figure of a record, by the name in the log: train.total_ips",
    )
    how.add_argument("--skip", type=whole, metavar="N", help="leave out the first N records")
    how.add_argument("--skip-end", type=whole, metavar="N", help="leave out the last N records")
    how.add_argument(
        "--take", type=positive, metavar="N", help="use N records after the skipped ones"
    )
    how.add_argument("--take-end", type=positive, metavar="N", help="use the last N records")
    how.add_argument(
        "--trim",
        metavar="N|P%|P%,N",
        help="leave out the N highest and lowest, or P percent of them (at least N)",
    )
    how.add_argument("--reduce", choices=[str(r) for r in Reduce], help="how the rest is combined")
    how.add_argument(
        "--inverse",
        choices=list(_INVERSE),
        help="for records that are times: 1 / each, or 1 / their mean",
    )
    how.add_argument(
        "--scale",
        metavar="AxB",
        help=f"multiply by {', '.join(NAMES)} or numbers: devicesxbatch, 64",
    )


def whole(text: str) -> int:
    """Reads a whole number from a flag."""
    if not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{label(text, 20)!r} is not a whole number")
    return int(text)


def positive(text: str) -> int:
    """Reads a whole number above 0 from a flag."""
    if number := whole(text):
        return number
    raise argparse.ArgumentTypeError("0 records give no figure")


def named_protocol(name: str) -> Protocol:
    """Returns the protocol of that name.

    Raises:
        UserError: There is none.
    """
    if name not in PROTOCOLS:
        meant = did_you_mean(name, PROTOCOLS, "sixdim protocols lists them")
        raise UserError(f"no protocol {label(name, 40)!r}; {meant}")
    return PROTOCOLS[name]


def read_protocol(args: argparse.Namespace, base: Protocol | None = None) -> Protocol:
    """Returns the protocol that the flags describe; `base` stands for the one of `--protocol`.

    Raises:
        UserError: There is none of that name, or a flag cannot be read.
    """
    base = base or named_protocol(args.protocol)
    given = {name: value for name in FLAGS if (value := getattr(args, name)) is not None}
    if not given:
        return base
    changes: dict[str, Any] = {}
    for name, value in given.items():
        changes.update(_change(name, value))
    if base.by_label and ({"skip", "skip_end", "take_end", "records"} & given.keys()):
        changes["skip_to"] = None
        if "skip" not in given and "take" not in given:
            changes["take"] = None
    flags = " ".join(f"--{name.replace('_', '-')} {label(str(v), 60)}" for name, v in given.items())
    made = base._replace(name=f"{base.name} {flags}", **changes)
    if {"scale", "inverse", "reduce", "metric", "records"} & given.keys():
        derived = made.reduce is Reduce.ELAPSED or made.inverse is not Inverse.NO
        made = made._replace(unit="samples/s" if derived else "")
    _check(made, given, getattr(args, "window", None) is not None)
    return made


def _check(made: Protocol, given: Collection[str], window: bool) -> None:
    """Checks that each flag has an effect.

    Raises:
        UserError: One has none.
    """
    epochs = made.records is Records.EPOCH and made.metric == "throughput"
    if not made.by_label and not (window and epochs):
        return
    unused = {"inverse", "scale"} & {*given}
    unused |= {"metric"} if made.metric != "throughput" else set()
    unused |= {"reduce"} if made.reduce is Reduce.ELAPSED else set()
    if unused:
        raise UserError(
            f"--{min(unused)} needs records, and the speed is that of a window of epoch labels: "
            "add --protocol custom, or --records epoch without --window"
        )


def _change(name: str, value: Any) -> dict[str, Any]:
    if name == "records":
        return {"records": Records(value)}
    if name == "reduce":
        return {"reduce": Reduce(value)}
    if name == "inverse":
        return {"inverse": _INVERSE[value]}
    if name == "trim":
        return _trim(value)
    if name == "scale":
        return {"scale": _scale(value)}
    if name == "metric" and not value.replace("|", "").strip():
        raise UserError("--metric needs a name: throughput, duration, or the log's own")
    return {name: value}


def _trim(text: str) -> dict[str, Any]:
    found = _TRIM.fullmatch(text.replace(" ", ""))
    if found is None or not text.strip(" ,"):
        raise UserError(f"--trim {label(text, 40)!r} is not a count (1), a share (5%) or 5%,5")
    share = float(found["share"]) / 100 if found["share"] else 0.0
    if share >= 0.5:
        raise UserError("--trim drops at both ends: its share must be below 50%")
    return {"trim_share": share, "trim": int(found["count"] or 0)}


def _scale(text: str) -> tuple[str | float, ...]:
    parts: list[str | float] = []
    for part in re.split(r"[x*]", text.replace(" ", "").replace("-", "_")):
        if part in NAMES:
            parts.append(part)
        elif _NUMBER.fullmatch(part) and float(part) > 0:
            parts.append(float(part))
        else:
            raise UserError(
                f"--scale {label(text, 40)!r}: {label(part, 20)!r} is neither a number nor one of "
                f"{', '.join(NAMES)}"
            )
    return tuple(parts)
