"""Recorded scalars through the command line: a card where the extra is there, else its name."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import harmonic_mean
from typing import Any

import pytest

Sixdim = Callable[..., tuple[int, str, str]]
CardOf = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("name", "package"),
    [("events.out.tfevents.1.host", "tensorboard"), ("run-1.wandb", "wandb")],
)
def test_a_missing_extra_is_one_line_that_names_it(
    monkeypatch: pytest.MonkeyPatch, sixdim: Sixdim, tmp_path: Path, name: str, package: str
) -> None:
    for module in [m for m in sys.modules if m.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / name).write_bytes(b"\x00\x01")
    code, out, err = sixdim("score", tmp_path / name)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert f"pip install 'sixdim[{package}]'" in err


def test_a_recording_that_is_not_there_or_not_alone(sixdim: Sixdim, tmp_path: Path) -> None:
    code, _out, err = sixdim("score", tmp_path / "run-1.wandb")
    assert code == 2 and "no log run-1.wandb" in err
    (tmp_path / "run-1.wandb").write_bytes(b"")
    (tmp_path / "run-2.wandb").write_bytes(b"")
    code, _out, err = sixdim("score", tmp_path / "run-1.wandb", tmp_path / "run-2.wandb", "--join")
    assert code == 2 and "--join is for text logs" in err


def test_tensorboard_scored(card_of: CardOf, tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="the extra tensorboard is not installed")
    from tensorboard.compat.proto.event_pb2 import Event as Recorded
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(tmp_path))
    rows = [(1000.0, 2.0, None), (1024.0, 1.5, 0.5), (1048.0, 1.0, 0.75)]
    for step, (rate, loss, acc) in enumerate(rows):
        named = {"perf/samples_per_sec": rate, "train/loss": loss, "val/acc": acc}
        for tag, value in named.items():
            if value is not None:
                summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
                writer.add_event(Recorded(wall_time=1893553445 + step, step=step, summary=summary))
    writer.close()
    (file,) = tmp_path.iterdir()
    card = card_of(file)
    assert card["run"]["format"] == "tensorboard"
    # Rates without times: the harmonic mean, as for any log.
    assert card["dimensions"]["speed"]["value"] == pytest.approx(
        harmonic_mean([1000, 1024, 1048]), rel=1e-12
    )
    assert card["dimensions"]["accuracy"]["value"] == 0.75
    assert card["provenance"]["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert card["provenance"]["bytes"] == file.stat().st_size


def test_wandb_file_that_is_none(sixdim: Sixdim, tmp_path: Path) -> None:
    pytest.importorskip("wandb", reason="the extra wandb is not installed")
    (tmp_path / "run-1.wandb").write_bytes(b"not a run at all")
    code, _out, err = sixdim("score", tmp_path / "run-1.wandb")
    assert code == 2
    assert "run-1.wandb is not an offline run" in err
