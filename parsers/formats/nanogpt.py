"""nanoGPT, lit-llama and llama2.c: lines of one iteration, `step` lines of an evaluation.

If the log says how many tokens an iteration takes (over all processes), the throughput is that
number / the iteration's printed time. build-nanogpt writes a file of three columns: step, split,
and figure.
"""

from sixdim.parsers.events import Events, Iteration, RunInfo, RunStart, Scope
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ignored, line, progress, remembers

_RECORD = NamedRecord(
    unit="tokens/s",
    scope=Scope.JOB,
    milliseconds=True,
    work=lambda reader: reader.tokens,
    figures=(Gauge("mfu", "mfu", "%"),),
)


class NanoGPT(Reader):
    name = "nanogpt"
    title = "nanoGPT, lit-llama and llama2.c (lines of an iteration, and step lines)"
    tried = "nanoGPT 2025-11, llama2.c 2024-05"
    example = "iter 10: loss 4.2031, time 123.45ms, mfu 12.34%"
    unread = "the settings but for the tokens of an iteration, parameter counts, samples of text"
    tokens = 0
    _started = False

    training = progress(
        KeyValues(
            "iter {step:int}:",
            delimiter=",",
            separator=" ",
            numbers={"loss": "loss", "duration": "time", "mfu": "mfu"},
            absent=("-100.00%",),  # nanoGPT has none yet
            required=("loss", "time"),
            glued=("ms", "%"),
        ),
        _RECORD,
        1.0,
    )

    of_lit_llama = (
        progress("iter {step:int}: loss {loss:float}, time: {duration:float}ms", _RECORD, 1.0),
        progress(
            "iter {step:int}: loss {loss:float}, time: {duration:float}ms, "
            "speed: {throughput:float} toks/s/device",
            _RECORD._replace(throughput=("throughput",), scope=Scope.DEVICE),
            1.0,
        ),
        # Gradients are accumulated: the next step's rate is that of all its iterations.
        ignored("iter {:int}: loss {:float}, time: {:float}ms, speed: - {}", 0.5, "iteration"),
    )

    of_llama2_c = progress(
        "{step:int} | loss {loss:float} | lr {:float} | {duration:float}ms | mfu {}", _RECORD, 1.0
    )

    def note(self, event: Iteration) -> None:
        """As `Reader.note`; a header after this begins another run."""
        self._started = False

    losses = evaluation(
        tuple(
            f"step {{step:int}}: train loss {{train:float}}{more}, val loss {{loss:float}}..."
            for more in ("", " {}")
        ),
        0.9,
        names={"train": ("train loss", "")},
    )

    # Any program may print it.
    loss_of_lit_llama = evaluation("step {step:int}: val loss {loss:float}", 0.0)

    written = (
        progress("{step:int} train {loss:float}", NamedRecord(), 0.4),
        evaluation("{step:int} val {loss:float}", 0.6),
        evaluation("{step:int} hella {hella:float}", 0.8),
    )

    work = remembers("tokens per iteration will be: {tokens:count}", 0.5, "header")

    @line("Initializing a new model from scratch", 0.2, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        if not self._started:  # every process prints it
            yield RunStart(line.origin())
        self._started = True

    @line("max_iters = {planned:int}...", 0.0, "header")
    @line("Overriding: max_iters = {planned:int}", 0.2, "header")
    def _planned(self, line: Line, f: Fields) -> Events:
        yield from self._start(line, f)
        yield RunInfo(line.origin(), "steps_planned", f["planned"])
