"""XTuner, version 1: `Epoch 1 Step 10/200 data_time: 0.01 lr: 1e-05 time: 2.1 … tgs: 1950.4 …`.

`tgs` is the rate of one device: the tokens that it trained in the step, without padding, divided by
`time`, which leaves out `data_time`. Steps count over the whole run. Before version 1 XTuner
printed MMEngine's lines.
"""

from sixdim.parsers.events import Scope
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, progress

_NUMBERS = {
    "duration": "time",
    "throughput": "tgs",
    "loss": "reduced_llm_loss",
    "total": "total_loss",  # before November 2025
}


class XTuner(Reader):
    name = "xtuner"
    title = "XTuner, version 1 (language models)"
    example = (
        "Epoch 1 Step 10/200 data_time: 0.0102 lr: 1.000000e-05 time: 2.1000 text_tokens: 4096 "
        "reduced_llm_loss: 1.25000000 tgs: 1950.4 exp_tgs: 1901.2 eta: 0:06:39"
    )
    unread = "the configuration, reinforcement learning, checkpoints"

    training = progress(
        KeyValues(
            "Epoch {epoch:int} Step {step:int}/{steps:int} ",
            delimiter=None,
            separator=": ",
            numbers=_NUMBERS,
            required=("data_time", "tgs"),
        ),
        NamedRecord(
            unit="tokens/s",
            scope=Scope.DEVICE,
            epoch="",
            loss=("loss", "total"),
            figures=(Gauge("epoch", "epoch"),),
            further=further(*_NUMBERS.values()),
        ),
        1.0,
    )
    closing = ends("Training finished in {duration:float} seconds", 0.5)
