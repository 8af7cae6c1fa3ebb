"""A JSON object per epoch, in the dialects of DETR, DeiT, MAE and ConvNeXt."""

from __future__ import annotations

import json
import math

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, RunStart
from tests.support.logs import detected, only, read, real, score, scored


def test_training_and_evaluation_of_an_epoch() -> None:
    line = (
        '{"train_lr": 1e-06, "train_loss": 6.5, "test_loss": 6.25, "test_acc1": 0.216, '
        '"test_acc5": 1.29, "epoch": 4, "n_parameters": 24106216}\n'
    )
    events = read(line, "jsonl-epoch")
    (evaluation,), (end,) = only(events, Evaluation), only(events, EpochEnd)
    assert evaluation.epoch == end.epoch == 4
    # A percentage even while it is below one.
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("loss", 6.25, ""),
        ("acc1", 0.216, "%"),
        ("acc5", 1.29, "%"),
    ]
    assert [(m.name, m.value) for m in end.values] == [("train_lr", 1e-06), ("train_loss", 6.5)]


def test_averaged_model_has_an_evaluation_of_its_own() -> None:
    line = '{"train_loss": 3.0, "test_acc1": 80.5, "test_acc1_ema": 81.25, "epoch": 1}\n'
    raw, averaged = only(read(line, "jsonl-epoch"), Evaluation)
    assert (raw.model, score(raw, "acc1")) == ("raw", 80.5)
    assert (averaged.model, score(averaged, "acc1")) == ("averaged", 81.25)


def test_coco_list_gives_its_first_figure() -> None:
    line = (
        '{"train_loss": 3.0, "test_coco_eval_bbox": [0.42, 0.6, 0.45], '
        '"test_coco_eval_masks": [0.375, 0.5], "epoch": 0}\n'
    )
    (evaluation,) = only(read(line, "jsonl-epoch"), Evaluation)
    assert (score(evaluation, "box"), score(evaluation, "mask")) == (0.42, 0.375)
    assert {m.unit for m in evaluation.metrics} == {"fraction"}


def test_pretraining_has_no_evaluation_and_a_gradient_may_be_infinite() -> None:
    line = '{"train_lr": 0.1, "train_loss": NaN, "train_grad_norm": Infinity, "epoch": 7}\n'
    events = read(line, "jsonl-epoch")
    (end,) = only(events, EpochEnd)
    assert math.isnan(end.values[1].value)
    assert end.values[2].value == math.inf
    assert only(events, Evaluation) == []


def test_begins_again_where_the_first_epoch_returns() -> None:
    line = '{{"train_lr": 0.1, "train_loss": 1.0, "epoch": {}}}\n'
    text = "".join(line.format(e) for e in (0, 1, 2, 1, 2, 0, 1))
    assert [e.at.line for e in only(read(text, "jsonl-epoch"), RunStart)] == [1, 6]


@pytest.mark.parametrize(
    "line",
    [
        '{"train_loss": 1.0, "epoch": "soon"}',
        '{"train_loss": {"a": [1]}, "epoch": null, "test_acc1": true}',
        '{"train_loss": 1' + "0" * 400 + ', "epoch": 1e400}',
        '{"train_loss": 1.0, "epoch": 1' + "{" * 500,
        '{"train_loss": 1.0, "epo',
    ],
)
def test_hostile_objects_give_no_figure_that_is_not_there(line: str) -> None:
    events = read(line + "\n", "jsonl-epoch")
    assert only(events, Evaluation) == []
    assert [e.epoch for e in only(events, EpochEnd)] in ([], [None])


@pytest.mark.parametrize(
    ("path", "last", "best"),
    [
        ("corpus/jsonl_epoch/adan_mae_base_ft.log", "83.80", "83.80"),
        ("corpus/jsonl_epoch/twins_pcpvt_s.log", "81.14", "81.23"),
    ],
)
def test_published_accuracies(path: str, last: str, best: str) -> None:
    name, events = real(path)
    found = [score(e, "acc1") for e in only(events, Evaluation)]
    assert name == "jsonl-epoch"
    assert (f"{found[-1]:.2f}", f"{max(found):.2f}") == (last, best)


def test_deepspark_repvit_is_this_and_no_other_format() -> None:
    name, events = real(
        "deepspark/cv_classification_repvit_pytorch_logs_repvit_m1_0_distill_300e.txt"
    )
    assert (name, len(only(events, EpochEnd))) == ("jsonl-epoch", 300)
    assert detected('{"mode": "train", "epoch": 1, "iter": 50, "time": 0.5}\n' * 4) == "mmcv-json"


