"""Keras, fairseq, NVIDIA's Transformer, Caffe and the tables: what each line says."""

from __future__ import annotations

from statistics import fmean

import pytest

from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import (
    Evaluation,
    Event,
    RunEnd,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.corpus import log, read, text
from tests.support.logs import epoch_ends as ends
from tests.support.logs import facts, iterations


def evaluations(events: list[Event]) -> list[tuple[int | None, dict[str, tuple[float, str]]]]:
    return [
        (e.epoch, {m.name: (m.value, m.unit) for m in e.metrics})
        for e in events
        if isinstance(e, Evaluation)
    ]


def test_keras_bar_that_redraws_itself_with_backspaces() -> None:
    drawn = [
        "  32/7352 [..............................] - ETA: 53s - loss: 1.8157 - acc: 0.1875",
        "3712/7352 [==============>...............] - ETA: 1s - loss: 0.6500 - acc: 0.7200",
        "7352/7352 [==============================] - ETA: 0s - loss: 0.4700 - acc: 0.8000",
        "7352/7352 [==============================] - 3s 500us/sample - loss: 0.4642 - acc: 0.8089",
    ]
    bar = ("\b" * 80 + "\r").join(drawn)
    name, events = text("Epoch 1/10", bar, "Epoch 2/10", bar)
    assert name == "keras"
    assert facts(events) == {"epochs_planned": 10}
    assert [(e.epoch, e.step, e.loss) for e in iterations(events)[:3]] == [
        (1, 32, 1.8157),
        (1, 3712, 0.65),
        (1, 7352, 0.47),
    ]
    assert [(e.epoch, e.throughput, e.unit, e.scope, e.train_time) for e in ends(events)] == [
        (1, 2000.0, "samples/s", Scope.JOB, 3.0),
        (2, 2000.0, "samples/s", Scope.JOB, 3.0),
    ]


def test_keras_2_and_its_validation() -> None:
    _, events = text(
        "Epoch 1/2",
        "469/469 [==============================] - 5s 9ms/step - loss: 0.25 - accuracy: 0.92 "
        "- val_loss: 0.125 - val_accuracy: 0.9625 - val_top_k_categorical_accuracy: 0.99",
        "Epoch 2/2",
        "469/469 - 4s - loss: 0.125 - accuracy: 0.95 - val_loss: 0.0625 - val_accuracy: 0.975 "
        "- 4s/epoch - 9ms/step",
    )
    assert evaluations(events) == [
        (1, {"loss": (0.125, ""), "acc1": (0.9625, "fraction"), "acc5": (0.99, "fraction")}),
        (2, {"loss": (0.0625, ""), "acc1": (0.975, "fraction")}),
    ]
    assert [(e.epoch, e.epoch_time, e.train_time) for e in ends(events)] == [
        (1, 5.0, None),
        (2, 4.0, None),
    ]


def test_keras_3_bar_in_colour() -> None:
    def bar(step: int, clock: str, tail: str) -> str:
        return (
            f"\x1b[1m{step:3}/938\x1b[0m \x1b[32m━━━━\x1b[0m\x1b[37m━━━━\x1b[0m "
            f"\x1b[1m{clock}\x1b[0m 5ms/step - {tail}"
        )

    _, events = text(
        "Epoch 1/5",
        bar(12, "4s", "accuracy: 0.1 - loss: 2.5")
        + "\r"
        + bar(938, "0s", "accuracy: 0.9 - loss: 0.5")
        + "\r"
        + bar(938, "7s", "accuracy: 0.9 - loss: 0.5 - val_accuracy: 0.95 - val_loss: 0.25"),
    )
    assert [(e.step, e.loss, e.duration) for e in iterations(events)] == [(12, 2.5, 0.005)]
    assert [(e.epoch, e.epoch_time) for e in ends(events)] == [(1, 7.0)]
    assert evaluations(events) == [(1, {"acc1": (0.95, "fraction"), "loss": (0.25, "")})]


def test_keras_verbose_2() -> None:
    _, events = text(
        "Epoch 1/3",
        " - 12s - loss: 0.7500 - acc: 0.6500 - val_loss: 0.5000 - val_acc: 0.7000",
        "Epoch 2/3",
        " - 11s - loss: 0.5000 - acc: 0.7500 - val_loss: 0.2500 - val_acc: 0.8000",
        " - 1s - loss: 0.5000 - acc: broken",
    )
    assert [(e.epoch, e.epoch_time) for e in ends(events)[:2]] == [(1, 12.0), (2, 11.0)]
    assert evaluations(events)[1] == (2, {"loss": (0.25, ""), "acc1": (0.8, "fraction")})


def test_keras_time_history() -> None:
    _, events = text(
        "I0102 03:04:05.678901 140000000000000 keras_utils.py:145] TimeHistory: 12.50 seconds, "
        "2048.50 examples/second between steps 100 and 200"
    )
    (one,) = iterations(events)
    assert (one.step, one.throughput, one.unit, one.scope) == (200, 2048.5, "samples/s", Scope.JOB)
    assert one.duration == 0.125


def test_keras_corpus() -> None:
    name, events = read(log("corpus/keras/imirzadeh_keras_nohup.log").read_bytes())
    last = {m.name: m.value for m in ends(events)[-1].values}
    assert (name, ends(events)[-1].epoch, last) == ("keras", 10, {"loss": 0.0824, "acc": 0.9635})


def test_keras_that_only_failed_has_problems_and_no_figures() -> None:
    name, events = read(log("corpus/keras/chikako_openpose_keras_nohup.log").read_bytes())
    assert name == "keras"
    assert not iterations(events)
    assert not ends(events)


def test_fairseq_simple() -> None:
    inner = (
        "epoch 001:     50 / 1637 loss=7.500, nll_loss=6.250, ppl=76.5, wps=320047, ups=4.1, "
        "wpb=74822, bsz=2574, num_updates=50, lr=0.0005, gnorm=1.945, clip=36%, wall=25"
    )
    valid = "epoch 001 | valid on 'valid' subset | loss 4.500 | ppl 22.6 | num_updates 1632"
    whole = "epoch 001 | loss 6.623 | nll_loss 5.500 | ppl 45.25 | wps 320028 | ups 4.2"
    log_prefix = "2030-01-02 03:04:05 | INFO | {} | "
    new = text(
        log_prefix.format("fairseq_cli.train") + "training on 16 devices (GPUs/TPUs)",
        log_prefix.format("train_inner") + inner,
        log_prefix.format("valid") + valid,
        log_prefix.format("train") + whole,
        log_prefix.format("fairseq_cli.train") + "done training in 3600.5 seconds",
    )
    old = text(
        "| training on 16 GPUs",
        "| " + inner,
        "| " + valid,
        "| " + whole,
        "| done training in 3600.5 seconds",
    )
    for name, events in (new, old):
        assert name == "fairseq"
        assert facts(events) == {"devices": 16}
        (one,) = iterations(events)
        assert (one.epoch, one.step, one.steps, one.loss) == (1, 50, 1637, 7.5)
        assert (one.throughput, one.unit, one.scope) == (320047.0, "tokens/s", Scope.JOB)
        assert evaluations(events) == [(1, {"loss": (4.5, ""), "perplexity": (22.6, "")})]
        assert [(e.epoch, e.throughput) for e in ends(events)] == [(1, 320028.0)]
        assert [e.duration for e in events if isinstance(e, RunEnd)] == [3600.5]


def test_fairseq_json_has_its_numbers_in_strings() -> None:
    prefix = "[2030-01-02 03:04:05,678][{}][INFO] - "
    name, events = text(
        prefix.format("train_inner") + '{"epoch": 2, "update": 1.25, "loss": "3.5", "ppl": "11.31",'
        ' "wps": "361972", "num_updates": "10800", "lr": "0.0009", "gb_free": "20.1"}',
        prefix.format("valid") + '{"epoch": 2, "valid_loss": "2.5", "valid_ppl": "5.66", '
        '"valid_wps": "1.6e+06", "valid_num_updates": "50000"}',
        prefix.format("train") + '{"epoch": 2, "train_loss": "3.25", "train_wps": "362334"}',
        prefix.format("train_inner") + '{"epoch": 2, "update": 1.5, "loss": "3.5", "num_upd',
    )
    assert name == "fairseq"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.loss, one.throughput) == (2, 10800, 3.5, 361972.0)
    assert one.at.time_us == 1_893_553_445_678_000
    assert evaluations(events) == [(2, {"loss": (2.5, ""), "perplexity": (5.66, "")})]
    assert [(e.epoch, e.throughput) for e in ends(events)] == [(2, 362334.0)]


