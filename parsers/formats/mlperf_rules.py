"""The meaning of the numbers in MLPerf's records: quality, target and rate by benchmark; epochs."""

from collections.abc import Iterator, Mapping
from typing import Any

from sixdim.parsers.events import Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, known
from sixdim.parsers.text.lines import label

_QUALITY: Mapping[str, tuple[str, str, bool]] = {
    "resnet": ("acc1", "fraction", True),
    "bert": ("mlm_acc", "fraction", True),
    "ssd": ("map", "fraction", True),
    "retinanet": ("map", "fraction", True),
    "dlrm": ("auc", "fraction", True),
    "dlrm_dcnv2": ("auc", "fraction", True),
    "transformer": ("bleu", "", True),
    "gnmt": ("bleu", "", True),
    "minigo": ("win_rate", "fraction", True),
    "unet3d": ("dice", "fraction", True),
    "rnnt": ("wer", "fraction", False),
    "gpt3": ("log_perplexity", "", False),
    "llama31_405b": ("log_perplexity", "", False),
    "llama31_8b": ("log_perplexity", "", False),
    "gpt_oss_20b": ("log_perplexity", "", False),
    "deepseekv3_671b": ("log_perplexity", "", False),
    "deepseek_v3_671b": ("log_perplexity", "", False),
    "llama2_70b_lora": ("loss", "", False),
    "flux1": ("loss", "", False),
    "cosmoflow": ("mae", "", False),
    "oc20": ("mae", "", False),
    "deepcam": ("miou", "fraction", True),
}
"""The meaning of `eval_accuracy` or `eval_error`: name, unit, whether higher is better."""
_PARTS = {"BBOX": "box", "SEGM": "mask", "DET": "box"}
TARGETS = {
    "resnet": "acc1>=0.759",
    "maskrcnn": "box>=0.377,mask>=0.339",
    "retinanet": "map>=0.34",
    "dlrm": "auc>=0.8025",
    "dlrm_dcnv2": "auc>=0.80275",
    "minigo": "win_rate>=0.5",
    "unet3d": "dice>=0.908",
    "rnnt": "wer<=0.058",
    "llama2_70b_lora": "loss<=0.925",
    "gpt3": "log_perplexity<=2.69",
}
"""Targets that were the same in every round since v0.6; logs of v0.5 print the target."""
OTHER_SAMPLES = frozenset(("bert", "retinanet", "ssd", "maskrcnn", "gpt3", "openfold", "minigo"))
"""Benchmarks whose submissions do not use `train_samples` for the samples of an epoch, but for all
samples or tokens seen, for batches, for a bound, for games, or for a data set of which they read
parts.
"""
UNITS = {"gpt3": "tokens/s", "minigo": ""}
"""Benchmarks whose `throughput` does not count samples, with its unit; empty: whole epochs."""
_RATES = ("throughput", "imgs_sec", "seq/sec")
_MOST_EPOCHS = 10_000
_CUT = 0.1
"""Share of the epoch before, in seconds, that a whole epoch lasts at least."""
_ALIKE = 0.1
"""Relative difference that is allowed between a rate and the clock."""


class RateScope:
    """Decides from clock and sizes whether the rates of a log are the job's or one device's.

    Attributes:
        batch: Samples of the job's batch; `local`: samples of one device's batch; `samples`:
            samples or batches of an epoch by the log. Each is 0 if the log does not say.
        lasted: Seconds of the epoch that ended last; None before.
        scope: The scope of the rates: some submissions print the rate of one device.
    """

    def __init__(self) -> None:
        self.batch = self.local = self.samples = 0
        self.lasted: float | None = None
        self.scope = Scope.JOB

    def is_whole(self, seconds: float | None) -> bool:
        """Whether an epoch of so many seconds is complete, compared with the epoch before."""
        return seconds is not None and seconds >= _CUT * (self.lasted or 0.0)

    def compare(self, rate: float) -> None:
        """Compares an epoch's rate with the samples of one device and the time of the epoch."""
        in_batches = self.local > 1 or self.samples < self.batch
        own = self.samples * self.local
        if in_batches and 0 < self.local < self.batch and own:
            samples = rate * (self.lasted or 0.0)
            if abs(samples - own) <= _ALIKE * own:
                self.scope = Scope.DEVICE


class PassedEpochs:
    """Computes how many epochs of a run have passed, from the numbers of its records.

    Some label the first epoch 1 but count from 0, others count from 1: 1.9 is then 0.9 epochs.

    Attributes:
        first: The label of the run's first epoch; None where it has none.
        part: The epochs that have passed, if the last one was cut short; else None.
    """

    def __init__(self) -> None:
        self.first: int | None = None
        self.part: float | None = None
        self._from: int | None = None

    def begin(self, label: int | None) -> None:
        """Stores the label of the first epoch that begins."""
        self.first = label if self.first is None else self.first

    def take(self, number: object) -> None:
        """Uses the epoch number of a record, which may be fractional; ignores other values."""
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < 1e6:
            return
        if self._from is None and number % 1:
            self._from = min(self.first or 0, int(number))
        passed = float(number) - (self._from or 0)
        self.part = passed if passed % 1 > 0 else None


def stated_target(benchmark: str, value: object) -> str:
    """Returns the target with this value; empty if the benchmark's quality is not known."""
    quality, target = _QUALITY.get(benchmark), as_number(value)
    if quality is None or target is None:
        return ""
    return f"{quality[0]}{'>=' if quality[2] else '<='}{target:g}"


def rate_in(figures: Mapping[str, Any]) -> float | None:
    """Returns the rate among the figures of a record; None without one."""
    rates = (as_number(figures.get(key)) for key in _RATES)
    return next((rate for rate in rates if rate is not None), None)


def numbers_in(figures: Mapping[str, Any]) -> tuple[Metric, ...]:
    """Returns all numbers of a record under their own names."""
    found = ((label(name, 60), as_number(value)) for name, value in figures.items())
    return tuple(Metric(name, number) for name, number in found if number is not None)


def place(number: object, current: int | None) -> tuple[int | None, int | None]:
    """Returns an evaluation's epoch, and the samples seen, which some submissions print instead."""
    whole = as_whole(number)
    samples = whole is not None and whole > _MOST_EPOCHS and whole != current
    return (None, whole) if samples else (whole, None)


def metrics(benchmark: str, value: Any, stated: object) -> Iterator[Metric]:
    """Yields the figures of one evaluation.

    Args:
        benchmark: Its name in the log; empty if the log does not name it.
        value: The number, or the numbers of its parts by name.
        stated: The record's name for the number, if a benchmark has several: FID and CLIP.
    """
    if isinstance(value, list) and len(value) > 1 and benchmark.startswith("mask"):
        value = dict(zip(_PARTS, value, strict=False))  # on TPUs: boxes, masks
    if isinstance(value, dict):
        inner = value.get("accuracy")  # {"accuracy": {"BBOX": …}}
        value = inner if isinstance(inner, dict) else value
        for part, text in value.items():
            found = as_number(text)
            if found is not None:
                name = _PARTS.get(str(part), label(part, 40))
                yield Metric(name, found, "fraction" if part in _PARTS else "")
    elif (found := as_number(value)) is not None:
        if isinstance(stated, str) and stated:
            name, higher = known(stated.lower(), 40)
            yield Metric(name, found, "", higher)
        else:
            name, unit, higher = _QUALITY.get(benchmark, ("eval_accuracy", "", True))
            yield Metric(name, found, unit, higher)
