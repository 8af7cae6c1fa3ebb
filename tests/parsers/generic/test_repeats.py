"""Evaluations that are printed several times in one epoch, in logs that no format knows."""

from __future__ import annotations

import pytest

from tests.support.logs import scored
from tests.support.loops import figures

LOSSES = ((44.0, 42.5, 43.5), (39.5, 41.0, 40.5), (38.0, 37.5, 39.0))


def _batches(losses: tuple[float, ...]) -> list[str]:
    return [f"val_loss tensor({loss}, device='cuda:0')" for loss in losses]


def test_the_losses_of_the_batches_are_not_the_evaluation() -> None:
    lines = [
        line
        for epoch, losses in enumerate(LOSSES, 1)
        for line in (f"==> Epoch {epoch}/3  train loss 1.5", *_batches(losses))
    ]
    assert "tested" not in figures(lines)


@pytest.mark.parametrize(("times", "tested"), [(1, True), (2, False), (3, False)])
def test_several_figures_of_one_kind_are_no_evaluation(times: int, tested: bool) -> None:
    lines = ["Epoch 1 train loss 1.5", *_batches(LOSSES[0][:times]), "Epoch 2 train loss 1.25"]
    assert ("tested" in figures(lines)) is tested


@pytest.mark.parametrize("listed", [2, 3])
def test_a_list_of_all_evaluations_is_none_of_its_own(listed: int) -> None:
    def scores(n: int) -> str:
        return f"{{'validation/accuracy': 0.5{n}, 'validation/loss': 1.{n}}}"

    lines = [
        line
        for n in (1, 2, 3)
        for line in (
            f"[{100 * n}] global_step={100 * n}, loss=1.5",
            f"Step: {100 * n}, {scores(n)}",
        )
    ]
    history = ", ".join(f"({100 * n}, {scores(n)})" for n in range(1, listed + 1))
    lines.append(f"Metrics: {{'eval_results': [{history}]}}")
    found = [metrics["acc1"] for _, metrics in figures(lines)["tested"]]
    assert found == [0.51, 0.52, 0.53] + ([0.51] if listed < 3 else [])


def test_the_same_figure_printed_again_is_of_no_part() -> None:
    lines = ["Epoch 1 train loss 1.5", *_batches((44.0,) * 5), "Epoch 2 train loss 1.25"]
    assert figures(lines)["tested"] == [(1, {"loss": 44.0})] * 5


@pytest.mark.parametrize(("models", "tested"), [(1, True), (2, False)])
def test_without_any_training_figures_of_one_kind_are_of_several_models(
    models: int, tested: bool
) -> None:
    lines = [
        line
        for n in range(1, models + 1)
        for line in (f"Loading model_{n}.pt", f"Test accuracy: 0.8{n}", "number of layers: 4")
    ]
    assert ("tested" in figures(lines)) is tested


def test_without_any_training_each_named_epoch_has_its_evaluation() -> None:
    lines = [f"Epoch {n}: test accuracy 0.8{n}" for n in (1, 2, 3)]
    assert figures(lines)["tested"] == [(n, {"acc1": float(f"0.8{n}")}) for n in (1, 2, 3)]


def test_figures_of_single_tests_after_the_training_are_not_its_best() -> None:
    trained = [f"Epoch {n} train loss {1 / n:.3f} val loss 0.5{n}" for n in (1, 2, 3)]
    tests = [
        line
        for n, accuracy in enumerate((0.46, 0.57, 0.48, 0.5), 1)
        for line in (f"--- Starting Test Run {n}/4 ---", f"    Accuracy: {accuracy}")
    ]
    lines = [*trained, *tests, "--- Overall Test Summary ---", "Average Accuracy: 0.5025", ""]
    accuracy = scored("\n".join(lines))["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.5025, 0.5025)


def test_the_summary_of_a_fold_is_none_of_an_epoch() -> None:
    lines = [
        line
        for fold in (1, 2)
        for line in (
            *(f"Epoch {n}: Train Loss: {1 / n:.2f}, Val MAP: 0.5{n}" for n in (1, 2, 3)),
            f"Fold {fold}, k=20: test_map = 0.6{fold}",
        )
    ]
    assert {accuracy["map"] for _, accuracy in figures(lines)["tested"]} == {0.51, 0.52, 0.53}


@pytest.mark.parametrize(
    "second",
    ["Accuracy: 0.6{n}", "[Test set 2] Accuracy: 0.6{n}", "=== unseen ===\nAccuracy: 0.6{n}"],
)
def test_the_evaluations_of_two_models_or_data_sets_are_not_told_apart(second: str) -> None:
    first = second.replace("0.6", "0.8").replace("2]", "1]").replace("unseen", "seen")
    epochs = (f"Epoch {n} train loss {1 / n:.3f}\n{first}\n{second}\n" for n in (1, 2, 3))
    card = scored("".join(epoch.replace("{n}", f"{n}") for n, epoch in enumerate(epochs, 1)))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["reason"]) == (
        None,
        "several evaluations follow each other, and nothing shows which is the run's",
    )
    assert [w["kind"] for w in card["warnings"]].count("evaluations_alike") == 1


