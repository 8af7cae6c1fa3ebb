"""nanoGPT: iterations, evaluations, what was planned."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    Scope,
)
from tests.support.corpus import log, read, text
from tests.support.logs import iterations, scored, scores_by_step, values


def test_nanogpt() -> None:
    name, events = text(
        "tokens per iteration will be: 491,520",
        "Initializing a new model from scratch",
        "step 0: train loss 10.9876, val loss 10.9865",
        "iter 0: loss 10.9877, time 2000.00ms, mfu -100.00%",
        "iter 10: loss 9.5000, time 500.00ms, mfu 41.25%",
    )
    assert name == "nanogpt"
    first, second = iterations(events)
    assert (first.throughput, first.values) == (245_760.0, ())
    assert (second.step, second.loss, second.duration) == (10, 9.5, 0.5)
    assert (second.throughput, second.unit, second.scope) == (983_040.0, "tokens/s", Scope.JOB)
    assert values(second) == {"mfu": (41.25, "%")}
    assert scores_by_step(events) == [(0, {"loss": 10.9865, "train loss": 10.9876})]


def test_llama2_c() -> None:
    """1,024 tokens an iteration, 0.2 s each but for one with an evaluation in it."""
    name, events = text(
        "tokens per iteration will be: 1,024",
        "step 0: train loss 4.1329, val loss 4.1323",
        "0 | loss 4.1027 | lr 0.000000e+00 | 900.00ms | mfu -100.00%",
        "10 | loss 4.1290 | lr 2.000000e-04 | 200.00ms | mfu 1.25%",
    )
    assert name == "nanogpt"
    first, second = iterations(events)
    assert (first.step, first.loss, first.duration) == (0, 4.1027, 0.9)
    assert (second.step, second.loss, second.throughput) == (10, 4.129, 5_120.0)
    assert scores_by_step(events) == [(0, {"loss": 4.1323, "train loss": 4.1329})]


def test_nanogpt_plans_what_the_command_line_says() -> None:
    head = "max_iters = 5000\nlr_decay_iters = 5000 # make equal to max_iters usually\n"
    lines = "".join(f"iter {n}: loss 4.2, time 100.00ms, mfu 12.34%\n" for n in range(3))
    assert scored(head + lines)["run"]["steps_planned"] == 5000
    text = head + "Overriding: max_iters = 400\nOverriding: lr_decay_iters = 400\n" + lines
    run = scored(text)["run"]
    assert (run["steps_planned"], run["sources"]["steps_planned"]) == (400, "log line 3")


def test_nanogpt_run_twice_into_one_log() -> None:
    """What a run plans stands in front of the header that it is known by."""

    def run(planned: int, done: int) -> str:
        iterations = (f"iter {n}: loss 2.0, time 100.00ms, mfu 1.00%" for n in range(done + 1))
        header = (
            f"Overriding: max_iters = {planned}",
            "tokens per iteration will be: 256",
            "Initializing a new model from scratch",
        )
        return "".join(f"{line}\n" for line in (*header, *iterations))

    again = scored(run(8, 5) + run(6, 6))
    assert again["status"] == "finished"
    assert "the log holds 2 runs; this is run 2" in [w["text"] for w in again["warnings"]]
    assert scored(run(6, 6) + run(8, 6))["status"] == "incomplete"


def test_nanogpt_with_a_unit_after_its_losses() -> None:
    lines = "".join(
        f"step {n}: train loss 6.06 BPC, val loss 6.0{n} BPC\niter {n}: loss 6.0 BPC, time 100.00ms, mfu 8.9%\n"
        for n in range(4)
    )
    accuracy = scored(lines)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("loss", 6.03)


def test_nanogpt_without_the_token_count_knows_no_throughput() -> None:
    (one,) = iterations(text("iter 10: loss 9.5000, time 500.00ms, mfu 41.25%")[1])
    assert (one.throughput, one.duration) == (None, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "step", "loss"),
    [
        ("innerfirexy_shakespeare_char.log", 5000, 1.7189),
        ("innerfirexy_gpt2_20241021.log", 600_000, 2.8537),
    ],
)
def test_nanogpt_corpus(file: str, step: int, loss: float) -> None:
    name, events = read(log(f"corpus/nanogpt/{file}").read_bytes())
    last = scores_by_step(events)[-1]
    assert (name, last[0], last[1]["loss"]) == ("nanogpt", step, loss)
    if step == 600_000:
        best = min(scores_by_step(events), key=lambda e: e[1]["loss"])
        assert (best[0], best[1]["loss"]) == (599_000, 2.8349)


def test_three_columns_are_steps_parts_and_figures() -> None:
    """What build-nanogpt writes beside its console."""
    log = "0 val 10.75\n0 hella 0.25\n0 train 10.5\n" + "".join(
        f"{step} train {4 - step / 1000}\n" for step in range(1, 40)
    )
    log += "40 val 3.5\n40 hella 0.3125\n40 train 3.25\n"
    card = scored(log)
    assert card["run"]["format"] == "nanogpt"
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("loss", 3.5, 3.5)
    assert card["dimensions"]["speed"]["state"] == "unknown"


def test_lit_llama() -> None:
    """Each iteration takes 0.25 s; the pre-training counts 8,192 tokens of a device in 0.5 s."""
    name, events = text(
        "iter 0: loss 2.5000, time: 900.00ms",
        "iter 1: loss 2.2500, time: 250.00ms",
        "Validating ...",
        "step 1: val loss 2.1250",
        "iter 2: loss 2.1500, time: 250.00ms",
    )
    assert name == "nanogpt"
    assert [(i.step, i.loss, i.duration) for i in iterations(events)][1:] == [
        (1, 2.25, 0.25),
        (2, 2.15, 0.25),
    ]
    assert scores_by_step(events) == [(1, {"loss": 2.125})]
    log = "".join(
        f"iter {n}: loss {9 - n / 20:.4f}, time: 250.00ms, "
        f"speed: {16384 if n % 2 else '-'} toks/s/device\n"
        for n in range(40)
    )
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["scope"]) == (16384, "tokens/s", "per device")
