"""Model FLOPs utilisation beside the speed: printed, from TFLOP/s, or from the model's size."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs
from sixdim.metrics.fold.epochs.utilisation import FROM_TFLOPS, UtilisationSums, utilisation
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Metric, Scope

CardOf = Callable[..., dict[str, Any]]
LOG = sample_logs.path(sample_logs.RUN)

NANOGPT = """iter 0: loss 10.9886, time 9182.12ms, mfu -100.00%
iter 10: loss 9.5123, time 250.00ms, mfu 30.50%
iter 20: loss 8.7321, time 250.00ms, mfu 31.25%
iter 30: loss 8.1010, time 250.00ms, mfu 32.00%
step 30: train loss 8.0000, val loss 8.1250
"""
TORCHTITAN = "".join(
    f"[titan] 2025-01-02 03:04:{s:02d},000 - root - INFO - step: {s:2}  loss: {9 - s / 10:.4f}  "
    f"memory: 40.00GiB(50.00%)  tps: 8,000  tflops: {300 + s}.50  mfu: {30 + s}.25%\n"
    for s in (1, 2, 3, 4)
)
MEGATRON = "".join(
    f" iteration {s:8}/ 1000 | consumed samples: {64 * s} | elapsed time per iteration (ms): 1618.0"
    f" | throughput per GPU (TFLOP/s/GPU): {rate} | learning rate: 1.500E-04 | "
    "global batch size:    64 | lm loss: 7.115427E+00 | loss scale: 1.0 | grad norm: 1.204 |\n"
    for s, rate in ((1, "150.0"), (2, "156.0"), (3, "162.0"))
)

COMPOSER = "".join(
    f"[batch={s}/40]:\n\t Train loss/train/total: 2.5\n\t Train throughput/tokens_per_sec: 8000.0\n"
    f"\t Train throughput/device/mfu: {mfu}\n"
    for s, mfu in ((1, 0.25), (2, 0.375), (3, 0.5))
)
NEMO = "".join(
    f"Training epoch 0, iteration {s}/9 | global_batch_size: 8 | reduced_train_loss: 2.5 | "
    f"train_step_timing in s: 0.5 | TFLOPS_per_GPU: {rate}\n"
    for s, rate in ((1, "150.0"), (2, "156.0"), (3, "162.0"))
)


def speed(card: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = card["dimensions"]["speed"]
    return found


@pytest.mark.parametrize(
    ("text", "mfu", "tflops"),
    [
        (NANOGPT, (30.5 + 31.25 + 32) / 3, None),
        (TORCHTITAN, (32.25 + 33.25 + 34.25) / 3, (302.5 + 303.5 + 304.5) / 3),
        (COMPOSER, (37.5 + 50) / 2, None),
    ],
    ids=["nanogpt", "torchtitan", "composer"],
)
def test_what_the_log_prints(
    tmp_path: Path, card_of: CardOf, text: str, mfu: float, tflops: float | None
) -> None:
    (tmp_path / "a.log").write_text(text)
    found = speed(card_of(tmp_path / "a.log", "--peak-flops", "1e15"))
    assert (found["mfu"], found["mfu_how"]) == (mfu, "printed")
    assert found.get("tflops") == tflops


def test_flops_of_another_magnitude_are_no_tflops(tmp_path: Path, card_of: CardOf) -> None:
    for unit, expected in (("TFLOPS", 41.5), ("GFLOPS", None), ("PFLOPS", None)):
        text = MEGATRON.replace(" | learning", f" | approx flops per GPU: 41.5{unit} | learning")
        lines = re.sub(r" throughput per GPU .*?\|", "", text)
        (tmp_path / "a.log").write_text(lines)
        assert speed(card_of(tmp_path / "a.log")).get("tflops") == expected


def test_from_the_tflops_of_a_device(tmp_path: Path, card_of: CardOf) -> None:
    for text, tflops in ((NEMO, 156.0), (MEGATRON, 159.0)):  # without epochs not of the first line
        (tmp_path / "a.log").write_text(text)
        assert speed(card_of(tmp_path / "a.log"))["tflops"] == tflops
    assert "mfu" not in speed(card_of(tmp_path / "a.log"))
    found = speed(card_of(tmp_path / "a.log", "--peak-flops", "318e12"))
    assert found["mfu"] == 50.0
    assert found["mfu_how"].startswith("printed TFLOP/s")


def test_from_the_size_of_the_model(card_of: CardOf) -> None:
    """ResNet-50: 4.1 GFLOPs forward, three times that to train; 8 devices share the job."""
    words = ("--model-flops-per-sample", "12.3e9", "--peak-flops", "147e12", "--devices", 8)
    found = speed(card_of(LOG, *words))
    assert found["mfu"] == pytest.approx(100 * 4938.923798404513 / 8 * 12.3e9 / 147e12, rel=1e-12)
    assert "mfu" not in speed(card_of(LOG, "--model-flops-per-sample", "12.3e9"))
    assert "mfu" not in speed(card_of(LOG))


def test_by_records_as_well(card_of: CardOf) -> None:
    words = ("--model-flops-per-sample", "1e9", "--peak-flops", "1e14", "--devices", 8)
    found = speed(card_of(LOG, "--protocol", "custom", *words))
    assert found["mfu"] == pytest.approx(100 * found["value"] / 8 * 1e9 / 1e14, rel=1e-12)


@pytest.mark.parametrize(
    ("scope", "devices", "mfu"),
    [
        (Scope.DEVICE, 8, 1.0),
        (Scope.DEVICE, None, 1.0),
        (Scope.JOB, 8, 0.125),
        (Scope.JOB, None, None),
        (Scope.UNKNOWN, 1, 1.0),
        (Scope.UNKNOWN, 8, None),
    ],
)
def test_from_the_speed_of_one_device_if_it_is_known(
    scope: Scope, devices: int | None, mfu: float | None
) -> None:
    """1000 samples of 1 GFLOP in a second are a hundredth of 100 TFLOP/s."""
    settings = Settings(peak_flops=1e14, flops_per_sample=1e9)
    assert utilisation((), settings, 1000.0, scope, devices).get("mfu") == mfu


def test_printed_tflops_count_where_nothing_says_whose_the_speed_is() -> None:
    printed = UtilisationSums()
    printed.add([Metric("tflops", 25.0, "", True)])
    settings = Settings(peak_flops=1e14, flops_per_sample=1e9)
    found = utilisation((printed,), settings, 1000.0, Scope.UNKNOWN, 8)
    assert (found["mfu"], found["mfu_how"]) == (25.0, FROM_TFLOPS)