@pytest.mark.parametrize(("classes", "best"), [(1, 0.9), (2, 0.75)])
def test_rows_that_name_several_classes_are_of_parts(classes: int, best: float) -> None:
    """Flair prints them after the figures of all classes."""
    rows = [
        f"{name:8} tp: 40 - fp: 3 - fn: 5 - precision: 0.93 - recall: 0.89 - accuracy: 0.{at}"
        for at, name in ((90, "news"), (80, "sport"), (80, "travel"))[:classes]
    ]
    lines = [
        *(f"epoch {n} - iter {at}/20 - loss 0.{9 - n}" for n in (1, 2) for at in (0, 10, 19)),
        "MICRO_AVG: acc 0.75 - f1-score 0.8571",
        "MACRO_AVG: acc 0.5 - f1-score 0.6667",
        *rows,
    ]
    assert scored("\n".join([*lines, ""]))["dimensions"]["accuracy"]["best"] == best


def test_the_note_about_them_is_no_jump_of_the_clock() -> None:
    lines = [
        f"2026-03-01 10:{n:02}:00 - INFO - {text}"
        for n, text in enumerate(
            [
                "Epoch 1 train loss 1.5",
                *_batches(LOSSES[0]),
                *(f"Epoch {n} train loss 1.2" for n in (2, 3)),
            ]
        )
    ]
    warned = [one["kind"] for one in scored("\n".join(lines) + "\n")["warnings"]]
    assert "evaluations_alike" in warned
    assert "clock_back" not in warned


@pytest.mark.parametrize(("times", "tested"), [(1, True), (2, False)])
def test_losses_of_a_value_function_after_a_step_are_no_evaluation(
    times: int, tested: bool
) -> None:
    lines = [
        line
        for step in range(3)
        for line in (
            f"Step {step}",
            *(f"val_loss={7 * step + n}.25" for n in range(times)),
            f"surrogate=-0.01652, loss=-0.0{step}5",
        )
    ]
    assert ("tested" in figures(lines)) is tested


