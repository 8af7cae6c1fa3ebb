"""Logs of loops that speak Chinese are read as those that speak English."""

from __future__ import annotations

import pytest

from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from sixdim.parsers.grammar.vocabulary.closing import closing
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
    ],
)  # fmt: skip
def test_numbers_have_the_meaning_of_their_terms(
    text: str, meanings: list[tuple[str, str, float]]
) -> None:
    assert [(n.role, n.split, n.value) for n in named_numbers(text)] == meanings


def test_a_closing_sentence() -> None:
    assert closing("训练完成！总耗时: 1.30 小时") is not None
    assert closing("训练完成，用时 2 小时") is not None
    assert closing("训练结束，最佳验证准确率: 99.1%") is not None
    assert closing("训练集加载完成") is None
    assert closing("第 3 轮训练完成") is None


def test_a_loop_of_the_tutorials() -> None:
    """Steps that count on through all epochs, a test behind each."""
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
