"""MindSpore's callbacks, and the figures of a complete real run."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Iteration,
    Metric,
    Problem,
    RunEnd,
    Scope,
)
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.corpus import log, read, text
from tests.support.logs import epoch_ends as ends
from tests.support.logs import iterations, scored

LOSS = "epoch: {} step: 10, loss is 6.9087753"
TIME = "epoch time: {} ms, per step time: 346.112 ms"


def test_loss_and_time_monitors() -> None:
    name, events = text(LOSS.format(11), TIME.format("3461.123"))
    (record,), (end,) = iterations(events), ends(events)
    assert name == "mindspore"
    assert (record.epoch, record.step, record.loss) == (11, 10, 6.9087753)
    assert (end.epoch, end.train_time) == (None, 3461.123 / 1000)
    assert end.values == (
        Metric("epoch time", 3461.123, "ms", higher_is_better=False),
        Metric("per step time", 346.112, "ms", higher_is_better=False),
    )


def test_a_step_line_of_sunk_steps_does_not_say_how_long_an_iteration_is() -> None:
    """24 steps go to the device at once: the step line's time is that of the whole epoch."""
    lines = []
    for label in range(12):
        if label in (7, 9):
            lines.append(
                f"Epoch:[{label:3}/600], step:[   24/   24], loss:[1.0/1.0], time:119422.443 ms, "
                "lr:0.01000"
            )
        lines.append("Epoch time: 117600.000 ms, per step time: 4900.000 ms, avg loss: 1.014")
    session = Session("a.log", Settings(), formats())
    session.feed(("\n".join(lines) + "\n").encode())
    session.end()
    card: dict[str, Any] = session.card().to_json()
    speed = card["dimensions"]["speed"]
    assert speed["window"] == [6, 7, 8, 9, 10]
    assert (speed["value"], speed["unit"]) == (pytest.approx(1 / 4.9), "it/s")
    assert speed["iteration_s"] == pytest.approx(4.9)


def test_dlperf_speed_of_sunk_steps() -> None:
    """DLPerf's own rule over lines of two ranks: the 10 sinks of steps 110..200 of each."""
    lines = []
    for epoch in range(1, 21):
        for _rank in range(2):
            lines += [LOSS.format(epoch), TIME.format("1000.000" if epoch > 10 else "9000.000")]
    cost, step = 0.0, 0
    for event in text(*lines)[1]:
        if isinstance(event, Iteration):
            step = (event.step or 0) * (event.epoch or 0)
        elif isinstance(event, EpochEnd) and step > 100:
            cost += next(m.value for m in event.values if m.name == "epoch time")
    assert 2 * 128 / ((cost / 1000) / (100 * 2)) == 2560.0


@pytest.mark.parametrize(
    ("line", "seconds", "unit"),
    [
        ("Train epoch time: 1500.000 ms, per step time: 15.000 ms", 1.5, "ms"),
        ("Train epoch time: 1500.0 ms, per step time: 15.0 ms (data time: 2.0 ms)", 1.5, "ms"),
        ("epoch time: 1500.000, per step time: 15.000, avg loss: 2.500", 1.5, "ms"),
        ("epoch time: 1500.000 s, per step time: 15.000 s", 1500.0, "s"),
        ("Epoch time: 1500.000 ms, per step time: 15.000 ms, avg loss: 2.500", 1.5, "ms"),
    ],
)
def test_spellings_of_the_time(line: str, seconds: float, unit: str) -> None:
    (end,) = ends(text(line)[1])
    assert end.train_time == seconds
    assert end.values[1] == Metric("per step time", 15.0, unit, higher_is_better=False)


@pytest.mark.parametrize(
    "times",
    [
        "epoch time: 1.5 s, per step time: 15.000 ms",
        "Train epoch time: 1.500s, per step time: 15.000ms",
    ],
)
def test_an_epoch_in_seconds_and_a_step_in_milliseconds(times: str) -> None:
    """100 steps of 15 ms are the 1.5 s."""
    (end,) = ends(text(times)[1])
    assert (end.train_time, end.iteration_time) == (1.5, 0.015)
    assert end.values[1] == Metric("per step time", 0.015, "s", higher_is_better=False)


@pytest.mark.parametrize(
    "line",
    [
        "epoch: [1/90] step: [40/5004], loss is 7.078993 Epoch time: 12416.098 ms, fps: 412 img/sec.",
        "epoch: [1/90] step: [40/5004], loss is 7.078993Epoch time: 12416.098 ms, fps: 412 img/sec.",
        "Epoch time: 12416.098 ms, fps: 412 img/sec. epoch: 1 step: 40, loss is 7.078993",
    ],
)
def test_benchmark_script(line: str) -> None:
    (record,) = iterations(text(line)[1])
    assert (record.epoch, record.step, record.loss) == (1, 40, 7.078993)
    assert (record.throughput, record.unit, record.scope) == (412.0, "img/s", Scope.DEVICE)


def test_bert_counts_steps_over_the_run() -> None:
    _, events = text(
        "epoch: 0, current epoch percent: 0.125, step: 100, outputs are (Tensor(shape=[], "
        "dtype=Float32, value= 7.25), Tensor(shape=[], dtype=Bool, value= False))",
        "epoch: 0, step: 200, outputs are 6.5",
    )
    first, second = iterations(events)
    assert (first.epoch, first.step, first.loss) == (None, 100, 7.25)
    assert Metric("epoch", 0.0) in first.values
    assert (second.step, second.loss) == (200, 6.5)


def test_model_zoo_rates_are_the_groups() -> None:
    (record,) = iterations(text("epoch[3], iter[5004], loss:2.25, mean_fps:1650.12 imgs/sec")[1])
    assert (record.throughput, record.unit, record.scope) == (1650.12, "img/s", Scope.JOB)
    assert (record.epoch, record.loss) == (3, 2.25)


