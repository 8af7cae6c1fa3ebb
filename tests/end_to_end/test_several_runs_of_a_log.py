"""Of several runs in one log, the last is judged as if it stood alone."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.inputs.bare_logs import LOOP, bare, differences, figures
from tests.support.inputs.mlperf_records import record
from tests.support.logs import scored

OF_RUNS = ("deepspark", "hf", "mmengine", "timm", "ultralytics", "lightning", "keras")
DECIMALS = re.compile(r"(?<![\d.:,])\d+\.\d{2,}(?![\d.:])")


def with_other_figures(lines: list[str]) -> list[str]:
    """Returns the lines, each number with decimals of which ends in another digit."""

    def other(number: re.Match[str]) -> str:
        return number[0][:-1] + str((int(number[0][-1]) + 3) % 10)

    return [DECIMALS.sub(other, line) for line in lines]


def of_the_second(lines: list[str]) -> dict[str, Any]:
    """Returns what a card says of lines that stand after the same ones with other figures."""
    found = figures([*with_other_figures(lines), *lines])
    said = {"several_runs", "resume"}  # without a header between them, one run that began again
    assert said & {*found["warnings"]}
    both = {*said, "clock_back"}  # both have the same times
    return {**found, "warnings": [one for one in found["warnings"] if one not in both]}


@pytest.mark.parametrize("name", ["torchvision", "mmcv", "timm"])
def test_a_run_after_another_one(name: str) -> None:
    lines, expected = bare(name)
    assert not differences(expected, of_the_second(lines))


def test_a_loop_of_ones_own_after_another_one() -> None:
    assert not differences(figures(LOOP), of_the_second(LOOP))


@pytest.mark.parametrize("name", OF_RUNS)
def test_real_runs(name: str) -> None:
    root = os.environ.get("SIXDIM_CORPUS")
    if not root or not (log := Path(root) / "runs" / f"{name}.log").exists():
        pytest.skip("SIXDIM_CORPUS has no such run")
    lines = log.read_text("utf-8").rstrip("\n").split("\n")
    assert not differences(figures(lines), of_the_second(lines))


@pytest.mark.parametrize("named_first", [True, False])
def test_each_mlperf_run_has_the_target_of_its_benchmark(named_first: bool) -> None:
    name = record(1_000, "submission_benchmark", '"resnet"')
    other = record(2_000, "cache_clear", "true")
    header = [name, other] if named_first else [other, name]

    def run(accuracy: float) -> str:
        place = ', "epoch_num": 1'
        records = [
            *header,
            record(3_000, "run_start"),
            record(4_000, "epoch_start", about=place),
            record(9_000, "epoch_stop", about=place),
            record(9_500, "eval_accuracy", str(accuracy), place),
            record(10_000, "run_stop", about=', "status": "success"'),
        ]
        return "".join(f"{one}\n" for one in records)

    card = scored(run(0.77) + run(0.76))
    assert card["run"]["model"] == "resnet"
    assert (card["status"], card["target"]["value"]) == ("converged", 0.76)
    assert card["target"]["condition"] == "acc1>=0.759"


def test_a_second_hugging_face_run_whose_reports_come_late_was_not_resumed() -> None:
    """The reports stand in a buffer; the bar was drawn up to step 48 before the first of them."""

    def run(rate: float) -> str:
        bars = [
            f"{100 * n // 96}%|#  | {n}/96 [00:{n // 2:02}<00:40,  2.00it/s]" for n in range(97)
        ]
        reports = [
            f"{{'loss': {2 - n / 100}, 'learning_rate': 1e-05, 'epoch': {n / 48:.2f}}}\n"
            for n in range(4, 97, 4)
        ]
        end = f"{{'train_runtime': 48.0, 'train_samples_per_second': {rate}, 'epoch': 2.0}}\n"
        half = len(reports) // 2
        first, second = "".join(reports[:half]), "".join(reports[half:])
        return "\r".join(bars[:49]) + "\n" + first + "\r".join(bars[49:]) + "\n" + second + end

    alone, both = scored(run(9.5)), scored(run(8.5) + run(9.5))
    assert alone["dimensions"]["speed"]["value"] == 9.5
    assert both["dimensions"]["speed"] == alone["dimensions"]["speed"]
    assert both["run"]["epochs"] == alone["run"]["epochs"] == 2
