"""Which of the metrics of a log is its accuracy."""

from __future__ import annotations

import math

import pytest

from sixdim.metrics.dimensions.accuracy import accuracy
from sixdim.metrics.dimensions.accuracy_metric import accuracy_metric
from sixdim.metrics.fold.runs.run import Run
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import EndOfInput, Evaluation, Iteration, Metric, Origin, Summary


def evaluated(*lines: dict[str, float]) -> Run:
    """A run with an evaluation for each line; losses, perplexities and errors fall."""
    run = Run()
    for number, figures in enumerate(lines, 1):
        metrics = tuple(
            Metric(
                name,
                value,
                "",
                not any(low in name for low in ("loss", "perplexity", "err", "NME", "EPE", "l2")),
            )
            for name, value in figures.items()
        )
        run.apply(Evaluation(Origin(number, 0), metrics))
    run.apply(EndOfInput(Origin(len(lines), 0)))
    return run


@pytest.mark.parametrize(
    ("lines", "metric"),
    [
        ([{"loss": 0.75, "entropy": 0.5, "mean_token_accuracy": 0.875}], "mean_token_accuracy"),
        ([{"mean_token_accuracy": 0.4, "rewards/accuracies": 0.9}], "rewards/accuracies"),
        ([{"acc": 0.96, "miou": 0.79}], "miou"),  # the share of right pixels is the easier figure
        ([{"loss": 0.27, "iou": 0.31}], "iou"),
        ([{"iou": 0.31, "dice": 0.47}], "dice"),
        ([{"acc1": 97.0, "dice": 86.4}], "dice"),
        ([{"loss": 1.5, "acc5": 90.0, "acc1": 70.0}], "acc1"),
        ([{"loss": 1.5}, {"loss": 1.25, "bleu": 9.5}], "bleu"),
        ([{"acc": 0.41, "bleu": 9.5}], "bleu"),  # the accuracy is that of the next token
        ([{"val/auroc": 0.97}, {"val/accuracy": 0.61}], "val/accuracy"),
        ([{"math_pass4": 0.75, "math_pass1": 0.5}], "math_pass1"),
        ([{"gsm8k/reward": 0.75}, {"gsm8k/acc": 0.5}], "gsm8k/acc"),
        ([{"best_reward": 0.9, "gsm8k/reward": 0.75}], "gsm8k/reward"),
        ([{"reward": 0.84}, {"fscore": 29.1}], "fscore"),  # the reward is what is maximised
        ([{"loss": 0.92, "si_sdr": -0.98}], "si_sdr"),
        ([{"val/auroc": 0.97, "val/pixel": 0.5}], "val/auroc"),
        ([{"auroc_mass": 0.9, "auroc_avg": 0.84}], "auroc_avg"),  # of all classes
        ([{"val_loss": 0.28, "val_pearson": 0.98}], "val_pearson"),
        ([{"loss": 0.5, "pearson": 0.91, "spearmanr": 0.9}], "pearson"),
        ([{"loss": 1.3, "rouge1": 51.0, "rougeL": 43.4, "gen_len": 20.0}], "rougel"),
        ([{"loss": 1.3, "f1": 0.5, "matthews_correlation": 0.4}], "f1"),
        ([{"auroc_mass": 0.9, "auroc_avg_pool": 0.84}], ""),
        ([{"hr@10": 0.61, "ndcg@10": 0.34}], "hr@10"),
        ([{"hr@10": 0.61, "map": 0.2}], "map"),
        ([{"loss": 1.5, "perplexity": 4.5}], "loss"),
        ([{"val_loss": 1.5, "learning_rate": 0.1}], "val_loss"),
        ([{"ctc_loss": 1.5, "loss": 1.0}], "loss"),  # the whole loss, not the first part of it
        ([{"log_perplexity": 3.5}], "log_perplexity"),
        ([{"perplexity": 4.5}], "perplexity"),  # of a log without a loss
        ([{"ppl": 4.5, "valid_loss": 1.5}], "valid_loss"),
        ([{"entropy": 0.5, "road_iou": 0.25, "car_ap": 0.5}], ""),
        ([{"class_error": 22.0, "loss": 1.5}], "loss"),
        ([{"class_error": 22.0, "cardinality_error": 1.5}], ""),
        ([{"top5_err": 7.0, "top1_err": 24.0}], "top1_err"),
        ([{"validation_0-error": 0.15}], "validation_0-error"),
        ([{"v's binary_error": 0.15, "v's binary_logloss": 0.4}], "v's binary_error"),
        ([{"valid_1 multi_error": 0.15}], "valid_1 multi_error"),
        ([{"err@1": 24.0, "loss": 1.5}], "err@1"),
        # an error goes before a loss
        ([{"loss": 1.5, "word_error_rate": 4.0}], "word_error_rate"),
        ([{"loss": 1.5, "class_error": 4.0, "top1_err": 24.0}], "top1_err"),
        ([{"loss": 0.01, "reward": 2.5}], "reward"),
        (
            [{"coco_panoptic/SQ": 81.5, "coco_panoptic/PQ": 51.5, "coco_panoptic/PQ_th": 57.5}],
            "coco_panoptic/pq",
        ),
        (
            [{"motchallenge-metric/HOTA": 57.5, "motchallenge-metric/MOTA": 67.5}],
            "motchallenge-metric/hota",
        ),
        ([{"PCK": 0.875, "EPE": 9.5}], "pck"),
        ([{"loss": 0.5, "PCK@0.2": 0.875}], "pck@0.2"),
        ([{"loss": 0.5, "NME": 4.5}], "nme"),
        ([{"loss": 0.5, "EPE": 9.5}], "epe"),
        ([{"loss": 0.5, "pred_instances_3d_NuScenes/NDS": 0.25}], "pred_instances_3d_nuscenes/nds"),
        ([{"v's l2": 0.25}], "v's l2"),
        ([{"loss": 0.5, "hit_at_one": 0.25}], "hit_at_one"),
        ([{"icdar/precision": 0.8, "icdar/hmean": 0.75}], "icdar/hmean"),
        ([{"0_hmean-iou:recall": 0.8, "0_hmean-iou:hmean": 0.75}], "0_hmean-iou:hmean"),
        ([{"box": 0.0}, {"mask": 61.5}], "mask"),  # a model of masks alone
        ([{"box": 0.0, "mask": 0.0}, {"box": 0.5, "mask": 0.25}], "box"),
        ([{"box": 0.0}], "box"),
        ([], ""),
    ],
)
def test_the_accuracy_where_no_target_names_one(lines: list[dict[str, float]], metric: str) -> None:
    assert accuracy_metric(evaluated(*lines)) == metric


