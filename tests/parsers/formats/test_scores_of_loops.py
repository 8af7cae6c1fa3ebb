"""Figures of an evaluation in the words of scikit-learn and of small loops."""

from __future__ import annotations

import pytest

from tests.support.logs import epoch_ends, read, scored


def accuracy(text: str) -> tuple[object, object, object]:
    figure = scored(text)["dimensions"]["accuracy"]
    return figure["value"], figure.get("best"), figure.get("metric")


def test_scikit_learns_validation_score() -> None:
    lines = []
    for n, score in enumerate((0.47, 0.705, 0.83, 0.825), 1):
        lines += [f"Iteration {n}, loss = 0.7{9 - n}800895", f"Validation score: {score:f}"]
    assert accuracy("\n".join(lines) + "\n") == (0.825, 0.83, "score")


def test_the_score_of_an_epochs_line() -> None:
    text = "".join(
        f"Epoch {e}: train loss 0.5{e}, val score 0.8{e}, best val score 0.99\n" for e in range(8)
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
