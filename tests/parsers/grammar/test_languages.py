"""Loops that speak Japanese, Korean, Russian, Spanish or German are read as English ones."""

from __future__ import annotations

import pytest

from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from sixdim.parsers.grammar.vocabulary.closing import closing
from sixdim.parsers.grammar.vocabulary.languages import english
from tests.support.logs import scored


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        (
            "エポック 9 | 訓練損失: 0.52 | 検証精度: 91.5%",
            [("epoch", "", 9), ("loss", "train", 0.52), ("quality", "eval", 91.5)],
        ),
        (
            "에폭 3 - 학습 손실: 0.52 - 검증 정확도: 0.91",
            [("epoch", "", 3), ("loss", "train", 0.52), ("quality", "eval", 0.91)],
        ),
        (
            "Потери на обучении: 0.52, точность на валидации: 0.91",
            [("loss", "train", 0.52), ("quality", "eval", 0.91)],
        ),
        ("Época 3/15, pérdida=0.52", [("epoch", "", 3), ("epochs", "", 15), ("loss", "", 0.52)]),
        ("Epoche 3/9: loss 0.52", [("epoch", "", 3), ("epochs", "", 9), ("loss", "", 0.52)]),
        ("学習率: 0.01", []),
        ("학습률: 0.01", []),
        ("лучшая точность: 0.99", []),  # of an epoch before
        ("точность кошки: 0.9", []),  # of one class
        ("猫の精度: 0.9", [("series", "", 0.9)]),
    ],
)  # fmt: skip
def test_numbers_have_the_meaning_of_their_terms(
    text: str, meanings: list[tuple[str, str, float]]
) -> None:
    assert [(n.role, n.split, n.value) for n in named_numbers(text)] == meanings


def test_a_word_that_no_table_has_is_another() -> None:
    assert english("Эпоха: \0 | собака: \0") == "epoch: \0 | other: \0"
    assert english("épocas anteriores") == "epoch anteriores"
    assert english("Épocaso") == "Épocaso"


@pytest.mark.parametrize("text", ["Обучение завершено!", "学習完了", "학습 완료"])
def test_a_closing_sentence(text: str) -> None:
    assert closing(text) is not None


def test_two_trainings_whose_labels_are_russian_are_not_mixed() -> None:
    lines = []
    for first in (7, 4):
        lines += [f"Эпоха: {e} | Train Loss: 0.5{e} | Val Acc: 0.{first}{e}" for e in range(1, 6)]
    card = scored("".join(f"{line}\n" for line in lines))
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["epochs"], accuracy["value"], accuracy["best"]) == (5, 0.45, 0.45)