@pytest.mark.parametrize(
    ("stated", "metric"),
    [
        (("perplexity",), "perplexity"),
        (("loss",), "loss"),
        (("loss", "perplexity"), "loss"),
        (("err", "perplexity"), "err"),  # an error goes before both
    ],
)
def test_a_training_of_which_the_log_states_the_best_perplexity_is_judged_by_it(
    stated: tuple[str, ...], metric: str
) -> None:
    run = evaluated(dict.fromkeys(("loss", "perplexity", *stated), 2.5))
    best = tuple(Metric(f"best {name}", 2.5, "", True) for name in stated)
    run.apply(Summary(Origin(9, 0), best))
    assert accuracy_metric(run) == metric


def test_metrics_of_which_none_is_an_accuracy_give_none_and_are_named() -> None:
    found = accuracy(evaluated({"entropy": 0.5, "gen_len": 4.5}))
    assert found.value is None
    assert found.reason == "none of entropy, gen_len is known as an accuracy: --target names one"


def test_a_target_names_any_of_them() -> None:
    run = Run(Settings(target=parse_target("perplexity<=5", "flag")))
    run.apply(Evaluation(Origin(1, 0), (Metric("perplexity", 4.5, "", False),)))
    assert accuracy(run).value == 4.5


def test_without_an_evaluation_none_was_read() -> None:
    assert accuracy(evaluated()).reason == "no evaluation was read from the log"


