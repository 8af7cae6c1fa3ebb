"""OpenNMT-py: the progress lines of version 1 and of version 3."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration, RunEnd
from tests.support.logs import detected, only, read, scored

HEAD = "Step {n:>2}/100000; acc: {acc:6.2f}; ppl: 900.50; xent: 6.81; "


@pytest.mark.parametrize(
    "tail",
    [
        "lr: 0.00012; 12345/{rate:3.0f} tok/s;     50 sec\n",
        "lr: 0.00012; sents:   13000; bsz: 2900/3000/80; 12345/{rate:3.0f} tok/s;     50 sec;\n",
    ],
)
def test_progress(tail: str) -> None:
    text = "".join((HEAD + tail).format(n=50 * n, acc=n, rate=12000 + n) for n in range(1, 4))
    assert detected(text) == "opennmt"
    records = only(read(text, "opennmt"), Iteration)
    assert [(i.step, i.throughput, i.loss) for i in records] == [
        (50, 12001, 6.81),
        (100, 12002, 6.81),
        (150, 12003, 6.81),
    ]
    text += "Validation perplexity: 123.4\nValidation accuracy: 35.25\n"
    card = scored(text)["dimensions"]
    assert (card["speed"]["unit"], card["speed"]["scope"]) == ("tokens/s", "job")
    assert (card["accuracy"]["metric"], card["accuracy"]["value"]) == ("acc", 35.25)


@pytest.mark.parametrize(
    "losses",
    ["aux: 0.001; ", "aux: 0.001; attn_ent: 2.5; ", "aux: 0.001; mtp: 0.5; attn_ent: 2.5; "],
)
def test_the_lines_of_eole(losses: str) -> None:
    text = "".join(
        f"[2025-01-07 15:34:0{n},308 INFO] Step {50 * n}/  100; acc: 30.5; ppl: 900.50; xent: 6.81; "
        f"{losses}lr: 1.20e-04; sents:    3200; bsz: 2345/2400/64; 12345/{12000 + n} tok/s;     50 sec;\n"
        for n in (1, 2)
    )
    assert detected(text) == "opennmt"
    found = [
        (i.step, i.steps, i.loss, i.throughput) for i in only(read(text, "opennmt"), Iteration)
    ]
    assert found == [(50, 100, 6.81, 12001), (100, 100, 6.81, 12002)]


def test_the_words_of_its_first_versions() -> None:
    text = "".join(
        f"Epoch {e:2d}, {s:5d}/  200; acc:  40.00; ppl:  10.00; 5000 src tok/s; {6000 + e} tgt tok/s; "
        f"{s // 10:6d} s elapsed\n"
        + ("Validation perplexity: 11.5\nValidation accuracy: 34.5\n" if s == 200 else "")
        for e in (1, 2)
        for s in (100, 200)
    )
    assert detected(text) == "opennmt"
    card = scored(text)
    assert card["dimensions"]["accuracy"]["epoch"] == 2
    assert (card["dimensions"]["speed"]["value"], card["dimensions"]["speed"]["unit"]) == (
        6001.5,
        "tokens/s",
    )


def test_a_run_without_a_last_step_that_stops_early() -> None:
    step = (
        "Step {n}; acc: 30.5; ppl: 900.0; xent: 6.8; lr: 0.00012; sents:   12345; "
        "bsz: 3500/3400/130; 12345/{rate} tok/s;     50 sec;\n"
    )
    text = "".join(step.format(n=50 * n, rate=12_000 + n) for n in range(1, 5))
    text += "Training finished after stalled validations. Early Stop!\n"
    assert detected(text) == "opennmt"
    events = read(text, "opennmt")
    found = [(one.step, one.throughput) for one in only(events, Iteration)]
    assert found == [(50 * n, 12_000 + n) for n in range(1, 5)]
    assert len(only(events, RunEnd)) == 1


def test_a_rate_that_includes_a_validation_is_not_the_trainings() -> None:
    """50 steps of 1,000 tokens take 10 s, and a validation 8 s: 50,000 / 18 s in the next line."""
    step = (
        "Step {n}/10000; acc: 30.5; ppl: 900.0; xent: 6.8; lr: 0.00012; sents:   12345; "
        "bsz: 3500/3400/130; 12345/{rate} tok/s;     50 sec;\n"
    )
    text = ""
    for n in range(1, 10):
        text += step.format(n=50 * n, rate=2778 if n in {4, 7} else 5000)
        text += "Validation perplexity: 11.5\nValidation accuracy: 34.5\n" if n in {3, 6} else ""
    assert scored(text)["dimensions"]["speed"]["value"] == pytest.approx(5000)


@pytest.mark.parametrize(
    ("rates", "speed", "unit"),
    [
        ("tokens/s = 20000 (11000 source, 9000 target)", 20_000, "tokens/s"),
        ("source words/s = 11000, target words/s = 9000", 9_000, "words/s"),
    ],
)
def test_the_lines_of_opennmt_tf(rates: str, speed: float, unit: str) -> None:
    text = "".join(
        f"2024-03-05 10:00:0{n}.000000: I training.py:176] Step = {100 * n} ; steps/s = 4.00, {rates} ; "
        "Learning rate = 0.000100 ; Loss = 4.500000\n"
        f"2024-03-05 10:00:0{n}.000000: I training.py:192] Evaluation result for step {100 * n}: "
        f"loss = 3.250000 ; perplexity = 25.790340 ; bleu = {20 + n}.500000\n"
        for n in range(1, 6)
    )
    assert detected(text) == "opennmt"
    dimensions = scored(text)["dimensions"]
    assert (dimensions["speed"]["value"], dimensions["speed"]["unit"]) == (speed, unit)
    accuracy = dimensions["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("bleu", 25.5)
