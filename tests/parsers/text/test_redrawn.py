"""Bars that are drawn again whenever one of several moves."""

from __future__ import annotations

import pytest

from tests.parsers.text.test_splitting import chunks, split
from tests.support.logs import scored

UP = "\x1b[2K\x1b[1A"


def bar(epoch: int, step: int, name: str = "Epoch {}/3 ") -> str:
    return f"\x1b[32m{name.format(epoch)}━━━━ {step}/20\x1b[0m 0:00:0{epoch} loss 0.{9 - epoch}"


def drawn(*frames: list[str]) -> str:
    """Frames of one line more or less than the one before, as Rich draws them."""
    text, above = "", 0
    for lines in frames:
        text += "\r" + UP * above + "\x1b[2K" + "\n".join(lines)
        above = len(lines) - 1
    return text + "\n"


def lines_of(text: str, size: int) -> list[str]:
    return [line.text for line in split(chunks(text.encode(), size))]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_finished_bar_is_read_once(size: int) -> None:
    """The second frame has two bars, and the name of a bar in the third one moves the columns."""
    first, second = bar(1, 20), bar(2, 20)
    wide = [bar(n, 20, "Epoch {}/3  ") for n in (1, 2)]
    frames = [first], [first, bar(2, 0)], [first, bar(2, 9)], [first, second], [*wide, bar(3, 4)]
    seen = [line.split()[1:4:2] for line in lines_of(drawn(*frames), size)]
    assert seen == [
        *(["1/3", "20/20"], ["1/3", "20/20"], ["2/3", "0/20"]),  # no drawing went before the first
        *(["2/3", "9/20"], ["2/3", "20/20"]),
        *(["2/3", "20/20"], ["3/3", "4/20"]),  # it was the last line of the drawing before
    ]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_bar_that_goes_on_in_the_next_line_is_read_again(size: int) -> None:
    """The last bar may have figures below it that are new."""
    frames = [[bar(1, 20), f"    acc: \x1b[1m0.{n}\x1b[0m"] for n in (5, 6)]
    assert lines_of(drawn(*frames), size) == [
        *("Epoch 1/3 ━━━━ 20/20 0:00:01 loss 0.8", "    acc: 0.5"),
        *("Epoch 1/3 ━━━━ 20/20 0:00:01 loss 0.8", "    acc: 0.6"),
    ]


@pytest.mark.parametrize(("lines", "times"), [(256, 1), (257, 2)])
def test_of_a_very_high_drawing_the_last_lines_are_known(lines: int, times: int) -> None:
    others = [f"\x1b[1mnote {number}\x1b[0m" for number in range(lines - 2)]
    frames = [[bar(1, 20), *others, bar(2, step)] for step in (3, 4)]
    text = "\n".join(lines_of(drawn(*frames), 100_000))
    assert text.count("Epoch 1/3") == times


def test_lines_that_repeat_without_a_moved_cursor_are_lines() -> None:
    """Two trainings of one program."""
    text = (bar(1, 20) + "\n" + bar(2, 20) + "\n") * 2
    assert len(lines_of(text, 1000)) == 4


def test_epochs_do_not_begin_again_because_their_bars_are_drawn_again() -> None:
    """Three epochs of 20 steps; a line above the bars gives the accuracy of each: 0.6, 0.7, 0.8."""
    frames: list[list[str]] = []
    for epoch in (1, 2, 3):
        over = [bar(earlier, 20) for earlier in range(1, epoch)]
        frames += [[*over, bar(epoch, step)] for step in (0, 10, 20)]
        frames.append([f"epoch {epoch}: val_acc: 0.{5 + epoch}", *over, bar(epoch, 20)])
    card = scored(drawn(*frames))
    assert (card["run"]["epochs"], card["warnings"]) == (3, [])
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], accuracy["epoch"]) == (0.8, 0.8, 3)


def test_a_finished_bar_whose_spinner_is_gone_is_read_once() -> None:
    """Blanks stand in its place, so that the line is indented like the figures below a bar."""
    frames: list[list[str]] = []
    for epoch in (1, 2, 3, 4):
        over = [bar(earlier, 20, "  Epoch {}/4 ") for earlier in range(1, epoch)]
        steps = range(0, 20, 2)
        frames += [[*over, bar(epoch, step, "⠋ Epoch {}/4 ")] for step in steps]
        frames.append([*over, bar(epoch, 20, "  Epoch {}/4 ")])
    card = scored(drawn(*frames))
    assert (card["run"]["epochs"], card["warnings"]) == (4, [])
