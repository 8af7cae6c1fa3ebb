"""Caffe: iterations, rates and test outputs."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    Evaluation,
    RunStart,
)
from tests.support.corpus import text
from tests.support.logs import facts, iterations, scored


def test_caffe() -> None:
    prefix = "I0914 09:42:56.{:06d}  6584 {}] "
    name, events = text(
        prefix.format(1, "solver.cpp:279") + "Solving LeNet",
        prefix.format(2, "caffe.cpp:248") + "Starting Optimization",
        prefix.format(3, "solver.cpp:337") + "Iteration 0, Testing net (#0)",
        prefix.format(4, "solver.cpp:404") + "    Test net output #0: accuracy = 0.1084",
        prefix.format(5, "solver.cpp:404") + "    Test net output #1: loss = 2.5 (* 1 = 2.5 loss)",
        prefix.format(6, "solver.cpp:228")
        + "Iteration 100 (50 iter/s, 2s/100 iters), loss = 0.354224",
        prefix.format(7, "solver.cpp:244")
        + "    Train net output #0: loss = 0.35 (* 1 = 0.35 loss)",
        prefix.format(8, "sgd_solver.cpp:106") + "Iteration 100, lr = 0.01",
        prefix.format(9, "solver.cpp:228") + "Iteration 200, loss = nan",
        prefix.format(10, "solver.cpp:337") + "Iteration 500, Testing net (#0)",
        prefix.format(11, "solver.cpp:404") + "    Test net output #0: accuracy = 0.98",
    )
    assert name == "caffe"
    assert facts(events) == {"model": "LeNet"}
    assert sum(isinstance(e, RunStart) for e in events) == 1
    assert [(e.step, e.duration, str(e.loss)) for e in iterations(events)] == [
        (100, 0.02, "0.354224"),
        (200, None, "nan"),
    ]
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.step, [(m.name, m.value) for m in e.metrics]) for e in found] == [
        (0, [("acc1", 0.1084), ("loss", 2.5)]),
        (500, [("acc1", 0.98)]),
    ]
    first, last = iterations(events)[0].at.time_us, iterations(events)[-1].at.time_us
    assert (first is not None and last is not None) and last - first == 3


@pytest.mark.parametrize(
    "closing",
    ["Optimization Done.", "Solving done", "Solving done ...", "Solving Done.", "done solving"],
)
def test_each_wording_of_the_closing_line_ends_the_run(closing: str) -> None:
    """It names no model: that is LeNet."""
    log = "Solving LeNet\n" + "".join(
        f"Iteration {step} (50.5 iter/s, 1.98s/100 iters), loss = {2 - step / 1000}\n"
        for step in (100, 200, 300)
    )
    card = scored(log + closing + "\n")
    assert (card["status"], card["run"]["model"]) == ("finished", "LeNet")
    assert scored(log)["status"] == "incomplete"


def test_py_faster_rcnns_test_after_the_training() -> None:
    log = "".join(f"Iteration {step}, loss = {2 - step / 1000}\n" for step in (100, 200, 300))
    tested = "AP for go-left = 1.0000\nMean AP = 0.9222\n"
    accuracy = scored(f"Solving VGG\n{log}done solving\n{tested}")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("map", 0.9222)


def test_py_faster_rcnn_is_caffe_although_it_prints_the_speed_of_its_port() -> None:
    """Its tests come after the training, so that the solver's lines are all there is of Caffe."""
    prefix = "I0419 18:0{}:{:02d}.500000  5826 solver.cpp:229] "
    lines = ["Solving..."]
    for step in range(0, 200, 20):
        at = prefix.format(step * 2 // 60 % 10, step * 2 % 60)
        lines += [
            f"{at}Iteration {step}, loss = {5 - step / 100}",
            f"{at}    Train net output #0: loss_bbox = 0.1 (* 1 = 0.1 loss)",
            f"{at}    Train net output #1: loss_cls = 0.4 (* 1 = 0.4 loss)",
            *(["speed: 2.406s / iter"] if step % 60 == 40 else []),
        ]
    card = scored("\n".join([*lines, "done solving", "Mean AP = 0.9070", ""]), "caffe")
    figures = card["dimensions"]
    assert (card["status"], figures["accuracy"]["value"]) == ("finished", 0.907)
    assert figures["speed"]["value"] == pytest.approx(0.5)  # 20 iterations in 40 s


def test_a_failed_check_ends_the_run() -> None:
    """glog's prefix of a fatal line begins with F; the trace after it has none."""
    log = "I0422 12:23:25.6 3535 solver.cpp:228] Iteration 100, loss = 2.5\n" * 3
    failed = (
        "F0422 12:23:26.083083  3535 syncedmem.cpp:56] Check failed: error == cudaSuccess "
        "(2 vs. 0)  out of memory\n*** Check failure stack trace: ***\n"
    )
    assert scored(log + failed)["status"] == "failed"


def test_an_error_directly_after_the_outputs_of_a_test_ends_the_run() -> None:
    """The line that completes the evaluation is no line of the format: it was taken for one."""
    log = "Solving LeNet\n" + "".join(
        f"Iteration {step} (50.5 iter/s, 1.98s/100 iters), loss = {2 - step / 1000}\n"
        for step in (100, 200, 300)
    )
    tested = "Iteration 300, Testing net (#0)\nTest net output #0: accuracy = 0.71\n"
    card = scored(log + tested + "*** Check failure stack trace: ***\n")
    assert (card["status"], card["dimensions"]["accuracy"]["value"]) == ("failed", 0.71)
