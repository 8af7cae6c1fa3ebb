"""Which GPUs count: by index, by UUID, by the beginning of one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs

Card = dict[str, Any]
CSV = """timestamp, index, uuid, power.draw [W], memory.used [MiB]
2026/01/01 00:00:00.000, 0, GPU-aaaa1111-0000-0000-0000-000000000000, 100.00 W, 1000 MiB
2026/01/01 00:00:00.000, 1, GPU-bbbb2222-0000-0000-0000-000000000000, 300.00 W, 3000 MiB
2026/01/01 00:00:01.000, 0, GPU-aaaa1111-0000-0000-0000-000000000000, 110.00 W, 1000 MiB
2026/01/01 00:00:01.000, 1, GPU-bbbb2222-0000-0000-0000-000000000000, 310.00 W, 3000 MiB
"""


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "smi.csv"
    path.write_text(CSV)
    return path


@pytest.mark.parametrize(
    ("gpus", "watts"),
    [
        (None, 205.0),
        ("0", 105.0),
        ("1", 305.0),
        ("GPU-bbbb2222-0000-0000-0000-000000000000", 305.0),
        ("GPU-bbbb", 305.0),
        ("0,GPU-bbbb", 205.0),
    ],
)
def test_the_chosen_gpus_count(
    gpus: str | None, watts: float, recording: Path, card_of: Callable[..., Card]
) -> None:
    chosen = ["--gpus", gpus] if gpus else []
    run = sample_logs.path(sample_logs.RUN)
    power = card_of(run, "--telemetry", recording, *chosen)["dimensions"]["power"]
    assert power["value"] == watts


def test_a_gpu_that_is_not_there(recording: Path, card_of: Callable[..., Card]) -> None:
    run = sample_logs.path(sample_logs.RUN)
    power = card_of(run, "--telemetry", recording, "--gpus", "GPU-cccc")["dimensions"]["power"]
    assert power["value"] is None
    assert "GPU-cccc" in power["reason"]


def test_a_choice_that_is_none(sixdim: Callable[..., tuple[int, str, str]]) -> None:
    code, _out, err = sixdim("score", sample_logs.path(sample_logs.RUN), "--gpus", "all of them")
    assert code == 2
    assert "--gpus" in err
