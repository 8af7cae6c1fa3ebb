"""Sockeye (machine translation): a line at intervals of batches, and the metrics of checkpoints.

Batches are counted from the start of the training. Speeds are those of the process since its line
before: the first line after a checkpoint includes its evaluation, and has none.
"""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Event, Events, Scope
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import ends, ignored, line

_SPEEDS = "s/sec={:float} tok/sec={throughput:float} u/sec={:float}"
_RECORD = NamedRecord(unit="tokens/s")
_NAMES = {"ppl": ("perplexity", ""), "bleu": ("bleu", "fraction"), "chrf": ("chrf", "fraction")}
_HEAD = "Validation-"


class Sockeye(Reader):
    name = "sockeye"
    title = "Sockeye (machine translation)"
    example = "E=0 B=500\ts/sec=640.00 tok/sec=20000.00 u/sec=10.00\tppl=25.000000"
    unread = "the configuration, metrics of the training, which checkpoint is the best"

    _has_evaluated = False

    @line(f"E={{epoch:int}} B={{step:int}} {_SPEEDS}...", 1.0, "iteration", _RECORD)
    def _batches(self, line: Line, f: Fields) -> tuple[Event, ...]:
        (event,) = _RECORD.read(self, line, f)
        if self._has_evaluated:
            self._has_evaluated = False
            event = event._replace(throughput=None, unit="", scope=Scope.UNKNOWN)
        return (event,)

    @line(KeyValues("Checkpoint [{:int}] " + _HEAD, separator="="), 1.0, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._has_evaluated = True
        scores = {name.removeprefix(_HEAD): value for name, value in f["pairs"].items()}
        yield Evaluation(line.origin(), figures(scores, names=_NAMES), midway=True)

    checkpoint = ignored("Checkpoint [{:int}] Updates={}", 0.3, "checkpoint")
    closing = ends("Training finished. Best checkpoint: {}", 0.3)
    interrupted = ends("Training finished, can be continued later. Best checkpoint: {}", 0.3)
