"""Lines of fastText and word2vec.c, which are drawn over one another."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration, RunEnd, RunStart
from tests.support.logs import detected, only, read, scored

HEAD = "\rRead 12M words\nNumber of words:  5001\nNumber of labels: 4\n"


def _drawn(shares: list[float], *, old: bool = False) -> str:
    out = ""
    for share in shares:
        lr, loss = 0.1 * (1 - share / 100), 2 - share / 100
        out += (
            f"\rProgress: {share:.1f}%  words/sec/thread: 176829  lr: {lr:.6f}  loss: {loss:.6f}"
            f"  eta: 0h16m "
            if old
            else f"\rProgress: {share:5.1f}% words/sec/thread: {701250:7d} lr: {lr:9.6f} "
            f"avg.loss: {loss:9.6f} ETA:   0h 0m11s"
        )
    return out


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize(
    ("shares", "status"),
    [([20, 40, 60, 99.9], "incomplete"), ([20, 60, 100, 100], "finished"), ([100], "finished")],
)
def test_a_training_is_over_at_a_hundred_per_cent(
    shares: list[float], status: str, old: bool
) -> None:
    text = HEAD + _drawn(shares, old=old) + "\n"
    assert detected(text) == "fasttext"
    card = scored(text)
    assert card["status"] == status
    # The words a second are those of a thread: they are not the speed of the training.
    assert card["dimensions"]["speed"]["value"] is None
    losses = [one.loss for one in only(read(text, "fasttext"), Iteration)]
    assert losses == [pytest.approx(2 - share / 100) for share in dict.fromkeys(shares)]


def test_another_training_in_the_same_log_is_a_run_of_its_own() -> None:
    """As of `autotune`, or of a script that trains several times."""
    text = HEAD + 2 * (_drawn([50, 100, 100]) + "\n")
    assert [type(one) for one in read(text, "fasttext") if not isinstance(one, Iteration)][:3] == [
        RunEnd,
        RunStart,
        RunEnd,
    ]
    assert scored(text)["status"] == "finished"


def test_word2vec_does_not_say_that_it_is_over() -> None:
    text = "".join(
        f"\rAlpha: {0.025 * (1 - n / 40):.6f}  Progress: {2.5 * n:.2f}%  Words/thread/sec: 93.41k  "
        for n in range(1, 40)
    )
    text = f"Starting training using file text8\nVocab size: 71291\n{text}"
    assert detected(text) == "fasttext"
    assert scored(text)["status"] == "incomplete"
    assert len(only(read(text, "fasttext"), Iteration)) == 39


def test_the_lines_before_the_training_say_what_trains() -> None:
    assert detected("Number of words:  5001\nNumber of labels: 4\n") == "fasttext"
