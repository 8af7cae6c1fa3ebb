"""MLPerf records in their three spellings, alone and among a framework's own lines."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Event,
    Iteration,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    TargetReached,
)
from tests.support.corpus import log, read, text
from tests.support.logs import evaluations, only, scored


def record(ms: int, key: str, value: str = "null", about: str = "") -> str:
    return (
        f':::MLLOG {{"namespace": "", "time_ms": {ms}, "event_type": "POINT_IN_TIME", '
        f'"key": "{key}", "value": {value}, "metadata": {{"file": "train.py", "lineno": 1{about}}}}}'
    )


def ends(events: list[Event]) -> list[tuple[float | None, str]]:
    """Of the closing records; other programs' sentences stand beside them."""
    return [(e.duration, e.status) for e in only(events, RunEnd) if not e.sentence]


RUN = (
    record(1_700_000_000_000, "cache_clear", "true"),
    record(1_700_000_000_500, "submission_benchmark", '"resnet"'),
    record(1_700_000_001_000, "global_batch_size", "3264"),
    record(1_700_000_001_000, "train_samples", "1281167"),
    record(1_700_000_002_000, "run_start"),
    record(1_700_000_003_000, "epoch_start", about=', "epoch_num": 1'),
    record(1_700_000_063_250, "epoch_stop", about=', "epoch_num": 1'),
    record(1_700_000_064_000, "eval_accuracy", "0.76123", ', "epoch_num": 1'),
    record(1_700_000_065_125, "run_stop", about=', "status": "success"'),
)


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


@pytest.mark.parametrize(
    ("first", "numbers", "passed"),
    [
        (1, (0.5, 0.95), 0.95),  # counts from 0, although its epoch is called 1
        (1, (1.05, 1.5), 0.5),  # counts from that 1
        (0, (0.5, 1.25), 1.25),
        (1, (1, 2), None),  # whole epochs are counted by their labels
    ],
)
def test_the_part_of_an_epoch_that_was_trained(
    first: int, numbers: tuple[float, ...], passed: float | None
) -> None:
    _name, events = text(
        *RUN[:5],
        record(1_700_000_003_000, "epoch_start", about=f', "epoch_num": {first}'),
        *(
            record(1_700_000_010_000, "eval_accuracy", "0.1", f', "epoch_num": {number}')
            for number in numbers
        ),
        RUN[-1],
    )
    (end,) = [e for e in events if isinstance(e, RunEnd)]
    assert end.epochs == passed


def test_the_samples_that_the_end_states() -> None:
    stop = record(9_000, "run_stop", about=', "status": "success", "samples_count": 3072')
    _name, events = text(*RUN[:-1], stop)
    assert [e.samples for e in events if isinstance(e, RunEnd)] == [3072]


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


def test_an_error_rate_above_100_percent_is_no_warning() -> None:
    """The words that are wrong may outnumber those that were said; a share correct may not."""
    stop = record(1_700_000_065_125, "run_stop", about=', "status": "aborted"')
    for named, warned in (("rnnt", False), ("ssd", True)):
        benchmark = record(1_700_000_000_500, "submission_benchmark", f'"{named}"')
        above = record(1_700_000_064_000, "eval_accuracy", "1.0625", ', "epoch_num": 1')
        card = scored("\n".join([benchmark, RUN[4], above, stop]) + "\n")
        kinds = [warning["kind"] for warning in card["warnings"]]
        assert ("impossible_accuracy" in kinds) == warned


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


CORPUS = "corpus/mlperf_mllog"


@pytest.mark.parametrize(
    ("file", "minutes", "status", "quality"),
    [
        ("v0.5_Google_8xV100_tf_resnet_0", "137.98", "finished", 0.74994140625),
        ("v0.7_Google_tpuv3_jax_resnet_0", "0.478", "finished", 0.76074),
        ("v0.7_Intel_cpx8s_tf_resnet_1", "1146.583", "finished", 0.7592599987983704),
        ("v0.7_NVIDIA_dgxa100_pytorch_bert_1", "55.831", "finished", 0.7123026847839355),
        ("v0.7_NVIDIA_dgxa100_pytorch_transformer_6", "10.395", "finished", 0.2587392330169678),
        ("v0.7_NVIDIA_dgxa100_tf_minigo_0", "312.841", "finished", 0.578125),
        ("v1.0_Habana_gaudi_tf_resnet_0", "62.413", "finished", 0.7602799534797668),
        ("v2.0_Azure_a100x8_pytorch_maskrcnn_0", "44.123", "finished", 0.3789784558400752),
        ("v2.0_Baidu_a100x8_paddle_bert_6", "20.146", "aborted", 0.7199364834728595),
        ("v2.0_Habana_gaudi2_tf_resnet_0", "18.216", "finished", 0.7605859041213989),
        ("v2.0_MosaicML_a100x8_composer_resnet_0", "23.554", "finished", 0.7614200115203857),
        ("v5.0_GigaComputing_b200x8_nemo_llama2lora_0", "10.902", "finished", 0.9216858086558436),
        ("v5.0_GigaComputing_b200x8_nemo_llama2lora_4", "9.451", "finished", 0.9248647524442287),
    ],
)
def test_published_run_times(file: str, minutes: str, status: str, quality: float) -> None:
    name, events = read(log(f"{CORPUS}/{file}.log").read_bytes())
    assert name == "mlperf"
    ((duration, said),) = ends(events)
    assert duration is not None
    digits = len(minutes.partition(".")[2])
    assert (
        abs(duration / 60 - float(minutes)) <= 0.5 * 10**-digits + 1e-9
        or f"{duration / 60:.{digits + 1}f}"[:-1] == minutes
    )
    assert said == status
    assert evaluations(events)[-1].metrics[0].value == quality


