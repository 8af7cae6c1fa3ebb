"""timm's summary.csv: a row per epoch.

The file does not say which model a row evaluates: timm writes the figures of the averaged model
if there is one, else those of the raw model.
"""

from __future__ import annotations

from sixdim.parsers.grammar.shapes.table import Row, Table
from sixdim.parsers.statements.compiled import Statement
from sixdim.parsers.statements.csv_reader import CsvReader
from sixdim.parsers.statements.epoch_record import EpochRecord, scores
from sixdim.parsers.statements.rows import ignored

_NAMES = {"eval_top1": ("acc1", "%"), "eval_top5": ("acc5", "%"), "eval_loss": ("loss", "")}
_RECORD = EpochRecord(scores("eval_", _NAMES, strip="eval_"))


class TimmCsv(CsvReader):
    name = "timm-csv"
    title = "timm (pytorch-image-models) summary.csv"
    example = "epoch,train_loss,eval_loss,eval_top1,eval_top5"
    unread = (
        "throughput and times (summary.csv has none), and whether the evaluated model is the "
        "averaged one"
    )

    row = Statement(Row((), ","), _RECORD.read, 0.3, "row")
    headers = tuple(
        ignored(Table(delimiter=",", columns=3, required=("epoch", score)), 1.0, "header")
        for score in ("eval_loss", "eval_top1")
    )