def test_records_without_an_epoch_give_the_detectors_precision() -> None:
    records = [
        {
            "train_lr": 1e-4,
            "train_class_error": 90.0 - n,
            "train_loss": 25.0 - n,
            "test_class_error": 80.0 - n,
            "test_loss": 20.0 - n,
            "test_coco_eval_bbox": [0.10 + n / 32, 0.5, *[0.25] * 10],
            "n_parameters": 41302368,
        }
        for n in range(6)
    ]
    card = scored("".join(json.dumps(one) + "\n" for one in records))
    accuracy = card["dimensions"]["accuracy"]
    assert card["run"]["format"] == "jsonl-epoch"
    assert (accuracy["metric"], accuracy["value"]) == ("box", 0.10 + 5 / 32)
    assert accuracy["epoch"] is None  # the log numbers none
    assert card["run"]["epochs"] is None


def test_records_without_an_epoch_give_the_classifiers_accuracy() -> None:
    text = "".join(
        f'{{"train_lr": 0.001, "train_loss": 3.5, "test_loss": 2.0, "test_acc1": 7{n}.5}}\n'
        for n in (1, 4, 3)
    )
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (73.5, 74.5)


@pytest.mark.parametrize("place", ["step", "global_step", "iter"])
def test_records_that_name_a_step_are_of_no_epoch(place: str) -> None:
    text = "".join(
        f'{{"{place}": {n}00, "train_lr": 0.001, "train_loss": 3.{n}, "test_loss": 2.{n}}}\n'
        for n in range(1, 6)
    )
    assert detected(text) != "jsonl-epoch"


def test_the_error_of_a_class_is_no_accuracy_beside_a_loss_nor_alone() -> None:
    line = '{{"step": {0}, "train_lr": 0.1, "train_loss": 3.{0}, "val_class_error": 7{0}.0{1}}}\n'
    beside = "".join(line.format(n, f', "val_loss": 1.{n}') for n in range(1, 6))
    alone = "".join(line.format(n, "") for n in range(1, 6))
    with_loss = scored(beside)["dimensions"]["accuracy"]
    assert (with_loss["metric"], with_loss["value"]) == ("loss", 1.5)
    assert scored(alone)["dimensions"]["accuracy"]["value"] is None


def _epochs(keys: str) -> str:
    return "".join(
        f'{{"train_lr": 0.1, "train_loss": {2 - n / 9}, {keys}, "epoch": {n}}}\n'
        for n in range(6, 11)
    )


def test_the_rate_and_the_time_of_an_epoch_are_read_where_their_keys_name_a_unit() -> None:
    text = _epochs('"samples_per_sec": 128.5, "epoch_time_sec": 12.5')
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["state"]) == (128.5, "samples/s", "final")
    assert card["run_end"]["run_time_s"] == 5 * 12.5


@pytest.mark.parametrize("keys", ['"throughput": 128.5', '"fps": 30.5', '"test_img_per_sec": 9.5'])
def test_a_rate_without_a_unit_or_of_an_evaluation_is_not_the_speed(keys: str) -> None:
    assert scored(_epochs(keys))["dimensions"]["speed"]["value"] is None


def test_an_epoch_may_say_how_long_it_took_with_its_evaluation() -> None:
    record = (
        '{{"train_lr": 0.1, "train_loss": 9.5, "test_coco_eval_bbox": [0.4], "epoch": {}, '
        '"now_time": "2022-07-14 10:01:00", "epoch_time": "{}"}}\n'
    )
    lasts = enumerate(("1:30:05", "1 day, 0:00:01", "1:29:55"))
    text = "".join(record.format(*one) for one in lasts)
    assert scored(text)["run_end"]["run_time_s"] == 5405 + 86401 + 5395
    assert scored(text.replace("1:29:55", "soon"))["run_end"]["run_time_s"] is None


def test_the_objects_of_an_own_loop_are_read_with_the_lines_around_them() -> None:
    """Its keys are others than those of the family, and steps stand in between."""
    lines = []
    for n in range(1, 11):
        lines += [f"step {step}/120 loss = 2.{step}" for step in range(20, 121, 20)]
        lines.append(
            f'{{"epoch": {n}, "train_loss": 2.{n}, "valid_loss": 2.5, "valid_acc": 70.{n}, '
            '"epoch_time": 12.0}'
        )
    card = scored("".join(f"{line}\n" for line in lines))
    assert card["run"]["epochs"] == 10
    assert card["dimensions"]["accuracy"]["value"] == 70.10
