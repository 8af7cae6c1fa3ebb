"""PySlowFast: JSON after `json_stats:`."""

from __future__ import annotations

import json

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from tests.support.logs import detected, facts, only, read, scored


def record(kind: str, epoch: int, **values: object) -> str:
    return "json_stats: " + json.dumps({"_type": kind, "epoch": f"{epoch}/196", **values}) + "\n"


def test_a_run() -> None:
    text = "".join(
        record("train_iter", e, dt=0.5, iter="10/20", loss=6.0, top1_err=99.5, eta="0:10:00")
        + record("train_iter", e, dt=0.5, iter="20/20", loss=5.5, top1_err=98.5, eta="0:09:00")
        + record("train_epoch", e, dt=0.5, loss=5.75, top1_err=99.0)
        + record("val_iter", e, iter="10/10", top1_err=1.0)
        + record("val_epoch", e, min_top1_err=60.0, top1_err=70.0 - e, top5_err=40.0)
        for e in (1, 2)
    )
    assert detected(text) == "slowfast"
    events = read(text, "slowfast")
    assert facts(events)["epochs_planned"] == 196
    assert [(i.epoch, i.step, i.steps) for i in only(events, Iteration)][:2] == [
        (1, 10, 20),
        (1, 20, 20),
    ]
    assert [e.epoch for e in only(events, EpochEnd)] == [1, 2]
    assert [(e.epoch, e.metrics[0].value) for e in only(events, Evaluation)] == [(1, 69), (2, 68)]
    card = scored(text)["dimensions"]
    assert (card["speed"]["value"], card["speed"]["unit"]) == (2, "it/s")
    assert card["accuracy"]["lower_is_better"]


def test_the_time_of_one_iteration_in_ten_yields_to_the_clock() -> None:
    # The one that is printed seldom waits for the data: 0.5 s, where ten take 40 s.
    text = "".join(
        f"[06/21 18:{m:02d}:{s:02d}][INFO] logging.py:   99: "
        + record("train_iter_", e, dt=0.5, iter=f"{i}/60", loss=6.0)
        for e in range(1, 12)
        for i in range(10, 61, 10)
        for m, s in [divmod(((e - 1) * 6 + i // 10 - 1) * 40, 60)]
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (0.25, "it/s")


def test_older_records_name_the_time_of_an_iteration_differently() -> None:
    text = record("train_iter", 1, time_diff=0.25, iter="10/20", loss=6.0)
    assert [i.duration for i in only(read(text, "slowfast"), Iteration)] == [0.25]


def test_a_run_that_was_begun_again_has_its_own_clock() -> None:
    begin = "[06/{d} 18:00:00][INFO] train_net.py:  536: Train with config:\n"
    text = "".join(
        begin.format(d=d)
        + "".join(
            f"[06/{d} 18:00:{s:02d}][INFO] logging.py:   99: "
            + record("train_iter", 1, dt=0.5, iter=f"{s}/9000", loss=6.0)
            for s in (10, 20, 30)
        )
        for d in (21, 22, 23)
    )
    assert scored(text)["dimensions"]["speed"]["value"] == 1


def test_the_printed_time_of_an_epoch_counts_its_slow_beginning() -> None:
    """The epoch took 60 s for 40 iterations; from its 10th to its 40th the clock shows 30 s."""
    text = "".join(
        f"[05/11 0{epoch}:{minute}][INFO] logging.py: 99: {entry}"
        for epoch in range(1, 4)
        for minute, entry in (
            *((f"00:{20 + step}", record("train_iter", epoch, dt=1.0, iter=f"{step}/40"))
              for step in (10, 20, 30, 40)),
            ("01:00", record("train_epoch", epoch, dt=1.0, loss=2.5)),
            ("01:00", f"Epoch {epoch - 1} takes 60.00s. Epochs from 0 to {epoch - 1} take 60.00s "
             "in average and 60.00s in median.\n"),
        )
    )  # fmt: skip
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (40 / 60, "it/s")
    assert scored(text)["run"]["epochs"] == 3
