"""PaddleDetection: progress lines, and tables of the evaluation."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Scope
from tests.support.corpus import text
from tests.support.logs import facts, scored

STEP = (
    "[08/19 15:49:{second:02}] ppdet.engine INFO: {before}Epoch: [{epoch}] [ {step:2}/80] "
    "learning_rate: 0.000645 loss_cls: 1.155822 loss_bbox: 1.589260 loss: 2.745082 eta: 0:37:18 "
    "batch_cost: {seconds:.4f} data_cost: 0.0503 ips: {ips:.4f} images/s{after}"
)
TABLE = (
    " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = {mean:.3f}",
    " Average Precision  (AP) @[ IoU=0.50      | area=   all | maxDets=100 ] = 0.690",
    " Average Precision  (AP) @[ IoU=0.50:0.95 | area= small | maxDets=100 ] = 0.210",
    " Average Recall     (AR) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.530",
)


def step(epoch: int, number: int, seconds: float = 0.5, before: str = "", after: str = "") -> str:
    return STEP.format(
        second=number // 2,
        before=before,
        epoch=epoch,
        step=number,
        seconds=seconds,
        ips=6 / seconds,
        after=after,
    )


@pytest.mark.parametrize("before", ["", " 41/4000 iters "])
@pytest.mark.parametrize("after", ["", " max_mem_reserved: 9120 MB, max_mem_allocated: 8311 MB"])
def test_a_line_is_of_one_card(before: str, after: str) -> None:
    name, events = text(*(step(0, n, 0.4, before, after) for n in (0, 20, 40)))
    *_, last = (e for e in events if isinstance(e, Iteration))
    assert name == "paddledetection"
    assert (last.epoch, last.step, last.steps, last.loss) == (0, 40, 80, 2.745082)
    assert (last.throughput, last.unit, last.scope) == (15.0, "img/s", Scope.DEVICE)
    assert last.duration == 0.4


def test_boxes_and_masks_are_evaluated_one_after_the_other() -> None:
    lines = ["    |                PADDLE_TRAINERS_NUM                  4                     |"]
    for epoch, box, mask in ((0, 0.21, 0.19), (1, 0.35, 0.31), (2, 0.34, 0.32)):
        lines += [step(epoch, n) for n in (0, 20, 40, 60)]
        for kind, mean in (("bbox", box), ("mask", mask)):
            lines.append(
                f"[08/19 15:49:40] ppdet.metrics.metrics INFO: The {kind} result is saved to "
                f"{kind}.json."
            )
            lines += [row.format(mean=mean) for row in TABLE]
        lines.append("[08/19 15:49:41] ppdet.engine INFO: Best test bbox ap is 0.350.")
    name, events = text(*lines)
    found = [
        (e.epoch, m.name, m.value) for e in events if isinstance(e, Evaluation) for m in e.metrics
    ]
    assert name == "paddledetection"
    assert found[-2:] == [(2, "box", 0.34), (2, "mask", 0.32)]
    assert facts(events)["devices"] == 4
    card = scored("\n".join(lines) + "\n")
    accuracy, speed = (card["dimensions"][which] for which in ("accuracy", "speed"))
    assert (accuracy["value"], accuracy["best"]) == (0.34, 0.35)
    assert (speed["value"], speed["unit"], speed["scope"]) == (12.0, "img/s", "per device")


def test_pascal_voc() -> None:
    _, events = text(
        *(step(3, n) for n in (0, 20, 40, 60)),
        "[08/19 15:49:40] ppdet.metrics.metrics INFO: mAP(0.50, 11point) = 75.42%",
    )
    (evaluation,) = (e for e in events if isinstance(e, Evaluation))
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [("map", 75.42, "%")]
    assert evaluation.epoch == 3