def test_fairseq_corpus() -> None:
    name, events = read(log("corpus/fairseq/adan_bert_pretrain_adan_hydra.log").read_bytes())
    epoch, metrics = evaluations(events)[-1]
    assert (name, epoch, metrics["loss"], metrics["perplexity"]) == (
        "fairseq",
        16,
        (1.903, ""),
        (3.74, ""),
    )


def test_nvidia_transformer() -> None:
    name, events = text(
        "| training on 8 GPUs",
        "Transformer | epoch 0 | step 10 |avg loss 16.121 |avg tokens 37260.500 |"
        "tokens/s 305604.405 |walltime 14.268 |",
        "Epoch time: 501.5",
        "Validation loss on subset valid: 4.75",
        "| Eval completed in: 7.79s | UNCASED BLEU 9.82",
        "| done training in 521.8 seconds",
        "Transformer | epoch 0 | step () |avg loss 4.779 |walltime 534.528 |",
    )
    assert name == "nv_transformer"
    (one,) = iterations(events)
    assert (one.epoch, one.step, one.loss) == (0, 10, 16.121)
    assert (one.throughput, one.unit, one.scope) == (305604.405, "tokens/s", Scope.JOB)
    assert evaluations(events) == [(0, {"loss": (4.75, "")}), (0, {"bleu": (9.82, "")})]
    assert [e.train_time for e in ends(events)] == [501.5]
    assert {m.name: m.value for e in events if isinstance(e, Summary) for m in e.metrics} == {
        "avg loss": 4.779,
        "walltime": 534.528,
    }


