"""How each published rule is said on the command line, and what comes of it.

`figures.json` of the corpus pairs logs with published figures and the rule in words. Nothing
here knows an answer: a rule becomes flags, the card gives the figure, and the published digits
are only looked at to see how they were printed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

Words = tuple[str, ...]
Card = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """One pair of the corpus."""

    log: str
    metric: str
    published: str
    rule: str
    computed: float
    match: str

    @property
    def family(self) -> str:
        """`Perf/Bert`, `AI-Rank`, …."""
        parts = self.log.split("/")
        return "/".join(parts[:2]) if parts[0].startswith("Perf") else parts[0]

    @property
    def kind(self) -> str:
        """`exact`, `truncated`, `approx` or `NOT REPRODUCED`."""
        return re.split(r"[ (]", self.match)[0].replace("NOT", "NOT REPRODUCED")


@dataclass(frozen=True)
class Selection:
    """What a rule asks: flags of `sixdim score`, and where the card has the figure."""

    words: Words
    read: Callable[[Card], float | None]


def _speed(card: Card) -> float | None:
    value: float | None = card["dimensions"]["speed"]["value"]
    return value


def _accuracy(card: Card) -> float | None:
    value: float | None = card["dimensions"]["accuracy"]["value"]
    return value


def _time_to_train(card: Card) -> float | None:
    return None if card["target"] is None else card["target"].get("time_to_train_s")


def _of_target(metric: str) -> Callable[[Card], float | None]:
    return lambda card: ((card["target"] or {}).get("values") or {}).get(metric)


def _summary(metric: str) -> Words:
    return ("--protocol", "summary", "--metric", metric)


def _custom(metric: str, *words: str) -> Words:
    return ("--protocol", "custom", "--metric", metric, *words)


def _count(skip: str | None) -> Words:
    return ("--skip", skip) if skip and skip != "0" else ()


_COCO = ("--target", "box>=37.7,mask>=33.9")

# (the rule in words, what it is on the command line); the groups of the first fill the second.
RULES: tuple[tuple[str, Callable[[re.Match[str], Figure], Selection]], ...] = (
    (
        r"tipc\(skip=(\d+)\) x (\d+) cards.*",
        lambda m, f: Selection(
            ("--protocol", "paddle-tipc", "--skip", m[1], "--devices", m[2]), _speed
        ),
    ),
    (
        r"mean\(ips\[(\d+):(?:-(\d+))?\]\) x (\d+).*",
        lambda m, f: Selection(
            (
                *_custom("throughput", "--skip", m[1], "--scale", "devices", "--devices", m[3]),
                *(("--skip-end", m[2]) if m[2] else ()),
            ),
            _speed,
        ),
    ),
    (
        r"median\(ips\) x (\d+) cards",
        lambda m, f: Selection(
            _custom("throughput", "--reduce", "median", "--scale", "devices", "--devices", m[1]),
            _speed,
        ),
    ),
    (
        r'mean\(([\w.]+) of "Iteration:" lines \[(\d+):\]\).*',
        lambda m, f: Selection(_custom(m[1], *_count(m[2])), _speed),
    ),
    (
        r"mean\((total_ips|throughput_train)\[(\d+):\]\).*",
        lambda m, f: Selection(_custom(m[1], *_count(m[2])), _speed),
    ),
    (
        r"mean\(tokens/s\[(\d+):\]\).*",
        lambda m, f: Selection(_custom("throughput", *_count(m[1])), _speed),
    ),
    (
        r"mean of EVERY ([\w.]+) match \[(\d+):\].*",
        lambda m, f: Selection(_custom(m[1], "--records", "all", "--skip", m[2]), _speed),
    ),
    (
        r"mean of the last (\d+) (\w+) records.*",
        lambda m, f: Selection(_custom(m[2], "--take-end", m[1]), _speed),
    ),
    (
        r"mean\(epoch ips\) x (\d+) nodes.*",
        lambda m, f: Selection(
            ("--protocol", "custom", "--records", "epoch", "--scale", "nodes", "--nodes", m[1]),
            _speed,
        ),
    ),
    (
        r"(\d+) ?/ ?mean\(time(?:\[(\d+):\])?\).*",
        lambda m, f: Selection(
            _custom("time|duration", *_count(m[2]), "--inverse", "mean", "--scale", m[1]), _speed
        ),
    ),
    (
        r'(\d+) / last cumulative "time:"',
        lambda m, f: Selection(
            _custom("time", "--reduce", "last", "--inverse", "mean", "--scale", m[1]), _speed
        ),
    ),
    (
        r"LAST tokens/s record.*",
        lambda m, f: Selection(_custom("throughput", "--reduce", "last"), _speed),
    ),
    (
        r'last "(walltime)"',
        lambda m, f: Selection(_custom(m[1], "--records", "all", "--reduce", "last"), _speed),
    ),
    (
        r'table at end of log(?: \("train\.ips" grid\))?',
        lambda m, f: Selection(_summary(_of_table(f)), _speed),
    ),
    (
        r"(?:DLL )?(?:Summary(?: line)?,?|final(?: line)?) (train\.\w+|\w*throughput|training_\w+)",
        lambda m, f: Selection(_summary(m[1]), _speed),
    ),
    (
        r"Summary (val\.top1) .*",
        lambda m, f: Selection(_summary(m[1]), _speed),
    ),
    (
        r'first "Iteration:" DLL line .* last DLL line.*',
        lambda m, f: Selection((), lambda card: card["run_end"]["run_time_s"]),
    ),
    (
        r'"Start running" -> first Iter\(val\) line with mIoU >= 0\.78',
        lambda m, f: Selection(("--target", "miou>=0.78", "--start", "header"), _time_to_train),
    ),
    (
        r"mIoU at that evaluation.*",
        lambda m, f: Selection(("--target", "miou>=0.78"), lambda c: _percent(_accuracy(c))),
    ),
    (
        r"first evaluation with box>=37\.7 and mask>=33\.9",
        lambda m, f: Selection(_COCO, _of_target("box")),
    ),
    (r"same evaluation", lambda m, f: Selection(_COCO, _of_target("mask"))),
    (
        r'"Starting training" -> that evaluation',
        lambda m, f: Selection((*_COCO, "--start", "header"), _time_to_train),
    ),
    (
        r"last AI-Rank-log eval_accuracy timestamp.*|AI-Rank-log target_quality_time",
        lambda m, f: Selection(_summary("target_quality_time"), _speed),
    ),
    (
        r"last AI-Rank-log eval_accuracy",
        lambda m, f: Selection(("--format", "airank"), _accuracy),
    ),
)


def _percent(value: float | None) -> float | None:
    """The published column is a percentage; the log prints a fraction."""
    return None if value is None else float(Decimal(repr(value)) * 100) if value <= 1 else value


def _of_table(figure: Figure) -> str:
    """The table of one log may hold several device counts; the figure's name says which."""
    devices = re.search(r"(\d+) GPU", figure.metric)
    batch = re.search(r"bs(\d+)", figure.log)
    if not (devices and batch):
        return "train.ips"
    cell = f"[{devices[1]},{batch[1]}]"
    return f"train.ips{cell}|train.total_ips{cell}"


