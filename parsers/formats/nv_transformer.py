"""NVIDIA's Transformer example (PyTorch, derived from fairseq): `Transformer | epoch 0 | …`.

`tokens/s` counts all devices.
"""

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import epoch_end, evaluation, summary
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ends, fact, progress


def _whole_run(step: str) -> KeyValues:
    head = f"Transformer | epoch {{epoch:int}} | step {step} |"
    return KeyValues(head, delimiter="|", separator=" ")


class NvidiaTransformer(Reader):
    name = "nv_transformer"
    title = "NVIDIA Transformer for PyTorch (WMT)"
    example = (
        "Transformer | epoch 0 | step 2280 |avg loss 5.569 |avg tokens 36302.000 |"
        "tokens/s 289727.060 |walltime 305.120 |"
    )
    unread = "the model's description, checkpoints, and BLEU by sentence"

    training = progress(
        KeyValues(
            "Transformer | epoch {epoch:int} | step {step:int} |",
            delimiter="|",
            separator=" ",
            numbers={"throughput": "tokens/s", "loss": "avg loss"},
            required=("tokens/s",),
        ),
        NamedRecord(unit="tokens/s", scope=Scope.JOB, further=further("avg loss", "tokens/s")),
        1.0,
    )

    total = summary((_whole_run("()"), _whole_run("RUN")), 1.0)  # by the logger's version

    epoch_time = epoch_end("Epoch time: {train_time:float}", 0.1, "epoch time")

    losses = evaluation("Validation loss on subset {:word} {loss:float}", 0.3)

    scores = evaluation(
        (
            "| Eval completed in: {:float}s | UNCASED BLEU {bleu:float}",
            "| Eval completed in: {:float}s | CASED BLEU {cased:float}",
        ),
        0.6,
        names={"cased": ("cased bleu", "")},
    )

    devices = fact("| training on {devices:int} GPUs", 0.3, always=True)
    end_of_training = ends("| done training in {duration:float} seconds", 0.3)
