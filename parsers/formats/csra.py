"""CSRA (class-specific residual attention), its Paddle and its PyTorch implementation.

The counter of a line runs over samples, not batches, up to all that an epoch has.
"""

from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import progress


class CSRA(Reader):
    name = "csra"
    title = "CSRA multi-label classification"
    example = "Epoch 1[16/5011]: loss:0.71410, lr:0.00000, batch time:0.4156, data time:1.6631"
    unread = "CP, CR, F1 lines, the time of loading, the batch"

    training = progress(
        KeyValues(
            "Epoch {epoch:int}[{step:int}/{steps:int}]: ",
            delimiter=", ",
            numbers={"loss": "loss", "batch": "batch time", "time": "time"},
        ),
        NamedRecord(
            duration=("batch", "time"),
            further=further("loss"),
            facts=(("steps", "samples_per_epoch"),),
        ),
        1.0,
    )

    epochs = epoch_end("Epoch {epoch:int} training ends, total {train_time:float}s", 1.0)

    precision = evaluation("mAP: {map:float}", 0.0, unit="fraction")