@pytest.mark.parametrize(
    ("after", "metric", "value"),
    [({}, "acc1", 0.5), ({"f1": 0.25}, "f1", 0.25), ({"f1": 0.25, "acc1": 0.75}, "acc1", 0.75)],
    ids=["nothing after it", "another metric", "the metric again"],
)
def test_the_accuracy_of_a_baseline_before_the_training_is_not_that_of_the_training(
    after: dict[str, float], metric: str, value: float
) -> None:
    run = Run()
    run.apply(Evaluation(Origin(1, 0), (Metric("acc1", 0.5, "", True),)))
    run.apply(Iteration(Origin(2, 20), 0, 1, loss=0.5))
    if after:
        figures = tuple(Metric(name, figure, "", True) for name, figure in after.items())
        run.apply(Evaluation(Origin(3, 40), figures))
    run.apply(EndOfInput(Origin(4, 60)))
    found = accuracy(run)
    assert (found.details["metric"], found.value) == (metric, value)


@pytest.mark.parametrize(
    ("lines", "epoch", "value"), [(1, None, 0.5), (2, None, None), (2, 0, 0.5)]
)
def test_a_baseline_alone_is_not_the_accuracy_of_the_training_after_it(
    lines: int, epoch: int | None, value: float | None
) -> None:
    """One line may be a summary; an evaluation of an epoch is of a training that was cut off."""
    run = Run()
    run.apply(Evaluation(Origin(1, 0), (Metric("acc1", 0.5, "", True),), epoch))
    for step in range(1, lines + 1):
        run.apply(Iteration(Origin(1 + step, 20 * step), None, step, loss=0.5))
    run.apply(EndOfInput(Origin(9, 160)))
    assert accuracy(run).value == value


@pytest.mark.parametrize(
    ("values", "best"),
    [((-0.5, -0.25, -0.375), -0.25), ((0.5, 0.25, 0.375), 0.25), ((0.5, -0.25), -0.25)],
)
def test_of_errors_below_0_the_highest_is_the_best(values: tuple[float, ...], best: float) -> None:
    found = accuracy(evaluated(*({"val_err": value} for value in values))).details
    negated = all(value < 0 for value in values)
    assert (found["best"], found.get("lower_is_better")) == (best, None if negated else True)


@pytest.mark.parametrize(("unit", "best"), [("dB", -36.5), ("", -28.5)])
def test_of_errors_in_decibels_the_lowest_is_the_best(unit: str, best: float) -> None:
    run = Run()
    for at, value in enumerate((-28.5, -36.5, -31.5), 1):
        run.apply(Evaluation(Origin(at, 0), (Metric("mse", value, unit, False),), at))
    assert accuracy(run).details["best"] == best


def test_of_losses_below_0_the_lowest_is_the_best() -> None:
    assert accuracy(evaluated({"loss": -0.5}, {"loss": -0.25})).details["best"] == -0.5


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ((68.98, 0.689794, 43.68, 0.436824), 0.689794),  # each evaluation twice
        ((0.436824, 43.7, 0.689794, 69.0, 0.5), 0.689794),
        ((76.4, 0.9, 0.8), 76.4),  # a percentage whose training collapsed
        ((68.98, 0.689794, 71.5, 0.436824), 71.5),
    ],
)
def test_an_evaluation_that_is_also_printed_in_percent_has_its_best_as_a_fraction(
    values: tuple[float, ...], best: float
) -> None:
    """Flax' examples print a sentence with the percentage, and the metrics as fractions."""
    found = accuracy(evaluated(*({"acc1": value} for value in values)))
    assert (found.value, found.details["best"]) == (values[-1], best)


def test_of_two_sets_of_data_the_first_counts_whichever_was_evaluated_last() -> None:
    lines = [{"in_accuracy": 0.75}, {"ood_accuracy": 0.5}, {"in_accuracy": 0.875}]
    assert {accuracy_metric(evaluated(*lines[:count])) for count in (1, 2, 3)} == {"in_accuracy"}


