"""MLPerf records in their three spellings, alone and among a framework's own lines."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Problem, RunInfo, RunStart, TargetReached
from tests.support.corpus import text
from tests.support.inputs.mlperf_records import RUN, ends, record
from tests.support.logs import evaluations, scored


def test_a_run_from_start_to_stop() -> None:
    name, events = text(*RUN)
    assert name == "mlperf"
    assert ends(events) == [(63.125, "finished")]
    assert [e.at.time_us for e in events if isinstance(e, RunStart)][-1] == 1_700_000_002_000_000
    (epoch,) = [e for e in events if isinstance(e, EpochEnd)]
    assert (epoch.epoch, epoch.train_time) == (1, 60.25)
    (found,) = evaluations(events)
    metric = found.metrics[0]
    assert (metric.name, metric.value, metric.unit, found.epoch) == ("acc1", 0.76123, "fraction", 1)
    assert sum(isinstance(e, TargetReached) for e in events) == 1
    facts = {e.name: e.value for e in events if isinstance(e, RunInfo)}
    assert facts == {
        "model": "resnet",
        "target": "acc1>=0.759",
        "global_batch": 3264,
        "samples_per_epoch": 1281167,
    }


def test_it_is_the_chief_among_a_frameworks_lines() -> None:
    noise = [
        f"Epoch: [0]  [{i:3d}/334]  eta: 0:01:00  lr: 0.1  img/s: 5000.5  loss: 7.0 (7.0)  time: 0.5  data: 0.1"
        for i in range(200)
    ]
    name, events = text(RUN[0], *noise[:100], *RUN[1:], *noise[100:])
    assert name == "mlperf"
    assert ends(events) == [(63.125, "finished")]


def test_an_aborted_run_reaches_nothing() -> None:
    _, events = text(
        *RUN[:-1], record(1_700_000_065_125, "run_stop", about=', "status": "aborted"')
    )
    assert ends(events) == [(63.125, "aborted")]
    assert not [e for e in events if isinstance(e, TargetReached)]


def test_the_spelling_of_v06() -> None:
    name, events = text(
        ':::MLL 1560000000.250 submission_benchmark: {"value": "transformer", "metadata": {"lineno": 1}}',
        ':::MLL 1560000001.500 run_start: {"value": null, "metadata": {"lineno": 2, "file": "a.py"}}',
        ':::MLL 1560000003.750 eval_accuracy: {"value": "25.0625", "metadata": {"epoch_num": 2}}',
        ':::MLL 1560000011.625 run_stop: {"value": null, "metadata": {"status": "success"}}',
    )
    assert name == "mlperf"
    assert ends(events) == [(10.125, "finished")]
    assert (evaluations(events)[0].metrics[0].name, evaluations(events)[0].metrics[0].value) == (
        "bleu",
        25.0625,
    )


@pytest.mark.parametrize(
    ("benchmark", "about", "metrics"),
    [
        ("mask", '{"value": [0.3775, 0.3425], "metadata": {"epoch_num": 13}}', (0.3775, 0.3425)),
        ("minigo", "{\"value\": 0.51, \"metadata\": {'lineno': 49, 'epoch_num': 14}}", (0.51,)),
    ],
)
def test_v06_with_two_accuracies_in_a_list_and_with_metadata_of_python(
    benchmark: str, about: str, metrics: tuple[float, ...]
) -> None:
    _, events = text(
        f':::MLL 1560000000.500 submission_benchmark: {{"value": "{benchmark}"}}',
        ':::MLL 1560000001.500 run_start: {"value": null, "metadata": {"lineno": 2}}',
        f":::MLL 1560000003.750 eval_accuracy: {about}",
    )
    (evaluation,) = evaluations(events)
    assert tuple(m.value for m in evaluation.metrics) == metrics
    assert evaluation.epoch in (13, 14)


@pytest.mark.parametrize(("benchmark", "samples"), [("resnet", [8192]), ("minigo", [])])
@pytest.mark.parametrize("named_first", [True, False])
def test_games_are_no_samples_wherever_the_benchmark_is_named(
    benchmark: str, samples: list[int], named_first: bool
) -> None:
    header = [
        record(1, "submission_benchmark", f'"{benchmark}"'),
        record(1, "train_samples", "8192"),
    ]
    _, events = text(*header[:: 1 if named_first else -1], record(2, "run_start"))
    found = [e.value for e in events if isinstance(e, RunInfo) and e.name == "samples_per_epoch"]
    assert found == samples


def test_v06_without_a_time_and_with_two_accuracies() -> None:
    """Google's headers have the time 0.0; two parts stand in one more object."""
    card = scored(
        ':::MLL 0.0 submission_benchmark: {"value": "maskrcnn", "metadata": {"lineno": 0}}\n'
        ':::MLL 1560000001.500 run_start: {"value": null, "metadata": {"lineno": 2}}\n'
        ':::MLL 1560000003.750 eval_accuracy: {"value": {"accuracy": {"BBOX": 0.3775, '
        '"SEGM": 0.3425}}, "metadata": {"epoch_num": 13}}\n'
        ':::MLL 1560000011.625 run_stop: {"value": null, "metadata": {"status": "success"}}\n'
    )
    assert (card["status"], card["run"]["model"]) == ("converged", "maskrcnn")
    assert card["warnings"] == []
    assert card["dimensions"]["accuracy"]["value"] == 0.3775


