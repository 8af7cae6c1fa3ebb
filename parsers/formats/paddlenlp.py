"""PaddleNLP: BERT pre-training, Transformer, and the example scripts that follow them."""

from sixdim.parsers.events import Evaluation, Events, Metric, RunInfo, RunStart, Scope
from sixdim.parsers.formats.paddle import Paddle, paddle_record
from sixdim.parsers.grammar.shapes.arguments import arguments, facts_of, precision_of
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.record_fields import Gauge
from sixdim.parsers.statements.rows import ends, fact, line, progress, starts
from sixdim.parsers.text.lines import Line

_NUMBERS = {
    "throughput": "ips",
    "average": "avg_ips",
    "words": "words speed",
    "loss": "loss",
    "avg_loss": "avg loss",
    "duration": "avg_batch_cost",
    "batch_cost": "batch_cost",
}
_STEPS = tuple(
    KeyValues(
        head + " {total:int}, epoch: {epoch:int}, batch: {step:int}, ",
        delimiter=", ",
        numbers=_NUMBERS,
    )
    for head in ("tobal step:", "total step:", "global step:", "global step", "step_idx:")
)
_INTERVAL = {
    "step": "global_step",
    "runtime": "interval_runtime",
    "samples": "interval_samples_per_second",
    "pace": "interval_steps_per_second",
}
_FACTS = {"batch_size": "batch_per_device", "model_name_or_path": "model"}
# The first is the throughput.
_RATES = {"throughput": "ips", "average": "avg_ips", "words": "words speed"}

_SCORES = {name: (name, "fraction") for name in ("acc", "f1", "mcc", "accuracy")}
_LOSSES = further("loss", "avg loss", "speed", *_RATES.values())

_RECORD = paddle_record("duration", "batch_cost")._replace(
    throughput=tuple(_RATES),
    unit_in=tuple(_RATES.items()),
    loss=("loss", "avg_loss"),
    # The log counts steps of the epoch and of the run; an iteration gets the epoch's count.
    figures=(Gauge("total", "global step"),),
    further=_LOSSES,
)

# The example scripts of 2.x print only the steps per second.
_PACED = NamedRecord(per_second="pace", facts=(("planned", "steps_planned"),), further=_LOSSES)

# The `Trainer` counts the samples of all devices. Its first versions count those of a single step
# of one device, whatever the interval is: the header's batch shows it.
_NEARLY = 0.8
"""The rounded rates of a correct line give at least this share of the batch."""
_LATER = "progress_or_epoch: "
"""What only versions print that count correctly."""
_TRAINER = NamedRecord(
    throughput=("samples",),
    unit="samples/s",
    scope=Scope.JOB,
    per_second="pace",
    further=further("loss", *_INTERVAL.values()),
)
_NOT_SCORES = (
    *(f"eval_{one}" for one in ("runtime", "samples_per_second", "steps_per_second")),
    "progress_or_epoch",
    "epoch",
)

_TRAINER_SCORES = {"accuracy": ("acc", "fraction"), "ppl": ("perplexity", "")}


