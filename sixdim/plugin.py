"""What a package imports that brings a log format: this module stays as it is.

`docs/write-a-format.md` shows how these names are used. All other modules of sixdim may change
from one version to the next.
"""

from sixdim.parsers.events import (
    EndOfInput,
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Iteration,
    Metric,
    Origin,
    Problem,
    RunEnd,
    RunInfo,
    RunStart,
    Scope,
)
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.grammar.shapes.skeleton import Skeleton
from sixdim.parsers.grammar.shapes.table import Row, Table
from sixdim.parsers.statements.epoch_record import EpochReader, EpochRecord
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation, summary
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord, NamedRecord
from sixdim.parsers.statements.rows import ends, fact, ignored, line, progress, starts
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line

__all__ = [
    "Broken",
    "EndOfInput",
    "EpochEnd",
    "EpochReader",
    "EpochRecord",
    "Evaluation",
    "Event",
    "Events",
    "Fields",
    "Iteration",
    "IterationRecord",
    "JsonRecord",
    "KeyValues",
    "Line",
    "Metric",
    "NamedRecord",
    "Origin",
    "Problem",
    "Reader",
    "Row",
    "RunEnd",
    "RunInfo",
    "RunStart",
    "Scope",
    "Skeleton",
    "Statement",
    "Table",
    "ends",
    "epoch_end",
    "evaluation",
    "fact",
    "ignored",
    "line",
    "progress",
    "starts",
    "summary",
]