def test_the_tables_of_boxes_and_of_masks_are_two_evaluations() -> None:
    row = " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0."
    lines = [
        line
        for n in (1, 2)
        for line in (
            f"Epoch {n} loss 0.{9 - n}",
            "Evaluate annotation type *bbox*",
            f"{row}31{n}",
            "Evaluate annotation type *segm*",
            f"{row}21{n}",
        )
    ]
    assert figures(lines)["tested"] == [
        (n, {name: (310 - 100 * at + n) / 1000})
        for n in (1, 2)
        for at, name in enumerate(("box", "mask"))
    ]
    masks = [line for line in lines if "bbox" not in line and "0.31" not in line]
    accuracy = scored("\n".join(masks) + "\n")["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("mask", 0.212)


@pytest.mark.parametrize(
    ("name", "tested"),
    [("Batch acc", False), ("step accuracy", False), ("Iter acc", False), ("Overall acc", True)],
)
def test_the_accuracy_of_a_batch_is_no_evaluation(name: str, tested: bool) -> None:
    lines = [one for n in (1, 2, 3) for one in (f"Epoch {n}", "Loss: 0.5", f"{name}: 0.8{n}")]
    assert ("tested" in figures(lines)) is tested


@pytest.mark.parametrize(("tasks", "tested"), [(3, True), (4, False)])
def test_the_accuracies_of_many_tasks_are_none_of_the_run(tasks: int, tested: bool) -> None:
    names = ("boolq", "hellaswag", "piqa", "winogrande")[:tasks]
    benchmark = [f"Evaluating: {name} (zero shots)... accuracy: 0.{len(name)}" for name in names]
    lines = ["step 100 loss 1.5", *benchmark, "step 200 loss 1.25"]
    assert ("tested" in figures(lines)) is tested


@pytest.mark.parametrize("samples", [1, 3])
def test_the_running_mean_of_each_sample_is_none_in_the_second_evaluation_either(
    samples: int,
) -> None:
    def evaluation(epoch: int, ious: tuple[float, ...]) -> list[str]:
        running = [f"Sample {n}, validation mIoU: {iou}%" for n, iou in enumerate(ious, 1)]
        return [*running, f"Epoch: {epoch} Evaluation Finished! validation mIoU: {ious[-1]}%"]

    ious = ((33.5, 39.25, 40.5), (62.5, 61.75, 60.25), (58.5, 61.0, 60.5))
    lines = [line for n, each in enumerate(ious) for line in evaluation(n, each[-samples:])]
    card = scored("\n".join([*lines, ""]))
    assert card["run_end"]["best"] == 60.5
    assert card["dimensions"]["accuracy"]["value"] == 60.5


@pytest.mark.parametrize("named", ["===> Epoch[{n}] end with testing auc:", "Epoch {n} loss 0.5"])
def test_the_best_of_several_data_sets_is_that_of_the_last_one(named: str) -> None:
    sets = {"| first:  auc=": 0.99, "| second:  auc=": 0.75, "| avg auc: ": 0.87}
    lines = [
        line
        for n in (0, 1, 2)
        for line in (
            named.format(n=n),
            *(f"{name}{auc - 0.01 * (n == 2):.2f} |" for name, auc in sets.items()),
        )
    ]
    accuracy = scored("\n".join([*lines, ""]))["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.86, 0.87)
    assert accuracy["data"] == "avg auc"


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("Epoch: {n} | Domain: {d} | Acc: 0.{a}{n}", None),
        ("Epoch {n}, target domain {i}, test acc = 0.{a}{n}", None),
        ("Epoch {n} test acc: 0.71", 0.71),  # the same one, printed again
        ("Epoch {n} test acc{i}: 0.{a}{n}", 0.63),  # other figures
    ],
)
def test_lines_of_one_epoch_with_other_figures_are_of_parts(line: str, last: float | None) -> None:
    lines = [
        text
        for n in (1, 2, 3)
        for text in (
            f"Epoch {n} train loss: 0.{9 - n}2",
            *(line.format(n=n, d=d, i=i, a=5 + i) for i, d in ((1, "art"), (5, "photo"))),
        )
    ]
    card = scored("\n".join([*lines, ""]))
    assert card["dimensions"]["accuracy"]["value"] == last


