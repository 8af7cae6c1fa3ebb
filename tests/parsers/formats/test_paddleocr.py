"""PaddleOCR lines of two generations."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Iteration, Metric, RunInfo, RunStart, Scope, Summary
from tests.support.corpus import text
from tests.support.logs import scored

TRAIN = (
    "[2022/10/01 10:00:00] ppocr INFO: epoch: [2/500], global_step: 110, lr: 0.001000, "
    "acc: 0.25, loss: 3.125, avg_reader_cost: 0.08 s, avg_batch_cost: 0.35 s, "
    "avg_samples: 16.0, ips: 45.61 samples/s, eta: 3:00:00"
)
OLDER = (
    "[2021/10/01 10:00:00] root INFO: epoch: [2/500], iter: 110, lr: 0.001000, loss: 3.125, "
    "reader_cost: 0.08000 s, batch_cost: 0.35000 s, samples: 160, ips: 45.61000"
)


def test_both_generations_give_an_iteration() -> None:
    for line in (TRAIN, OLDER):
        name, events = text(line)
        (record,) = (e for e in events if isinstance(e, Iteration))
        assert name == "paddleocr"
        assert (record.epoch, record.step, record.loss) == (2, 110, 3.125)
        assert (record.throughput, record.unit) == (45.61, "samples/s")
        assert (record.scope, record.duration) == (Scope.DEVICE, 0.35)
        assert [e.value for e in events if isinstance(e, RunInfo)] == [500]


def test_the_generation_before_them() -> None:
    """It prints no rate, and the time of the last iteration."""
    _, events = text(
        "[2020/11/26 00:59:53] root INFO: epoch: [1/120], iter: 3200, 'lr': 0.00025, "
        "'loss': 2.25, 'acc': 0.75, 'norm_edit_dis': 0.9, time: 1.230",
        "[2020/11/26 01:17:39] root INFO: cur metirc, acc: 0.655, norm_edit_dis: 0.845, fps: 228.0",
        "[2020/11/26 01:17:39] root INFO: best metirc, acc: 0.655, fps: 228.0, best_epoch: 1",
    )
    (record,) = (e for e in events if isinstance(e, Iteration))
    assert (record.epoch, record.step, record.loss, record.duration) == (1, 3200, 2.25, 1.23)
    assert record.throughput is None
    assert [(m.name, m.value) for m in record.values] == [
        ("lr", 0.00025),
        ("acc", 0.75),
        ("norm_edit_dis", 0.9),
    ]
    assert [e.value for e in events if isinstance(e, RunInfo)] == [120]
    (evaluation,) = (e for e in events if isinstance(e, Evaluation))
    assert evaluation.metrics[0] == Metric("acc", 0.655, "fraction")
    (best,) = (e for e in events if isinstance(e, Summary))
    assert [m.value for m in best.metrics] == [0.655, 228.0, 1.0]


def test_evaluation_start_and_best() -> None:
    _, events = text(
        "[2022/10/01 09:59:00] ppocr INFO: train with paddle 2.3.2 and device Place(gpu:0)",
        TRAIN,
        "[2022/10/01 10:10:00] ppocr INFO: cur metric, precision: 0.8, recall: 0.7, "
        "hmean: 0.7466, fps: 31.5",
        "[2022/10/01 10:10:00] ppocr INFO: best metric, hmean: 0.7466, is_float16: False, "
        "best_epoch: 2",
    )
    assert isinstance(events[0], RunStart)
    (evaluation,) = (e for e in events if isinstance(e, Evaluation))
    assert evaluation.step == 110
    assert evaluation.metrics[2] == Metric("hmean", 0.7466, "fraction")
    (best,) = (e for e in events if isinstance(e, Summary))
    assert [(m.name, m.value) for m in best.metrics] == [("hmean", 0.7466), ("best_epoch", 2.0)]


def test_an_evaluation_within_an_epoch_is_no_end_of_it() -> None:
    """It is made every so many steps; the model of each whole epoch is saved as the latest."""
    measured = (
        "[2022/10/01 10:10:00] ppocr INFO: cur metric, precision: 0.5, recall: 0.25, "
        "hmean: 0.3333, fps: 31.5"
    )
    saved = "[2022/10/01 10:11:00] ppocr INFO: save model in ./output/det/latest"
    inside = scored(f"{TRAIN}\n{measured}\n")
    assert inside["run"]["epochs"] == 0
    accuracy = inside["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["metric"]) == (0.3333, "hmean")
    assert scored(f"{TRAIN}\n{measured}\n{saved}\n")["run"]["epochs"] == 1


def test_a_second_training_states_its_plan_again() -> None:
    header = "[2022/10/01 09:59:00] ppocr INFO: train with paddle 2.3.2 and device Place(gpu:0)"
    lines = [header, TRAIN.replace("[2/500]", "[1/500]").replace("110", "50"), TRAIN]
    card = scored("\n".join(lines + lines) + "\n")
    assert any(warning["kind"] == "several_runs" for warning in card["warnings"])
    assert card["run"]["epochs_planned"] == 500


def test_an_evaluation_by_itself_prints_each_figure_on_its_own_line() -> None:
    said = "[2023/08/27 10:11:23] ppocr INFO: "
    kept = ("metric in ckpt ***************", "acc:0.875", "fps:99.5", "start_epoch:7")
    figures = ("metric eval ***************", "acc:0.75", "norm_edit_dis:0.9375", "fps:104.75")
    card = scored("".join(f"{said}{line}\n" for line in (*kept, *figures)))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["unit"]) == ("acc", 0.75, "fraction")
    assert accuracy["best"] == 0.75  # that of the checkpoint is of another evaluation


def test_an_evaluation_after_the_training_does_not_replace_the_training_s_own() -> None:
    said = "[2023/08/27 10:11:23] ppocr INFO: "
    lines = (
        "epoch: [1/1], global_step: 10, lr: 0.001, loss: 3.1, avg_reader_cost: 0.1 s, "
        "avg_batch_cost: 0.5 s, avg_samples: 16.0, ips: 32.0 samples/s",
        "cur metric, acc: 0.5, norm_edit_dis: 0.75, fps: 99.0",
        "metric eval ***************",
        "acc:0.75",
        "fps:104.75",
    )
    card = scored("".join(f"{said}{line}\n" for line in lines))
    assert card["dimensions"]["accuracy"]["value"] == 0.5