TRANSFORMER = "Perf/Transformer/OtherReports/PyTorch/logs"


@pytest.mark.parametrize(
    ("file", "warm_up", "published"),
    [
        ("A100_LOG/transformer_pytorch_bs5120_fp16_gpu8", 44, "286005"),
        ("V100_LOG/transformer_pytorch_bs5120_fp16_gpu8", 44, "208959"),
        ("V100_LOG/transformer_pytorch_bs5120_fp32_gpu8", 44, "65010.7"),
        ("V100_LOG/transformer_pytorch_bs5120_fp32_gpu1", 149, "9040.48"),
    ],
)
def test_nvidia_transformer_published_throughput(file: str, warm_up: int, published: str) -> None:
    name, events = read(log(f"{TRANSFORMER}/{file}").read_bytes())
    rates = [e.throughput for e in iterations(events) if e.throughput is not None]
    assert (name, f"{fmean(rates[warm_up:]):.6g}") == ("nv_transformer", published)


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


def test_dawnbench() -> None:
    name, events = text(
        "epoch\thours\ttop1Accuracy\ttop5Accuracy",
        "0\t0.5\t7.040\t21.408",
        "1\t0.75\t13.872\t31.856",
        "2\t0.25\t20.000\t40.000",
    )
    assert name == "dawnbench"
    assert [(e.epoch, e.epoch_time) for e in ends(events)] == [(0, 1800.0), (1, 900.0), (2, None)]
    assert evaluations(events)[1] == (1, {"acc1": (13.872, "%"), "acc5": (31.856, "%")})


def test_the_epoch_that_meets_dawnbenchs_target_counts_towards_its_time() -> None:
    session = Session("a.tsv", Settings(target=parse_target("acc5>=93", "--target")), formats())
    session.feed(
        b"epoch\thours\ttop1Accuracy\ttop5Accuracy\n"
        b"0\t0.5\t7.040\t21.408\n1\t0.75\t75.872\t93.256\n2\t1.25\t76.000\t93.500\n"
    )
    session.end()
    target = session.card().target
    assert target is not None
    assert (target["epoch"], target["time_to_train_s"]) == (1, 0.75 * 3600)
    assert not session.run.problem_counts


def test_dawnbench_corpus() -> None:
    name, events = read(log("corpus/dawnbench_tsv/fastai_resnet50_8xV100.log").read_bytes())
    epoch = next(e for e, metrics in evaluations(events) if metrics["acc5"][0] >= 93)
    hours = {e.epoch: {m.name: m.value for m in e.values}["hours"] for e in ends(events)}
    passed = sum(e.epoch_time or 0 for e in ends(events)[: (epoch or 0) + 1])
    assert (name, epoch, round(hours[epoch], 6)) == ("dawnbench", 41, 2.957533)
    assert round(passed) == 2 * 3600 + 57 * 60 + 27


def test_bearpaw() -> None:
    name, events = text(
        "Learning Rate\tTrain Loss\tValid Loss\tTrain Acc.\tValid Acc.\t",
        "0.100000\t10.366303\t3.856963\t9.338829\t21.410000\t",
        "0.100000\t7.204135\tnan\t27.263189\t35.436001\t",
        "0.100000\tcut",
    )
    assert name == "bearpaw"
    found = evaluations(events)
    assert found[0] == (1, {"loss": (3.856963, ""), "acc1": (21.41, "%")})
    assert (found[1][0], str(found[1][1]["loss"][0])) == (2, "nan")
    assert len(found) == 2


def test_bearpaw_rows_without_a_header_are_no_table() -> None:
    name, events = text("0.1\t10.4\t3.9\t9.3\t21.4", "0.1\t7.2\t3.0\t27.3\t35.4")
    assert name == ""
    assert not evaluations(events)


def test_bearpaw_corpus() -> None:
    name, events = read(log("corpus/bearpaw_tsv/abn_resnet50_imagenet.log").read_bytes())
    accuracies = [metrics["acc1"][0] for _, metrics in evaluations(events)]
    assert (name, len(accuracies)) == ("bearpaw", 90)
    assert (round(max(accuracies), 2), round(accuracies[-1], 2)) == (76.88, 76.53)
