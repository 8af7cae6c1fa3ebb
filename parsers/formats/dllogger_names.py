"""The meaning of the names and units of DLLogger's figures: rates, losses, evaluations, facts."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from sixdim.parsers.events import Fact, Metric, Scope
from sixdim.parsers.grammar.shapes.arguments import facts_of as stated_facts
from sixdim.parsers.grammar.shapes.holes import moment, number
from sixdim.parsers.grammar.vocabulary.rankings import ranks
from sixdim.parsers.grammar.vocabulary.units import rate
from sixdim.parsers.text.lines import label
from sixdim.parsers.text.patterns import pattern

Values: TypeAlias = tuple[float, ...]

# Names of the job's rates, with the unit that a name implies if the line prints none. A rate that
# includes waiting for data comes first.
RATES = {
    "train.total_ips": "img/s",
    "train.ips": "img/s",
    "total_ips": "img/s",
    "imgs_per_sec": "img/s",
    "throughput_train": "",
    "train_throughput": "",
    "training_sequences_per_second": "sequences/s",
    "train.compute_ips": "img/s",
    "train_throughout": "img/s",
}
LOSSES = ("train.loss", "loss", "step_loss", "train_loss", "total_loss", "average_loss")
_EVALUATED = pattern(
    r"(?:val|valid|validation|eval|test|dev)(_ema)?+[._](.{1,60})|(.{1,60})[._](?:val|eval)"
)
_RATE_BY_NAME = pattern(r"(?:train_)?+(?:avg_)?+n?+([a-z]{1,24}/s(?:ec)?)")
"""`tokens/s`, `train_avg_frames/s`: a name that says the unit."""
_NOT_A_QUALITY = pattern(r"ips|time|took|elapsed|latency|throughput|per_sec|step|samples")
_CANONICAL = {
    "top1": ("acc1", "%"),
    "top5": ("acc5", "%"),
    "mlm_accuracy": ("mlm_acc", "fraction"),
    "masked_lm_accuracy": ("mlm_acc", "fraction"),
}
_BY_ITSELF = {"BBOX_mAP": "box", "MASK_mAP": "mask", "mAP": "map"}
"""Results whose names do not say that they are an evaluation's."""
_LOWER = pattern(r"(?:.*[._])?(?:loss|perplexity|ppl|wer|error|mae|mse|rmse)(?:_step)?")
_FACTS = {
    "arch": "model",
    "model": "model",
    "model_name": "model",
    "epochs": "epochs_planned",
    "num_epochs": "epochs_planned",
    "world_size": "devices",
    "num_gpus": "devices",
    "batch_size_per_gpu": "batch_per_device",
    "global_batch_size": "global_batch",
    "num_examples": "samples_per_epoch",
}
_HEADER = frozenset(("arch", "model", "model_name", "Config", "config", "epochs", "num_epochs"))
_AMP = ("amp", "fp16", "bf16", "use_tf_amp")


class RecordFigure(NamedTuple):
    """One figure of a record, without its value.

    Attributes:
        place: Its index among the record's figures.
        name: The displayed name.
        unit: The printed unit; for a throughput, its one spelling.
        higher_is_better: As in `Metric`.
    """

    place: int
    name: str
    unit: str
    higher_is_better: bool = True


class RecordPlan(NamedTuple):
    """The meaning of the figures of a record, by their names and units.

    Attributes:
        figures: All figures.
        wanted: The figures that become further figures of a progress line.
        rate: The throughput; None without.
        scope: The scope of the throughput.
        loss: Place of the loss; None without.
        is_final: Whether it is the loss of the whole run.
        of_training: Whether the figures' names say that they are the training's.
        evaluates: Whether it has figures of an evaluation.
    """

    figures: tuple[RecordFigure, ...]
    wanted: tuple[RecordFigure, ...]
    rate: RecordFigure | None
    scope: Scope
    loss: int | None
    is_final: bool
    of_training: bool
    evaluates: bool


@lru_cache(1024)  # a log repeats its few sequences of names in every record
def plan(
    names: tuple[str, ...], units: tuple[str, ...], wanted: frozenset[str] | None
) -> RecordPlan:
    """Returns the meaning of the figures of a record.

    Args:
        names: As printed.
        units: As printed; empty without.
        wanted: In lower case, the further figures that are wanted of a progress line; None for all.
    """
    named = [
        RecordFigure(place, name, unit, not _LOWER.fullmatch(name))
        for place, (name, unit) in enumerate(zip((label(n, 80) for n in names), units, strict=True))
    ]
    by_name = {figure.name: figure for figure in named}
    job = next((name for name in RATES if name in by_name), "")
    others = (k for k, v in by_name.items() if _rate(v) and not _EVALUATED.fullmatch(k))
    found = by_name.get(job or next(others, ""))
    return RecordPlan(
        tuple(named),
        tuple(figure for figure in named if wanted is None or figure.name.lower() in wanted),
        found and found._replace(unit=_rate(found) or RATES.get(found.name, "")),
        Scope.JOB if job else Scope.UNKNOWN,
        next((by_name[name].place for name in LOSSES if name in by_name), None),
        [*by_name] == ["final_loss"],
        any(name.startswith("train_") for name in by_name),
        any(quality(figure.name, figure.unit) for figure in named),
    )


