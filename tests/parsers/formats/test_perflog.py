"""Iluvatar's [PerfLog] lines."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    Evaluation,
    Iteration,
    RunEnd,
    RunStart,
    Scope,
    Summary,
    TargetReached,
)
from tests.support.logs import detected, only, read, real, score, scored


def record(event: str, value: str) -> str:
    return (
        f'[PerfLog] {{"event": "{event}", "value": {value}, '
        '"metadata": {"file": "t.py", "lineno": 1, "time_ms": 1646380544503, "rank": 0}}\n'
    )


def test_step() -> None:
    value = '{"loss": 1.5, "epoch": 0, "global_steps": 3800, "seq/s": 178.5, "step": 3800}'
    (iteration,) = only(read(record("STEP_END", value), "perflog"), Iteration)
    assert (iteration.epoch, iteration.step, iteration.loss) == (None, 3800, 1.5)
    assert (iteration.throughput, iteration.unit) == (178.5, "sequences/s")
    assert iteration.scope is Scope.JOB
    assert (iteration.at.time_us, iteration.at.rank) == (1_646_380_544_503_000, 0)


def test_the_events_of_flagperf() -> None:
    """Its trainings start and evaluate under other names; an evaluation has a time of its own."""
    text = (
        record("TRAIN_START", "null").replace(', "value": null', "")
        + record("STEP_END", '{"num_trained_samples": 640, "epoch": 0, "steps": 10}')
        + record("EVALUATE", '{"global_steps": 10, "eval_acc1": 61.5, "time": 9.5}')
        + record("FINISHED", '{"e2e_time": 90.5, "train_time": 80.5, "final_acc1": 61.5}')
    )
    events = read(text, "perflog")
    (iteration,) = only(events, Iteration)
    assert iteration.step == 10
    (evaluation,) = only(events, Evaluation)
    assert (evaluation.step, evaluation.metrics[0].value) == (10, 61.5)
    assert [e.duration for e in only(events, RunEnd)] == [80.5]


def test_the_result_of_a_training_that_evaluated_without_an_event() -> None:
    closing = '{"train_time": 80.5, "final_loss": 0.5, "final_mAP": 0.25, "converged": false}'
    events = read(record("FINISHED", closing), "perflog")
    (evaluation,) = only(events, Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [("map", 0.25)]
    assert not only(events, TargetReached)
    begin = record("TRAIN_START", "null").replace(', "value": null', "")
    printed = (
        "Eval Acc1: 61.5%\n"
        "eval_result {'global_steps': 9, 'eval_loss': 2.0, 'eval_acc1': 60.25, 'eval_acc5': 90.5}\n"
    )
    events = read(begin + printed + record("FINISHED", '{"final_acc1": 60.25}'), "perflog")
    assert [e.metrics[0].value for e in only(events, Evaluation)] == [61.5, 60.25]


def test_samples_of_ssd() -> None:
    value = '{"avg_samples/s": 1234.5, "step": 20}'
    (iteration,) = only(read(record("STEP_END", value), "perflog"), Iteration)
    assert (iteration.throughput, iteration.unit, iteration.step) == (1234.5, "samples/s", 20)


def test_beginning_evaluation_and_end() -> None:
    text = (
        record("TRAIN_BEGIN", "null")
        + record("EVALUATION", '{"global_steps": 6000, "eval_mlm_accuracy": 0.71, "time": 15.9}')
        + record(
            "FINISHED",
            '{"e2e_time": 7363.5, "training_sequences_per_second": 176.5, "converged": true, '
            '"raw_train_time": 7328.798}',
        )
    )
    events = read(text, "perflog")
    assert len(only(events, RunStart)) == 1
    (evaluation,) = only(events, Evaluation)
    assert evaluation.step == 6000
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("mlm_acc", 0.71, "fraction")
    ]
    assert [e.duration for e in only(events, RunEnd)] == [7328.798]
    assert len(only(events, TargetReached)) == 1
    assert only(events, Summary)[0].metrics[1].unit == "sequences/s"


def test_run_that_did_not_converge_claims_nothing() -> None:
    text = record("FINISHED", '{"converged": false, "raw_train_time": 1.0}')
    assert only(read(text, "perflog"), TargetReached) == []


@pytest.mark.parametrize(
    "line",
    [
        '[PerfLog] {"event": "STEP_END", "value": 7, "metadata": null}',
        '[PerfLog] {"event": ["STEP_END"], "value": {}, "metadata": {}}',
        '[PerfLog] {"event": "STEP_END", "value": {"seq/s": "?", "step": 1e999}, "metadata": []}',
        '[PerfLog] {"event": "STEP_END", "value": {}, "metadata": {"time_ms": 1e30, "rank": -4}}',
        '[PerfLog] {"event": "STEP_END", "val',
        "[PerfLog] ",
    ],
)
def test_hostile_records(line: str) -> None:
    for iteration in only(read(line + "\n", "perflog"), Iteration):
        assert (iteration.throughput, iteration.step, iteration.at.time_us) == (None, None, None)


def test_whole_training_of_iluvatar() -> None:
    name, events = real(
        "deepspark/models_nlp_language_model_bert_sample_pytorch_iluvatar_results_iluvatar-1x8.txt"
    )
    iterations = only(events, Iteration)
    assert (name, len(iterations)) == ("perflog", 31)
    assert f"{iterations[0].throughput:.1f}" == "13.9"
    # After the first report every one says 177 to 183.
    assert all(177 < (i.throughput or 0) < 183 for i in iterations[1:])
    assert f"{score(only(events, Evaluation)[-1], 'mlm_acc'):.4f}" == "0.7111"


def test_resumed_training_does_not_take_the_summarys_speed() -> None:
    _, events = real(
        "deepspark/models_nlp_language_model_bert_sample_pytorch_iluvatar_results_"
        "iluvatar-1x8-stage-3.txt"
    )
    summary = {m.name: m.value for m in only(events, Summary)[0].metrics}
    assert f"{summary['training_sequences_per_second']:.1f}" == "2136.5"
    assert [round(i.throughput or 0) for i in only(events, Iteration)] == [181, 180]
    assert detected(record("TRAIN_END", "null")) == "perflog"


@pytest.mark.parametrize(("first", "speed"), [(None, 592.5), (1, 592.5), (3800, None)])
def test_a_training_without_rates_has_that_of_its_end(
    first: int | None, speed: float | None
) -> None:
    """That of FlagPerf's image classifiers; after a resume it counts the steps before, too."""
    rates = '"throughput(ips)_raw": 592.5, "throughput(ips)_no_eval": 631.5'
    text = record("TRAIN_START", "{}")
    text += "" if first is None else record("STEP_END", f'{{"loss": 1.5, "global_steps": {first}}}')
    text += "Eval Acc1: 61.5%\n" + record("FINISHED", f'{{"train_time": 80.5, {rates}}}')
    found = scored(text)["dimensions"]["speed"]
    assert (found["value"], found["state"]) == (speed, "short" if speed else "unknown")
    assert found.get("unit") == ("items/s" if speed else None)