class PaddleNLP(EvaluatedBetween, Paddle):
    name = "paddlenlp"
    title = "PaddleNLP: its Trainer, and scripts with `ips: … sequences/sec`"
    example = (
        "tobal step: 220, epoch: 0, batch: 219, loss: 10.1, avg_reader_cost: 0.00008 sec, "
        "avg_batch_cost: 0.14556 sec, avg_samples: 96.00000, ips: 659.14882 sequences/sec"
    )
    unread = (
        "the configuration except model, batch and precision; scores of tasks under other names "
        "than acc, f1, mcc"
    )

    epoch_steps = tuple(progress(shape, _RECORD, 1.0) for shape in _STEPS)
    steps = progress(
        KeyValues(
            "global step {step:int} / {steps:int}, ",
            delimiter=", ",
            numbers=_NUMBERS,
            required=("ips", "avg_batch_cost"),
        ),
        _RECORD,
        1.0,
    )

    paced_steps = progress(
        KeyValues(
            "global step {total:int}/{planned:int}, epoch: {epoch:int}, batch: {step:int}, ",
            delimiter=", ",
            numbers={"pace": "speed", "loss": "loss"},
            required=("speed",),
        ),
        _PACED,
        1.0,
    )

    @line(
        KeyValues(
            "loss: {loss:float}, ",
            delimiter=", ",
            numbers=_INTERVAL,
            required=tuple(_INTERVAL.values()),
            whole=("step",),
        ),
        2.0,  # a short log has as few as one, and six headers of a Trainer of transformers
        "iteration",
        _TRAINER,
    )
    def _trainer(self, line: Line, f: Fields) -> Events:
        batch, counted = self.facts.get("global_batch"), f["samples"] / (f["pace"] or 1)
        if isinstance(batch, int) and batch:
            if not _NEARLY * batch < counted < batch / _NEARLY:
                steps = max(round(f["pace"] * f["runtime"]), 1)
                f = {**f, "samples": batch * steps / f["runtime"] if f["runtime"] else None}
        elif _LATER not in line.text:
            f = {name: value for name, value in f.items() if name != "samples"}
        return _TRAINER.read(self, line, f)

    trainer_header = starts("***** Running training *****", 0.1)
    trainer_batch = fact("Total train batch size {} = {global_batch:count}", 0.1)

    @line("Total optimization steps = {steps:text}", 0.1, "header")
    def _planned(self, line: Line, f: Fields) -> Events:
        """Reads the planned steps: `1,300`, or `1300.0` before 2.6."""
        steps = f["steps"].replace(",", "").removesuffix(".0")
        if steps.isdecimal():
            yield from self.report(line.origin(), "steps_planned", int(steps))

    @line(("***** Running Evaluation *****", "eval done total : {} s"), 0.1, "evaluation")
    @line("Will skip the first {:int} epochs then the first {:int} batches{}", 0.1, "evaluation")
    def _interruption(self, line: Line, f: Fields) -> Events:
        """Reads a line that announces an evaluation, or data that a resumed run skips."""
        self.evaluated()
        return ()

    def includes_evaluations(self, line: Line) -> bool:
        """As `EvaluatedBetween.includes_evaluations`: those with a `batch_cost` do not."""
        return "batch_cost" not in line.text

    @line(
        KeyValues("eval_loss: {loss:float}, ", delimiter=", ", required=("eval_runtime",)),
        0.3,
        "evaluation",
    )
    def _trainer_evaluation(self, line: Line, f: Fields) -> Events:
        self.evaluated()
        scores = {
            name.removeprefix("eval_"): value
            for name, value in f["pairs"].items()
            if name not in _NOT_SCORES
        }
        loss = Metric("loss", f["loss"], higher_is_better=False)
        metrics = (*figures(scores, names=_TRAINER_SCORES), loss)
        yield Evaluation(line.origin(), metrics, step=self.step)

    trainer_end = ends("train_runtime: {duration:float}, train_samples_per_second: {}", 0.3)

    validation = evaluation(
        KeyValues("validation, step_idx: {step:int}, ", delimiter=", "),
        1.0,
        names={"avg loss": ("loss", ""), "ppl": ("perplexity", "")},
    )

    @line(KeyValues("eval loss: {loss:float}, ", delimiter=", "), 0.2, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self.evaluated()
        scores = {name: f["pairs"][name] for name in f["pairs"] if name in _SCORES}
        loss = Metric("loss", f["loss"], higher_is_better=False)
        yield Evaluation(line.origin(), (loss, *figures(scores, names=_SCORES)))

    @line("Namespace({args:text}", 0.0, "arguments")
    def _arguments(self, line: Line, f: Fields) -> Events:
        given, at = arguments(line.text), line.origin()
        if "max_steps" in given:
            yield RunStart(at)
            for name, value in (*facts_of(given, _FACTS), *precision_of(given)):
                yield RunInfo(at, name, value)

    precision = (
        fact("'use_amp': True,", 0.0, "arguments", always=True, precision="amp"),
        fact("'use_amp': {:word},", 0.0, "arguments", always=True, precision="fp32"),
        fact("'use_pure_fp16': True,", 0.0, "arguments", always=True, precision="fp16"),
    )
    launcher = Paddle.statements
