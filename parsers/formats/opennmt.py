"""OpenNMT-py (`Step 50/100000; acc: 3.5; ppl: 900.0; xent: 6.8; … 12345/12000 tok/s; 50 sec`).

EOLE, its successor, prints the same lines with further losses between `xent` and `lr`.
The tokens are those of the source and of the target, of all devices; the speed is the target's. A
rate is that of all steps since the line before, with the validations in between.
"""

from sixdim.parsers.events import Evaluation, Events, Metric, Scope
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, line, progress, remembers

_FIGURES = "acc: {acc:float}; ppl: {ppl:float}; "
_LOSSES = (
    *("", "aux: {:float}; "),
    *("aux: {:float}; attn_ent: {:float}; ", "aux: {:float}; mtp: {:float}; attn_ent: {:float}; "),
)
_SCORES = _FIGURES + "xent: {loss:float}; lr: {lr:float}; "
_SIZES = "sents: {:float}; bsz: {:float}/{:float}/{:float}; "
_STEPS = ("Step {step:int}/{steps:int}; ", "Step {step:int}; ")  # the latter with no end
_RATE = "{source:float}/{throughput:float} tok/s; {elapsed:float} sec..."
_OLD = "Epoch {epoch:int}, {step:int}/{steps:int}; " + _FIGURES
_OLD_RATE = "{source:float} src tok/s; {throughput:float} tgt tok/s; {elapsed:float} s elapsed"
_RECORD = NamedRecord(
    unit="tokens/s",
    scope=Scope.JOB,
    figures=(Gauge("acc", "acc", "%"), Gauge("ppl", "ppl", "", False)),
)


class OpenNmt(EvaluatedBetween):
    name = "opennmt"
    title = "OpenNMT-py, OpenNMT-tf and EOLE"
    example = (
        "Step 50/10000; acc: 3.5; ppl: 900.0; xent: 6.8; lr: 0.00012; 12345/12000 tok/s; 50 sec;"
    )
    unread = "tokens of the source, sentences, the model's description, scores of a scoring step"

    training = tuple(
        progress(shape, _RECORD, 1.0)
        for shape in (
            *(f"{at}{_SCORES}{_RATE}" for at in _STEPS),
            *(
                f"{at}{_FIGURES}xent: {{loss:float}}; {losses}lr: {{lr:float}}; {_SIZES}{_RATE}"
                for at in _STEPS
                for losses in _LOSSES
            ),
            f"{_OLD}xent: {{loss:float}}; {_OLD_RATE}",
            f"{_OLD}{_OLD_RATE}",
        )
    )

    _perplexity: float | None = None

    perplexity = remembers("Validation perplexity: {_perplexity:float}", 0.2, "evaluation")

    @line("Validation accuracy: {acc:float}", 0.0, "evaluation")
    def _accuracy(self, line: Line, f: Fields) -> Events:
        if self.epoch is None:  # the first versions begin to measure again with each epoch
            self.evaluated()
        perplexity, self._perplexity = self._perplexity, None
        others = () if perplexity is None else (Metric("ppl", perplexity, "", False),)
        metrics = (Metric("acc", f["acc"], "%"), *others)
        yield Evaluation(line.origin(), metrics, self.epoch, self.step)

    # OpenNMT-tf measures again after an evaluation; its tokens are those of source and target.
    of_tensorflow = tuple(
        progress(
            f"Step = {{step:int}} ; steps/s = {{:float}}, {rate} ; Learning rate = {{}} ; "
            "Loss = {loss:float}",
            NamedRecord(unit=unit, scope=Scope.JOB),
            1.0,
        )
        for rate, unit in (
            ("tokens/s = {throughput:float} ({})", "tokens/s"),
            ("source words/s = {:float}, target words/s = {throughput:float}", "words/s"),
        )
    )
    scores_of_tensorflow = evaluation(
        KeyValues(
            "Evaluation result for step {step:int}: ",
            delimiter=" ; ",
            separator=" =",
            required=("loss",),
        ),
        1.0,
    )

    stopped = ends(
        tuple(
            f"Training finished after {why}. {{}}"
            for why in ("not improving", "stalled validations")
        ),
        0.3,
        "early stop",
    )