def test_evaluations_beside_each_other_are_named_without_their_epoch() -> None:
    lines = [
        text
        for n in (1, 2, 3)
        for text in (
            f"Epoch {n} train loss: 0.{9 - n}2",
            f"[Val (clean)] Epoch {n}: acc = 0.8{n}",
            f"[Val (noisy)] Epoch {n}: acc = 0.6{n}",
        )
    ]
    accuracy = scored("\n".join([*lines, ""]))["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.63, 0.63)
    assert accuracy["data"] == "[Val (noisy)]"


def test_the_results_of_a_grid_search_are_of_no_run_with_an_error_beside_them_too() -> None:
    """The error beside a quality is of the same evaluation, not of a training that goes on."""
    lines = [
        "layers={n}, hidden=32 -> MAE=5.{n}, F1=0.{n}1\n".replace("{n}", f"{n}") for n in "1284"
    ]
    accuracy = scored("Results:\n" + "".join(lines))["dimensions"]["accuracy"]
    assert accuracy["value"] is None
    beside = [f"Epoch {n}: MAE 5.{n}, F1 0.{n}1\n" for n in (1, 2, 3)]
    figures = scored("".join(beside))["dimensions"]["accuracy"]
    assert (figures["value"], figures["best"]) == (0.31, 0.31)


def test_processes_of_one_log_have_no_common_evaluation() -> None:
    """Each prints its own, also when another has already begun the next epoch."""
    lines: list[str] = []
    for n in range(6):
        lines += [f"== START EPOCH {n} ==", f"TRAIN EPOCH {n}, Loss: 1.{n}"] * 2
        first, second = (f"VALIDATION EPOCH {n}, Validation Loss: 0.{9 - n}{k}" for k in (1, 5))
        late = [f"END EPOCH {n}", f"== START EPOCH {n + 1} =="] if n > 2 else []
        lines += [first, *late, second]
    assert scored("\n".join([*lines, ""]))["dimensions"]["accuracy"]["value"] is None


def test_the_mean_over_the_classes_is_not_the_accuracy_beside_it() -> None:
    lines = [
        line
        for n in (1, 2, 3)
        for line in (
            f"[TRAIN] epoch={n}, batch_id=10, loss=0.{9 - n}, acc=0.5",
            f"[EVAL] epoch={n}",
            f"top1_acc\t0.8{n}",
            f"top5_acc\t0.9{n}",
            f"mean_acc\t0.7{n}",
        )
    ]
    accuracy = scored("\n".join([*lines, ""]))["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("acc1", 0.83, 0.83)


def test_the_time_of_an_evaluation_printed_sample_by_sample_is_not_that_of_training() -> None:
    """Iterations take 0.5 s; after each 100 of them, 60 samples take a second each."""
    lines, now = [], 0
    for step in range(10, 2010, 10):
        now += 5
        lines.append((now, f"Iters: {step}/2000 || Loss: {2 - step / 2000:.4f}"))
        if step % 100 == 0:
            lines.append((now, "Start validation"))
            for sample in range(1, 61):
                now += 1
                score = 0.5 + sample % 7 / 100 + step / 9000
                lines.append(
                    (now, f"Sample: {sample}, Validation pixAcc: {score:.3f}, mIoU: 0.071")
                )
    clocked = [
        f"2026-03-01 {10 + at // 3600}:{at // 60 % 60:02}:{at % 60:02},000 net INFO: {text}\n"
        for at, text in lines
    ]
    assert scored("".join(clocked))["dimensions"]["speed"]["value"] == 2.0


def test_an_evaluation_in_front_of_the_next_training_is_no_jump_of_the_clock() -> None:
    lines = [
        f"2026-03-01 {hour}:{minute}:00,500 - INFO - {text}\n"
        for hour in (10, 11)
        for minute, text in (
            ("00", "TRAINING START"),
            ("20", "Training finished."),
            ("21", "[train] loss=0.1241 acc=0.9564"),
            ("22", f"[val] loss=0.1139 acc=0.9{hour}"),
        )
    ]
    card = scored("".join(lines))
    assert card["dimensions"]["accuracy"]["value"] == 0.911
    assert "clock_back" not in [one["kind"] for one in card["warnings"]]


@pytest.mark.parametrize(("sets", "tested"), [(1, [1, 2, 3]), (3, [])])
def test_without_any_training_the_data_sets_of_an_epoch_are_parts_of_it(
    sets: int, tested: list[int]
) -> None:
    lines = [
        f"Epoch {epoch} | Dataset {n:02d} | ACC 0.{epoch}{n} | AUC 0.5{n}"
        for epoch in (1, 2, 3)
        for n in range(sets)
    ]
    assert [epoch for epoch, _ in figures(lines).get("tested", ())] == tested


def test_an_epoch_that_comes_again_after_a_restart_is_no_part() -> None:
    lines = [f"[Val Info]:Epoch:{n} MAE:0.{9 - n}" for n in (1, 2, 2, 3, 4)]
    assert [epoch for epoch, _ in figures(lines)["tested"]] == [1, 2, 2, 3, 4]


def test_a_figure_before_those_of_several_models_is_not_the_runs() -> None:
    def scores(n: int) -> list[str]:
        return [
            f"{n}{branch} :acc 0.{n}{of} , nmi 0.3 , f1 0.4" for of, branch in enumerate("QZP", 1)
        ]

    lines = ["pae :acc 0.52 , nmi 0.3 , f1 0.52", *scores(6), *scores(7), "Training complete."]
    found = scored("\n".join(lines) + "\n")["dimensions"]["accuracy"]
    assert found["value"] is None
    assert "several evaluations follow each other" in found["reason"]


def test_figures_of_parts_take_nothing_from_an_evaluation_of_an_epoch() -> None:
    lines = [
        line
        for epoch in (1, 2)
        for line in (
            f"Epoch {epoch} train_loss 1.5 val_acc 0.6{epoch}",
            *[f"val_loss tensor({loss}, device='cuda:0')" for loss in LOSSES[epoch]],
        )
    ]
    assert scored("\n".join(lines) + "\n")["dimensions"]["accuracy"]["value"] == 0.62