@pytest.mark.parametrize(
    ("stem", "published"),
    [
        ("v0.7_NVIDIA_dgxa100_mxnet_resnet", 39.78),
        ("v2.0_Azure_a100x8_hugectr_dlrm", 1.8490666666666666),
        ("v2.0_Azure_a100x8_mxnet_resnet", 29.37418888888889),
        ("v5.0_GigaComputing_b200x8_pytorch_retinanet", 22.5599944444),
    ],
)
def test_published_results_of_five_runs(stem: str, published: float) -> None:
    seconds = []
    for number in range(5):
        _, events = read(log(f"{CORPUS}/{stem}_{number}.log").read_bytes())
        ((duration, _),) = ends(events)
        assert duration is not None
        seconds.append(duration)
    kept = sorted(seconds)[1:-1]
    minutes = sum(kept) / len(kept) / 60
    assert minutes == pytest.approx(published, abs=0.005 if published == 39.78 else 1e-9)


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


def _detection_run(rates: tuple[float, float], local: int = 16, samples: int = 500) -> list[Event]:
    """A detection run of two epochs of 100 and 10 seconds, the second cut by the end."""
    t = 1_700_000_000_000
    _, events = text(
        record(t, "submission_benchmark", '"ssd"'),
        record(t, "local_batch_size", str(local)),
        record(t, "global_batch_size", "64"),
        record(t, "run_start"),
        record(t, "train_samples", str(samples)),
        record(t, "epoch_start", about=', "epoch_num": 0'),
        record(t + 100_000, "epoch_stop", about=', "epoch_num": 0'),
        record(t + 100_000, "tracked_stats", f'{{"throughput": {rates[0]}}}'),
        record(t + 100_000, "epoch_start", about=', "epoch_num": 1'),
        record(t + 110_000, "epoch_stop", about=', "epoch_num": 1'),
        record(t + 110_000, "tracked_stats", f'{{"throughput": {rates[1]}}}'),
        record(t + 111_000, "run_stop", about=', "status": "success"'),
    )
    return events


@pytest.mark.parametrize(
    ("rate", "local", "samples", "scope"),
    [
        (80.5, 16, 500, Scope.DEVICE),  # 16 * 500 in 100 s
        (88.0, 16, 500, Scope.DEVICE),
        (88.5, 16, 500, Scope.JOB),
        (320.0, 16, 500, Scope.JOB),  # 64 * 500
        (5.0, 1, 500, Scope.JOB),  # the 500 may be samples of the job
        (0.5, 1, 50, Scope.DEVICE),  # fewer than one batch: they are batches
        (320.0, 64, 500, Scope.JOB),  # one device is the job
    ],
)
def test_the_rate_of_one_device(rate: float, local: int, samples: int, scope: Scope) -> None:
    """Whose a rate is follows from the samples and the time of an epoch, also for a cut one."""
    found = only(_detection_run((rate, rate), local, samples), EpochEnd)
    assert [(e.throughput, e.scope) for e in found if e.throughput] == [(rate, scope)] * 2


@pytest.mark.parametrize(
    ("named", "unit"), [("bert", "samples/s"), ("gpt3", "tokens/s"), ("minigo", None)]
)
def test_what_a_rate_counts(named: str, unit: str | None) -> None:
    lines = [*RUN[:6], record(1_700_000_063_000, "throughput", "1234.5"), *RUN[6:]]
    lines[1] = record(1_700_000_000_500, "submission_benchmark", f'"{named}"')
    found = [e.unit for e in only(text(*lines)[1], Iteration) if e.throughput]
    assert found == ([] if unit is None else [unit])


