"""Times that people's own loops print for an epoch, on its line or on a line after it."""

from __future__ import annotations

import pytest

from tests.support.loops import figures

_SECONDS = [91.5, 88.75, 89.25, 88.5]


def times(said: str, *, apart: int = 1, since_start: bool = False) -> list[float]:
    """The times of epochs that are read from a log with these lines for each epoch."""
    lines, passed = list[str](), 0.0
    for n, own in enumerate(_SECONDS, 1):
        passed += own
        seconds = passed if since_start else own
        clock = f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"
        loss = f"loss 0.{9 - n}"
        text = said.format(n=n * apart, t=seconds, clock=clock, loss=loss, min=seconds / 60)
        lines += text.split("\n")
    found: list[float] = figures(lines).get("epoch times", [])
    return found


@pytest.mark.parametrize(
    "said",
    [
        "Epoch {n} train {loss} ({t:.2f}s) val {loss} (9.1s)",
        "Epoch {n} | train {loss} | {t:.2f}s | val {loss} | 9.1s",
        "Epoch {n} | train {loss} | 8 min | val {loss} | 9.1s |",
    ],
)
def test_of_several_times_without_a_name_none_is_the_epochs(said: str) -> None:
    """The first is that of the training pass, the last that of the evaluation."""
    assert times(said) == []


def test_the_only_time_without_a_name_is_the_epochs() -> None:
    """That of the first epoch may count from the start of the run, until a later one is shorter."""
    assert times("Epoch {n} | train {loss} | val {loss} | {t:.2f}s") == _SECONDS[1:]


@pytest.mark.parametrize("apart", [1, 5, 10])
def test_a_time_that_grows_by_the_epochs_between_two_lines_is_no_epochs(apart: int) -> None:
    """The first line cannot show it."""
    assert times("Epoch {n} {loss} done in {t:.2f}s", apart=apart, since_start=True)[1:] == []
    assert times("Epoch {n} {loss} done in {t:.2f}s", apart=apart) == _SECONDS
