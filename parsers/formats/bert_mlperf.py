"""The MLPerf BERT of NVIDIA and DeepSparkHub on a console: reprs of Python dicts."""

from __future__ import annotations

from collections.abc import Iterator

from sixdim.parsers.events import Evaluation, Event, RunEnd, Scope, Summary, TargetReached
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import further
from sixdim.parsers.statements.rows import NamedRecord, line, progress
from sixdim.parsers.text.lines import Line

_NAMES = {
    "eval_loss": ("loss", ""),
    "eval_mlm_accuracy": ("mlm_acc", "fraction"),
    "e2e_time": ("e2e_time", "s"),
    "raw_train_time": ("raw_train_time", "s"),
    "training_sequences_per_second": ("training_sequences_per_second", "sequences/s"),
}
_NOT_SCORES = frozenset(("global_steps", "eval_samples"))
_NOT_VALUES = frozenset(("training_steps", "step_loss", "seq/s"))


def _pairs(*required: str) -> KeyValues:
    return KeyValues(
        "{'",
        delimiter=", ",
        separator=": ",
        quotes="'\"{}",
        numbers={
            "step": "training_steps",
            "at_step": "global_steps",
            "loss": "step_loss",
            "throughput": "seq/s",
        },
        whole=("step", "at_step"),
        required=required,
    )


class BertMlperf(Reader):
    """Reads one console log."""

    name = "bert-mlperf"
    title = "MLPerf BERT PyTorch console (dict lines)"
    example = "{'training_steps': 400, 'average_loss': 7.1, 'step_loss': 7.0, 'seq/s': 214.1}"
    unread = "epochs and the batch; the averaged loss is a figure beside the step's"

    training = progress(
        _pairs("training_steps", "seq/s"),
        NamedRecord(
            unit="sequences/s",
            scope=Scope.JOB,
            further=further(figures, skip=_NOT_VALUES),
        ),
        1.0,
    )

    @line(_pairs("global_steps", "eval_mlm_accuracy"), 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Iterator[Event]:
        metrics = figures(f["pairs"], skip=_NOT_SCORES, names=_NAMES, strip="eval_")
        yield Evaluation(line.origin(), metrics, step=f.get("at_step"))

    @line(_pairs("e2e_time", "raw_train_time"), 1.0, "end")
    def _finished(self, line: Line, f: Fields) -> Iterator[Event]:
        yield Summary(line.origin(), figures(f["pairs"], names=_NAMES))
        yield RunEnd(line.origin(), as_number(f["pairs"].get("raw_train_time")))

    @line(
        "{value:float} > {target:float}, Target MLM Accuracy reached at {step:int}", 1.0, "target"
    )
    def _target(self, line: Line, f: Fields) -> Iterator[Event]:
        # The script compares with >=, whatever its message says.
        yield TargetReached(line.origin(), f"mlm_acc>={f['target']:g}")
