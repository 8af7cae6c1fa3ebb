"""MXNet: Module, Gluon, Horovod and NGC lines, and published figures of real logs."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Event,
    Metric,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
    Summary,
)
from tests.support.corpus import log, read, text
from tests.support.inputs.published import figure
from tests.support.logs import evaluations, iterations, scored


def scores(events: list[Event], name: str) -> list[float]:
    return [m.value for e in evaluations(events) for m in e.metrics if m.name == name]


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("INFO:root:Epoch[2] Batch [50]\tSpeed: 1234.50 samples/sec\tTrain-accuracy=0.25", 50),
        ("INFO:root:Epoch[2] Batch [20-40]\tSpeed: 1234.50 samples/sec\taccuracy=0.25", 40),
        ("2019-06-18 18:15:41,820 Node[0] Epoch[2] Batch [20-40]\tSpeed: 1234.5 samples/sec", 40),
        ("Epoch[2] Batch [49]\tSpeed: 1234.500000 samples/sec\taccuracy=0.001\tlr=0.1", 49),
        ("[1,3]<stderr>:2020-12-16 08:02:33,385:INFO: Epoch[2] Batch [0-19]\tSpeed: 1234.5 "
         "samples/sec\tLR: 0.001\t", 19),
        ("[Epoch 2][Batch 99], Speed: 1234.500 samples/sec, CrossEntropy=5.2,SmoothL1=2.8", 99),
        ("Iter[2] Batch [20]\tSpeed: 1234.50 samples/sec", 20),
    ],
)  # fmt: skip
def test_speedometers(line: str, step: int) -> None:
    name, events = text(line)
    (record,) = iterations(events)
    assert name == "mxnet"
    assert (record.epoch, record.step, record.throughput) == (2, step, 1234.5)
    assert (record.unit, record.scope) == ("samples/s", Scope.JOB)


def test_prefixes_keep_clock_and_rank() -> None:
    (record,) = iterations(
        text("2019-06-18 18:15:41,820 Node[3] Epoch[0] Batch [0-20]\tSpeed: 10 samples/sec")[1]
    )
    assert (record.at.time_us, record.at.rank) == (1_560_881_741_820_000, 3)


def test_a_line_repeated_for_every_metric_is_one_record() -> None:
    line = "Epoch[0] Batch [50]\tSpeed: 305.32 samples/sec\tTrain-{}=0.001016"
    assert len(iterations(text(line.format("accuracy"), line.format("top_k_accuracy_5"))[1])) == 1


def test_module_epoch() -> None:
    _, events = text(
        "INFO:root:Epoch[0] Train-accuracy=0.2",
        "INFO:root:Epoch[0] Time cost=4310.368",
        "INFO:root:Epoch[0] Validation-accuracy=0.172513",
        "INFO:root:Epoch[0] Validation-top_k_accuracy_5=0.386779",
        "INFO:root:Epoch[1] Validation-accuracy=0.25",
    )
    assert [e.train_time for e in events if isinstance(e, EpochEnd)] == [None, 4310.368]
    first, second = evaluations(events)
    assert (first.epoch, first.at.line) == (0, 3)
    assert first.metrics == (
        Metric("acc1", 0.172513, "fraction"),
        Metric("acc5", 0.386779, "fraction"),
    )
    assert (second.epoch, second.metrics) == (1, (Metric("acc1", 0.25, "fraction"),))


def test_gluon_classification() -> None:
    _, events = text(
        "[Epoch 4] training: accuracy=0.5",
        "[Epoch 4] speed: 8098 samples/sec\ttime cost: 163.092042",
        "[Epoch 4] validation: err-top1=0.25 err-top5=0.125",
        "[Epoch 5] train=0.467608 val=0.558900 loss=1.452417 time: 16.450441",
    )
    speed = next(e for e in events if isinstance(e, EpochEnd) and e.throughput)
    assert (speed.epoch, speed.throughput, speed.scope) == (4, 8098.0, Scope.JOB)
    assert speed.epoch_time == 163.092042
    errors, cifar = evaluations(events)
    assert errors.metrics[0] == Metric("err-top1", 0.25, "fraction", higher_is_better=False)
    assert (cifar.epoch, cifar.metrics) == (5, (Metric("acc1", 0.5589, "fraction"),))


def test_horovod_prints_a_batch_and_an_evaluation_twice() -> None:
    head = "[1,0]<stderr>:INFO:root:Epoch[4]"
    _, events = text(
        f"{head} Batch[100] Loss[6.968]",
        f"{head} Rank[0] Batch[100]\trmse=0.026110\tlr=0.006390",
        f"{head} Rank[0] Batch[1251]\tTime cost=411.50\tTrain-metric=0.02",
        f"{head}\tSpeed: 3114.92 samples/sec",
        f"{head} Rank[0]\tValidation-accuracy=0.329120\tValidation-top_k_accuracy_5=0.591300",
        f"{head} Rank[0]\tValidation-accuracy=0.329120\tValidation-top_k_accuracy_5=0.591300",
    )
    assert [(r.step, r.loss) for r in iterations(events)] == [(100, 6.968)]
    time, speed = (e for e in events if isinstance(e, EpochEnd))
    assert time.train_time == 411.5
    assert (speed.throughput, speed.scope) == (3114.92, Scope.JOB)
    (evaluation,) = evaluations(events)
    assert [m.value for m in evaluation.metrics] == [0.32912, 0.5913]


def test_detection_table() -> None:
    _, events = text(
        "[Epoch 9] Training cost: 1001.693, CrossEntropy=5.216,SmoothL1=2.832",
        "[Epoch 9] Validation: ",
        "~~~~ Summary metrics ~~~~",
        "=Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.166",
        " Average Precision  (AP) @[ IoU=0.50      | area=   all | maxDets=100 ] = 0.331",
        "person=28.6",
        "traffic light=4.1",
        "~~~~ MeanAP @ IoU=[0.50,0.95] ~~~~",
        "=16.6",
        "[Epoch 10][Batch 99], Speed: 89.952 samples/sec, CrossEntropy=10.077",
    )
    (evaluation,) = evaluations(events)
    assert evaluation.epoch == 9
    assert evaluation.metrics == (Metric("box", 0.166, "fraction"), Metric("MeanAP", 16.6, "%"))


def test_progress_bars() -> None:
    _, events = text(
        "Epoch 0, training loss 0.236:  10%|=         | 18/182 [00:29<04:26,  1.63s/it]",
        "Epoch 0, training loss 0.230:  10%|=         | 18/182 [00:30<04:26,  1.63s/it]",
        "Epoch 0, validation pixAcc: 0.960, mIoU: 0.491:   0%|      | 0/90 [00:03<?, ?it/s]",
        "Epoch 0, validation pixAcc: 0.971, mIoU: 0.874: 100%|======| 90/90 [00:34<00:00,  2it/s]",
    )
    (record,) = iterations(events)
    assert (record.step, record.steps, record.loss) == (18, 182, 0.236)
    (evaluation,) = evaluations(events)
    assert Metric("miou", 0.874, "fraction") in evaluation.metrics


@pytest.mark.parametrize(("stated", "speed"), [("8000", 40.0), ("-1", 85.0)])
def test_an_epochs_samples_and_time_go_before_the_rates_of_single_batches(
    stated: str, speed: float
) -> None:
    """Some scripts print the rate of every 100th batch alone: the epoch is far slower."""
    lines = [f"Namespace(batch_size=32, gpus='0,1', network='darknet53', num_samples={stated})"]
    for epoch in range(12):
        lines += [
            f"[Epoch {epoch}][Batch {batch}], LR: 1.00E-03, Speed: 85.000 samples/sec, ObjLoss=9.5"
            for batch in (99, 199)
        ]
        lines.append(f"[Epoch {epoch}] Training cost: 200.000, ObjLoss=9.250")
    card = scored("\n".join(lines) + "\n")
    assert card["dimensions"]["speed"]["value"] == pytest.approx(speed)
    assert card["run"]["samples_per_epoch"] == (8000 if stated == "8000" else None)


def test_gluonnlp_prints_thousands() -> None:
    _, events = text(
        "[step 49]\tmlm_loss= 7.50000\tmlm_acc=10.25\tnsp_loss= 0.69\tnsp_acc=50.00\t"
        "throughput=13.4K tks/s\tlr=0.0001000 time=2.10, latency=210.5 ms/batch"
    )
    (record,) = iterations(events)
    assert (record.step, record.throughput, record.unit) == (49, 13.4, "K tokens/s")


def test_ngc_runs_and_their_closing_table() -> None:
    start = "2020-12-16 08:02:11,659:INFO: Start with arguments Namespace(amp=True, arch='resnetv15', num_epochs=3)"
    _, events = text(
        f"[1,0]<stderr>:{start}",
        f"[1,1]<stderr>:{start}",
        "[1,0]<stderr>:2020-12-16 08:02:33,385:INFO: Epoch[0] Batch [0-19]\tSpeed: 9 samples/sec",
        "[1,1]<stderr>:2020-12-16 08:08:41,168:INFO: Experiment took: 389.5 sec",
        "[1,0]<stderr>:2020-12-16 08:08:41,168:INFO: Experiment took: 389.46 sec",
        "train.total_ips",
        "           |     96    |    128    |",
        "------------------------",
        "     1     |   387.07  |   390.5   |",
        "     8     |   2998.1  |   3001.0  |",
    )
    assert len([e for e in events if isinstance(e, RunStart)]) == 1
    assert [e.duration for e in events if isinstance(e, RunEnd)] == [389.46]
    facts = {e.name: e.value for e in events if isinstance(e, RunInfo)}
    assert facts == {"epochs_planned": 3, "model": "resnetv15", "precision": "amp"}
    cells = [e.metrics for e in events if isinstance(e, Summary)]
    assert [c[0] for c in cells] == [
        Metric("train.total_ips", v, "img/s") for v in (387.07, 390.5, 2998.1, 3001.0)
    ]


def test_published_error_of_resnet152() -> None:
    name, events = read(log("corpus/mxnet_module/tornadomeet_resnet152.log").read_bytes())
    assert name == "mxnet"
    assert f"{(1 - scores(events, 'acc1')[-1]) * 100:.2f}" == "22.25"
    assert f"{(1 - scores(events, 'acc5')[-1]) * 100:.2f}" == "6.42"
    assert evaluations(events)[-1].epoch == 108
    assert len(iterations(events)) == 109 * 100


@pytest.mark.parametrize(
    ("file", "metric", "last", "best"),
    [
        ("mxnet_module/tornadomeet_cifar_resnet164", "acc1", 0.952927, 0.953224),
        ("mxnet_gluon/gluoncv_cifar_resnet20_v1", "acc1", 0.92, 0.9214),
        ("mxnet_gluon/gluoncv_faster_rcnn_fpn_r101", "MeanAP", 40.8, None),
        ("mxnet_gluon/gluoncv_ssd512_resnet50_coco", "MeanAP", 30.2, None),
        ("mxnet_gluon/gluoncv_resnest14_horovod", "acc1", 0.75876, 0.75956),
        ("mxnet_gluon/gluoncv_psp_resnet101_voc_tqdmCR", "miou", 0.924, None),
    ],
)
def test_scores_of_complete_runs(file: str, metric: str, last: float, best: float | None) -> None:
    name, events = read(log(f"corpus/{file}.log").read_bytes())
    assert name == "mxnet"
    assert scores(events, metric)[-1] == last
    assert best is None or max(scores(events, metric)) == best


def test_a_mixup_run_adds_up() -> None:
    _, events = read(log("corpus/mxnet_gluon/gluoncv_resnet50_v1d_mixup.log").read_bytes())
    ends = [e for e in events if isinstance(e, EpochEnd)]
    assert f"{100 - scores(events, 'err-top1')[-1] * 100:.2f}" == "79.08"
    assert f"{sum(e.epoch_time or 0 for e in ends) / 3600:.3f}" == "14.906"
    speeds = [e.throughput for e in ends if e.throughput is not None]
    assert f"{sum(speeds) / len(speeds):.1f}" == "4943.7"


NGC = "Perf-2021-01/ResNet50V1.5/OtherReports/MxNet/logs/mxnet_gpu1_gpu8_{}.txt"


@pytest.mark.parametrize("case", ["fp32_bs96", "amp_bs128", "amp_bs192"])
def test_published_closing_tables(case: str) -> None:
    path = NGC.format(case)
    name, events = read(log(path).read_bytes())
    cells = [e.metrics[0] for e in events if isinstance(e, Summary)]
    one, eight = (m.value for m in cells if m.name == "train.total_ips")
    assert name == "mxnet"
    assert f"{one:.1f}" == figure(path, "throughput 1 GPU")
    assert f"{eight:.1f}" == figure(path, "throughput 8 GPU")


@pytest.mark.parametrize(("iterations_of_an_epoch", "samples"), [("None", 32000), ("500", None)])
def test_an_epoch_of_a_benchmark_is_not_the_number_of_examples(
    iterations_of_an_epoch: str, samples: int | None
) -> None:
    """NVIDIA's script trains `benchmark_iters` batches in an epoch, however many examples."""
    start = (
        "INFO: Start with arguments Namespace(arch='resnetv15', batch_size=768, "
        f"benchmark_iters={iterations_of_an_epoch}, num_epochs=3, num_examples=32000)"
    )
    line = "INFO: Epoch[0] Batch [0-19]\tSpeed: 3008.26 samples/sec\tLR: 0.1\t"
    events = text(start, line)[1]
    said = {event.name: event.value for event in events if isinstance(event, RunInfo)}
    assert said.get("samples_per_epoch") == samples
    assert said["epochs_planned"] == 3


def test_the_closing_line_of_gluoncvs_classifier() -> None:
    _, events = text(
        "INFO:root:Epoch[0] Batch [50]\tSpeed: 1234.500000 samples/sec\taccuracy=0.25\tlr=0.1",
        "INFO:root:[Epoch 0] speed: 1230 samples/sec\ttime cost: 90.250000",
        "INFO:root:Training time for 1 epochs: 95.500000 sec.",
    )
    assert [e.duration for e in events if isinstance(e, RunEnd)] == [95.5]
