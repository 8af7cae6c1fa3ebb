"""Figures of an evaluation in the words of scikit-learn and of small loops."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Iteration
from tests.support.logs import epoch_ends, read, scored


def accuracy(text: str) -> tuple[object, object, object]:
    figure = scored(text)["dimensions"]["accuracy"]
    return figure["value"], figure.get("best"), figure.get("metric")


def test_scikit_learns_validation_score() -> None:
    lines = []
    for n, score in enumerate((0.47, 0.705, 0.83, 0.825), 1):
        lines += [f"Iteration {n}, loss = 0.7{9 - n}800895", f"Validation score: {score:f}"]
    assert accuracy("\n".join(lines) + "\n") == (0.825, 0.83, "score")


@pytest.mark.parametrize("name", ["AUC", "AUROC", "mIoU", "PCK", "EER"])
def test_a_score_with_a_line_of_its_own(name: str) -> None:
    text = "".join(
        f"Epoch {n}/8\nTrain loss: 0.{9 - n}5\nVal loss: 0.{8 - n}7\nVal {name}: 0.8{n}\n"
        for n in range(1, 9)
    )
    assert accuracy(text)[0] == 0.88


def test_the_score_of_an_epochs_line() -> None:
    text = "".join(
        f"Epoch {e}: train loss 0.5{e}, val score 0.8{e}, best val score 0.79\n" for e in range(8)
    )
    assert accuracy(text) == (0.87, 0.87, "score")


@pytest.mark.parametrize(
    "line",
    [
        "score: 0.8{}",
        "silhouette score: 0.8{}",
        "best validation score: 0.8{}",
        "train score 0.8{}",
    ],
)
def test_other_scores_are_none(line: str) -> None:
    text = "".join(f"epoch {e} loss 0.5{e}\n{line.format(e)}\n" for e in range(8))
    assert accuracy(text)[0] is None


@pytest.mark.parametrize(
    "line",
    [
        "Epoch {e:02} loss {loss:.4f} | train 2.5s | Acc {acc:.2f}% | infer 4.4s",
        "epoch {e} | loss {loss:.3f} | acc {acc:.2f}% | train 2.5 s | eval 1.9 s",
    ],
)
def test_an_accuracy_beside_the_time_of_an_inference_is_its(line: str) -> None:
    text = "".join(line.format(e=e, loss=9 / e, acc=10.0 + e) + "\n" for e in range(1, 9))
    assert accuracy(text) == (18.0, 18.0, "acc1")
    assert {end.train_time for end in epoch_ends(read(text, "generic"))} == {2.5}


def test_an_accuracy_beside_the_time_of_training_alone_is_not() -> None:
    text = "".join(f"Epoch {e} loss {9 / e:.3f} | train 2.5s | Acc 1{e}.5%\n" for e in range(1, 9))
    assert accuracy(text)[0] is None


@pytest.mark.parametrize(
    ("line", "best"),
    [
        ("Recall@20: 0.3{e}, NDCG@20: 0.1{e}", (0.37, 0.37, "recall@20")),
        ("[Test] HR@10: 0.6{e} | NDCG@10: 0.3{e}", (0.67, 0.67, "hr@10")),
        ("valid Hits@1: 0.2{e} Hits@10: 0.5{e} MRR: 0.4{e}", (0.27, 0.27, "hits@1")),
        ("R@1: 4{e}.1 - R@5: 7{e}.2 - AP: 5{e}.3", (57.3, 57.3, "ap")),
        ("val recall: 0.3{e}, precision: 0.1{e}", (None, None, None)),  # parts of one another
        ("item recall@20: 0.3{e}", (None, None, None)),
    ],
)
def test_figures_of_a_ranking(line: str, best: tuple[object, object, object]) -> None:
    text = "".join(f"epoch {e} loss 0.5{e}\n{line.format(e=e)}\n" for e in range(8))
    assert accuracy(text) == best


@pytest.mark.parametrize(
    ("line", "best"),
    [
        ("Epoch {e} Valid, MAE: 2{e}.5, MSE: 7{e}.25 Cost 31.5 sec", (27.5, 20.5, "mae")),
        ("Epoch {e} Train, MAE: 2{e}.5, MSE: 7{e}.25 Cost 31.5 sec", (None, None, None)),
        ("Epoch {e} Valid, depth error: 2{e}.5, MSE of x: 3{e}.5", (None, None, None)),
    ],
)
def test_errors_in_a_line_of_an_evaluation(line: str, best: tuple[object, object, object]) -> None:
    text = "".join(f"epoch {e} loss 0.5{e}\n{line.format(e=e)}\n" for e in range(8))
    assert accuracy(text) == best


@pytest.mark.parametrize(("unit", "seconds"), [(" sec", 125.75), ("", None)])
def test_what_an_epoch_cost_in_seconds_is_its_time(unit: str, seconds: float | None) -> None:
    costs = (31.5, 32.25, 30.75, 31.25)
    lines = [f"Epoch {e} | train loss 0.5{e} | Cost: {c}{unit}" for e, c in enumerate(costs)]
    twice = "\n".join([*lines, *lines]) + "\n"  # of the first ones it is not known what they are
    assert scored(twice)["run_end"]["run_time_s"] == seconds


@pytest.mark.parametrize("line", ["acc 0.9{e} val_acc 0.8{e}", "val_acc 0.8{e} acc 0.9{e}"])
def test_beside_one_of_the_validation_a_figure_of_no_data_is_the_trainings(line: str) -> None:
    text = "".join(f"Epoch {e}: lr 0.01 {line.format(e=e)} lr 0.001\n" for e in range(8))
    assert accuracy(text) == (0.87, 0.87, "acc1")


def test_what_a_tracker_repeats_at_the_end_is_no_training() -> None:
    text = "".join(f"step {s}/30 loss 0.5{s}\n" for s in range(1, 31))
    summary = "wandb: Run summary:\nwandb:   loss 1440.03003\nwandb:   lr 0.5\n"
    assert scored(text)["status"] == scored(text + summary)["status"] == "finished"


def test_the_data_of_an_evaluation_in_the_place_of_a_loggers_name() -> None:
    said = [f"Epoch {e} | train_loss=0.5{e} val_loss=0.6{e} val_acc=0.8{e}" for e in range(1, 8)]
    lines = [*said, "TEST | loss=0.31 acc=0.84"]
    text = "".join(f"2026-03-03 15:0{n}:14,024 | INFO | {line}\n" for n, line in enumerate(lines))
    assert accuracy(text) == (0.84, 0.84, "acc1")


@pytest.mark.parametrize(
    ("evaluated", "expected"),
    [("val_loss=0.6{e}", (98.5, "acc1")), ("val_loss=0.6{e} val_acc=0.8{e}", (0.87, "acc1"))],
)
def test_the_only_accuracy_may_stand_after_the_end(
    evaluated: str, expected: tuple[float, str]
) -> None:
    lines = [f"Epoch {e}: train_loss=0.5{e} {evaluated.format(e=e)}" for e in range(1, 8)]
    text = "\n".join([*lines, "Training complete", "Test accuracy: 98.5%", "Test loss: 0.2", ""])
    value, _best, metric = accuracy(text)
    assert (value, metric) == expected


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Train epoch {e}, total time 18.9{e}, accuracy: 12.{e}", None),
        ("epoch {e} | training | accuracy 12.{e}", None),
        ("Training of epoch {e} done, accuracy: 12.{e}", 12.7),  # it may be one of the test
        ("epoch {e}, total time 18.9{e}, accuracy: 12.{e}", 12.7),
    ],
)
def test_an_accuracy_in_a_line_of_the_training(line: str, value: float | None) -> None:
    text = "".join(f"{line.format(e=e)}\n" for e in range(8))
    assert accuracy(text)[0] == value


@pytest.mark.parametrize("name", ["episode_return_mean", "episode_reward_mean"])
def test_the_mean_of_the_episodes_is_their_figure_and_not_the_best_one(name: str) -> None:
    """RLlib's own names."""
    line = f"iter {{}}: {name}={{}} {name.replace('mean', 'max')}=99.5 time_this_iter_s=3.5"
    events = read("".join(f"{line.format(n, 20 + n)}\n" for n in range(6)), "generic")
    found = [one for e in events if isinstance(e, Iteration) for one in e.values]
    assert [(one.name, one.value) for one in found] == [
        (name.split("_")[1], 20 + n) for n in range(6)
    ]


