"""mlx-lm (fine-tuning on Apple silicon): a table of training and validation rows, older: sentences.

Tokens per second are those of the training alone, over all processes.
"""

from sixdim.parsers.events import Scope
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import fact, progress, starts

_LOSS = "Iter {step:int}: Train loss {loss:float}, Learning Rate {}, "


class MlxLm(Reader):
    name = "mlx-lm"
    title = "mlx-lm (fine-tuning of language models)"
    tried = "mlx-lm 0.32.2"
    example = "  40    2.207 ▼      210      3.1k"
    unread = (
        "the table of settings but for the planned iterations, the time of a validation, memory"
    )

    training = progress(
        (
            "{step:int} {loss:float} ▼ {throughput:count} {:float}k",
            "{step:int} {loss:float} ▲ {throughput:count} {:float}k",
            _LOSS + "It/sec {:float}, Tokens/sec {throughput:float}, Trained Tokens {}",
        ),
        NamedRecord(unit="tokens/s", scope=Scope.JOB),
        1.0,
    )
    scores = evaluation(
        ("{step:int} val {loss:float} {:float}s", "Iter {step:int}: Val loss {loss:float}, {}"), 0.5
    )
    header = starts("iter train_loss tok/s tokens", 0.5)
    planned = fact(
        (
            "│ batch · iters {:count} · {steps_planned:count} │",
            "Starting training..., iters: {steps_planned:int}",
        ),
        0.3,
    )
