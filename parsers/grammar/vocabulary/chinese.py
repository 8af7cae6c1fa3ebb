"""Translates the field's Chinese terms: `第 3 轮 验证损失：0.5` becomes `epoch 3 val loss: 0.5`.

The table has the words for figures, counts and the end of a run. Any other word becomes `other`.
No figure's name contains that, so a figure of something else is not taken for a known one.
"""

from __future__ import annotations

import re

from sixdim.parsers.text.patterns import one_of, pattern

_TERMS = {
    term: english
    for english, terms in {
        "train": "训练集 训练 訓練",
        "pretraining": "预训练",
        "val": "验证集 验证 驗證",
        "test": "测试集 测试 測試",
        "evaluation": "评估 评测",
        "loss": "损失函数 损失值 损失 損失",
        "accuracy": "准确率 准确度 正确率 準確率 精度",
        "precision": "精确率 精准率",
        "recall": "召回率",
        "perplexity": "困惑度",
        "reward": "奖励",
        "average": "平均",
        "mean": "均值",
        "total": "总体 总共 总的 总",
        "current": "当前 目前",
        "best": "最佳 最好 最优 最高 最低 最小 最大",
        "epoch": "轮次 轮数 轮 周期",
        "iteration": "迭代次数 次迭代 迭代",
        "step": "训练次数 步数 步骤 步",
        "overall": "整体 整个 全部",
        "batch": "批次 批",
        "episode": "回合",
        "lr": "学习率",
        "time": "消耗时间 花费时间 所用时间 耗时 用时 时间 時間",
        "remaining": "剩余",
        "speed": "速度",
        "s": "秒钟 秒",
        "ms": "毫秒",
        "min": "分钟",
        "h": "小时",
        "complete": "完成 完毕 结束",
        "successfully": "圆满 顺利 成功",
        "task": "任务",
        "start": "开始",
        "saved": "保存",
        "model": "模型",
        "dataset": "数据集",
        "results": "结果",
        "of": "的",
        "on": "在 上",
        "is": "为 是",
        "": "个",
    }.items()
    for term in terms.split()
}
_OTHER = "other"
_TRAINS = one_of(*(term for term, found in _TERMS.items() if found == "train"))
_RUN = pattern(r"[\u4e00-\u9fff]++")
_TERM = pattern("|".join(sorted(_TERMS, key=len, reverse=True)) + r"|[\u4e00-\u9fff]")
_NUMBERED = pattern(r"第(\s*+[\d\0]++\s*+)个?(轮次|轮|周期|次迭代|步|批次|批|回合)")
"""`第 3 轮`: the count stands between the two halves of its name."""
_PUNCTUATION = str.maketrans(
    dict(zip("：（）【】％／｜＝，。；！", (*":()[]%/|=", ", ", ". ", "; ", "! "), strict=True))
)


def is_chinese(text: str) -> bool:
    """Whether a text contains a Chinese character."""
    return _RUN.search(text) is not None


def may_train(text: str) -> bool:
    """Whether a text contains a Chinese term for `train`."""
    return not text.isascii() and _TRAINS.search(text) is not None


def english(text: str) -> str:
    """Returns a text with its Chinese terms in English; a NUL may stand for each number."""
    text = _NUMBERED.sub(r"\2\1", text.translate(_PUNCTUATION))
    return _RUN.sub(_in_words, text)


def _in_words(run: re.Match[str]) -> str:
    """Returns a run of Chinese characters in English, with blanks to the words around it."""
    found = [_TERMS.get(term, _OTHER) for term in _TERM.findall(run[0])]
    text, begin, end = run.string, run.start(), run.end()
    before = " " if begin and not text[begin - 1].isspace() else ""
    behind = " " if text[end : end + 1].isalnum() or text[end : end + 1] == "\0" else ""
    return before + " ".join(filter(None, found)) + behind
