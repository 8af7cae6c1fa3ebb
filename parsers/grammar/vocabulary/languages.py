"""Translates the field's terms: `第 3 轮 验证损失：0.5` becomes `epoch 3 val loss: 0.5`.

The tables have the words for figures, counts and the end of a run in Chinese, Japanese, Korean and
Russian. Any other word becomes `other`. No figure's name contains that, so a figure of something
else is not taken for a known one. A few words of languages with Latin letters are known, too.
"""

import re

from sixdim.parsers.text.patterns import one_of, pattern

_TERMS = {
    term: english
    for english, terms in {
        "train": "训练集 训练 訓練 学習 トレーニング 훈련 학습이 학습",
        "pretraining": "预训练",
        "val": "验证集 验证 驗證 検証 검증",
        "test": "测试集 测试 測試 テスト 테스트",
        "evaluation": "评估 评测 評価 평가",
        "loss": "损失函数 损失值 损失 損失 ロス 손실",
        "accuracy": "准确率 准确度 正确率 準確率 精度 正解率 정확도",
        "precision": "精确率 精准率",
        "recall": "召回率",
        "perplexity": "困惑度",
        "reward": "奖励",
        "average": "平均 평균",
        "mean": "均值",
        "total": "总体 总共 总的 总",
        "current": "当前 目前",
        "best": "最佳 最好 最优 最高 最低 最小 最大 最良 최고 최적 최저",
        "epoch": "轮次 轮数 轮 周期 エポック 에포크 에폭",
        "iteration": "迭代次数 次迭代 迭代",
        "step": "训练次数 步数 步骤 步 ステップ 스텝",
        "overall": "整体 整个 全部",
        "batch": "批次 批 バッチ 배치",
        "episode": "回合",
        "lr": "学习率 学習率 학습률",
        "time": "消耗时间 花费时间 所用时间 耗时 用时 时间 時間 시간",
        "remaining": "剩余",
        "speed": "速度",
        "s": "秒钟 秒 초",
        "ms": "毫秒",
        "min": "分钟 분",
        "h": "小时",
        "complete": "完成 完毕 完畢 结束 結束 完了 終了 완료되었습니다 완료 종료",
        "successfully": "圆满 顺利 成功",
        "task": "任务",
        "start": "开始 開始 시작",
        "saved": "保存",
        "model": "模型 モデル 모델",
        "dataset": "数据集",
        "results": "结果",
        "of": "的 の",
        "on": "在 上",
        "is": "为 是",
        "": "个 が しました",
    }.items()
    for term in terms.split()
}
_STEMS = {
    stem: english
    for english, stems in {
        "epoch": "эпох",
        "iteration": "итерац",
        "step": "шаг",
        "batch": "батч",
        "train": "обуч тренир",
        "val": "валид",
        "test": "тест",
        "loss": "потер",
        "accuracy": "точност",
        "average": "средн",
        "best": "лучш",
        "time": "время",
        "complete": "заверш законч оконч",
        "successfully": "успешно",
        "model": "модел",
        "on": "на",
    }.items()
    for stem in stems.split()
}
"""Beginnings of Russian words."""
_OF_LATIN_LETTERS = {
    term: english
    for english, terms in {
        "epoch": "época épocas epoca epocas époque époques epoque epoques epoka",
        "step": "krok",
        "average": "średni średnia",
        "train": "treino entraînement l'entraînement eğitim eğitimi huấn luyện",
        "val": "validación validação",
        "loss": "pérdida pérdidas perdida perdita perda verlust perte kayıp",
        "train loss": "trainingsverlust",
        "val loss": "validierungsverlust",
        "accuracy": "acurácia exactitude exactitud genauigkeit accuratezza akurasi doğruluk",
        "val accuracy": "validierungsgenauigkeit",
        "test accuracy": "testgenauigkeit",
        "time": "dauer zeit durée tiempo tempo temps süre waktu",
        "iteration": "iteración iteração",
        "finished": "concluído concluída terminé terminée tamamlandı hoàn tất thành",
        "successfully": "éxito",
        "h": "horas heures",
        "min": "minutos menit мин",
        "s": "segundos secondes sekunden detik сек",
    }.items()
    for term in terms.split()
}
_MAY_BE_LATIN = one_of(*_OF_LATIN_LETTERS)
"""Finds what `_LATIN` may find in a text of small letters, in a tenth of its time."""
_OTHER = "other"
_TRAINS = one_of(
    *(term for terms in (_TERMS, _STEMS) for term, found in terms.items() if found == "train")
)
IDEOGRAPHS = "\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
"""The characters of Chinese, Japanese and Korean."""
_CYRILLIC = "\u0400-\u04ff"
_RUN = pattern(rf"[{IDEOGRAPHS}]++|[{_CYRILLIC}]++")
_IN_A_RUN = pattern(rf"[{IDEOGRAPHS}{_CYRILLIC}]")
"""Finds a character of `_RUN`, in a tenth of its time."""
_TERM = pattern("|".join(sorted(_TERMS, key=len, reverse=True)) + rf"|[{IDEOGRAPHS}]")
_STEM = pattern("|".join(sorted(_STEMS, key=len, reverse=True)))
_LATIN = pattern(r"(?i)(?<![^\W_])(?:" + "|".join(_OF_LATIN_LETTERS) + r")(?!\w)")
_NUMBERED = pattern(r"第(\s*+[\d\0]++\s*+)个?(轮次|轮|周期|次迭代|步|批次|批|回合)")
"""`第 3 轮`: the count stands between the two halves of its name."""
_OF_ALL = pattern(r"(?<=\0) (?:von|de|sur|di)(?=\0)")
"""What stands between a count and its total: `Época 3 de 9`."""
_PUNCTUATION = str.maketrans(
    dict(zip("：（）【】％／｜＝，。；！", (*":()[]%/|=", ", ", ". ", "; ", "! "), strict=True))
)


def is_translated(text: str) -> bool:
    """Returns whether a text contains a word of one of the languages."""
    if not text.isascii() and _IN_A_RUN.search(text) is not None:
        return True
    return _MAY_BE_LATIN.search(text.lower()) is not None and _LATIN.search(text) is not None


def may_train(text: str) -> bool:
    """Returns whether a text contains a term for `train` of one of the languages."""
    return not text.isascii() and _TRAINS.search(text.lower()) is not None


def english(text: str) -> str:
    """Returns a text with its terms in English; a NUL may stand for each number."""
    text = _OF_ALL.sub(" of", _NUMBERED.sub(r"\2\1", text.translate(_PUNCTUATION)))
    text = _LATIN.sub(lambda found: _OF_LATIN_LETTERS[found[0].lower()], text)
    return _RUN.sub(_in_words, text)


def _in_words(run: re.Match[str]) -> str:
    """Returns a run of one script's characters in English, with blanks to the words around it."""
    if run[0][0] < "\u3000":
        stem = _STEM.match(run[0].lower())
        found = [_OTHER if stem is None else _STEMS[stem[0]]]
    else:
        found = [_TERMS.get(term, _OTHER) for term in _TERM.findall(run[0])]
    text, begin, end = run.string, run.start(), run.end()
    before = " " if begin and not text[begin - 1].isspace() else ""
    after = " " if text[end : end + 1].isalnum() or text[end : end + 1] == "\0" else ""
    return before + " ".join(filter(None, found)) + after
