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
