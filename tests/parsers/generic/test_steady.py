"""Lines like the line before give the same events as if each had been read by itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from sixdim.parsers.events import Event, Origin
from sixdim.parsers.generic.reader import Generic
from sixdim.parsers.generic.steady import Steady
from sixdim.parsers.generic.training.training import Training
from sixdim.parsers.reader.interpret import Interpreter
from tests.support.inputs.generated import mostly_slow

FORMS: tuple[tuple[str, ...], ...] = (
    ("step {step} loss 2.{x}",),
    ("epoch {epoch} step {step}/{steps} loss: 2.{x}, acc: 0.{x}",),
    ("Epoch [{epoch}/9], step [{step}/{steps}], loss 2.{x}, 3{x} img/s", "val loss: 1.{x}"),
    ("iter {step}: loss 0.{x}", "epoch {epoch} done, test acc 0.8{x}", "Evaluating:"),
    ("iter {step} loss 1.{x}", "Epoch {epoch}: train loss 1.{x}, val acc 0.{x}"),
    ("Epoch {epoch}: train_loss=1.{x} val_loss=1.{x}", "Best model:", "training starts"),
    ("Epoch {epoch}/9, train acc 0.{x}, time: 1{x} s", "val_acc 0.{x}", "Training finished."),
    (
        "Epoch {epoch}:  50%|█    | {step}/{steps} [00:0{y}<00:09,  9.{x}it/s, loss=0.{x}]",
        "epoch {epoch} val acc: 0.{x}",
    ),
    (
        "training:  50%|█    | {step}/{steps} [00:0{y}<00:09,  9.{x}it/s]",
        "Epoch {epoch}: train loss 0.{x}, val acc 7{x}%",
    ),
    ("Train Epoch: {epoch} [{step}/{steps} ({x}%)] Loss: 0.{x}", "val loss: 1.{x}"),
    ("epoch  step  loss", "{epoch}  {step}  0.{x}", "step {step}/{steps} loss 1.{x}"),
    ("epoch  train_loss  val_acc", "{epoch}  1.{x}  0.{x}", "round {epoch} epoch 1 loss 0.{x}"),
)


def _lines(seed: int) -> Iterator[str]:
    """The lines of a loop that mostly goes on, and sometimes does something else."""
    chance = random.Random(seed)
    forms = FORMS[seed % len(FORMS)]
    if chance.random() < 0.3:
        forms += chance.choice(FORMS)
    epoch, step, steps, form = chance.randrange(2), 0, chance.choice([4, 7, 40]), forms[0]
    for _ in range(120):
        match chance.randrange(40):
            case 0 | 1 | 2 | 3 | 4:
                form = chance.choice(forms)
            case 5:
                epoch, step = 0, 0
            case 6 | 7 | 8:
                epoch += 1
            case 9:
                steps = chance.choice([4, 7, 40])
        if chance.random() < 0.8:
            step, epoch = (step + 1, epoch) if step < steps else (0, epoch + 1)
            epoch += "{step}" not in form
        numbers = {"epoch": epoch, "step": step, "steps": steps}
        yield form.format(**numbers, x=chance.randrange(10, 99), y=min(step, 9))


def _events(text: str) -> list[Event]:
    interpreter = Interpreter((Generic,), Generic)
    return [*interpreter.read(text.encode()), *interpreter.end()]


@pytest.mark.parametrize("seed", mostly_slow(range(0, 660, 11)))
def test_they_give_the_same_events(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in range(seed, seed + 11):
        text = "\n".join(_lines(one)) + "\n"
        found = _events(text)
        with monkeypatch.context() as patch:
            patch.setattr(Steady, "note", lambda *_: None)
            assert found == _events(text), text


@pytest.mark.parametrize(
    "line",
    ["step {n} loss 2.5", "Epoch {n}: train loss 2.5, val loss 2.5", "epoch {n}/90 loss 2.5"],
)
def test_only_the_first_lines_of_a_plain_log_are_read_by_themselves(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone: list[int] = []
    add = Training.add

    def counted(self: Training, events: list[Event], text: str, at: Origin, *more: Any) -> None:
        alone.append(at.line)
        add(self, events, text, at, *more)

    monkeypatch.setattr(Training, "add", counted)
    found = _events("".join(line.format(n=n) + "\n" for n in range(1, 50)))
    assert {event.at.line for event in found} >= {*range(1, 50)}
    assert alone == [*range(1, len(alone) + 1)]
    assert len(alone) < 4
