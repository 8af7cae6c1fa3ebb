"""mlx-lm: rows of a table, and the sentences of earlier versions."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, only, read, scored


def _table(last: int) -> str:
    """A validation and a training row every 10 of 200 iterations, 1,000 tokens/s and 2,000 later."""
    rows = [
        "\x1b[34m│\x1b[0m    model           tiny     \x1b[34m│\x1b[0m",
        "\x1b[34m│\x1b[0m    batch · iters   2 · 200  \x1b[34m│\x1b[0m",
        "  iter   train_loss     tok/s     tokens",
        "     1    val \x1b[1m8.801\x1b[0m    3.24s",
    ]
    for step in range(10, last + 1, 10):
        if not step % 50:
            rows.append(f"  {step:>4}    val {9 - step / 100:>5.3f}    3.50s")
        rate = f"{1000 if step <= 100 else 2000:>5,}"
        rows.append(
            f"  {step:>4}    {9.2 - step / 100:>5.3f} {'▼▲'[step == 60]}    {rate}      3.1k"
        )
    return "\n".join([*rows, ""])


def test_a_table() -> None:
    log = _table(200)
    assert detected(log) == "mlx-lm"
    card = scored(log)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert card["status"] == "finished"
    assert (speed["unit"], accuracy["metric"], accuracy["value"]) == ("tokens/s", "loss", 7.0)
    rows = only(read(log, "mlx-lm"), Iteration)
    assert [(row.step, row.throughput) for row in rows[9:11]] == [(100, 1000), (110, 2000)]
    assert [one.step for one in only(read(log, "mlx-lm"), Evaluation)] == [1, 50, 100, 150, 200]


def test_a_table_of_a_run_that_goes_on() -> None:
    card = scored(_table(150))
    assert card["status"] == "incomplete"


def test_earlier_versions_print_sentences() -> None:
    log = "Starting training..., iters: 40\nIter 1: Val loss 2.805, Val took 27.221s\n" + "".join(
        f"Iter {step}: Train loss 2.514, Learning Rate 1.000e-05, It/sec 0.500, "
        f"Tokens/sec 205.250, Trained Tokens {400 * step}, Peak mem 15.321 GB\n"
        for step in range(10, 41, 10)
    )
    assert detected(log) == "mlx-lm"
    card = scored(log)
    assert card["dimensions"]["speed"]["value"] == pytest.approx(205.25)
    assert (card["status"], card["dimensions"]["accuracy"]["value"]) == ("finished", 2.805)
