"""Runs recorded as scalars, through the packages of their field where those are installed."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import pytest

from sixdim.parsers.events import EndOfInput, Evaluation, Event, Iteration
from sixdim.parsers.reader.scalars import (
    RecordError,
    Scalar,
    reader_of,
    scalar_events,
    tensorboard_scalars,
    wandb_scalars,
)

ROWS = [
    {"train/loss": 5.0, "perf/samples_per_sec": 1000.0, "lr": 0.5},
    {"train/loss": 2.5, "perf/samples_per_sec": 1024.5, "val/acc": 0.5},
]


def check(events: list[Event]) -> None:
    steps = [e for e in events if isinstance(e, Iteration)]
    assert [(e.step, e.loss, e.throughput, e.unit) for e in steps] == [
        (0, 5.0, 1000.0, "samples/s"),
        (1, 2.5, 1024.5, "samples/s"),
    ]
    assert [e.at.time_us for e in steps] == [1_893_553_445_000_000, 1_893_553_446_000_000]
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.step, [(m.name, m.value) for m in e.metrics]) for e in found] == [
        (1, [("acc1", 0.5)])
    ]
    assert isinstance(events[-1], EndOfInput)


def test_scalars_become_what_a_line_of_their_names_would() -> None:
    scalars = [
        Scalar(2 * step + 1, step, tag, value, (1_893_553_445 + step) * 1_000_000)
        for step, row in enumerate(ROWS)
        for tag, value in row.items()
    ]
    events = list(scalar_events(scalars))
    check(events)
    assert [e.at.line for e in events if isinstance(e, Iteration)] == [1, 3]


def test_not_a_number_stays_one() -> None:
    events = list(scalar_events([Scalar(1, 7, "loss", float("nan"))]))
    assert [(e.step, str(e.loss)) for e in events if isinstance(e, Iteration)] == [(7, "nan")]


def test_files_are_recognised_by_their_names() -> None:
    assert reader_of(Path("runs/events.out.tfevents.1893553445.host")) is tensorboard_scalars
    assert reader_of(Path("run-abc.wandb")) is wandb_scalars
    assert reader_of(Path("train.log")) is None


@pytest.mark.parametrize(
    ("name", "package"),
    [("events.out.tfevents.1", "tensorboard"), ("run-1.wandb", "wandb")],
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, package: str
) -> None:
    for module in [m for m in sys.modules if m.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    read = reader_of(tmp_path / name)
    assert read is not None
    with pytest.raises(RecordError, match=rf"pip install 'sixdim\[{package}\]'"):
        list(read(tmp_path / name))


def test_tensorboard(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="the extra tensorboard is not installed")
    from tensorboard.compat.proto.event_pb2 import Event as Recorded
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(tmp_path))
    for step, row in enumerate(ROWS):
        for tag, value in row.items():
            summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
            writer.add_event(Recorded(wall_time=1893553445 + step, step=step, summary=summary))
    writer.close()
    (file,) = tmp_path.iterdir()
    check(list(scalar_events(tensorboard_scalars(file))))


@pytest.mark.parametrize("cut", [0, 3])
def test_wandb(tmp_path: Path, cut: int) -> None:
    pytest.importorskip("wandb", reason="the extra wandb is not installed")
    from wandb.proto.wandb_internal_pb2 import Record

    data = bytearray(b":W&B\xe1\xbe\x00")
    long = Record()
    long.output.line = "x" * 40_000  # spans two blocks
    records = [long]
    for step, row in enumerate(ROWS):
        record = Record()
        for tag, value in {**row, "_step": step, "_timestamp": 1893553445.0 + step}.items():
            record.history.item.add(key=tag, value_json=json.dumps(value))
        records.append(record)
    for record in records:
        body, first = record.SerializeToString(), True
        while True:
            room = 32_768 - len(data) % 32_768 - 7
            part, body = body[:room], body[room:]
            kind = (1 if first else 4) if not body else (2 if first else 3)
            data += struct.pack("<IHB", 0, len(part), kind) + part
            first = False
            if not body:
                break
    file = tmp_path / "run-1.wandb"
    file.write_bytes(data[: len(data) - cut] if cut else data + b"\x00\x00\x00")
    events = list(scalar_events(wandb_scalars(file)))
    if not cut:
        check(events)
    else:
        assert [e.step for e in events if isinstance(e, Iteration)] == [0]  # the whole ones


def test_another_file_is_no_run(tmp_path: Path) -> None:
    pytest.importorskip("wandb", reason="the extra wandb is not installed")
    file = tmp_path / "run-1.wandb"
    file.write_bytes(b"not a run at all")
    with pytest.raises(RecordError, match=r"run-1\.wandb is not an offline run"):
        list(wandb_scalars(file))
