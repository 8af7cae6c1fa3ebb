"""Whether the figures that were published follow from their logs, one test a figure."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.inputs.reproduction import Figure, asked, figures, verdict

_ROOT = os.environ.get("SIXDIM_CORPUS", "")
_LIST = Path(_ROOT) / "figures.json"
_FIGURES = figures(Path(_ROOT)) if _ROOT and _LIST.is_file() else []


@pytest.mark.skipif(not _FIGURES, reason="SIXDIM_CORPUS names no folder with figures.json")
@pytest.mark.parametrize(
    "figure", _FIGURES, ids=[f"{f.log.rsplit('/', 1)[-1]}-{f.published}" for f in _FIGURES]
)
def test_a_published_figure_follows_from_its_log_or_is_said_not_to(
    figure: Figure, card_of: Callable[..., dict[str, Any]]
) -> None:
    want = asked(figure)
    value = want.read(card_of(Path(_ROOT) / figure.log, *want.words))
    assert value is not None
    how = verdict(value, figure.published)
    if figure.kind == "exact":
        assert how in ("exact", "exact(%.6g)")
    elif figure.kind == "truncated":
        assert how == "truncated"
    else:
        # The log does not give the published figure; what it does give was computed apart.
        assert how.endswith("%")
        assert value == pytest.approx(figure.computed, rel=1e-6)


def test_the_printed_figure_is_that_of_the_source(
    corpus: Path, card_of: Callable[..., dict[str, Any]]
) -> None:
    log = corpus / "Perf/ResNet50V1.5/OtherReports/PyTorch/logs/V100-LOG/pytorch_gpu1_amp_bs256.txt"
    speed = card_of(log, "--protocol", "perf-ngc-pytorch")["dimensions"]["speed"]
    assert (speed["printed"], speed["records"], speed["skipped"]) == ("790.033", 99, 9)


def test_the_report_of_one_card_beside_its_true_times(
    corpus: Path, card_of: Callable[..., dict[str, Any]]
) -> None:
    log = corpus / (
        "AI-Rank/result_v0.1/software/train/pytorch_samples/linux/resnet50/log/"
        "GPUx1_time2train_ips.log"
    )
    card = card_of(log, "--protocol", "ai-rank", "--target", "acc1>=75.9")
    assert round(card["run_end"]["run_time_s"], 2) == 137335.29
    assert card["run_end"]["start"] == "the first iteration"
    assert card["dimensions"]["speed"]["value"] == 859.24
    assert card["dimensions"]["speed"]["metric"] == "train.compute_ips"
    assert card["run_end"]["summary"]["train.total_ips"] == 854.37
    assert card["run_end"]["summary"]["val.top1"] == 76.63
    assert (card["target"]["epoch"], card["target"]["value"]) == (82, 75.97)
    assert round(card["target"]["time_to_train_s"], 2) == 126696.97
    later = card_of(log, "--target", "acc1>=76.1")["target"]
    assert (later["epoch"], round(later["time_to_train_s"], 2)) == (83, 128216.5)
    header = card_of(log, "--target", "acc1>=75.9", "--start", "header")
    assert round(header["target"]["time_to_train_s"], 2) == 126731.68
    assert round(header["run_end"]["run_time_s"], 2) == 137370.0
