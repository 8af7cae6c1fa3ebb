"""Named numbers in a line that no format knows: which name each has, and what it means.

`key value`, `key: value`, `key=value`, a unit behind the number, a rate before its unit. The
names and units are those the field uses; anything else is no figure, so that a text with
numbers in it stays text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

_NUMBER = pattern(
    r"(?<![\w.%@-])[-+]?(?:\d{1,3}(?:,\d{3})++(?:\.\d++)?|\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
    r"|(?<![\w.%])[-+]?(?i:nan|inf)(?![\w.])"
)
_DEVICE = r"(?:/| per )(?i:gpus?|devices?|npus?|ranks?|cards?|chips?)"
_UNIT = pattern(
    r" ?([A-Za-z]{1,12} ?/ ?[A-Za-z]{1,9})(?:" + _DEVICE + r"(?!\w)|(?![\w/]))"
    r"|(%|[A-Za-z]{1,12})(?![\w/])"
    r"| (%|ms|s|secs?|seconds?|mins?|minutes|fps)(?![\w/])"
)
BAR = "bar"
"""Name of the steps that a progress bar counts."""
_THOUSANDS = pattern(r"([kKM]) ?(?=[A-Za-z]{1,12} ?/ ?[A-Za-z]{1,9}(?!\w))")
_AHEAD = pattern(r"[ \t]{0,8}[:=]?[ \t]{0,8}[-+]?\.?\d")
_AT_ONE_OF = pattern(r"/\d")
_STEPS_OF_BAR = pattern(r"\d{1,12}+/\d{1,12}+ \[\d")
_OF_ALL = pattern(r"/(\d{1,12}+)(?: \((\d{1,3}+(?:\.\d{1,9}+)?)%\))?(?![\w.])")
_WORDS = pattern(r"[A-Za-z][A-Za-z0-9@]*+|@\d")
_CAMEL = pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_CUTS = pattern(r"[,;|()\[\]{}<>]|\s-\s|:\s|\t|\s{2,}")
_TOP = pattern(r"(?i)(top|prec|acc)[-_ ]?@?(\d)")
_PER = pattern(r"(?i)(?<!\w)(\w++) ?(?:/| per ) ?(\w++)(" + _DEVICE + ")?$")
_LONGEST = 4_000
_POWER = pattern(r"[eE][-+]\d\d$")
_GLUED = pattern(r"\d,\d")
_COUNTS = ("7", "7654321")
_DECIMALS = (*_COUNTS, "7.5", "0.7654321")
_SIGNED = ("-7", "+7.5")
# Without one of these no number in a line has a meaning; most lines are told by it at once.
_HINT = pattern(
    r"(?i)loss|acc|top|prec|epoch|\bep\b|step|iter|batch|update|fps|tps|wps|ips|throughput"
    r"|/ ?s|per[ _]?sec|iou|\bap\b|map|auc|f1|bleu|psnr|ssim|dice|mcc|wer|fid|ppl|perplex|\bit\b"
)

_PER_SECOND = frozenset({"s", "sec", "second", "secs"})
_THINGS = {
    "img": "img/s",
    "imgs": "img/s",
    "image": "img/s",
    "images": "img/s",
    "sample": "samples/s",
    "samples": "samples/s",
    "example": "examples/s",
    "examples": "examples/s",
    "seq": "sequences/s",
    "seqs": "sequences/s",
    "sequence": "sequences/s",
    "sequences": "sequences/s",
    "sentences": "sequences/s",
    "tok": "tokens/s",
    "toks": "tokens/s",
    "token": "tokens/s",
    "tokens": "tokens/s",
    "word": "words/s",
    "words": "words/s",
    "frame": "frames/s",
    "frames": "frames/s",
    "record": "records/s",
    "records": "records/s",
    "it": "it/s",
    "iter": "it/s",
    "iters": "it/s",
    "step": "it/s",
    "steps": "it/s",
    "batch": "it/s",
    "batches": "it/s",
}
_RATES = {"fps": "frames/s", "tps": "tokens/s", "wps": "words/s", "throughput": "", "ips": ""}
_SECONDS = {"s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3}
_TIMES = {**_SECONDS, "min": 60.0, "mins": 60.0, "minutes": 60.0}
_SECONDS_PER = {
    f"{unit}/{what}": seconds
    for unit, seconds in (("s", 1.0), ("sec", 1.0), ("ms", 1e-3), ("us", 1e-6))
    for what in ("it", "iter", "iteration", "step", "batch")
}
_EVALUATED = frozenset(
    {"val", "valid", "validation", "test", "testing", "eval", "evaluation", "dev"}
)
_TRAINED = frozenset({"train", "training", "tr"})
_EPOCHS = frozenset({"epoch", "ep"})
_STEPS = frozenset({"step", "iter", "iters", "iteration", "batch", "update", "it", "steps"})
_OF_A_DEVICE = frozenset({"device", "gpu"})
_LOSSES = frozenset({"loss", "losses"})
_ACCURACIES = {
    "acc": "acc1",
    "accuracy": "acc1",
    "acc1": "acc1",
    "acc@1": "acc1",
    "top1": "acc1",
    "top@1": "acc1",
    "prec@1": "acc1",
    "prec1": "acc1",
    "acc5": "acc5",
    "acc@5": "acc5",
    "top5": "acc5",
    "top@5": "acc5",
    "prec@5": "acc5",
    "prec5": "acc5",
    "miou": "miou",
    "iou": "iou",
    "map": "map",
    "ap": "ap",
    "auc": "auc",
    "f1": "f1",
    "bleu": "bleu",
    "psnr": "psnr",
    "ssim": "ssim",
    "dice": "dice",
    "mcc": "mcc",
    "wer": "wer",
    "fid": "fid",
    "perplexity": "perplexity",
    "ppl": "perplexity",
}
# Words that may stand beside one of the above without changing what it means.
_PLAIN = frozenset(
    {
        *("avg", "average", "mean", "total", "current", "cur", "running", "global", "final"),
        *("train", "training", "tr", "val", "valid", "validation", "test", "testing"),
        *("eval", "evaluation", "dev", "top", "at", "epoch", "step", "iter", "batch", "loss"),
        *("of", "on", "for", "the", "is", "was", "in", "to", "model", "set", "dataset"),
        *("ce", "nll", "lm", "cls", "score", "overall", "reduced"),
    }
)
_NOT = frozenset(
    {
        *("best", "max", "min", "target", "num", "number", "lr", "rate", "learning", "time"),
        *("eta", "scale", "patience", "interval", "freq", "every", "size", "warmup", "decay"),
        *("limit", "threshold", "remaining", "left", "per", "from", "until"),
    }
)


class Named(NamedTuple):
    """One number of a line.

    Attributes:
        role: `epoch`, `epochs`, `step`, `steps`, `loss`, `quality`, `rate`, `duration`,
            `epoch time`.
        name: The name as the log prints it.
        canonical: The metric's canonical name, for `loss` and `quality`.
        value: The number.
        unit: `%`, `img/s`, …; empty where the line does not say.
        split: `train`, `eval`, or empty where the name does not say.
        per_device: Whether a rate says that it is one device's.
        at: Index in the line of the number's first character.
    """

    role: str
    name: str
    canonical: str
    value: float
    unit: str
    split: str
    per_device: bool = False
    at: int = -1


@lru_cache(maxsize=4)  # the statements of the generic reader ask for the same line in turn
def named_numbers(text: str) -> list[Named]:
    """The numbers of a line to which the field's names or units give a meaning."""
    text = text[:_LONGEST]
    if _HINT.search(text) is None:
        return []
    out: list[Named] = []
    end = 0
    counted = False  # whether the number before this one was named, too
    for found in _NUMBER.finditer(text):
        if found.start() < end:
            continue
        gap, begin = text[end : found.start()], end
        before, counted = counted, False
        unit, end, scale, per_device = _unit(text, found.end())
        if _rate_unit(unit) and _AHEAD.match(text, end) and _named_alone(_key(gap), found[0]):
            unit, end, scale = "", found.end(), 1.0  # `loss 1.5 tok/s 250`: the name of the next
        if end < len(text) and text[end - 1].isdigit() and text[end].isalpha():
            continue
        if begin and gap.strip() in ("/", "of") and out:
            of = {"epoch": "epochs", "step": "steps"}.get(out[-1].role) if before else None
            if of and _is_count(found[0]):
                out.append(_named(of, out[-1].name, found[0], at=found.start()))
            continue
        if not _fits(found[0]):
            continue
        if out and out[-1].role == "epoch" and _is_step_of(gap, text, end):
            if _is_count(found[0]):
                out.append(_named("step", out[-1].name, found[0], at=found.start()))
                counted = True
            continue
        if gap.endswith("| ") and _STEPS_OF_BAR.match(text, found.start()):
            out.append(_named("step", BAR, found[0], at=found.start()))
            counted = True
            continue
        if out and out[-1].role == "epoch" and gap.strip(" :") in ("is", "took") and unit in _TIMES:
            scale = _TIMES[unit]
            out.append(_named("epoch time", out[-1].name, found[0], scale=scale, at=found.start()))
            continue
        if _WORDS.search(gap) is None and not unit:
            continue
        named = meaning(_key(gap), found[0], unit)
        if named is None or (named.role == "rate" and named.value == 0):
            continue
        share = _OF_ALL.match(text, end) if named.role == "quality" and not unit else None
        if share is not None:
            out += _shares(named._replace(at=found.start()), share)
            end = share.end()
            continue
        per_device |= named.per_device
        value = named.value * scale
        out.append(named._replace(value=value, per_device=per_device, at=found.start()))
        counted = True
    return out


