"""Loops that speak another language than English are read as those that speak English."""

from __future__ import annotations

import pytest

from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from sixdim.parsers.grammar.vocabulary.closing import closing
from sixdim.parsers.grammar.vocabulary.languages import english
from tests.support.logs import scored


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("第 3 轮 验证损失：0.52", [("epoch", "", 3), ("loss", "eval", 0.52)]),
        ("第3轮训练，损失0.52", [("epoch", "", 3), ("loss", "", 0.52)]),
        ("第3步，准确率 91.5%", [("step", "", 3), ("quality", "", 91.5)]),
        ("轮次 [3/10]", [("epoch", "", 3), ("epochs", "", 10)]),
        ("整体测试集上的正确率: 0.61", [("quality", "eval", 0.61)]),
        ("汽车准确率: 0.9", [("series", "", 0.9)]),  # of one class
        ("最佳验证准确率: 0.9896", []),  # of an epoch before
        ("学习率: 0.01 剩余时间: 12 秒", []),
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
        ("val_pérdida: 0.48", [("loss", "eval", 0.48)]),
        (
            "Epoca 3/15 - Tempo: 7.5s | perdita: 0.52",
            [("epoch", "", 3), ("epochs", "", 15), ("epoch time", "", 7.5), ("loss", "", 0.52)],
        ),
        ("Época 3/15, pérdida=0.52", [("epoch", "", 3), ("epochs", "", 15), ("loss", "", 0.52)]),
        ("Epoche 3/9: loss 0.52", [("epoch", "", 3), ("epochs", "", 9), ("loss", "", 0.52)]),
        (
            "Epoche 3 von 9 | Verlust: 0.52 | Validierungsgenauigkeit: 91.5%",
            [("epoch", "", 3), ("epochs", "", 9), ("loss", "", 0.52), ("quality", "eval", 91.5)],
        ),
        (
            "Époque 3, Perte entraînement: 0.52, exactitude val: 0.91",
            [("epoch", "", 3), ("loss", "train", 0.52), ("quality", "eval", 0.91)],
        ),
        (
            "época 3: perda = 0.52, perda validação = 0.61",
            [("epoch", "", 3), ("loss", "", 0.52), ("loss", "eval", 0.61)],
        ),
        (
            "Epoka 3 | Krok 100/356 | Średni loss: 0.52",
            [("epoch", "", 3), ("step", "", 100), ("steps", "", 356), ("loss", "", 0.52)],
        ),
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


@pytest.mark.parametrize(
    ("text", "closes"),
    [
        ("Обучение завершено!", True),
        ("学習完了", True),
        ("訓練が完了しました", True),
        ("学習終了", True),
        ("학습 완료", True),
        ("训练完成！总耗时: 1.30 小时", True),
        ("训练完成，用时 2 小时", True),
        ("训练结束，最佳验证准确率: 99.1%", True),
        ("训练集加载完成", False),
        ("第 3 轮训练完成", False),
    ],
)
def test_a_closing_sentence(text: str, closes: bool) -> None:
    assert (closing(text) is not None) is closes


def test_two_trainings_whose_labels_are_russian_are_not_mixed() -> None:
    lines = []
    for first in (7, 4):
        lines += [f"Эпоха: {e} | Train Loss: 0.5{e} | Val Acc: 0.{first}{e}" for e in range(1, 6)]
    card = scored("".join(f"{line}\n" for line in lines))
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["epochs"], accuracy["value"], accuracy["best"]) == (5, 0.45, 0.45)


def test_a_loop_of_chinese_tutorials() -> None:
    """Steps that count on through all epochs, a test after each."""
    lines = []
    for epoch in range(1, 11):
        lines.append(f"-------第 {epoch} 轮训练开始-------")
        lines += [
            f"训练次数：{800 * epoch + at}，Loss：{2 - epoch / 9}" for at in range(0, 800, 100)
        ]
        lines += [f"整体测试集上的Loss: {300 - epoch}", f"整体测试集上的正确率: {epoch / 20}"]
    card = scored("\n".join([*lines, "训练结束", ""]))
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["epoch"], card["run_end"]["epochs"]) == (0.5, 10, 10)
    assert card["status"] == "finished"


@pytest.mark.parametrize("unit", ["", "%"])
def test_a_loop_with_decimal_commas(unit: str) -> None:
    """The loss falls from 2,1250 to 0,1250 and the accuracy is one of 61,25 to 65,25 %."""
    begin, last = ("6", 65.25) if unit else ("0,6", 0.6525)
    lines = [
        f"Epoche {e}/5 | Verlust: {losses},1250 | Val-Verlust: {losses},2250 | "
        f"Val-Genauigkeit: {begin}{e}{',' if unit else ''}25{unit} | Dauer: 2{e},5 s"
        for e, losses in enumerate((2, 1, 1, 0, 0), 1)
    ]
    card = scored("".join(f"{line}\n" for line in lines))
    assert card["dimensions"]["accuracy"]["value"] == last
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (5, 5)


@pytest.mark.parametrize("ids", ["gpus: 0,1", "gpus: 0,1,2", "loss weights: 0.5,0.125"])
def test_the_comma_of_a_list_or_of_thousands_is_no_decimal_one(ids: str) -> None:
    lines = [f"Epoch {e}: loss {e}, {2 * e},250 samples/s, batch 64" for e in range(1, 7)]
    speed = scored("".join(f"{line}\n" for line in [ids, *lines]))["dimensions"]["speed"]
    assert speed["values"][-1] == 12250.0
