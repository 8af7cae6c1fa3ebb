"""Runs recorded as scalars: TensorBoard event files and offline runs of Weights & Biases.

They are not text, so `Interpreter` does not read them: each is read by its tool's own package
(an optional extra), and the scalars of a step give the same events as a log line with the
same names.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from pathlib import Path

from sixdim.parsers.events import EndOfInput, Event, Origin
from sixdim.parsers.generic.reader import Generic
from sixdim.parsers.grammar.vocabulary.named import Named
from sixdim.parsers.grammar.vocabulary.names import meaning
from sixdim.parsers.text.lines import Line, label

_WANDB_HEADER = b":W&B"
_BLOCK, _FRAME = 32_768, 7
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_LONGEST = 64 * 1024 * 1024


class RecordError(ValueError):
    """A run file that cannot be read; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One recorded number.

    Attributes:
        record: Which record of the file holds it, from 1.
        step: Step it was recorded at.
        tag: Its name, such as `train/loss`.
        value: The number.
        time_us: Wall clock of the record in microseconds since 1970.
    """

    record: int
    step: int
    tag: str
    value: float
    time_us: int | None = None


def reader_of(path: Path) -> Callable[[Path], Iterator[Scalar]] | None:
    """Returns the function that reads a file of this name; None for a text log."""
    if "tfevents" in path.name:
        return tensorboard_scalars
    return wandb_scalars if path.suffix == ".wandb" else None


def scalar_events(scalars: Iterable[Scalar]) -> Iterator[Event]:
    """Yields the events of recorded scalars; an event's line is the number of its first record."""
    reader = Generic()
    last = Origin(1, 0)
    for step, found in groupby(scalars, key=lambda scalar: scalar.step):
        group = list(found)
        line = Line(group[0].record, 0, "", time_us=group[0].time_us)
        last = line.origin()
        named = [one for one in map(_named, group) if one is not None and one.role != "step"]
        yield from reader.say(line, [*named, Named("step", "step", value=step)])
    yield EndOfInput(last)


def _named(scalar: Scalar) -> Named | None:
    counts = scalar.value.is_integer() and 0 <= scalar.value < 1e12
    found = meaning(scalar.tag, "", counts)
    return None if found is None else found._replace(value=scalar.value * found.scale)


def tensorboard_scalars(path: Path) -> Iterator[Scalar]:
    """Yields the scalars of one TensorBoard event file.

    Raises:
        RecordError: TensorBoard is not installed, or the file is broken.
    """
    try:
        from google.protobuf.message import DecodeError
        from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
        from tensorboard.util import tensor_util
    except ImportError as error:
        raise RecordError(_install("TensorBoard event files", "tensorboard")) from error
    try:
        for record, event in enumerate(EventFileLoader(str(path)).Load(), 1):
            clock = event.wall_time
            time_us = round(clock * 1_000_000) if isfinite(clock) else None
            for value in event.summary.value:
                array = tensor_util.make_ndarray(value.tensor)
                if array.size == 1 and array.dtype.kind in "fiu":
                    yield Scalar(record, event.step, value.tag, float(array.item()), time_us)
    except (DecodeError, TypeError) as error:  # TypeError: a tensor of a type numpy has not
        raise RecordError(f"{path.name} is broken: {label(error)}") from error


def wandb_scalars(path: Path) -> Iterator[Scalar]:
    """Yields the history of one offline run of Weights & Biases.

    Raises:
        RecordError: The package is not installed, or the file is not such a run.
    """
    try:
        from google.protobuf.message import DecodeError
        from wandb.proto import wandb_internal_pb2
    except ImportError as error:
        raise RecordError(_install("Weights & Biases runs", "wandb")) from error
    for record, body in enumerate(_frames(path), 1):
        try:
            entry = wandb_internal_pb2.Record.FromString(body)
        except DecodeError as error:
            raise RecordError(f"{path.name}: record {record} cannot be read") from error
        row = {}
        for item in entry.history.item:
            value = _number(item)
            if value is not None:
                row[item.key or "/".join(item.nested_key)] = value
        clock, step = row.get("_timestamp"), row.get("_step", float(entry.history.step.num))
        time_us = round(clock * 1_000_000) if clock is not None and isfinite(clock) else None
        if not isfinite(step):
            continue
        for tag, value in row.items():
            if not tag.startswith("_"):
                yield Scalar(record, int(step), tag, value, time_us)


def _number(item: object) -> float | None:
    """Returns a history item's number: a typed field, or JSON text in older versions; or None."""
    kind = item.WhichOneof("value_type") if _typed(item) else None  # type: ignore[attr-defined]  # protobuf: no types
    if kind in ("number", "integer"):
        return float(getattr(item, kind))
    text = getattr(item, "value_json", "").strip('"')
    try:
        return float(text)
    except ValueError:
        return None


def _typed(item: object) -> bool:
    descriptor = getattr(item, "DESCRIPTOR", None)
    return descriptor is not None and "value_type" in descriptor.oneofs_by_name


def _frames(path: Path) -> Iterator[bytes]:
    """Yields the records of a file in LevelDB's log format, after W&B's header of seven bytes."""
    with path.open("rb") as file:
        head = file.read(_FRAME)
        if not head.startswith(_WANDB_HEADER):
            raise RecordError(f"{path.name} is not an offline run of Weights & Biases")
        position, parts = _FRAME, bytearray()
        while True:
            left = _BLOCK - position % _BLOCK
            if left < _FRAME:  # a block's end too short for a frame is padding
                file.seek(left, 1)
                position += left
            frame = file.read(_FRAME)
            if len(frame) < _FRAME:
                return
            _, length, kind = struct.unpack("<IHB", frame)
            body = file.read(length)
            position += _FRAME + length
            if len(body) < length or kind not in (_FULL, _FIRST, _MIDDLE, _LAST):
                return  # still being written, or cut off
            if kind in (_FULL, _FIRST):
                parts.clear()
            parts += body
            if len(parts) > _LONGEST:
                raise RecordError(f"{path.name}: a record is longer than 64 MiB")
            if kind in (_FULL, _LAST):
                yield bytes(parts)


def _install(what: str, extra: str) -> str:
    return f"{what} are read by the package {extra}: pip install 'sixdim[{extra}]'"