@pytest.mark.parametrize(
    ("line", "tested"),
    [
        ("train/val loss: 0.5{e}/0.6{e} train/val acc: 0.9{e}/0.8{e}", 0.87),
        ("loss (train/test) 0.5{e}/0.6{e}", 0.67),
        ("acc train / valid 0.9{e} 0.8{e}", None),  # whose is which, nothing says
        ("train/val/test acc: 0.9{e}/0.8{e}", None),  # three for two numbers
        ("val/val acc: 0.9{e}/0.8{e}", None),
    ],
)
def test_of_two_data_sets_under_one_name_each_has_its_own(line: str, tested: float | None) -> None:
    text = "".join(f"Epoch {e}: loss 0.5{e}, {line.format(e=e)}\n" for e in range(8))
    assert accuracy(text)[0] == tested


def test_a_figure_of_the_evaluation_in_the_trainings_group_is_the_evaluations() -> None:
    text = "".join(f"Epoch {e}: train/loss 0.5{e}, train/val_acc 0.8{e}\n" for e in range(8))
    assert accuracy(text)[0] == 0.87


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ("Run: 01, Epoch: {e:02}, Loss: 0.4, Train: 71.{e}%, Valid: 68.{e}%, Test: 67.{e}%", 68.9),
        ("Epoch: {e}, loss 0.4, train 71.{e}%, test 67.{e}%", 67.9),
        # Of fractions nobody knows whether they are errors, and one share may be progress.
        ("Epoch: {e:03}, Loss: 0.4, Train: 0.71{e}, Val: 0.68{e}, Test: 0.67{e}", None),
        ("Epoch: {e}, Loss: 0.4{e}, Valid: 68.{e}%", None),
        ("Epoch: {e}, Loss: 0.4{e}, Train: 68.{e}%", None),
        ("Loss: 0.4{e}, Train: 71.{e}%, Valid: 68.{e}%", None),
    ],
)
def test_percentages_that_are_named_by_their_data(line: str, score: float | None) -> None:
    text = "\n".join(line.format(e=e) for e in range(1, 10))
    assert scored(text)["dimensions"]["accuracy"].get("value") == score


@pytest.mark.parametrize(
    "line", ["Epoch {n}: validation EER: 2.{e}5%", "Test EER: 2.{e}5%, minDCF: 0.21"]
)
def test_the_equal_error_rate_is_better_where_it_is_lower(line: str) -> None:
    text = "".join(
        f"Epoch {n}: train loss 0.5{n}\n{line.format(n=n, e=e)}\n"
        for n, e in enumerate((5, 3, 4), 1)
    )
    assert accuracy(text) == (2.45, 2.35, "eer")