def _named_alone(key: str, digits: str) -> bool:
    """Whether the name in front of a number means something other than a rate."""
    named = meaning(key, digits, "")
    return named is not None and named.role != "rate"


def _is_step_of(gap: str, text: str, end: int) -> bool:
    """Whether a number behind an epoch is its step: `[3][20]`, `3 [20/400`."""
    tight = "".join(gap.split())
    return tight == "][" or (tight == "[" and _AT_ONE_OF.match(text, end) is not None)


def _shares(named: Named, share: re.Match[str]) -> list[Named]:
    """`9832/10000 (98%)`: the share of all in percent, and the percentage as it is printed."""
    right, of_all = named.value, int(share[1])
    if not 0 <= right <= of_all or not of_all:
        return []
    shares = [named._replace(value=100 * right / of_all, unit="%")]
    if share[2]:
        shares.append(named._replace(value=float(share[2]), unit="%", at=share.start(2)))
    return shares


def words_of(key: str) -> list[str]:
    """The words of a name in lower case: `val_top1Accuracy` is val, top1, accuracy."""
    return [word.lower() for word in _WORDS.findall(_CAMEL.sub(" ", key.replace("_", " ")))]


def _key(gap: str) -> str:
    """The name in front of a number: the last words before it, to the nearest separator."""
    body = gap.rstrip(" \t:=~\"'([{#>-")
    return _CUTS.split(body)[-1].strip(" \t\"':=-*.")[-60:]


