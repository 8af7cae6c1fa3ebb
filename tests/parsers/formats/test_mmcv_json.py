"""OpenMMLab's JSON logs."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration, RunStart
from tests.support.logs import detected, only, read, real, score, scored


def test_training_record() -> None:
    line = (
        '{"mode": "train", "epoch": 1, "iter": 50, "lr": [0.1], "memory": 129, '
        '"data_time": 0.007, "loss": 5.5, "time": 0.25}\n'
    )
    (iteration,) = only(read(line, "mmcv-json"), Iteration)
    assert (iteration.epoch, iteration.step) == (1, 50)
    assert (iteration.loss, iteration.duration) == (5.5, 0.25)
    assert [m.name for m in iteration.values] == ["memory", "data_time"]


def test_validation_record() -> None:
    line = (
        '{"mode": "val", "epoch": 13, "iter": 16000, "lr": 5e-05, "mIoU": 0.4, "mAcc": 0.5, '
        '"IoU.wall": 0.7, "bbox_mAP_copypaste": "0.4 0.6"}\n'
    )
    (evaluation,) = only(read(line, "mmcv-json"), Evaluation)
    assert evaluation.epoch == 13
    assert [(m.name, m.value) for m in evaluation.metrics] == [("miou", 0.4), ("mAcc", 0.5)]


def test_mmengine_scalars() -> None:
    text = (
        '{"lr": 0.1, "data_time": 0.1, "loss": 6.5, "time": 0.5, "epoch": 1, "iter": 100, '
        '"memory": 99, "step": 100}\n'
        '{"coco/bbox_mAP": 0.354, "data_time": 0.01, "time": 0.02, "step": 1}\n'
    )
    events = read(text, "mmcv-json")
    (iteration,), (evaluation,) = only(events, Iteration), only(events, Evaluation)
    assert (iteration.epoch, iteration.step, iteration.duration) == (1, 100, 0.5)
    assert (evaluation.step, score(evaluation, "box")) == (1, 0.354)
    assert detected(text) == "mmcv-json"


def test_a_training_record_of_mmengine_without_iter_is_no_evaluation() -> None:
    text = (
        '{"lr": 0.1, "data_time": 0.1, "loss": 2.5, "time": 0.5, "epoch": 1, "step": 10}\n'
        '{"bbox_mAP": 0.25, "data_time": 0.1, "time": 0.7, "step": 1}\n'
        '{"lr": 0.1, "data_time": 0.1, "loss": 1.5, "time": 0.25, "epoch": 2, "step": 26}\n'
        '{"bbox_mAP": 0.5, "data_time": 0.1, "time": 0.7, "step": 2}\n'
    )
    events = read(text, "mmcv-json")
    assert [(i.epoch, i.step, i.loss) for i in only(events, Iteration)] == [
        (1, 10, 2.5),
        (2, 26, 1.5),
    ]
    assert [score(e, "box") for e in only(events, Evaluation)] == [0.25, 0.5]


def test_a_validation_loss_of_mmengine_is_that_of_an_evaluation() -> None:
    line = '{"loss": 0.75, "coco/bbox_mAP": 0.5, "data_time": 0.1, "time": 0.7, "step": 2}\n'
    assert len(only(read(line, "mmcv-json"), Evaluation)) == 1


@pytest.mark.parametrize(
    "line",
    [
        '{"mode": 7, "epoch": [], "iter": {}}',
        '{"mode": "val", "epoch": 1, "iter": 2}',
        '{"mode": "train", "epoch": 1, "iter": 5',
        '{"mode": "train", "epoch": 1e999, "iter": "x", "loss": "?", "time": null}',
    ],
)
def test_hostile_records_give_no_figures(line: str) -> None:
    events = read(line + "\n", "mmcv-json")
    assert only(events, Evaluation) == []
    assert all(i.loss is None and i.duration is None for i in only(events, Iteration))


@pytest.mark.parametrize(
    ("path", "figures"),
    [
        ("corpus/mmcv_json/twins_upernet_svt_s.log", {"miou": 0.4624}),
        ("corpus/mmcv_json/vitdet_vit_base_gpu.log", {"box": 0.511, "mask": 0.454}),
        ("corpus/mmcv_json/vitpose_b.log", {"AP": 0.75797, "AR": 0.81072}),
        ("corpus/mmcv_text/vitaev2_mask_rcnn_1x.log", {"box": 0.463, "mask": 0.418}),
    ],
)
def test_published_figures_are_those_of_the_last_evaluation(
    path: str, figures: dict[str, float]
) -> None:
    name, events = real(path)
    last = only(events, Evaluation)[-1]
    assert name == "mmcv-json"
    assert {key: score(last, key) for key in figures} == figures


def test_environment_record_begins_a_run() -> None:
    events = read('{"env_info": "sys.platform: linux", "seed": 0}\n', "mmcv-json")
    assert len(only(events, RunStart)) == 1


@pytest.mark.parametrize(
    ("config", "planned"),
    [
        ("runner = dict(type='EpochBasedRunner', max_epochs=2)\\nseed = 1\\n", 2),
        ("seed = 1\\ntotal_epochs = 2\\n", 2),
        ("max_epochs = 2\\ntotal_epochs = 3\\n", None),  # which of them is the run's is unknown
        ("warmup_epochs = 2\\nmax_epochs = 2.5\\nmax_iters = 2\\n", None),
    ],
)
def test_the_configuration_says_how_many_epochs_are_planned(
    config: str, planned: int | None
) -> None:
    text = f'{{"env_info": "sys.platform: linux", "config": "{config}", "seed": 0}}\n' + "".join(
        f'{{"mode": "{mode}", "epoch": {e}, "iter": {i}, "lr": 0.1, "{name}": 0.5, "time": 0.5}}\n'
        for e in (1, 2)
        for mode, i, name in (("train", 50, "loss"), ("train", 100, "loss"), ("val", 9, "mIoU"))
    )
    card = scored(text)
    assert card["run"]["format"] == "mmcv-json"
    assert card["run"].get("epochs_planned") == planned
    assert card["status"] == ("finished" if planned else "incomplete")
