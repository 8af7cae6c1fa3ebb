"""The epochs of the speed window: those the figure is made of, and those that are not there."""

from __future__ import annotations

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session

EPOCHS = "".join(
    f"Epoch: [{epoch}]  [   {step}/10]  eta: 0:00:01  lr: 0.1  img/s: {100 + epoch}.0  loss: 2.0\n"
    for epoch in range(9)
    for step in range(0, 10, 3)
)
BARS = "".join(
    f" {10 * step}%|x| {step}/10 [00:{step:02}<00:{10 - step:02},  1.00it/s]\n"
    f"{{'loss': '2.0', 'learning_rate': '0.1', 'epoch': '{step}'}}\n"
    for step in range(1, 11)
)
CLOSING = (
    "{'train_runtime': '10', 'train_samples_per_second': '80', 'train_steps_per_second': '1', "
    "'train_loss': '2.0', 'epoch': '10'}\n"
)


def marks(text: str, *, ended: bool) -> list[tuple[int, str]]:
    session = Session("train.log", Settings(), formats())
    session.feed(text.encode())
    if ended:
        session.end()
    return [(row.label, row.mark) for row in session.snapshot().speed]


@pytest.mark.parametrize(("ended", "mark"), [(False, "waiting"), (True, "missing")])
def test_an_epoch_is_waited_for_until_the_run_is_over(ended: bool, mark: str) -> None:
    assert marks(EPOCHS, ended=ended)[-2:] == [(9, mark), (10, mark)]


def test_the_rate_of_a_closing_line_is_made_of_no_epochs() -> None:
    assert marks(BARS, ended=False)
    assert marks(BARS + CLOSING, ended=True) == []
