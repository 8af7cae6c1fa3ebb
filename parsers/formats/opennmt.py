"""OpenNMT-py (`Step 50/100000; acc: 3.5; ppl: 900.0; xent: 6.8; … 12345/12000 tok/s; 50 sec`).

The tokens are those of the source and of the target, over all devices; the target's count.
"""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Event, Events, Metric, Scope
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, ignored, line, progress

_SCORES = "Step {step:int}/{steps:int}; acc: {acc:float}; ppl: {ppl:float}; xent: {loss:float}; "
_RATE = "{source:float}/{throughput:float} tok/s; {elapsed:float} sec..."
_OLD = "Epoch {epoch:int}, {step:int}/{steps:int}; acc: {acc:float}; ppl: {ppl:float}; "
_OLD_RATE = "{source:float} src tok/s; {throughput:float} tgt tok/s; {elapsed:float} s elapsed"
_RECORD = NamedRecord(
    unit="tokens/s",
    scope=Scope.JOB,
    figures=(Gauge("acc", "acc", "%"), Gauge("ppl", "ppl", "", False)),
)


class OpenNmt(Reader):
    name = "opennmt"
    title = "OpenNMT-py"
    example = (
        "Step 50/10000; acc: 3.5; ppl: 900.0; xent: 6.8; lr: 0.00012; 12345/12000 tok/s; 50 sec;"
    )
    unread = "tokens of the source, sentences, the model's description, scores of a scoring step"

    training = (
        progress(_SCORES + "lr: {lr:float}; " + _RATE, _RECORD, 1.0),
        progress(
            _SCORES + "lr: {lr:float}; sents: {:float}; bsz: {:float}/{:float}/{:float}; " + _RATE,
            _RECORD,
            1.0,
        ),
        progress(_OLD + "xent: {loss:float}; " + _OLD_RATE, _RECORD, 1.0),
        progress(_OLD + _OLD_RATE, _RECORD, 1.0),
    )

    _perplexity: Metric | None = None

    @line("Validation perplexity: {ppl:float}", 0.2, "evaluation")
    def _ppl(self, line: Line, f: Fields) -> tuple[Event, ...]:
        self._perplexity = Metric("ppl", f["ppl"], "", False)
        return ()

    @line("Validation accuracy: {acc:float}", 0.2, "evaluation")
    def _accuracy(self, line: Line, f: Fields) -> Events:
        perplexity, self._perplexity = self._perplexity, None
        metrics = (Metric("acc", f["acc"], "%"), *((perplexity,) if perplexity else ()))
        yield Evaluation(line.origin(), metrics, self.epoch, self.step)

    others = (
        ignored("Train perplexity: {:float}", 0.2, "evaluation"),
        ignored("Train accuracy: {:float}", 0.2, "evaluation"),
        ends("Training finished after not improving. {}", 0.3, "early stop"),
    )
