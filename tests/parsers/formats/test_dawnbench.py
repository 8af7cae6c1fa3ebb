"""DAWNBench tables: epochs, hours, the target."""

from __future__ import annotations

from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.corpus import log, read, text
from tests.support.logs import epoch_ends as ends
from tests.support.logs import scores_by_epoch


def test_dawnbench() -> None:
    name, events = text(
        "epoch\thours\ttop1Accuracy\ttop5Accuracy",
        "0\t0.5\t7.040\t21.408",
        "1\t0.75\t13.872\t31.856",
        "2\t0.25\t20.000\t40.000",
    )
    assert name == "dawnbench"
    assert [(e.epoch, e.epoch_time) for e in ends(events)] == [(0, 1800.0), (1, 900.0), (2, None)]
    assert scores_by_epoch(events)[1] == (1, {"acc1": (13.872, "%"), "acc5": (31.856, "%")})


def test_the_columns_stand_in_any_order_and_one_accuracy_suffices() -> None:
    name, events = text("hours\tepoch\ttop1Accuracy", "0.5\t1\t51.91", "0.75\t2\t61.67")
    assert name == "dawnbench"
    assert [(e.epoch, e.epoch_time) for e in ends(events)] == [(1, 1800.0), (2, 900.0)]
    assert scores_by_epoch(events)[1] == (2, {"acc1": (61.67, "%")})


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
    assert not session.run.problems.counts


def test_dawnbench_corpus() -> None:
    name, events = read(log("corpus/dawnbench_tsv/fastai_resnet50_8xV100.log").read_bytes())
    epoch = next(e for e, metrics in scores_by_epoch(events) if metrics["acc5"][0] >= 93)
    hours = {e.epoch: {m.name: m.value for m in e.values}["hours"] for e in ends(events)}
    passed = sum(e.epoch_time or 0 for e in ends(events)[: (epoch or 0) + 1])
    assert (name, epoch, round(hours[epoch], 6)) == ("dawnbench", 41, 2.957533)
    assert round(passed) == 2 * 3600 + 57 * 60 + 27
