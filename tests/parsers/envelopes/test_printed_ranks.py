"""Ranks that a script prints in front of its own lines."""

from __future__ import annotations

import pytest

from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.text.lines import Line
from tests.support.logs import scored

BODY = "epoch 3 step 20/40 loss 0.5125"


@pytest.mark.parametrize(
    "printed",
    [
        *("[rank {}] ", "[RANK {}] ", "[Rank: {}] ", "[rank={}] ", "[rank {}/2] ", "[GPU {}] "),
        *("rank {}: ", "Rank {}, ", "Rank {} | ", "rank={} ", "(rank {}) ", "<rank {}> "),
        *("GPU {}: ", "gpu {} ", "Process {}: ", "[local rank {}] ", "Global rank {} - "),
    ],
)
def test_the_first_rank_counts_of_several_that_print_the_same_lines(printed: str) -> None:
    line = strip(Line(1, 0, printed.format(1) + BODY))
    assert (line.text, line.rank) == (BODY, 1)
    lines = [
        printed.format(rank) + said.format(epoch, 7 - rank)
        for epoch in range(4)
        for said in ("epoch {0} step 20/20 loss 0.5{0}", "epoch {0} val_acc 0.{1}{0}")
        for rank in (1, 0)
    ]
    log = "".join(f"{text}\n" for text in lines)
    accuracy = scored(log)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.73, 0.73)


def test_many_ranks_that_print_their_own_figures_are_no_parts_of_an_evaluation() -> None:
    lines = [
        f"[rank {rank}] {said.format(epoch, 80 - rank)}\n"
        for epoch in range(4)
        for said in ("epoch {0} step 20/20 loss 0.5{0}", "epoch {0} val_acc 0.{1}{0}")
        for rank in range(5)
    ]
    accuracy = scored("".join(lines))["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.803, 0.803)


@pytest.mark.parametrize(
    "text",
    [
        "rank 3 of 20: epoch 4 was the best",
        "GPU 0: Tesla V100-SXM2-32GB",
        "GPU 0: lossless compression",
        "Rank 0 has 5 steps",
        "ranking 1: epoch 3",
        "Process 1234567: step 5",
    ],
)
def test_a_rank_in_front_of_other_text_is_a_part_of_the_line(text: str) -> None:
    assert strip(Line(1, 0, text)).text == text
