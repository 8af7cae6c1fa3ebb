"""How a format was detected is reported, and so is what else the log holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.inputs.generated import assert_same, torchvision

Sixdim = Callable[..., tuple[int, str, str]]
CardOf = Callable[..., dict[str, Any]]
MLLOG = ':::MLLOG {{"namespace": "", "time_ms": {}, "event_type": "{}", "key": "{}", "value": {}, "metadata": {}}}'


def mllog(key: str, time_ms: int, value: object = None, **metadata: object) -> str:
    said = json.dumps(metadata)
    return MLLOG.format(time_ms, "POINT_IN_TIME", key, json.dumps(value), said)


def mxnet(batch: int) -> str:
    return (
        f"INFO:root:Epoch[0] Batch [{batch}-{batch + 20}]\tSpeed: 2000.50 samples/sec\taccuracy=0.1"
    )


def mixed() -> list[str]:
    """An MLPerf run whose framework prints its own lines."""
    return [
        "Clearing caches",
        mllog("submission_benchmark", 1000, "resnet"),
        mllog("run_start", 2000),
        mllog("epoch_start", 2000, epoch_num=1),
        *(mxnet(20 * n) for n in range(30)),
        mllog("eval_accuracy", 60_000, 0.76, epoch_num=1),
        mllog("run_stop", 62_000, status="success"),
    ]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_the_card_names_confidence_reasons_and_line(tmp_path: Path, card_of: CardOf) -> None:
    log = write(tmp_path / "a.log", ["loading", *torchvision(2, 5)])
    detection = card_of(log)["run"]["detection"]
    assert detection["forced"] is False
    assert 0.5 < detection["confidence"] < 1
    assert detection["first_line"] == 2 and any(
        "iteration" in reason for reason in detection["reasons"]
    )
    assert "beside" not in detection
    assert card_of(log, "--format", "torchvision")["run"]["detection"] == {"forced": True}


def test_it_is_printed(tmp_path: Path, sixdim: Sixdim) -> None:
    log = write(tmp_path / "a.log", torchvision(2, 5))
    assert "  format torchvision: confidence 0." in sixdim("score", log)[1]
    assert "  format torchvision: as given" in sixdim("score", log, "--format", "torchvision")[1]


def test_a_second_format_in_the_log_is_said(tmp_path: Path, card_of: CardOf) -> None:
    card = card_of(write(tmp_path / "a.log", mixed()))
    assert card["run"]["format"] == "mlperf"
    assert card["dimensions"]["accuracy"]["value"] == 0.76
    (beside,) = card["run"]["detection"]["beside"]
    assert (beside["format"], beside["lines"], beside["first_line"]) == ("mxnet", 30, 5)
    (said,) = [w for w in card["warnings"] if w["kind"] == "other_format"]
    assert "lines of mxnet (30 iteration" in said["text"] and said["lines"] == [5]


def test_a_log_of_another_format_after_the_first(tmp_path: Path, card_of: CardOf) -> None:
    mindspore = [
        text
        for epoch in range(1, 9)
        for text in (
            f"epoch: {epoch} step: 10, loss is 6.9",
            "epoch time: 3461.123 ms, per step time: 346.112 ms",
        )
    ]
    card = card_of(write(tmp_path / "a.log", [*torchvision(2, 5), *mindspore]))
    assert card["run"]["format"] == "torchvision"
    assert [b["format"] for b in card["run"]["detection"]["beside"]] == ["mindspore"]


def test_two_runs_of_one_format_are_distinguished(tmp_path: Path, card_of: CardOf) -> None:
    card = card_of(write(tmp_path / "a.log", [*torchvision(2, 5), *torchvision(3, 5)]))
    assert card["run"]["epochs"] == 3
    assert "the log holds 2 runs; this is run 2" in [w["text"] for w in card["warnings"]]


@pytest.mark.parametrize("every", [1, 40, 700])
def test_the_finding_is_the_same_in_any_pieces(every: int) -> None:
    """Beyond the first thousand unknown lines only some are looked at, the same ones always."""
    lines = torchvision(3, 600)
    for place in range(len(lines) - 1, 60, -every):
        lines[place:place] = [mxnet(place), "Some noise of a launcher"]
    session = assert_same("".join(f"{line}\n" for line in lines).encode(), 5000)
    found = session.interpreter.detection
    assert found is not None and [c.name for c in found.beside] == ["mxnet"]
    assert found.looked < 1100


def test_formats_says_how_a_log_was_detected(tmp_path: Path, sixdim: Sixdim) -> None:
    log = write(tmp_path / "a.log", mixed())
    code, out, _err = sixdim("formats", log)
    assert code == 0
    assert out.splitlines()[0] == "a.log: mlperf"
    assert "3 MLLOG record; from line 2" in out
    assert "beside it, in 31 of the lines that mlperf does not know:" in out
    assert "mxnet              0.97  30 iteration; from line 5" in out
    nothing = write(tmp_path / "b.log", ["bring milk"])
    assert sixdim("formats", nothing)[:2] == (2, "b.log: no known log format\n")
    assert sixdim("formats", tmp_path / "c.log")[0] == 2
