"""Marian's lines of updates and of validations."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

UPDATE = "[2024-05-01 10:{m:02}:00] Ep. {e} : Up. {u} : Sen. 12,{m:03} : Cost 3.{m}{words} : Time 60.25s : {rate} words/s{more}\n"
VALID = "[2024-05-01 10:{m:02}:30] [valid] Ep. {e} : Up. {u} : {figure} : {value} : {best}\n"


def training(words: str, more: str, figure: str = "bleu-detok") -> str:
    out = "[2024-05-01 09:59:00] [memory] Reserving 526 MB, device gpu0\n"
    for n in range(1, 7):
        at = {"m": n, "e": (n + 1) // 2, "u": 500 * n}
        out += UPDATE.format(**at, words=words, rate=f"{4000 + n}.50", more=more)
        if n % 2 == 0:
            best = "new best" if n < 6 else "stalled 1 times (last best: 29.5)"
            out += VALID.format(**at, figure="cross-entropy", value=90 - n, best=best)
            out += VALID.format(**at, figure=figure, value=20.5 + n, best=best)
            out += f"[2024-05-01 10:{n:02}:40] Seen 12,000 samples\n"
            out += (
                f"[2024-05-01 10:{n:02}:40] Starting data epoch {n // 2 + 1} in logical epoch 2\n"
            )
    return out + "[2024-05-01 10:07:00] Training finished\n"


@pytest.mark.parametrize("words", ["", " * 414,436 after 1,414,436"])
@pytest.mark.parametrize("more", ["", " : gNorm 0.5 : L.r. 1.0000e-04"])
def test_updates_and_validations(words: str, more: str) -> None:
    text = training(words, more)
    assert detected(text) == "marian"
    events = read(text, "marian")
    assert [(i.epoch, i.throughput, i.unit, i.loss) for i in only(events, Iteration)] == [
        ((n + 1) // 2, None if n in {3, 5} else 4000.5 + n, "words/s", 3 + n / 10)
        for n in range(1, 7)
    ]
    assert [(e.epoch, e.step, e.metrics[0][:2]) for e in only(events, Evaluation)][:2] == [
        (1, 1000, ("cross-entropy", 88)),
        (1, 1000, ("bleu", 22.5)),
    ]
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], card["status"]) == ("bleu", 26.5, "finished")
    assert card["run"]["epochs"] == 3


def test_a_figure_of_a_script() -> None:
    """What a script says of a translation is no known figure: `--target` may name it."""
    accuracy = scored(training("", "", "translation"))["dimensions"]["accuracy"]
    assert accuracy["value"] is None
    assert "translation" in accuracy["reason"]


def test_a_rate_that_includes_a_validation_is_not_the_trainings() -> None:
    """100 updates of 1,000 words take 10 s, and a validation 5 s, at the end of epoch 1, too."""
    update = "[2024-05-01 10:00:00] Ep. {e} : Up. {u} : Sen. 400 : Cost 3.1 : Time {s}s : {rate} words/s\n"
    valid = "[2024-05-01 10:00:00] [valid] Ep. {e} : Up. {u} : bleu : 20.5 : new best\n"
    lines = [(1, 10, 10000), (1, 10, 10000), (1, 15, 6666.67), (2, 15, 6666.67), (2, 10, 10000)]
    text = "[2024-05-01 10:00:00] Training started\n"
    for n, (epoch, seconds, rate) in enumerate(lines, 1):
        text += update.format(e=epoch, u=100 * n, s=f"{seconds:.2f}", rate=f"{rate:.2f}")
        text += valid.format(e=epoch, u=100 * n) if n in {2, 3} else ""
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(10_000)