@pytest.mark.parametrize(
    ("values", "best"),
    [((-0.5, 0.0), 0.0), ((-0.5, -0.25), -0.25), ((0.0, 0.5), 0.0), ((0.0, 0.0), 0.0)],
)
def test_the_best_of_a_negated_error_may_be_zero(values: tuple[float, ...], best: float) -> None:
    """A negated error is 0 where nothing is wrong, and so is one that is not negated."""
    run = evaluated(*({"val_err": value} for value in values))
    assert accuracy(run).details["best"] == best


def test_an_evaluation_on_the_line_of_the_first_epoch_is_of_the_training() -> None:
    """One line an epoch says both; from the second one on it has a loss alone."""
    run = Run()
    for line in (1, 2, 3):
        run.apply(Iteration(Origin(line, 0), line, None, loss=0.5))
        name, value = ("acc1", 70.0) if line == 1 else ("val_loss", 0.5)
        figure = Metric(name, value, "%" if line == 1 else "", line == 1)
        run.apply(Evaluation(Origin(line, 0), (figure,), line))
    run.apply(EndOfInput(Origin(4, 0)))
    assert accuracy_metric(run) == "acc1"


@pytest.mark.parametrize(
    ("stated", "metric"),
    [
        ((), "acc1"),
        (("best f1",), "f1"),
        (("best f1", "best acc1"), "acc1"),
        (("best loss",), "acc1"),  # the weights are chosen by it, and judged by the accuracy
        (("best",), "acc1"),
    ],
)
def test_a_log_is_judged_by_the_metric_whose_best_figure_it_states(
    stated: tuple[str, ...], metric: str
) -> None:
    run = evaluated({"loss": 0.25, "acc1": 98.5, "f1": 90.5})
    run.apply(Summary(Origin(2, 0), tuple(Metric(name, 91.0, "%") for name in stated)))
    assert accuracy_metric(run) == metric


@pytest.mark.parametrize(("last", "value"), [("acc1", 0.75), ("loss", None)])
def test_what_may_be_another_trainings_accuracy_is_not_the_last_ones(
    last: str, value: float | None
) -> None:
    """The last of several trainings in a log may be of a task that is judged by other figures."""
    run = evaluated({"acc1": 0.5}, {last: 0.75})
    run.may_be_several = True
    assert accuracy(run).value == (value or 0.5)  # one training may be evaluated in two lines
    run = Run()
    for step in (1, 2, 11, 12):
        run.apply(Iteration(Origin(step, 0), None, step % 10, None, loss=1.0))
        if step % 10 == 2:
            name, figure = ("acc1", 0.5) if step == 2 else (last, 0.75)
            run.apply(Evaluation(Origin(step + 1, 0), (Metric(name, figure, ""),)))
    run.may_be_several = True
    run.apply(EndOfInput(Origin(20, 0)))
    assert accuracy(run).value == value


@pytest.mark.parametrize(
    ("target", "value", "met"),
    [
        ("err<3.72", 3.72, False),
        ("err<3.72", 3.71, True),
        ("err<=3.72", 3.72, True),
        ("err<=3.72", 3.73, False),
        ("err=3.72", 3.72, True),
        ("err=3.72", 3.73, False),
        ("acc1>75.9", 75.9, False),
        ("acc1>75.9", 75.91, True),
        ("acc1>=75.9", 75.9, True),
        ("acc1>=75.9", 75.89, False),
        ("acc1=75.9", 75.9, True),
        ("acc1=75.9", 75.89, False),
        ("acc1>75.9", math.inf, False),
        ("err<3.72", -math.inf, False),
        ("err<3.72", math.nan, False),
    ],
)
def test_a_target_is_met_or_not_at_its_threshold(target: str, value: float, met: bool) -> None:
    condition = parse_target(target, "--target")
    run = Run(Settings(target=condition))
    figure = Metric(condition.metric, value, "%", condition.metric != "err")
    run.apply(Evaluation(Origin(1, 0), (figure,), 0))
    assert run.frozen == met
