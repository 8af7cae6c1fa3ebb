"""kuangliu's pytorch-cifar: the same bar for the training and for the test."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, real, score, scored


def in_a_file(time: str, acc: float, seen: int, of: str) -> str:
    back = "\b" * 40
    return f" [==>..]  Step: 15ms | Tot: {time} | Loss: 1.8 | Acc: {acc}% (9/{seen}){back} {of} \r"


def of_a_screen(time: str, acc: float, seen: int, of: str) -> str:
    return f" [=== {of} ==>]  Step: 15ms | Tot: {time} | Loss: 1.8 | Acc: {acc}% (9/{seen})\n"


@pytest.mark.parametrize("bar", [in_a_file, of_a_screen])
def test_the_first_bar_of_an_epoch_is_the_training_the_next_the_test(bar) -> None:  # type: ignore[no-untyped-def]  # either function
    text = "==> Preparing data..\n" + "".join(
        f"\nEpoch: {e}\n"
        + bar("0ms", 10.0, 128, "1/391")
        + bar("10s", 31.0, 25_600, "200/391")
        + bar("1m5s", 40.0 + e, 50_000, "391/391")
        + bar("1s500ms", 33.0, 5_000, "50/100")
        + bar("3s250ms", 50.0 + e, 10_000, "100/100")
        + "Saving..\n"
        for e in range(12)
    )
    assert detected(text) == "pytorch-cifar"
    events = read(text, "pytorch-cifar")
    assert [(i.step, i.steps) for i in only(events, Iteration)][:2] == [(200, 391), (391, 391)]
    tests = [(e.epoch, score(e, "acc1")) for e in only(events, Evaluation)]
    assert tests == [(e, 50.0 + e) for e in range(12)]
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(50_000 / 65 * 390 / 391), "img/s")
    assert card["run"]["epochs"] == 12


@pytest.mark.parametrize("batches", [2, 20])
def test_the_first_batch_is_none_of_the_time(batches: int) -> None:
    """Batches of 32 images take 0.16 s each, and the bar's time begins after the first."""
    text = "==> Preparing data..\n" + "".join(
        f"\nEpoch: {e}\n"
        + "".join(
            in_a_file(f"{160 * n}ms", 40.0, 32 * n + 32, f"{n + 1}/{batches}")
            for n in range(batches)
        )
        + in_a_file("0ms", 40.0, 32, "1/2")
        + in_a_file("20ms", 40.0, 64, "2/2")
        for e in range(12)
    )
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(200)


def test_a_copy_of_a_screen() -> None:
    name, events = real("corpus/generic_logging/streethagore_cifar_progressbar.log")
    found = [(e.epoch, score(e, "acc1")) for e in only(events, Evaluation)]
    assert name == "pytorch-cifar"
    assert found[:4] == [(0, 26.17), (1, 39.53), (2, 46.84), (3, 50.29)]
    assert (len(found), found[-1]) == (100, (99, 94.2))
