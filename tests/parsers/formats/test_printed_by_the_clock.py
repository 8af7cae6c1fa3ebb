"""Lines that a loop prints every so many seconds: each counts for the work since the one before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from tests.support.both_ways import assert_alike
from tests.support.logs import iterations, read, scored

Lines: TypeAlias = "list[tuple[float, float]]"


def count(number: float) -> str:
    """As tqdm prints a count with `unit_scale`: three digits."""
    if number >= 1000:
        return f"{count(number / 1000)}k"
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"


def at_each(seconds: float, slow: float = 0.8) -> Lines:
    """Steps and seconds an iteration at each line: 0.8, and in each second minute slower."""
    done, lines = 0.0, []
    for place in range(2400):
        each = slow if place // 6 % 2 else 0.8
        done += seconds / each
        lines.append((done, each))
    return lines


def pace(each: float) -> str:
    return f"{each:.1f}s/it" if each >= 1 else f"{1 / each:.2f}it/s"


def loggable(lines: Lines) -> str:
    return "".join(
        f"05:{n // 60 % 60:02}:{n % 60:02}.100 [I] Progress on: {count(done)}it/{count(200_000)}it "
        f"rate:{pace(each)} remaining:12:30:00 elapsed:{n // 360}:{n // 6 % 60:02}:00 postfix:- "
        "(812:tqdm_logging.py:145)\n"
        for n, (done, each) in enumerate(lines)
    )


def bars(lines: Lines) -> str:
    return "".join(
        f"Training:   3%|▎         | {count(done)}/{count(200_000)} "
        f"[{n // 360}:{n // 6 % 60:02}:{n % 6}0<12:30:00, {pace(each)}, loss=0.5]\n"
        for n, (done, each) in enumerate(lines, 1)
    )


@pytest.mark.parametrize("printed", [loggable, bars])
def test_the_speed_is_work_over_time(printed: Callable[[Lines], str]) -> None:
    """Half of the time at 1.25 and half at 0.25 a second are 0.75: the lines' mean is 0.42."""
    speed = scored(printed(at_each(10.0, 4.0)))["dimensions"]["speed"]
    assert speed["unit"] == "it/s"
    assert speed["value"] == pytest.approx(0.75, rel=0.05)


def test_a_steady_run_has_its_own_pace() -> None:
    speed = scored(loggable(at_each(10.0)))["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(1.25, rel=1e-6)


def test_counts_in_thousands_are_steps_and_repeated_ones_no_further_work() -> None:
    text = "".join(
        f"Progress on: {done}it/200kit rate:{rate} remaining:1:00:00 elapsed:10:00 postfix:-\n"
        for done, rate in (("7.00", "2.0s/it"), ("980", "2.0s/it"), ("12.8k", "1.6it/s"))
        for _ in range(2)
    )
    found = [(one.step, one.steps, one.duration) for one in iterations(read(text, "generic"))]
    assert found[::2] == [(7, 200_000, 2.0), (980, 200_000, 2.0), (12_800, 200_000, 0.625)]
    assert found[5] == (12_800, 200_000, None)


@pytest.mark.parametrize("odd", ["naN it/200it", "1e400it/200kit", "12.8GB/200GB", "-5it/200it"])
def test_what_is_no_count_is_no_step(odd: str) -> None:
    line = f"Progress on: {odd} rate:2.0s/it loss: 0.5\n"
    assert {one.step for one in iterations(read(line * 3, "generic"))} <= {None}


def test_columns_give_the_same() -> None:
    assert_alike(loggable(at_each(10.0)).encode(), 9000)


def _endless(epochs: int, last: int = 2048) -> str:
    """Bars that do more than they planned, and do not know their end."""
    return "".join(
        f"Epoch #{e}:   0%|          | 0/2000 [00:00<?, ?it/s]\r"
        f"Epoch #{e}: {last if e == epochs else 2048}it [00:08, {200 + e}.00it/s, rew=9.{e}]\n"
        for e in range(1, epochs + 1)
    )


def test_the_last_of_the_epochs_whose_bars_do_not_know_their_end() -> None:
    """Epochs 1 to 4; where the last did as much as the others it is over, too."""
    whole, cut = scored(_endless(4)), scored(_endless(4, last=1024))
    assert (whole["run"]["epochs"], cut["run"]["epochs"]) == (4, 3)
    assert whole["dimensions"]["speed"]["values"] == pytest.approx([201, 202, 203, 204])
    assert cut["dimensions"]["speed"]["values"] == pytest.approx([201, 202, 203])


def test_the_last_epoch_of_a_loop_that_does_not_say_its_steps() -> None:
    lines = [f"epoch {e} step {s} loss 1.{9 - e} 10.0 it/s" for e in range(4) for s in (100, 200)]
    assert scored("\n".join(lines) + "\n")["run"]["epochs"] == 4
    assert scored("\n".join(lines[:-1]) + "\n")["run"]["epochs"] == 3