@pytest.mark.parametrize("number", [10_000, 10_001])
def test_samples_in_the_place_of_an_epoch(number: int) -> None:
    found = evaluations(
        text(
            *RUN[:6],
            record(1_700_000_063_000, "eval_accuracy", "0.5", f', "epoch_num": {number}'),
        )[1]
    )
    is_epoch = number == 10_000
    expected = (number, None) if is_epoch else (None, number)
    assert [(e.epoch, e.step) for e in found] == [expected]


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


def test_a_rate_after_the_end_does_not_take_it_back() -> None:
    """It is that of the whole run, whose only epoch has no record of its own."""
    bert = [record(1_700_000_000_500, "submission_benchmark", '"bert"'), *RUN[2:3], *RUN[4:6]]
    bert += [record(1_700_000_063_250, "epoch_stop", about=', "epoch_num": 98765')]
    stop = record(1_700_000_065_125, "run_stop", about=', "status": "success"')
    rate = record(1_700_000_065_130, "tracked_stats", '{"throughput": 1580.25}')
    card = scored("\n".join([*bert, stop, rate, rate]) + "\n")
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 63.125)
    assert card["dimensions"]["speed"]["value"] == 1580.25


def test_a_rate_after_the_end_of_a_run_without_epochs_is_its_closing_figure() -> None:
    """GPT-3 counts samples; a rate that comes after the freeze is named, not taken."""
    lines = (
        record(1_700_000_000_500, "submission_benchmark", '"gpt3"'),
        record(1_700_000_002_000, "run_start"),
        record(1_700_000_900_000, "eval_accuracy", "2.68", ', "epoch_num": 1154000'),
        record(1_700_000_901_000, "run_stop", about=', "status": "success"'),
        record(1_700_000_902_000, "tracked_stats", '{"throughput": 5.25}'),
    )
    speed = scored("".join(f"{line}\n" for line in lines))["dimensions"]["speed"]
    assert speed["value"] is None
    assert speed["reason"].endswith(
        "its closing line has one: --records summary --metric throughput"
    )


def test_the_time_of_an_iteration_where_no_rate_is_printed() -> None:
    """3264 samples in 0.5 s, where no epoch has its time; a log with rates needs no times."""
    time = record(1_700_000_030_000, "tracked_stats", '{"train_step_time": 0.5}')
    rate = record(1_700_000_029_000, "tracked_stats", '{"throughput": 6000.0}')
    card = scored("\n".join([*RUN[:5], time, *RUN[7:]]) + "\n")
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (6528, "samples/s")
    rated = only(text(*RUN[:6], rate, time, *RUN[6:])[1], Iteration)
    assert [(i.throughput, i.duration) for i in rated] == [(6000, None)]


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


@pytest.mark.parametrize(("passed", "epochs"), [("0.95", 0), ("1", 1)])
def test_a_part_of_an_epoch_is_no_whole_one(passed: str, epochs: int) -> None:
    """The rate after the end closes the epoch that the end cut short."""
    card = scored(
        "\n".join(
            [
                *RUN[:5],
                record(1_700_000_003_000, "epoch_start", about=', "epoch_num": 0'),
                record(1_700_000_063_000, "epoch_stop", about=f', "epoch_num": {passed}'),
                record(
                    1_700_000_063_000,
                    "run_stop",
                    about=f', "status": "success", "epoch_num": {passed}',
                ),
                record(1_700_000_063_001, "tracked_stats", '{"throughput": 20000.5}'),
                "",
            ]
        )
    )
    assert (card["run_end"]["epochs"], card["status"]) == (epochs, "finished")


@pytest.mark.parametrize(
    ("evaluated", "epochs"),
    [
        (((0, 0.2), (1, 0.3)), 2),  # once in each epoch, and the last time at its end
        (((0, 0.2), (1, 0.25), (1, 0.3)), 1),  # within the last epoch
        (((0, 0.2), (0, 0.3)), 1),  # of the one before, in the midst of the last
        (((0, 0.2),), 1),
    ],
)
def test_the_last_epoch_is_over_if_it_was_evaluated(
    evaluated: tuple[tuple[int, float], ...], epochs: int
) -> None:
    """MLPerf's SSD evaluates an epoch, ends the run, and then says that the epoch is over."""
    t = 1_700_000_000_000
    lines = [*RUN[:5], record(t + 3000, "epoch_start", about=', "epoch_num": 0')]
    for n, (epoch, value) in enumerate(evaluated):
        at = t + 60_000 * (n + 1)
        lines.append(record(at, "eval_accuracy", str(value), f', "epoch_num": {epoch}'))
        if n == 0:
            lines.append(record(at + 1000, "epoch_stop", about=', "epoch_num": 0'))
            lines.append(record(at + 2000, "epoch_start", about=', "epoch_num": 1'))
    lines.append(record(t + 900_000, "run_stop", about=', "status": "success"'))
    lines.append(record(t + 900_001, "epoch_stop", about=', "epoch_num": 1'))
    card = scored("\n".join(lines) + "\n")
    assert (card["run_end"]["epochs"], card["status"]) == (epochs, "finished")


