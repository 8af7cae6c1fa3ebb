"""CSRA lines, and the published precision of a real run."""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, Metric
from tests.support.corpus import log, read, text
from tests.support.logs import facts, scored

TRAIN = "Epoch 3[1616/5011]: loss:0.03863, lr:0.01000, batch time:0.3098, data time:0.0002"


def test_one_epoch() -> None:
    name, events = text(
        TRAIN,
        "Epoch 3 training ends, total 99.05s",
        "Test on Epoch 3",
        "mAP: 0.936143",
        "CP: 0.885849, CR: 0.846264, CF1 :0.865604",
    )
    (record,) = (e for e in events if isinstance(e, Iteration))
    (end,) = (e for e in events if isinstance(e, EpochEnd))
    (evaluation,) = (e for e in events if isinstance(e, Evaluation))
    assert name == "csra"
    assert (record.epoch, record.step, record.steps, record.loss) == (3, 1616, 5011, 0.03863)
    assert record.duration == 0.3098
    assert (end.epoch, end.train_time) == (3, 99.05)
    assert (evaluation.epoch, evaluation.metrics) == (3, (Metric("map", 0.936143, "fraction"),))


def test_published_precision() -> None:
    name, events = read(log("corpus/paddle/csra_paddle_voc07.log").read_bytes())
    precisions = [e.metrics[0].value for e in events if isinstance(e, Evaluation)]
    assert name == "csra"
    # 94.697 at the eleventh evaluation, as the repository's README says.
    assert precisions.index(max(precisions)) == 10
    assert f"{max(precisions) * 100:.3f}" == "94.697"


def test_the_speed_is_that_of_the_samples_of_an_epoch() -> None:
    _name, events = text(TRAIN, "Epoch 3 training ends, total 99.05s")
    assert facts(events) == {"samples_per_epoch": 5011}
    lines = "".join(
        f"Epoch {e}[16/5011]: loss:0.05, lr:0.01, time:0.3000\n"
        f"Epoch {e}[1616/5011]: loss:0.05, lr:0.01, time:0.3000\n"
        f"Epoch {e} training ends, total 100.22s\n"
        for e in range(1, 4)
    )
    speed = scored(lines)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (50, "samples/s")  # 5011 / 100.22
