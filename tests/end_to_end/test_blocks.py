"""Progress lines that are read by columns give what they give one by one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.both_ways import assert_alike
from tests.support.inputs.generated import (
    EDIT,
    MANGLED,
    STATED,
    dllogger,
    mangled,
    mostly_slow,
    stated,
    torchvision,
)

STEPS = 200


def joined(lines: list[str], end: str = "\n") -> bytes:
    return "".join(f"{line}{end}" for line in lines).encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("lines", [torchvision(6, STEPS), dllogger(6, STEPS)])
def test_most_lines_of_a_uniform_log_are_read_by_columns(lines: list[str], end: str) -> None:
    together = assert_alike(joined(lines, end), 30_000)
    assert together > len(lines) / 3


@pytest.mark.slow
@pytest.mark.parametrize("name", STATED)
def test_a_log_of_each_format_gives_the_same(name: str) -> None:
    assert_alike(joined(stated(name, 400, 100)), 10_000, "acc1>60.9")


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(["torchvision", "dllogger", *STATED]),
    edits=st.lists(EDIT, max_size=8),
    size=st.sampled_from([6000, 15_000]),
    target=st.sampled_from(["", "acc1>60.9"]),
)
def test_a_mangled_log_gives_the_same(
    name: str, edits: list[tuple[str, int, object]], size: int, target: str
) -> None:
    made = {"torchvision": torchvision, "dllogger": dllogger}
    lines = made[name](4, 100) if name in made else stated(name, 400, 100)
    assert_alike(mangled(lines, edits), size, target)


@pytest.mark.parametrize("name", mostly_slow(MANGLED))
def test_short_epochs_and_noise_give_the_same(name: str) -> None:
    assert_alike(joined(MANGLED[name]() * 3), 6000)


def test_clocks_steps_and_rates_that_no_column_holds_end_a_span() -> None:
    lines = dllogger(6, STEPS)
    for line, old, new in (
        (130, "800", "0"),  # no rate
        (150, "09:", "08:"),  # back by an hour
        (170, "Iteration: ", "Iteration: -"),
        (200, "train.loss : ", "train.loss : nan"),
        (220, "Epoch: ", "Epoch: 9"),
        (240, "2021", "2031"),
        (260, " img/s", " samples/s"),
    ):
        lines[line] = lines[line].replace(old, new)
    lines[300:300] = lines[280:290]
    assert_alike(joined(lines), 20_000)


def test_steps_without_epochs_and_clocks_of_seconds_give_the_same() -> None:
    assert_alike(
        joined([f"step {n}/9000 | loss {9 / n:.4f} | norm 0.1" for n in range(1, 900)]), 6000
    )
    lines = [
        f"2024-05-{1 + n // 400:02} {n // 60 % 24:02}:{n % 60:02}:07 [INFO] Epoch: [0][{n}/900]\t"
        f"Time {0.3 + n % 7 / 100:.3f} (0.310)\tLoss {7 - n / 900:.4f} (6.9)"
        for n in range(900)
    ]
    assert_alike(joined(lines), 20_000)


@pytest.mark.slow
def test_real_logs_give_the_same() -> None:
    root = os.environ.get("SIXDIM_CORPUS")
    if not root:
        pytest.skip("SIXDIM_CORPUS is not set: no real logs to read")
    logs = [file for file in sorted(Path(root).rglob("*")) if file.suffix in ("", ".log", ".json")]
    together = sum(
        assert_alike(file.read_bytes()[:1_000_000], 100_000)
        for file in logs
        if file.is_file() and file.stat().st_size > 50_000
    )
    assert together
