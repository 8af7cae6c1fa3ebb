"""The quality that MLPerf's benchmarks measure, and which target it is compared with."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration, RunInfo, Scope
from tests.support.corpus import text
from tests.support.inputs.mlperf_records import RUN, record
from tests.support.logs import evaluations, scored


def test_two_conditions_and_a_loss_that_should_fall() -> None:
    _, events = text(
        record(1, "submission_benchmark", '"maskrcnn"'),
        record(2, "run_start"),
        record(3, "eval_accuracy", '{"BBOX": 0.378, "SEGM": 0.3425}', ', "epoch_num": 9'),
    )
    assert [(m.name, m.value) for m in evaluations(events)[0].metrics] == [
        ("box", 0.378),
        ("mask", 0.3425),
    ]
    _, events = text(
        record(1, "submission_benchmark", '"llama2_70b_lora"'),
        record(2, "run_start"),
        record(3, "eval_accuracy", "0.9375", ', "samples_count": 1536'),
        record(
            4, "tracked_stats", '{"throughput": 5.25, "train_step_time": 1.5}', ', "step": 1536'
        ),
    )
    (found,) = evaluations(events)
    assert (found.metrics[0].name, found.metrics[0].higher_is_better, found.step) == (
        "loss",
        False,
        1536,
    )
    (rate,) = [e for e in events if isinstance(e, Iteration)]
    assert (rate.throughput, rate.unit, rate.scope) == (5.25, "samples/s", Scope.JOB)


def test_an_error_rate_above_100_percent_is_no_warning() -> None:
    """The words that are wrong may outnumber those that were said; a share correct may not."""
    stop = record(1_700_000_065_125, "run_stop", about=', "status": "aborted"')
    for named, warned in (("rnnt", False), ("ssd", True)):
        benchmark = record(1_700_000_000_500, "submission_benchmark", f'"{named}"')
        above = record(1_700_000_064_000, "eval_accuracy", "1.0625", ', "epoch_num": 1')
        card = scored("\n".join([benchmark, RUN[4], above, stop]) + "\n")
        kinds = [warning["kind"] for warning in card["warnings"]]
        assert ("impossible_accuracy" in kinds) == warned


def test_several_metrics_under_one_key_are_distinct_names_by_their_metadata() -> None:
    _, events = text(
        *RUN[:5],
        record(
            1_700_000_064_000, "eval_accuracy", "154.9", ', "samples_count": 512, "metric": "FID"'
        ),
        record(
            1_700_000_065_000, "eval_accuracy", "0.125", ', "samples_count": 512, "metric": "CLIP"'
        ),
    )
    found = [(m.name, m.value, m.higher_is_better) for e in evaluations(events) for m in e.metrics]
    assert found == [("fid", 154.9, False), ("clip", 0.125, True)]


def test_an_error_that_should_fall() -> None:
    lines = (
        record(1_700_000_000_500, "submission_benchmark", '"cosmoflow"'),
        record(1_700_000_002_000, "run_start"),
        record(1_700_000_003_000, "eval_error", "0.25", ', "epoch_num": 3'),
    )
    (found,) = evaluations(text(*lines)[1])
    assert [(m.name, m.value, m.higher_is_better) for m in found.metrics] == [("mae", 0.25, False)]


def test_a_benchmark_named_after_its_evaluations_sets_no_target() -> None:
    """They were read without its name, so none has the metric that the target is about."""
    _, events = text(*RUN[:1], *RUN[2:], RUN[1])
    assert [m.name for e in evaluations(events) for m in e.metrics] == ["eval_accuracy"]
    facts = {e.name: e.value for e in events if isinstance(e, RunInfo)}
    assert facts["model"] == "resnet"
    assert "target" not in facts


@pytest.mark.parametrize("benchmark", ["llama31_8b", "gpt_oss_20b", "deepseekv3_671b"])
def test_a_perplexity_is_the_quality_of_a_language_model(benchmark: str) -> None:
    lines = (
        record(1_700_000_000_500, "submission_benchmark", f'"{benchmark}"'),
        record(1_700_000_002_000, "run_start"),
        record(1_700_000_003_000, "eval_accuracy", "3.75", ', "samples_count": 1024'),
        record(1_700_000_004_000, "eval_accuracy", "3.5", ', "samples_count": 2048'),
    )
    accuracy = scored("\n".join(lines) + "\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("log_perplexity", 3.5, 3.5)
