"""Four times as many epochs take about four times as long to read: also where each one resumes."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session

FEW, MANY = 2_500, 10_000
TIMES = 8
"""Linear work takes 4 times as long, quadratic work 16 times."""


def torchvision(epoch: int) -> str:
    steps = (
        f"Epoch: [{epoch}]  [{step}/300]  eta: 0:06:47  lr: 0.1  img/s: 56.4  "
        f"loss: 7.29 (7.24)  time: 1.25\n"
        for step in (0, 100, 200)
    )
    return "".join(steps) + f" * Acc@1 {epoch % 90}.337 Acc@5 90.1\n"


def mxnet(epoch: int) -> str:
    return (
        f"INFO:root:Epoch[{epoch}] Batch [50]\tSpeed: 728.3 samples/sec\tTrain-accuracy=0.85\n"
        f"INFO:root:Epoch[{epoch}] Batch [100]\tSpeed: 692.9 samples/sec\tTrain-accuracy=0.85\n"
        f"INFO:root:Epoch[{epoch}] Time cost=71.6\n"
        f"INFO:root:Epoch[{epoch}] Validation-accuracy=0.8{epoch % 10}\n"
    )


def keras(epoch: int) -> str:
    return (
        f"Epoch {epoch + 1}/{MANY}\n"
        f"100/100 - 3s - 32ms/step - accuracy: 0.8{epoch % 10} - loss: 0.31 - "
        f"val_accuracy: 0.7{epoch % 10} - val_loss: 0.42\n"
    )


def unknown(epoch: int) -> str:
    return f"INFO - Epoch {epoch}/{MANY}, Train Loss: 0.8{epoch % 10}, Test Acc: 79.{epoch % 10}%\n"


def read(epochs: int, lines: Callable[[int], str], *, resumed: bool) -> tuple[float, Session]:
    """Processor seconds to read so many epochs, of which each second one may come twice."""
    times = [1 + (resumed and epoch % 2) for epoch in range(epochs)]
    data = "".join(lines(epoch) * times[epoch] for epoch in range(epochs)).encode()
    session = Session("log", Settings(), formats())
    begun = time.process_time()
    session.feed(data)
    session.end()
    session.card()
    return time.process_time() - begun, session


@pytest.mark.slow
@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("lines", [torchvision, mxnet, keras, unknown])
def test_the_time_grows_with_the_number_of_epochs(
    lines: Callable[[int], str], *, resumed: bool
) -> None:
    few = min(read(FEW, lines, resumed=resumed)[0] for _ in range(2))
    many, session = read(MANY, lines, resumed=resumed)
    assert len(session.run.epochs) == MANY
    assert len(session.run.evaluations) >= MANY
    assert many < TIMES * few