def test_the_spelling_of_v05_states_its_own_target() -> None:
    name, events = text(
        ":::MLPv0.5.0 resnet 1540000000.927179813 (cnn.py:1271) run_start",
        ":::MLPv0.5.0 resnet 1540000002.927179813 (cnn.py:2688) preproc_num_train_examples: 1281167",
        ':::MLPv0.5.0 resnet 1540000003.000000000 (cnn.py:2038) eval_accuracy: {"epoch": 61, "value": 0.7495}',
        ":::MLPv0.5.0 resnet 1540000003.100000000 (cnn.py:2041) eval_target: 0.749",
        ':::MLPv0.5.0 resnet 1540000004.927181813 (cnn.py:2520) run_stop: {"success": true}',
    )
    assert name == "mlperf"
    assert ends(events) == [(4.000002, "finished")]
    assert ("target", "acc1>=0.749") in [
        (e.name, e.value) for e in events if isinstance(e, RunInfo)
    ]
    assert evaluations(events)[0].epoch == 61


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (': {"success": true}', "finished"),
        (': {"success": "true"}', "finished"),
        ("", "finished"),
        (': {"success": false}', "aborted"),
        (': {"success": "false"}', "aborted"),
    ],
)
def test_how_a_run_of_v05_ended(said: str, status: str) -> None:
    _, events = text(
        ":::MLPv0.5.0 ssd 1540000000.000000000 (ssd.py:306) run_start",
        ":::MLPv0.5.0 ssd 1540000004.000000000 (ssd.py:262) run_stop" + said,
    )
    assert ends(events) == [(4.0, status)]


def test_whose_batch_v05_states_is_unknown() -> None:
    """Some state the batch of the job under this name, some that of one device."""
    _, events = text(
        ":::MLPv0.5.0 resnet 1540000000.000000000 (log.py:49) run_start",
        ":::MLPv0.5.0 resnet 1540000001.000000000 (log.py:49) input_batch_size: 208",
    )
    assert not [e for e in events if isinstance(e, RunInfo) and e.name == "global_batch"]


@pytest.mark.parametrize(
    "line",
    [
        ':::MLLOG {"namespace": "", "time_ms": 17000',
        ":::MLLOG ",
        ":::MLLOG []",
        ':::MLLOG {"key": ["run_start"], "time_ms": "x"}',
        ':::MLLOG {"key": "eval_accuracy", "value": {"a": {"b": 1}}, "metadata": null, "time_ms": -5}',
        ':::MLLOG {"key": "eval_accuracy", "value": true, "metadata": [], "time_ms": 1e400}',
        ":::MLL x run_start: {",
        ":::MLPv0.5.0 resnet x (a:1) run_start",
        ":::MLLOG " + '{"a":' * 4000,
    ],
)
def test_broken_records_give_no_figure_and_no_crash(line: str) -> None:
    _, events = text(*RUN[:5], line, *RUN[5:])
    assert ends(events) == [(63.125, "finished")]
    assert len(evaluations(events)) == 1


def test_a_cut_record_is_a_warning_with_its_line() -> None:
    _, events = text(*RUN[:5], ':::MLLOG {"namespace": "", "time_ms": 17000', *RUN[5:])
    assert [(e.kind, e.at.line) for e in events if isinstance(e, Problem)] == [("broken_number", 6)]


def test_another_rank_in_front_of_a_record() -> None:
    _, events = text(*RUN[:-1], "12: step 7 loss 3.5 " + RUN[-1])
    assert ends(events) == [(63.125, "finished")]
