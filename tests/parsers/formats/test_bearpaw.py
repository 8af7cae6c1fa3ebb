"""Tables of pytorch-classification: rows, epochs, header."""

from __future__ import annotations

from tests.support.corpus import log, read, text
from tests.support.logs import scores_by_epoch


def test_bearpaw() -> None:
    name, events = text(
        "Learning Rate\tTrain Loss\tValid Loss\tTrain Acc.\tValid Acc.\t",
        "0.100000\t10.366303\t3.856963\t9.338829\t21.410000\t",
        "0.100000\t7.204135\tnan\t27.263189\t35.436001\t",
        "0.100000\tcut",
    )
    assert name == "bearpaw"
    found = scores_by_epoch(events)
    assert found[0] == (1, {"loss": (3.856963, ""), "acc1": (21.41, "%")})
    assert (found[1][0], str(found[1][1]["loss"][0])) == (2, "nan")
    assert len(found) == 2


def test_bearpaw_rows_without_a_header_are_no_table() -> None:
    name, events = text("0.1\t10.4\t3.9\t9.3\t21.4", "0.1\t7.2\t3.0\t27.3\t35.4")
    assert name == ""
    assert not scores_by_epoch(events)


def test_bearpaw_corpus() -> None:
    name, events = read(log("corpus/bearpaw_tsv/abn_resnet50_imagenet.log").read_bytes())
    accuracies = [metrics["acc1"][0] for _, metrics in scores_by_epoch(events)]
    assert (name, len(accuracies)) == ("bearpaw", 90)
    assert (round(max(accuracies), 2), round(accuracies[-1], 2)) == (76.88, 76.53)


def test_the_accuracy_of_poses_is_a_fraction() -> None:
    """pytorch-pose's table says `LR`."""
    name, events = text(
        "Epoch\tLR\tTrain Loss\tVal Loss\tTrain Acc\tVal Acc\t",
        "1.000000\t0.000250\t0.001100\t0.000900\t0.410000\t0.420000\t",
        "2.000000\t0.000250\t0.001000\t0.000800\t0.510000\t0.520000\t",
    )
    assert name == "bearpaw"
    assert scores_by_epoch(events)[1] == (2, {"loss": (0.0008, ""), "acc": (0.52, "")})
