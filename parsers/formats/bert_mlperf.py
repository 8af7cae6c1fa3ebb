"""The MLPerf BERT of NVIDIA and DeepSparkHub on a console: reprs of Python dicts.

A rate is that of all steps since the line before, with the evaluations in between.
"""

from sixdim.parsers.events import Events, RunEnd, Scope, Summary, TargetReached
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line, progress

_NAMES = {
    "eval_loss": ("loss", ""),
    "eval_mlm_accuracy": ("mlm_acc", "fraction"),
    "e2e_time": ("e2e_time", "s"),
    "raw_train_time": ("raw_train_time", "s"),
    "training_sequences_per_second": ("training_sequences_per_second", "sequences/s"),
}
_NOT_SCORES = frozenset(("global_steps", "eval_samples"))
_NOT_VALUES = frozenset(("training_steps", "step_loss", "seq/s"))


def _pairs(*required: str, step: str = "training_steps") -> KeyValues:
    return KeyValues(
        "{'",
        delimiter=", ",
        separator=": ",
        quotes="'\"{}",
        numbers={"step": step, "loss": "step_loss", "throughput": "seq/s"},
        whole=("step",),
        required=required,
    )


class BertMlperf(EvaluatedBetween):
    name = "bert-mlperf"
    title = "MLPerf BERT PyTorch console (dict lines)"
    example = "{'training_steps': 400, 'average_loss': 7.1, 'step_loss': 7.0, 'seq/s': 214.1}"
    unread = "epochs and the batch; the averaged loss is a figure beside the step's"

    training = progress(
        _pairs("training_steps", "seq/s"),
        NamedRecord(unit="sequences/s", scope=Scope.JOB, further=further(*_NOT_VALUES)),
        1.0,
    )

    scores = evaluation(
        _pairs("global_steps", "eval_mlm_accuracy", step="global_steps"),
        1.0,
        names=_NAMES,
        skip=_NOT_SCORES,
        strip="eval_",
        timed=True,
    )

    @line(_pairs("e2e_time", "raw_train_time"), 1.0, "end")
    def _finished(self, line: Line, f: Fields) -> Events:
        yield Summary(line.origin(), figures(f["pairs"], names=_NAMES))
        yield RunEnd(line.origin(), as_number(f["pairs"].get("raw_train_time")))

    @line(
        "{value:float} > {target:float}, Target MLM Accuracy reached at {step:int}", 1.0, "target"
    )
    def _target(self, line: Line, f: Fields) -> Events:
        # The script compares with >=, whatever its message says.
        yield TargetReached(line.origin(), f"mlm_acc>={f['target']:g}")
