"""Facts from the name of a log and its folders: `1n8g/rn50_b128_fp32_3.log`, `GPUx8_AMP.log`.

Flags and the log itself win over such facts. Where two words of a name contradict each other,
neither is used.
"""

import re
from typing import NamedTuple

from sixdim.parsers.events import Fact
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_ENDINGS = pattern(r"(?:\.(?:log|txt|out|json|jsonl|gz|bz2|xz|zst))+$", re.IGNORECASE)
_WORDS = pattern(r"[_\-.+ ]")
_CASE = pattern(r"(?P<nodes>\d{1,5})n(?P<cards>\d{1,5})g", re.IGNORECASE)
_GRID = pattern(r"N(?P<nodes>\d{1,5})C(?P<cards>\d{1,5})")
_DEVICES = pattern(
    r"(?:gpus?x?|npus?x?|cards?x?)(?P<after>\d{1,6})|(?P<before>\d{1,6})(?:gpus?|npus?|cards?)",
    re.IGNORECASE,
)
_NODES = pattern(r"nodes?(?P<after>\d{1,5})|(?P<before>\d{1,5})nodes?", re.IGNORECASE)
_BATCH = pattern(r"(?:b|bs|bz|bsz|batch|batchsize)(?P<batch>\d{1,7})", re.IGNORECASE)
_PRECISION = pattern(r"fp32|fp16|amp|bf16|tf32|fp8|int8", re.IGNORECASE)
_RUN = pattern(r"(?:run|result|test)?(?P<run>\d{1,6})", re.IGNORECASE)


class NameFacts(NamedTuple):
    """The facts in a path.

    Attributes:
        facts: `nodes`, `devices`, `batch_per_device`, `precision`, `model`, as in `RunInfo`.
        case: DLPerf's folder, `1n8g`; empty without one.
        run: Number of the repetition; None where the name does not end with one.
    """

    facts: dict[str, Fact]
    case: str = ""
    run: int | None = None


def facts_in_name(path: str) -> NameFacts:
    """Reads the last folder and the file's name of a path."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    file = _ENDINGS.sub("", parts[-1][:255]) if parts else ""
    folder = parts[-2][:255] if len(parts) > 1 else ""
    words = [word for word in _WORDS.split(file) if word]
    said: dict[str, set[Fact]] = {}
    for word in words:
        _word(word, said)
    case = _CASE.fullmatch(folder)
    if case is not None:
        said["nodes"] = {int(case["nodes"])}
        said["devices"] = {int(case["nodes"]) * int(case["cards"])}
    facts = {name: next(iter(v)) for name, v in said.items() if len(v) == 1 and 0 not in v}
    if "precision" in facts and "pure_fp16" in file.lower():
        facts["precision"] = "pure_fp16"
    if len(words) > 1 and _BATCH.fullmatch(words[1]):
        facts["model"] = label(words[0], 60)
    run = _RUN.fullmatch(words[-1]) if len(words) > 1 else None
    return NameFacts(
        facts, folder.lower() if case is not None else "", int(run["run"]) if run else None
    )


def _word(word: str, said: dict[str, set[Fact]]) -> None:
    for case in (_CASE.fullmatch(word), _GRID.fullmatch(word)):
        if case is not None:
            said.setdefault("nodes", set()).add(int(case["nodes"]))
            said.setdefault("devices", set()).add(int(case["nodes"]) * int(case["cards"]))
            return
    for name, shape in (("devices", _DEVICES), ("nodes", _NODES)):
        if found := shape.fullmatch(word):
            said.setdefault(name, set()).add(int(found["after"] or found["before"]))
    if found := _BATCH.fullmatch(word):
        said.setdefault("batch_per_device", set()).add(int(found["batch"]))
    if found := _PRECISION.fullmatch(word):
        said.setdefault("precision", set()).add(found[0].lower())