def _rate(figure: RecordFigure) -> str:
    """Returns the unit of a figure that is a rate, by its unit or else its name; else empty."""
    named = None if figure.unit else _RATE_BY_NAME.fullmatch(figure.name)
    return rate(named[1] if named else figure.unit)


def metric(figure: RecordFigure, values: tuple[float, ...]) -> Metric:
    """Returns a figure with its value."""
    return Metric(figure.name, values[figure.place], figure.unit, figure.higher_is_better)


class Quality(NamedTuple):
    """What an evaluation's figure measures.

    Attributes:
        name: Its canonical name, or the log's own.
        unit: Its unit; empty without.
        higher_is_better: As in `Metric`.
        averaged: Whether the averaged weights were evaluated.
    """

    name: str
    unit: str
    higher_is_better: bool
    averaged: bool


@lru_cache(1024)
def quality(name: str, unit: str) -> Quality | None:
    """Returns what an evaluation's figure measures; None for any other figure.

    A metric of ranked results is one without saying so: a training ranks none.
    """
    if name in _BY_ITSELF or ranks(name):
        return Quality(_BY_ITSELF.get(name, name), unit, higher_is_better=True, averaged=False)
    found = _EVALUATED.fullmatch(name)
    if not found or _NOT_A_QUALITY.search(name) or rate(unit):
        return None
    known, usual = _CANONICAL.get(found[2] or found[3], (found[2] or found[3], ""))
    return Quality(known, unit or usual, not _LOWER.fullmatch(known), found[1] is not None)


@lru_cache(1024)
def unit_of(text: str) -> str:
    """Returns the unit that follows a number; empty without one."""
    unit = text.strip()
    # Other text at the end of the line, such as another program's words, is no unit.
    known = unit != "None" and re.fullmatch(r"[A-Za-z%_/.^0-9-]{1,24}", unit)
    return unit if known else ""


def begins_run(parameters: Mapping[str, str]) -> bool:
    """Returns whether these parameters are a header's."""
    return not _HEADER.isdisjoint(parameters)


def facts_of(parameters: Mapping[str, str]) -> Iterator[tuple[str, Fact]]:
    """Yields name and value of the facts about the run that a header's parameters state."""
    for fact, value in stated_facts(parameters, _FACTS):
        if fact != "samples_per_epoch" or parameters.get("benchmark_iters", "None") == "None":
            yield fact, label(value, 60) if fact == "model" else value
    gpus = parameters.get("gpus", "")
    if re.fullmatch(r"\[[\d, ]{1,400}\]", gpus):
        yield "devices", gpus.count(",") + 1
    batch = parameters.get("batch_size", "")
    if "arch" in parameters and re.fullmatch(r"[1-9]\d{0,8}", batch):
        # Among the image classifiers, MXNet's script splits its batch over the devices; the
        # others print the batch of one device.
        yield "global_batch" if "kv_store" in parameters else "batch_per_device", int(batch)
    precision = _precision(parameters)
    if precision:
        yield "precision", precision


def _precision(parameters: Mapping[str, str]) -> str:
    config = parameters.get("Config", "")
    flags = dict(re.findall(r"\b(amp|fp16|bf16|use_tf_amp)=(True|False)", config))
    flags |= {key: parameters[key] for key in _AMP if key in parameters}
    on = [key for key, value in flags.items() if value in ("True", "true")]
    mixed = "amp" in on or "use_tf_amp" in on
    dtype = parameters.get("dtype", parameters.get("precision", ""))
    if dtype in ("float16", "fp16", "float32", "fp32", "bfloat16", "bf16", "tf32"):
        name = dtype.replace("bfloat", "bf").replace("float", "fp")
        return "amp" if name == "fp32" and mixed else name
    if on:
        return "amp" if mixed else on[0]
    return "fp32" if flags else ""


def planned(pairs: Mapping[str, str], wanted: frozenset[str] | None) -> tuple[RecordPlan, Values]:
    """Returns plan and values of `name : value unit` pairs, without values that are no numbers."""
    names, units, values = [], [], []
    for name, text in pairs.items():
        raw, _, rest = text.partition(" ")
        try:
            values.append(number(raw))
        except ValueError:
            continue
        names.append(name)
        units.append(unit_of(rest))
    return plan(tuple(names), tuple(units), wanted), tuple(values)


def of_a_step(label: int | None, figures: Mapping[str, Any]) -> bool:
    """Returns whether a record whose only label is this number is of a step.

    It names its epoch, too.
    """
    epoch = str(figures.get("epoch", label)).strip()
    return "eta" in figures or (epoch.isdecimal() and epoch != str(label))


def of_whole_run(epoch: int | None, step: int | None, plan: RecordPlan) -> bool:
    """Returns whether a record is about the whole run.

    Some scripts give their final loss a step.
    """
    return plan.is_final or (epoch is None and step is None)


def json_clock(record: Mapping[str, Any]) -> int | None:
    """Returns the time of a JSON record in microseconds since 1970; None without a clock."""
    for key in ("datetime", "timestamp"):
        text = record.get(key)
        if not isinstance(text, str):
            continue
        try:
            return moment(text) if key == "datetime" else round(float(text) * 1_000_000)
        except (ValueError, OverflowError):
            continue
    return None
