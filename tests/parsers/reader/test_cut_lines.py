"""Lines that are not whole, and figures that are none: each is said with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.inputs.generated import WHOLE, assert_same

Cards = Callable[..., dict[str, Any]]


def clas(step: int, ips: str = "256.00000 images/sec") -> str:
    return (
        f"[2023/07/28 06:44:{step % 60:02}] ppcls INFO: [Train][Epoch 1/120][Iter: {step}/5005]"
        f"lr: 0.10000, top1: 0.00100, CELoss: 7.0, loss: 7.0, batch_cost: 0.3s, reader_cost: 0.1, "
        f"ips: {ips}, eta: 1:02:03"
    )


def mxnet(step: int, speed: str = "2000.50") -> str:
    return f"INFO:root:Epoch[0] Batch [{step}]\tSpeed: {speed} samples/sec\taccuracy=0.1"


def detector(step: int, speed: str = "49.591") -> str:
    return f"[Epoch 0][Batch {step}], LR: 1.00E-03, Speed: {speed} samples/sec, ObjLoss=1.0"


def oneflow(step: int, speed: str = "3988.891 ") -> str:
    return f"train: epoch 0, iter {step}, loss: 7.1, samples/s: {speed}{1597933942.5 + step}"


def dll(step: int, ips: str = "845.10") -> str:
    return (
        f"DLL 2023-07-28 06:44:{step % 60:02}.123456 - Epoch: 0 Iteration: {step}  "
        f"train.loss : 6.5 None train.total_ips : {ips} img/s"
    )


def tf_cnn(step: int, speed: str = "1000.0") -> str:
    return f"{step}\timages/sec: {speed} +/- 0.0 (jitter = 0.0)\t7.0"


def history(step: int, speed: str = "1050.5") -> str:
    return (
        f"I0802 11:05:{step % 60:02}.537974 140419828713280 keras_utils.py:145] TimeHistory: "
        f"12.2 seconds, {speed} examples/second between steps {step * 100} and {step * 100 + 100}"
    )


def titan(step: int, tps: str = "34,574") -> str:
    return f"step: {step}  loss: 7.0625  memory: 6.9GiB(8.4%)  tps: {tps}  tflops: 3.5  mfu: 0.4%"


Line = Callable[..., str]
LINES: dict[str, Line] = {
    "clas": clas,
    "mxnet": mxnet,
    "detector": detector,
    "oneflow": oneflow,
    "dll": dll,
    "tf_cnn": tf_cnn,
    "history": history,
    "titan": titan,
}
BROKEN = (
    *((clas, f"{figure} images/sec") for figure in ("127.0.0.1", "None", "1,234.5", "inf", "-5.0")),
    (clas, "25"),  # cut inside the number
    *((mxnet, figure) for figure in ("127.0.0.1", "None", "1,234.5", "inf", "-5.0")),
    *((detector, figure) for figure in ("127.0.0.1", "1,234.5", "nan")),
    *((oneflow, f"{figure} ") for figure in ("127.0.0.1", "None", "1,234.5", "inf", "")),
    *((dll, figure) for figure in ("127.0.0.1", "1,234.5", "inf", "-5.0")),
    *((tf_cnn, figure) for figure in ("127.0.0.1", "1,234.5", "inf", "-5.0")),
    *((history, figure) for figure in ("127.0.0.1", "1,234.5", "None")),
)


def scored(tmp_path: Path, card_of: Cards, lines: list[str]) -> dict[str, Any]:
    log = tmp_path / "a.log"
    log.write_text("".join(f"{line}\n" for line in lines))
    return card_of(log, "--protocol", "custom")


def said_at(card: dict[str, Any], line: int) -> list[str]:
    return [w["kind"] for w in card["warnings"] if line in w["lines"]]


@pytest.mark.parametrize(("line", "figure"), BROKEN)
def test_a_figure_that_is_none(tmp_path: Path, card_of: Cards, line: Line, figure: str) -> None:
    lines = [line(step) for step in range(1, 41)]
    whole = scored(tmp_path, card_of, lines)["dimensions"]["speed"]["value"]
    lines[20] = line(21, figure)
    card = scored(tmp_path, card_of, lines)
    assert said_at(card, 21), card["warnings"]
    if "-" not in figure:  # a figure below 0 is one: it is said, and never left out in silence
        assert card["dimensions"]["speed"]["value"] == pytest.approx(whole)


@pytest.mark.parametrize("name", ["clas", "mxnet", "detector", "oneflow", "dll", "history"])
def test_a_line_cut_short_or_two_in_one(tmp_path: Path, card_of: Cards, name: str) -> None:
    line = LINES[name]
    lines = [line(step) for step in range(1, 41)]
    whole = scored(tmp_path, card_of, lines)
    assert [w["kind"] for w in whole["warnings"]] == ["incomplete"]
    for spoilt in (lines[20][: len(lines[20]) * 3 // 4], lines[20] + lines[21]):
        card = scored(tmp_path, card_of, [*lines[:20], spoilt, *lines[22:]])
        assert said_at(card, 21), (spoilt, card["warnings"])
        speed = card["dimensions"]["speed"]["value"]
        assert speed == pytest.approx(whole["dimensions"]["speed"]["value"])


def test_two_lines_in_one_are_never_one_with_the_speed_of_the_other(
    tmp_path: Path, card_of: Cards
) -> None:
    lines = [clas(step) for step in range(1, 41)]
    lines[20] = clas(21) + clas(22, "9999.00000 images/sec")
    card = scored(tmp_path, card_of, lines)
    assert card["dimensions"]["speed"]["value"] == 256.0
    assert said_at(card, 21) == ["cut_line"]


@pytest.mark.parametrize("name", ["clas", "mxnet", "detector", "dll", "titan"])
def test_two_lines_in_one_again_and_again_are_none(
    tmp_path: Path, card_of: Cards, name: str
) -> None:
    line = LINES[name]
    lines = [line(step) for step in range(10, 50)]
    glued = range(20, 30)
    for place in glued:
        lines[place] += line(place + 11)
    card = scored(tmp_path, card_of, lines)
    found = {n for w in card["warnings"] if w["kind"] == "cut_line" for n in w["lines"]}
    assert found == {place + 1 for place in glued}


def test_a_step_that_comes_again(tmp_path: Path, card_of: Cards) -> None:
    lines = [clas(step) for step in range(1, 41)]
    card = scored(tmp_path, card_of, [*lines[:20], lines[19], *lines[20:]])
    assert said_at(card, 21) == ["steps_again"]
    # Where every rank prints its own line, a step comes again all the time.
    both = [text for line in lines for text in (line, line)]
    assert [w["kind"] for w in scored(tmp_path, card_of, both)["warnings"]] == ["incomplete"]


def test_cut_lines_read_in_pieces_give_the_same() -> None:
    lines = list(WHOLE["torchvision"])
    lines[12] += lines[13]
    lines[30] = lines[30][:60]
    lines.insert(40, lines[39])
    lines[50] = lines[50].replace("img/s: ", "img/s: -")
    assert_same("".join(f"{line}\n" for line in lines).encode(), 1000)
