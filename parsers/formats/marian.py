"""Marian (machine translation): a line at intervals of updates, and one per validation metric.

Updates are counted from the start of the training, sentences from the start of the epoch. A rate is
that of all updates since the line before, with the validations in between.
"""

from sixdim.parsers.events import Scope
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import ends, progress

_BEGIN = "Ep. {epoch:int} : Up. {update:int} : Sen. {} : Cost {loss:float} "
_END = ": Time {}s : {throughput:float} words/s..."
_RECORD = NamedRecord(unit="words/s", scope=Scope.JOB)


class Marian(EvaluatedBetween):
    name = "marian"
    title = "Marian (machine translation)"
    example = "Ep. 1 : Up. 1000 : Sen. 64,000 : Cost 4.2 : Time 120.3s : 4500.00 words/s"
    unread = "the configuration, learning rates, epochs that are fractions, the best value so far"

    training = progress((_BEGIN + _END, _BEGIN + "* {} " + _END), _RECORD, 1.0)
    scores = evaluation(
        "[valid] Ep. {epoch:int} : Up. {step:int} : {figure:until} : {value:float} : ...",
        1.0,
        names={"bleu-detok": ("bleu", ""), "bleu-segmented": ("bleu", "")},
        lower=("ce-mean", "ce-mean-words", "ce-sum"),
        timed=True,
    )
    closing = ends("Training finished", 0.0)