_EXACT = frozenset({("HRNet_W18/log/GPUx8_time2train_ips.log", "20.88")})
"""Logs and published figures that follow from the log since it is known how.

In AI-Rank's HRNet those are the records which do not follow an evaluation: MMCV includes its time.
"""


def figures(corpus: Path) -> list[Figure]:
    """Every pair of the corpus."""
    pairs = json.loads((corpus / "figures.json").read_text(encoding="utf-8"))
    found = [
        Figure(p["log"], p["metric"], p["published"], p["rule"], p["computed"], p["match"])
        for p in pairs
    ]
    return [
        replace(one, match="exact") if (_end(one.log), one.published) in _EXACT else one
        for one in found
    ]


def _end(log: str) -> str:
    return "/".join(log.split("/")[-3:])


def asked(figure: Figure) -> Selection:
    """The rule as flags.

    Raises:
        LookupError: No rule of the table says it.
    """
    for pattern, build in RULES:
        found = re.fullmatch(pattern.replace(" ", " "), _first_part(figure.rule))
        if found:
            return build(found, figure)
    raise LookupError(figure.rule)


def _first_part(rule: str) -> str:
    return rule.split(", printed")[0].removesuffix("?").strip()


def digits(value: float, published: str) -> Iterator[tuple[str, str]]:
    """(how, the value printed like the published figure) for each way of printing."""
    text = published.replace(",", "")
    places = len(text.partition(".")[2])
    unit = Decimal(1).scaleb(-places)
    yield "exact", f"{value:.{places}f}"
    # A tie goes to the even digit where numpy or a spreadsheet did the rounding.
    yield "exact", str(Decimal(f"{value:.12g}").quantize(unit, rounding=ROUND_HALF_EVEN))
    yield "exact(%.6g)", f"{value:.6g}"
    yield "truncated", str(Decimal(value).quantize(unit, rounding=ROUND_DOWN))


def verdict(value: float | None, published: str) -> str:
    """How a figure meets the published digits; the difference in percent where it does not."""
    if value is None:
        return "no figure"
    text = published.replace(",", "")
    for how, shown in digits(value, published):
        if shown == text or (how == "exact(%.6g)" and float(shown) == float(text)):
            return how
    return f"{(value / float(text) - 1) * 100:+.4f} %"