def test_evaluations() -> None:
    _, events = text(
        "result: {'top_5_accuracy': 0.9429, 'top_1_accuracy': 0.7853} ckpt=resnet-120_5004.ckpt",
        "epoch: 7, {'top_5_accuracy', 'top_1_accuracy'}: {'top_5_accuracy': 0.91, "
        "'top_1_accuracy': 0.71}, eval_cost:19.47",
        "result: {'acc': 0.76}",
    )
    whole, callback, plain = (e for e in events if isinstance(e, Evaluation))
    assert whole.metrics == (
        Metric("acc5", 0.9429, "fraction"),
        Metric("acc1", 0.7853, "fraction"),
    )
    assert callback.epoch == 7
    assert callback.metrics[1] == Metric("acc1", 0.71, "fraction")
    assert plain.metrics == (Metric("acc1", 0.76, "fraction"),)


@pytest.mark.parametrize(
    "line",
    [
        "epoch: 3 step: 17. Invalid loss, terminating training.",
        "ValueError: In epoch: 3 step: 17, loss is NAN or INF, training process cannot continue, "
        "terminating training.",
    ],
)
def test_an_invalid_loss_ends_the_run(line: str) -> None:
    problems = [e for e in text(LOSS.format(3), line)[1] if isinstance(e, Problem)]
    assert [(p.kind, p.fatal, p.at.line) for p in problems] == [("nan_loss", True, 2)]


def test_ranks_that_cut_into_each_other_give_no_wrong_figure() -> None:
    _, events = text(
        LOSS.format(1),
        "epoch time: 3461.1epoch: 2 step: 10, loss is 6.5",
        "epoch time: 3461.123 ms, per step time: 346.112 msepoch time: 9.0 ms, per step time: 1 ms",
        "epoch: 2 step: 10, loss is epoch: 2 step: 10, loss is 6.5",
    )
    assert [r.loss for r in iterations(events)] == [6.9087753]
    assert all(e.train_time == 3461.123 / 1000 for e in ends(events))


def test_a_complete_run() -> None:
    name, events = read(log("corpus/mindspore/ghostnet_ms_log.log").read_bytes())
    epochs = ends(events)
    (evaluation,) = (e for e in events if isinstance(e, Evaluation))
    (over,) = (e for e in events if isinstance(e, RunEnd))
    assert name == "mindspore"
    assert [e.epoch for e in epochs] == list(range(600))
    assert evaluation.metrics[0].value == pytest.approx(0.7671440972, abs=1e-10)
    assert (over.duration or 0) / 3600 == pytest.approx(33.48, abs=0.005)
    # The printed step times times 24 steps are the printed epoch times.
    for end in epochs:
        epoch, step = (m.value for m in end.values[:2])
        assert step * 24 == pytest.approx(epoch, abs=0.02)


@pytest.mark.parametrize("evaluates", [True, False])
def test_a_time_after_an_evaluation_s_is_that_evaluation_s(*, evaluates: bool) -> None:
    """`Model.fit` evaluates before it says how long the epoch took, and its timer begins anew."""
    tested = (
        "Eval epoch time: 250.000 ms, per step time: 25.000 ms\n"
        "Eval result: epoch {0}, metrics: {{'Accuracy': np.float64(0.7{0})}}\n"
    )
    took = 251 if evaluates else 5000
    data = "".join(
        f"epoch: {n} step: 50, loss is 0.5\n"
        + (tested.format(n) if evaluates else "")
        + f"Train epoch time: {took}.000 ms, per step time: {took / 50} ms\n"
        for n in range(1, 6)
    )
    _name, events = read(data.encode())
    times = {e.train_time for e in ends(events)}
    assert times == ({None} if evaluates else {5.0})
    scores = [(e.epoch, e.metrics[0].value) for e in events if isinstance(e, Evaluation)]
    assert scores == ([(n, 0.7 + n / 100) for n in range(1, 6)] if evaluates else [])


@pytest.mark.parametrize("shape", ["epoch: {}, {}: {}", "epoch: {} {}: {}, best acc is 0.75"])
def test_the_result_that_the_model_zoos_evaluation_prints_by_its_name(shape: str) -> None:
    text = "".join(
        f"epoch: {epoch} step: 195, loss is {3 / epoch}\n"
        "Train epoch time: 97500.0 ms, per step time: 500.0 ms\n"
        + shape.format(epoch, name, value)
        + "\nupdate best result: 0.75\n"
        for epoch, name, value in ((1, "acc", 0.5), (2, "acc", 0.75), (3, "acc", 0.625))
    )
    card = scored(text + "End training, the best acc is: 0.75, the best acc epoch is 2\n")
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("acc1", 0.625, 3)
    assert (accuracy["best"], card["dimensions"]["speed"]["value"]) == (0.75, 2.0)
    assert not card["warnings"]


def test_the_time_of_an_epoch_that_each_rank_prints() -> None:
    """The model zoo's Monitor names no epoch beside it: two ranks are not two epochs."""
    text = "".join(
        "".join(
            f"epoch: [{epoch:3}/ 12], step:[{step:5}/   40], loss:[2.5{rank}0/2.600], "
            "time:[500.000], lr:[0.100]\n"
            for step in range(1, 41)
            for rank in range(2)
        )
        + "epoch time: 20000.000, per step time: 500.000, avg loss: 2.600\n" * 2
        for epoch in range(12)
    )
    card = scored(text)
    assert (card["run"]["epochs"], card["run_end"]["run_time_s"], card["warnings"]) == (12, 240, [])
    assert card["dimensions"]["speed"]["value"] == 2.0
