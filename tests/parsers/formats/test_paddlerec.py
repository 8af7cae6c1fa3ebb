"""PaddleRec lines of both trainers."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Iteration, Metric, RunInfo, RunStart, Scope
from tests.support.corpus import log, read, text

EPOCH = (
    "2021-02-22 02:24:42,697 - INFO - Epoch: 2, using time 66.915626049 second, "
    "ips 82191.6243594 example/sec."
)


def test_a_parameter_servers_epoch() -> None:
    name, events = text(
        "2021-02-22 02:20:56,218 - INFO - Run Worker Begin",
        "I0222 02:20:56.403555  6801 communicator.h:205] trainers: 16",
        "Epoch 2 Var auc\tauc_0.tmp_0\t  - place: CPUPlace",
        "  - shape: [1]",
        "  - data: [0.532758]",
        EPOCH,
    )
    (end,) = (e for e in events if isinstance(e, EpochEnd))
    assert name == "paddlerec"
    assert isinstance(events[0], RunStart)
    assert [(e.name, e.value) for e in events if isinstance(e, RunInfo)] == [("devices", 16)]
    assert (end.epoch, end.train_time, end.throughput) == (2, 66.915626049, 82191.6243594)
    assert (end.unit, end.scope) == ("samples/s", Scope.DEVICE)
    assert end.values == (Metric("auc", 0.532758),)


def test_the_single_machine_trainer() -> None:
    name, events = text(
        "2022-01-01 10:00:00,000 - INFO - epoch: 0, batch_id: 10, auc:0.512000, loss:[0.69315],"
        " avg_reader_cost: 0.00012 sec, avg_batch_cost: 0.01250 sec, avg_samples: 512.00000, "
        "ips: 40960.00000 ins/s",
        "2022-01-01 10:01:00,000 - INFO - epoch: 0 done, auc: 0.771234,loss:[0.45],"
        " epoch time: 60.25 s",
    )
    (record,) = (e for e in events if isinstance(e, Iteration))
    (end,) = (e for e in events if isinstance(e, EpochEnd))
    assert name == "paddlerec"
    assert (record.epoch, record.step, record.loss) == (0, 10, 0.69315)
    assert (record.throughput, record.unit, record.duration) == (40960.0, "ins/s", 0.0125)
    assert (end.epoch, end.epoch_time) == (0, 60.25)
    assert Metric("auc", 0.771234) in end.values


def test_the_trainers_shares_add_up_to_one_data_set() -> None:
    totals = set()
    for trainers in (8, 16):
        path = f"Perf/WideDeep/logs/WideDeep_DataSet_16Thread_{trainers}Node"
        name, events = read(log(path).read_bytes())
        ends = [e for e in events if isinstance(e, EpochEnd)]
        facts = [e.value for e in events if isinstance(e, RunInfo) and e.name == "devices"]
        assert (name, facts) == ("paddlerec", [trainers])
        assert [e.epoch for e in ends] == [0, 1, 2]
        totals |= {round((e.throughput or 0) * (e.train_time or 0)) * trainers for e in ends}
    assert totals == {43_999_232}


def test_inference_after_the_training_is_none() -> None:
    step = (
        "2022-04-12 {clock},849 - INFO - epoch: {epoch}, batch_id: {step}, AUC:0.5, {loss}"
        "avg_reader_cost: 0.0 sec, avg_batch_cost: 0.5 sec, avg_samples: 1024.0, ips: 2048.0 ins/s\n"
    )
    train = "".join(
        step.format(clock=f"17:0{epoch}:10", epoch=epoch, step=100, loss="loss:0.5, ")
        for epoch in range(3)
    )
    infer = "2022-04-12 18:00:00,577 - INFO - load model epoch 1\n" + "".join(
        step.format(clock=f"18:0{epoch}:10", epoch=epoch, step=0, loss="") for epoch in (1, 2)
    )
    _name, events = text(train + infer)
    assert len([e for e in events if isinstance(e, Iteration)]) == 3
