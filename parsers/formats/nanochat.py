"""nanochat: `step` lines of training, `Step` lines of evaluations.

Its tokens per second are the sum over all processes. CORE is the mean over many tasks; the
accuracy of one task is no figure of the model.
"""

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, fact, ignored, progress, starts

_PAIRS = {"loss": "loss", "duration": "dt", "throughput": "tok/sec", "mfu": "mfu"}
_HEADS = (
    ("step {step:int}/{steps:int} ({}%) | ", {**_PAIRS, "mfu": "bf16_mfu"}),
    ("step {step:int}/{steps:int} ({}%) | ", _PAIRS),
    ("step {step:int} ({}%) | ", _PAIRS),
)


class Nanochat(Reader):
    name = "nanochat"
    title = "nanochat (pretraining and fine-tuning)"
    example = (
        "step 00018/21400 (0.08%) | loss: 10.397252 | lrm: 1.00 | dt: 603.14ms | "
        "tok/sec: 869,247 | bf16_mfu: 45.01 | epoch: 1 | total time: 0.23m | eta: 212.4m"
    )
    unread = (
        "the model, epochs, accuracies of single tasks, samples, rewards, the total time (it "
        "leaves out the first steps and the evaluations)"
    )

    training = tuple(
        progress(
            KeyValues(
                head,
                delimiter="|",
                numbers=numbers,
                required=("dt", "tok/sec", numbers["mfu"]),
                glued=("ms",),
                thousands=True,
            ),
            NamedRecord(
                unit="tokens/s",
                scope=Scope.JOB,
                milliseconds=True,
                figures=(Gauge("mfu", "mfu", "%"),),
            ),
            1.0,
        )
        for head, numbers in _HEADS
    )

    scores = (
        evaluation("Step {step:int} | Validation bpb: {bpb:float}", 1.0),
        evaluation("Step {step:int} | CORE metric: {CORE:float}", 1.0),
        evaluation("Step {step:int} | ChatCORE: {ChatCORE:float}...", 1.0),
    )

    tasks = ignored("Evaluating: {} ({:int}-shot, type: {})... {}", 0.5, "task")

    headers = (starts("COMPUTE_DTYPE: {} ({}", 0.3), starts("Tokens / micro-batch / rank: {}", 0.5))
    planned = (
        fact("Using user-provided number of iterations: {steps_planned:count}", 0.5),
        fact("Calculated number of iterations from target {}: {steps_planned:count}", 0.5),
    )

    closing = ends("Total training time: {:float}m", 0.3)
