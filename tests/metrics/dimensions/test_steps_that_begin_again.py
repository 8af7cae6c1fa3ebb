"""The speed of logs that count steps alone, where the steps begin again."""

from __future__ import annotations

import pytest

from tests.support.logs import scored


def _log(*steps_a_second: float) -> str:
    """Trainings of 100 steps one after the other, with a line every five steps."""
    now, lines = 0.0, []
    for rate in steps_a_second:
        for step in range(5, 101, 5):
            now += 5 / rate
            at = f"{int(now // 3600):02d}:{int(now // 60) % 60:02d}:{now % 60:06.3f}"
            lines.append(
                f"2024-05-01 {at.replace('.', ',')} INFO step={step} loss={9 / step:.4f}\n"
            )
    return "".join(lines)


@pytest.mark.parametrize(("slow", "value"), [(0.7, True), (0.6, False)])
def test_speeds_that_differ_may_be_of_several_trainings(slow: float, value: bool) -> None:
    """The windows differ by at most 1.5 times in a training whose epochs have no labels."""
    speed = scored(_log(*(1.0, slow) * 6))["dimensions"]["speed"]
    assert (speed["value"] is not None) == value
    assert ("may be of several trainings" in speed["reason"]) != value


def _bars(*lengths: int) -> str:
    """Bars without a word, at two iterations a second; those of 20 at eight."""
    lines = []
    for length in lengths:
        rate = 8 if length == 20 else 2
        for step in (length // 2, length):
            clocks = f"{step // rate // 60:02}:{step // rate % 60:02}<00:00"
            bar = f"{100 * step // length:3}%|###| {step}/{length} [{clocks}, {rate}.00it/s"
            lines.append(f"{bar}, loss=0.5]" + ("\n" if step == length else "\r"))
    return "".join(lines)


@pytest.mark.parametrize(
    ("lengths", "value", "status"),
    [
        ((100, 100, 100), 2.0, "finished"),
        ((100, 60, 100), None, "incomplete"),
        ((100, 20, 100, 20), None, "incomplete"),
        ((100, 20, 60, 100, 20, 60), None, "incomplete"),
        ((100, 100, 60), 2.0, "finished"),
    ],
)
def test_bars_of_several_lengths_that_take_turns_may_be_evaluations(
    lengths: tuple[int, ...], value: float | None, status: str
) -> None:
    """A training that begins anew may have another length, but not go back to the first one."""
    card = scored(_bars(*lengths))
    assert card["dimensions"]["speed"]["value"] == value
    assert card["status"] == status


def test_lines_without_a_total_do_not_take_turns_with_those_that_have_one() -> None:
    bars = _bars(100).replace("\r", "\n").replace("\n", "\nstep=7 loss=0.5\n")
    assert scored(bars * 3)["dimensions"]["speed"]["value"] == 2.0


@pytest.mark.parametrize(("second", "best"), [((50, 100), None), ((50,), 0.7)])
def test_the_best_of_passes_without_a_name_is_unknown(
    second: tuple[int, ...], best: float | None
) -> None:
    """The first two may be epochs of one training, or trainings; a pass that broke off is none."""

    def passed(steps: tuple[int, ...], accuracy: float) -> str:
        bars = (
            f"training: {s:3}%|###| {s}/100 [00:{s // 2:02}<00:{50 - s // 2:02}, 2.00it/s]\n"
            for s in steps
        )
        return "".join(bars) + f"val_accuracy = {accuracy}, val_loss = 0.5\n"

    over = passed(second, 0.8) if best is None else passed(second, 0.8).rsplit("val_", 2)[0]
    accuracy = scored(over + passed((10, 50, 100), 0.7))["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.7, best)
