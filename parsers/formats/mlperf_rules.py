"""What MLPerf's rules say of its benchmarks: what their quality is, and its target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sixdim.parsers.events import Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, known
from sixdim.parsers.text.lines import label

QUALITY: Mapping[str, tuple[str, str, bool]] = {
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
    "llama2_70b_lora": ("loss", "", False),
    "flux1": ("loss", "", False),
    "cosmoflow": ("mae", "", False),
    "oc20": ("mae", "", False),
    "deepcam": ("miou", "fraction", True),
}
"""What a benchmark's `eval_accuracy` or `eval_error` is: name, unit, whether higher is better."""
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
"""The rules' targets, where they were the same in every round since v0.6. v0.5 prints its own."""
OTHER_SAMPLES = frozenset(("bert", "retinanet", "ssd", "maskrcnn", "gpt3", "openfold"))
"""Where submissions put something else under `train_samples` than the samples between the starts of
two epochs: all samples or tokens seen, batches, a bound, or the data set of which they read parts.
"""
UNITS = {"gpt3": "tokens/s", "minigo": ""}
"""Where submissions count something else than samples under `throughput`; empty: whole epochs."""
_MOST_EPOCHS = 10_000
_ALIKE = 0.1
"""Share by which a rate may differ from what the clock says."""


class Rates:
    """Whether the rates of a log are the job's or one device's, as its clock and sizes show.

    Attributes:
        batch: Samples of the job's batch; `local` those of one device, `samples` those, or the
            batches, that the log gives an epoch; 0 where it does not say.
        lasted: Seconds of the epoch that ended last.
        scope: That of the rates: some submissions print those of one device.
    """

    def __init__(self) -> None:
        self.batch = self.local = self.samples = 0
        self.lasted: float | None = None
        self.scope = Scope.JOB

    def compare(self, rate: float) -> None:
        """Compares the rate behind an epoch with the samples of one device and the epoch's time."""
        in_batches = self.local > 1 or self.samples < self.batch
        own = self.samples * self.local
        if in_batches and 0 < self.local < self.batch and own:
            made = rate * (self.lasted or 0.0)
            if abs(made - own) <= _ALIKE * own:
                self.scope = Scope.DEVICE


def place(number: object, current: int | None) -> tuple[int | None, int | None]:
    """The epoch of an evaluation, or the samples seen, which some submissions put in its place."""
    whole = as_whole(number)
    samples = whole is not None and whole > _MOST_EPOCHS and whole != current
    return (None, whole) if samples else (whole, None)


def metrics(benchmark: str, value: Any, stated: object) -> Iterator[Metric]:
    """The figures of one evaluation.

    Args:
        benchmark: As the log names it; empty where it does not.
        value: The number, or the numbers of its parts by name.
        stated: What the record calls the number, where one benchmark has several: FID and CLIP.
    """
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
            name, unit, higher = QUALITY.get(benchmark, ("eval_accuracy", "", True))
            yield Metric(name, found, unit, higher)