@pytest.mark.parametrize(("last", "epochs"), [(5_700, 1), (5_900, 2)])
def test_an_epoch_that_begins_while_the_one_before_is_evaluated_is_none(
    last: int, epochs: int
) -> None:
    """The result ends the run in the next epoch, which numbers the epochs from 0."""
    t = 1_700_000_000_000
    lines = [
        *RUN[:5],
        record(t, "epoch_start", about=', "epoch_num": 0'),
        record(t + 58_000, "epoch_stop", about=', "epoch_num": 0'),
        record(t + 60_000, "epoch_start", about=', "epoch_num": 1'),
        record(t + 60_000 + last - 1, "eval_accuracy", "0.3", ', "epoch_num": 1'),
        record(t + 60_000 + last, "run_stop", about=', "status": "success"'),
        record(t + 60_000 + last, "epoch_stop", about=', "epoch_num": 1'),
    ]
    card = scored("\n".join(lines) + "\n")
    assert (card["run_end"]["epochs"], card["run"]["epochs"]) == (epochs, epochs)


@pytest.mark.parametrize(("after", "rate"), [(False, 20.0), (True, None)])
def test_the_samples_after_the_end_are_those_of_the_run(after: bool, rate: float | None) -> None:
    """HugeCTR counts what it trained, here nine tenths of an epoch."""
    t = 1_700_000_000_000
    samples = record(t, "train_samples", "1000")
    begin = [record(t, "run_start"), record(t, "submission_benchmark", '"dlrm"')]
    run = [
        record(t, "epoch_start", about=', "epoch_num": 1'),
        record(t + 45_000, "tracked_stats", '{"throughput": 22.0}'),
        record(t + 45_000, "eval_accuracy", "0.8", ', "epoch_num": 1.9'),
        record(t + 45_000, "run_stop", about=', "status": "success"'),
    ]
    lines = [*begin, *run, samples] if after else [*begin, samples, *run]
    card = scored("\n".join(lines) + "\n")
    assert card["end_to_end"]["value"] == (rate and pytest.approx(rate))  # 900 samples in 45 s
    assert card["run"].get("samples_per_epoch") == (None if after else 1000)


@pytest.mark.parametrize("closed", [False, True])
def test_an_epoch_that_the_end_of_the_run_leaves_open_is_none(closed: bool) -> None:
    """Mask R-CNN is evaluated while the next epoch trains, which the result then stops."""
    t = 1_700_000_000_000
    stop = [record(t + 120_000, "epoch_stop", about=', "epoch_num": 2')] if closed else []
    lines = [
        *RUN[:5],
        record(t, "epoch_start", about=', "epoch_num": 1'),
        record(t + 60_000, "epoch_stop", about=', "epoch_num": 1'),
        record(t + 60_000, "epoch_start", about=', "epoch_num": 2'),
        record(t + 60_100, "tracked_stats", '{"throughput": 22.0}'),
        record(t + 110_000, "eval_accuracy", "0.3", ', "epoch_num": 1'),
        *stop,
        record(t + 120_000, "run_stop", about=', "status": "success"'),
    ]
    card = scored("\n".join(lines) + "\n")
    assert (card["status"], card["run_end"]["epochs"]) == ("finished", 1 + closed)


def test_evaluations_that_count_from_1_are_of_the_run_s_first_epochs() -> None:
    """MiniGo's first epoch is 18; its models are evaluated after the run, and count from 1."""
    t = 1_700_000_000_000
    lines = [record(t, "run_start"), record(t, "submission_benchmark", '"minigo"')]
    for n in range(30):
        lines.append(record(t + 10_000 * n, "epoch_start", about=f', "epoch_num": {18 + n}'))
        stop = record(t + 10_000 * (n + 1), "epoch_stop", about=f', "epoch_num": {18 + n}')
        lines.append(stop)
    for n in range(1, 26):  # the 25th reaches the target
        rate = 0.02 * n + 0.01
        lines.append(record(t + 400_000, "eval_accuracy", f"{rate:.2f}", f', "epoch_num": {n}'))
    lines.append(record(t + 250_000, "run_stop", about=', "status": "success"'))
    card = scored("\n".join(lines) + "\n")
    assert (card["run"]["epochs"], card["target"]["epoch"]) == (25, 42)
