"""YOLOX: a finished run of two epochs."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Iteration, RunEnd
from tests.support.logs import detected, facts, only, read, scored

START = "args: Namespace(experiment_name='s', batch_size=64, devices=8, num_machines=1)\n"
STEP = (
    "epoch: {e}/2, iter: {i}/40, mem: 1491Mb, iter_time: 0.5s, data_time: 0.002s, "
    "total_loss: {loss}, iou_loss: 1.9, lr: 7.073e-06, size: 640, ETA: 1:54:15\n"
)
COCO = "Average Precision  (AP) @[ IoU=0.50{to} | area=   all | maxDets=100 ] = {value}\n"
END = "Training of experiment is done and the best AP is 41.25\n"


def run(evaluation: str = "") -> str:
    steps = "".join(
        f"---> start train epoch{e}\n"
        + "".join(STEP.format(e=e, i=i, loss=10 - e) for i in (10, 20, 30, 40))
        + evaluation.format(e=e)
        for e in (1, 2)
    )
    return START + "Training start...\n" + steps + END


def test_a_run() -> None:
    text = run()
    assert detected(text) == "yolox"
    events = read(text, "yolox")
    assert facts(events) == {"global_batch": 64, "devices": 8, "epochs_planned": 2}
    last = only(events, Iteration)[-1]
    assert (last.epoch, last.step, last.steps, last.duration, last.loss) == (2, 40, 40, 0.5, 8)
    assert len(only(events, RunEnd)) == 1
    card = scored(text)
    assert card["dimensions"]["speed"]["value"] == 128  # 64 images in half a second
    assert card["run"]["epochs"] == 2


def test_the_best_ap_counts_where_the_log_has_no_other() -> None:
    accuracy = scored(run())["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["unit"]) == ("best_ap", 41.25, "%")
    table = COCO.format(to=":0.95", value="0.3{e}5") + COCO.format(to="     ", value="0.6{e}0")
    text = run(table)
    scores = [(e.epoch, e.metrics[0].value) for e in only(read(text, "yolox"), Evaluation)]
    assert scores == [(1, 0.315), (2, 0.325)]
    assert scored(text)["dimensions"]["accuracy"]["value"] == 0.325


def test_a_run_that_breaks_off_prints_the_closing_line_too() -> None:
    text = START + STEP.format(e=1, i=10, loss=9) + END.replace("41.25", "0.00")
    card = scored(text + "RuntimeError: CUDA out of memory. Tried to allocate 282.00 MiB\n")
    assert (card["status"], card["run"]["epochs"], card["run"]["epochs_planned"]) == (
        "failed",
        0,
        2,
    )
    assert card["dimensions"]["accuracy"]["value"] is None
    interrupted = scored(START + STEP.format(e=1, i=40, loss=9) + END)
    assert interrupted["status"] == "incomplete"
    assert interrupted["dimensions"]["accuracy"]["value"] == 41.25


def test_no_device_is_named_by_a_zero() -> None:
    text = run().replace("devices=8", "devices=0")
    assert "devices" not in facts(read(text, "yolox"))


def test_the_devices_of_several_machines() -> None:
    for machines, devices in ((1, 8), (2, 16)):
        text = START.replace("num_machines=1", f"num_machines={machines}")
        assert facts(read(text, "yolox")) == {"global_batch": 64, "devices": devices}


TRACEBACK = "Traceback (most recent call last):\nTypeError: 'list' object is not callable\n"
SETTINGS = "".join(f"│ setting_{n:03} │ {n} │\n" for n in range(400))  # more than 8192 bytes


def test_a_start_after_one_that_failed_before_it_trained_has_not_failed() -> None:
    """What the failed program had in its buffer may follow its traceback: 8192 bytes at most."""
    failed = START + END.replace("41.25", "0.00") + TRACEBACK
    assert len(SETTINGS.encode()) > 8192
    assert scored(failed)["status"] == "failed"
    assert scored(failed + START)["status"] == "failed"
    assert scored(failed + SETTINGS)["status"] == "failed"
    assert scored(failed + START + SETTINGS)["status"] == "incomplete"
    assert scored(failed + START + SETTINGS + TRACEBACK)["status"] == "failed"
