"""Named numbers in a line that no format knows: which name each has, and what it means.

`key value`, `key: value`, `key=value`, a unit behind the number, a rate before its unit. The
names and units are those the field uses; anything else is no figure, so that a text with
numbers in it stays text.
"""

from __future__ import annotations

from typing import NamedTuple

from parsers.lazy import pattern
from parsers.text import label

_NUMBER = pattern(
    r"(?<![\w.%@-])[-+]?(?:\d{1,3}(?:,\d{3})++(?:\.\d++)?|\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
    r"|(?<![\w.%])[-+]?(?i:nan|inf)(?![\w.])"
)
_UNIT = pattern(
    r" ?([A-Za-z]{1,12} ?/ ?[A-Za-z]{1,9})(?![\w/])"
    r"|(%|[A-Za-z]{1,12})(?![\w/])"
    r"| (%|ms|s|secs?|seconds?|mins?|minutes|fps)(?![\w/])"
)
_WORDS = pattern(r"[A-Za-z][A-Za-z0-9@]*+|@\d")
_CAMEL = pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_CUTS = pattern(r"[,;|()\[\]{}<>]|\s-\s|:\s|\t|\s{2,}")
_TOP = pattern(r"(?i)(top|prec|acc)[-_ ]?@?(\d)")
_PER = pattern(r"(?i)(?<!\w)(\w++) ?(?:/| per ) ?(\w++)$")
_LONGEST = 4_000
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
_SECONDS_PER = frozenset({"s/it", "s/iter", "s/step", "s/batch", "sec/step", "sec/batch"})
_EVALUATED = frozenset(
    {"val", "valid", "validation", "test", "testing", "eval", "evaluation", "dev"}
)
_TRAINED = frozenset({"train", "training", "tr"})
_EPOCHS = frozenset({"epoch", "ep"})
_STEPS = frozenset({"step", "iter", "iters", "iteration", "batch", "update", "it", "steps"})
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
    """

    role: str
    name: str
    canonical: str
    value: float
    unit: str
    split: str


def named_numbers(text: str) -> list[Named]:
    """The numbers of a line that the field's names or units give a meaning to."""
    text = text[:_LONGEST]
    if _HINT.search(text) is None:
        return []
    out: list[Named] = []
    end = 0
    for found in _NUMBER.finditer(text):
        if found.start() < end:
            continue
        gap, begin = text[end : found.start()], end
        end = found.end()
        unit, end = _unit(text, end)
        if end < len(text) and text[end - 1].isdigit() and text[end].isalpha():
            continue
        if begin and gap.strip() in ("/", "of") and out:
            of = {"epoch": "epochs", "step": "steps"}.get(out[-1].role)
            if of and _is_count(found[0]):
                out.append(_named(of, out[-1].name, found[0]))
            continue
        if not _fits(found[0]):
            continue
        if out and out[-1].role == "epoch" and "".join(gap.split()) == "][":
            if _is_count(found[0]):
                out.append(_named("step", out[-1].name, found[0]))
            continue
        if out and out[-1].role == "epoch" and gap.strip(" :") in ("is", "took") and unit in _TIMES:
            out.append(_named("epoch time", out[-1].name, found[0], scale=_TIMES[unit]))
            continue
        if _WORDS.search(gap) is None and not unit:
            continue
        named = meaning(_key(gap), found[0], unit)
        if named is not None and (named.role != "rate" or named.value != 0):
            out.append(named)
    return out


def words_of(key: str) -> list[str]:
    """The words of a name in lower case: `val_top1Accuracy` is val, top1, accuracy."""
    return [word.lower() for word in _WORDS.findall(_CAMEL.sub(" ", key.replace("_", " ")))]


def _key(gap: str) -> str:
    """The name in front of a number: the last words before it, to the nearest separator."""
    body = gap.rstrip(" \t:=~\"'([{#>-")
    return _CUTS.split(body)[-1].strip(" \t\"':=-*.")[-60:]


def _unit(text: str, position: int) -> tuple[str, int]:
    """The unit behind a number, and where it ends."""
    found = _UNIT.match(text, position)
    if found is None:
        return "", position
    unit = (found[1] or found[2] or found[3]).lower().replace(" ", "")
    if found[1] and _rate_unit(unit) is None and unit not in _SECONDS_PER:
        return "", position
    return unit, found.end()


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
        return _named("duration", key, digits)
    key = _TOP.sub(r"\1\2", key)
    per = _PER.search(_CAMEL.sub(" ", key.replace("_", " ")))
    if per and per[2].lower() in _PER_SECOND and per[1].lower() in _THINGS:
        return _named("rate", key, digits, unit=_THINGS[per[1].lower()])
    words = words_of(key)
    if not words or len(words) > 6:
        return None
    if (
        len(words) > 1
        and words[-1] in ("step", "epoch")
        and words[-2] in _LOSSES | _ACCURACIES.keys()
    ):
        words = words[:-1]  # train_loss_epoch is a loss
    last, kinds = words[-1], frozenset(words)
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
) -> Named:
    value = float(digits.replace(",", "")) * scale
    shown = unit if role == "rate" or unit == "%" else ""
    return Named(role, label(name, 40), canonical or role, value, shown, split)