def _unit(text: str, position: int) -> tuple[str, int, float, bool]:
    """The unit behind a number, where it ends, its thousands, and whether it is a device's."""
    scaled = _THOUSANDS.match(text, position)
    found = _UNIT.match(text, scaled.end() if scaled else position)
    if found is None:
        return "", position, 1.0, False
    unit = (found[1] or found[2] or found[3]).lower().replace(" ", "")
    if found[1] and _rate_unit(unit) is None and unit not in _SECONDS_PER:
        return "", position, 1.0, False
    scale = {"k": 1e3, "m": 1e6}[scaled[1].lower()] if scaled else 1.0
    return unit, found.end(), scale, bool(found[1]) and found.end(1) < found.end()


def _is_count(digits: str) -> bool:
    return digits.isdecimal() and len(digits) < 13


def _fits(digits: str) -> bool:
    return len(digits) <= 40


def meaning(key: str, digits: str, unit: str) -> Named | None:
    """What a number of this name and unit is; None where the field's names do not say."""
    rate = _rate_unit(unit)
    if rate is not None:
        return _named("rate", key, digits, unit=rate)
    if unit in _SECONDS_PER:
        return _named("duration", key, digits, scale=_SECONDS_PER[unit])
    key = _TOP.sub(r"\1\2", key)
    per = _PER.search(_CAMEL.sub(" ", key.replace("_", " ")))
    if per and per[2].lower() in _PER_SECOND and per[1].lower() in _THINGS:
        rated = _named("rate", key, digits, unit=_THINGS[per[1].lower()])
        own = not _OF_A_DEVICE.isdisjoint(words_of(key))
        return rated._replace(per_device=own or per[3] is not None)
    words = words_of(key)
    if not words or len(words) > 6:
        return None
    kinds = frozenset(words)
    if (
        len(words) > 1
        and words[-1] in ("step", "epoch")
        and words[-2] in _LOSSES | _ACCURACIES.keys()
    ):
        words = words[:-1]  # train_loss_epoch is a loss
    if len(words) > 1 and words[-1] in _EVALUATED | _TRAINED:
        words = words[:-1]  # loss/train, accuracy test
    last = words[-1]
    if last in _EPOCHS | _STEPS:
        role = "epoch" if last in _EPOCHS else "step"
        counts = _is_count(digits) and not unit
        named = not kinds & _NOT or words[-2:-1] == ["for"]  # "time taken for epoch 3"
        return _named(role, key, digits) if counts and named else None
    if {"epoch", "time"} <= kinds and len(kinds) < 4 and (unit in _TIMES or not unit):
        return _named("epoch time", key, digits, scale=_TIMES.get(unit, 1.0))
    if last in _RATES and not kinds & _NOT:
        return _named("rate", key, digits, unit=_RATES[last])
    if kinds & _NOT:
        seconds = _SECONDS.get(unit)
        if seconds and kinds <= {"time", "batch", "step", "iter", "iteration", "per"}:
            return _named("duration", key, digits, scale=seconds)
        return None
    split = "eval" if kinds & _EVALUATED else "train" if kinds & _TRAINED else ""
    if last in _LOSSES:
        return _named("loss", key, digits, canonical="loss", split=split)
    quality = _quality(words)
    if quality is not None and (kinds <= _PLAIN | {last} or len(words) <= 3):
        return _named("quality", key, digits, canonical=quality, unit=unit, split=split)
    return None


def _quality(words: list[str]) -> str | None:
    if words[-1] in ("accuracy", "acc") and len(words) > 1 and words[-2] in _ACCURACIES:
        return _ACCURACIES[words[-2]]
    return _ACCURACIES.get(words[-1])


def _rate_unit(unit: str) -> str | None:
    thing, slash, per = unit.partition("/")
    if slash and per in _PER_SECOND:
        return _THINGS.get(thing)
    return "frames/s" if unit == "fps" else None


def _named(
    role: str,
    name: str,
    digits: str,
    *,
    canonical: str = "",
    unit: str = "",
    split: str = "",
    scale: float = 1.0,
    at: int = -1,
) -> Named:
    value = float(digits.replace(",", "")) * scale
    shown = unit if role == "rate" or unit == "%" else ""
    return Named(role, label(name, 40), canonical or role, value, shown, split, at=at)
