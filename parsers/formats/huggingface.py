"""Hugging Face Trainer (transformers, TRL, LLaMA-Factory, firefly, …) on a console.

A report is the repr of a Python dict, whose `epoch` is a fraction. The step is that of the
progress bar above it, if there is one. Lines that several ranks print are read once.
"""

from collections.abc import Mapping, Sequence

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Events,
    Iteration,
    Origin,
    RunEnd,
    RunStart,
    Scope,
)
from sixdim.parsers.formats.huggingface_header import HuggingFaceHeader
from sixdim.parsers.formats.huggingface_records import (
    PLACE,
    Block,
    RecordClock,
    is_of_another_training,
    step_of,
)
from sixdim.parsers.formats.huggingface_reports import Reports
from sixdim.parsers.formats.huggingface_tokens import RATE, TRAINED, TokenRates
from sixdim.parsers.grammar.shapes.bars import Paces, mean_of_bar
from sixdim.parsers.grammar.shapes.figures import as_number, figure, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR, iteration_of_bar
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ignored, line

_OPTIMISED = ("grad_norm", "learning_rate", "epoch")
"""Keys that every report has, and that settings do not have."""
_OF_PPO = "objective/kl", "epoch"
"""Keys of the reports of TRL's PPO, which have none of those."""
_FORMATTED = "'epoch': '"
"""Since version 5 the figures of a report are texts of four significant digits."""
_further = further("loss", "throughput")
_REPORT = NamedRecord(further=_further, uses=(TRAINED, RATE))


def _pairs(*required: str, head: str = "{'", foreign: tuple[str, ...] = ()) -> KeyValues:
    """Returns a dict with these keys in this order.

    The Trainer adds the epoch to what it reports.
    """
    return KeyValues(
        head,
        delimiter=", ",
        separator=": ",
        quotes="'\"{}",
        numbers={"loss": "loss", "throughput": "throughput", "epoch": "epoch"},
        required=required,
        ordered=True,
        foreign=foreign,
        closing="}",
    )


_AFTER_BAR, _AFTER_CUT_BAR = BAR + "]{}{'", "{}]{'"
"""Beginnings of a dict that stands directly after a bar, which ends without a newline."""
_NUMBERS = {"loss": "step_loss"}
_OF_DIFFUSERS = KeyValues(
    "Steps: " + BAR, delimiter=",", separator="=", quotes="]", numbers=_NUMBERS, required=("lr",)
)
_OF_AN_EPOCH = KeyValues(
    "Epoch {epoch:int}: " + BAR,
    delimiter=",",
    separator="=",
    quotes="]",
    numbers=_NUMBERS,
    required=("lr", "step"),
)
"""The bar of Diffusers' unconditional example: `Epoch 1:  25%|▎ | 2/8 […, lr=2e-6, step=9]`."""
_BESIDE = ("loss", "train_", "val_", "valid_", "test_")
"""Beginnings of keys that other programs print beside the scores of an epoch."""
_SCORES = KeyValues("epoch {epoch:int}: ", delimiter=None, separator=": ", required=("perplexity",))
"""Scores of language-modelling examples without a Trainer: `perplexity: 24.1 eval_loss: 3.2`."""
_TEXTS = _pairs("bleu"), _pairs("rouge1")
"""Scores of translation and summarization examples without a Trainer, which name no epoch."""


class HuggingFace(HuggingFaceHeader):
    name = "huggingface"
    title = "Hugging Face Trainer, TRL and LLaMA-Factory console"
    tried = (
        "transformers 5.24.0, transformers 4.36.2, accelerate 1.15.0, trl 1.16.0, ms-swift 4.6.0, "
        "sentence-transformers 6.2.0, setfit 1.2.0, peft 0.21.2, diffusers 0.42.1, "
        "llamafactory 0.9.5, adapters 1.3.0"
    )
    example = "{'loss': 1.5524, 'learning_rate': 0.0001, 'epoch': 0.01}"
    unread = (
        "the step of a report without a bar above it, bars before the first report or evaluation "
        "of a log without its header, download and tokenising bars, generated text"
    )

    def __init__(self) -> None:
        super().__init__()
        self._step: int | None = None
        self._drawn: tuple[int, int] | None = None
        self._in_epoch = (-1, 0)  # epoch and step of the last bar of an epoch
        self._longer: tuple[int, int] | None = None  # last bar with a greater total
        self._previous = ""
        self._over = False
        self._tokens = TokenRates()
        self._seconds: float | None = None  # seconds/iteration by the last bar
        self._clock = RecordClock()  # of reports that say their time
        self.gathered: Block | None = None
        self._closed: Mapping[str, str] = {}  # the last closing report

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`."""
        return " = " in line.text

    def complete(self) -> Sequence[Event]:
        """See `Gathering.complete`: the events of a block of metrics."""
        if self.gathered is None or not self.gathered.pairs:
            return ()
        (name, at, pairs), self.gathered = self.gathered, None
        return tuple((self._finished if name.startswith("train") else self._scores)(at, pairs))

    @line(_pairs("loss", "epoch", PLACE), 0.9, "report", _REPORT)
    def _report_of_swift(self, line: Line, f: Fields) -> Events:
        step, steps, self._seconds = self._timed(f["pairs"])
        return self._report(line, f if step is None else {**f, "step": step, "steps": steps})

    @line(_pairs("loss", "epoch"), 0.8, "report", _REPORT)
    @line(_pairs("loss", "epoch", head=_AFTER_BAR), 0.8, "report", _REPORT)
    @line(_pairs("loss", "epoch", head=_AFTER_CUT_BAR), 0.5, "report", _REPORT)
    # A loss under another name, such as SetFit's `embedding_loss`, is among the report's figures.
    @line((_pairs(*_OPTIMISED), _pairs(*_OPTIMISED, head=_AFTER_BAR)), 0.8, "report", _REPORT)
    @line((_pairs(*_OF_PPO), _pairs(*_OF_PPO, head=_AFTER_BAR)), 0.8, "report", _REPORT)
    @line(_pairs(*_OPTIMISED, head=_AFTER_CUT_BAR), 0.5, "report", _REPORT)
    def _report(self, line: Line, f: Fields) -> Events:
        if self._repeated(line):
            return
        longer, self._longer = self._longer, None
        if self._place.begins_again(f.get("epoch"), over=self._over, longer=longer is not None):
            yield from self._begin(line.origin(), longer or self._drawn)
        self._over = False
        if "pace" in f:
            self._look(f)
        seconds = self._advance(f) if f.get("step", 0) > (self._step or 0) else None
        self._place.report(f.get("epoch"), f.get("loss"))
        if self._total is None and self._drawn is not None:
            # The training's bar is drawn whenever a report is written: it is the bar before.
            self._step, self._total = self._drawn
            self._steps = self._total
        elif self._place.unsized and self._drawn is None and "step" not in f:
            formatted = _FORMATTED in line.text
            step = self._place.step_of(f.get("epoch"), formatted=formatted)
            self._step = step or self._step
        if "step" in f and self._steps is not None:
            yield from self._fit(line.origin(), f["step"], self._steps)
        of_device = self._tokens.of(f["pairs"])
        yield Iteration(
            line.origin(),
            *self._place.of(self._step, self._steps, f.get("epoch")),
            throughput=f.get("throughput", of_device),
            unit="tokens/s",
            scope=Scope.JOB if of_device is None else Scope.DEVICE,
            loss=f.get("loss"),
            duration=seconds,
            values=_further(f["pairs"]) if f["pairs"] else (),
        )

    @line(_pairs("train_runtime"), 1.0, "end")
    @line(_pairs("train_runtime", head=_AFTER_BAR), 0.8, "end")
    @line(_pairs("train_runtime", head=_AFTER_CUT_BAR), 0.8, "end")
    def _trained(self, line: Line, f: Fields) -> Events:
        at, before, self._closed = line.origin(), self._closed, f["pairs"]
        if self._over and is_of_another_training(before, f["pairs"]):
            yield from self._begin(at)
        yield from self._finished(at, f["pairs"])

    @line("global_step = {step:int}, average loss = {loss:float}", 0.5, "end")
    def _trained_by_a_script(self, line: Line, f: Fields) -> Events:
        # The example scripts before the Trainer print this after their loop.
        if self._over or self._repeated(line):
            return ()
        self._over = True
        return (RunEnd(line.origin()),)

    @line((_pairs("eval_runtime"), _pairs("eval_loss", "epoch")), 0.8, "evaluation")
    @line(_pairs("epoch", head="{'eval_"), 0.5, "evaluation")
    @line(_TEXTS, 0.2, "evaluation")
    @line(_pairs("eval_runtime", head=_AFTER_BAR), 0.5, "evaluation")
    @line(_pairs("eval_runtime", head=_AFTER_CUT_BAR), 0.5, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._paces.pause()
        self._tokens.evaluated()
        if self._repeated(line):
            return ()
        self._place.evaluated(as_number(f["pairs"].get("epoch")))
        self._timed(f["pairs"])  # the time of an evaluation is not that of a step
        return self._scores(line.origin(), f["pairs"])

    @line((_pairs(head="epoch {epoch:int}: {'", foreign=_BESIDE), _SCORES), 0.4, "evaluation")
    def _epoch_scores(self, line: Line, f: Fields) -> Events:
        names = {"accuracy": ("accuracy", "fraction")}
        metrics = figures(f["pairs"], names=names, strip="eval_")
        self._paces.pause()
        if not metrics:
            return
        at, first = line.origin(), f["epoch"] == 0 and self._total is None
        if first and self._drawn is not None and self._place.first_epoch(*self._drawn):
            self._step, self._total = self._drawn
            yield from self.report(at, "epochs_planned", self._total // self._step)
            yield EpochEnd(at, 1)
        if not self._place.labelled:
            yield EpochEnd(at, f["epoch"])
        # If epochs follow from steps, they count from 1: these scores are the last epoch's.
        yield Evaluation(at, metrics, None if self._place.labelled else f["epoch"])

    @line((BAR + "...", "Train: " + BAR + "..."), 0.0, "progress")  # the second is ms-swift's
    @line(_OF_DIFFUSERS, 0.5, "progress")  # `Steps:   1%|▏ | 1/100 [00:01<01:39, …, lr=0.1]`
    def _bar(self, line: Line, f: Fields) -> Events:
        self._look(f)
        over = f["step"] == f["steps"] and self._drawn is not None
        if self._total is None and f["step"] < f["steps"]:
            yield from self._fit(line.origin(), f["step"], f["steps"])
            self._total = self._place.total  # the training's bar is drawn again after a dict
        if f["steps"] == self._total or (self._total is None and not over):
            self._drawn = (f["step"], f["steps"])  # no evaluation's bar that ends before
        if f["steps"] != self._total:  # a download's, an evaluation's, or another training's
            if 0 < f["step"] < f["steps"] > (self._total or 0):
                self._longer = f["step"], f["steps"]
            return
        yield from self._fit(line.origin(), f["step"], f["steps"])
        if f["step"] <= (self._step or 0):  # drawn again, or another rank's
            return
        seconds = self._advance(f)
        elapsed = (figure("elapsed", f["elapsed"], "s"),) if self.wants("elapsed") else ()
        place = self._place.of(f["step"], f["steps"])
        yield Iteration(line.origin(), *place, loss=f.get("loss"), duration=seconds, values=elapsed)

    @line(_OF_AN_EPOCH, 0.7, "progress")
    def _bar_of_an_epoch(self, line: Line, f: Fields) -> Events:
        place, at = (f["epoch"], f["step"]), line.origin()
        if place > self._in_epoch:
            self._in_epoch = place
            yield iteration_of_bar(at, f["epoch"], f, loss=f.get("loss"))
        elif f["step"] == f["steps"]:  # only when it is drawn again is its pace that of the epoch
            mean = mean_of_bar(f["step"], f["elapsed"], f["pace"])
            yield EpochEnd(at, f["epoch"], iteration_time=mean)

    # Until its first step is over, the bar of an epoch has no figures.
    begun = ignored("Epoch {:int}: {:int}%|{}| {:int}/{:int} [{}]", 0.0, "progress")

    @line("***** Running training *****", 0.0, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        # Every rank prints the header: it begins another run only if it follows training.
        if not self._training or self._over or self._step is not None or self._previous:
            yield from self._begin(line.origin())
        self._training = True

    def _begin(self, at: Origin, drawn: tuple[int, int] | None = None) -> Events:
        self.facts.clear()
        self._previous, self._step, self._steps, self._total = "", None, None, None
        self._over, self._drawn, self._in_epoch = False, drawn, (-1, 0)
        self._place, self._tokens = Reports(), TokenRates()
        self._paces.resumed_at = 0
        if drawn is None:  # else the bar of the new training was drawn before its first report
            self._paces = Paces()
        yield RunStart(at)

    @line("***** {block:word} metrics *****", 0.8, "metrics")
    def _begin_block(self, line: Line, f: Fields) -> Events:
        self.gathered = Block(f["block"], line.origin(), {})
        return ()

    header = HuggingFaceHeader.statements

    @line("{key:word} = {value:word}", 0.0, "metric")
    def _metric(self, line: Line, f: Fields) -> Events | None:
        if self.gathered is None:
            return None
        self.gathered.pairs[f["key"]] = f["value"]
        return ()

    def _repeated(self, line: Line) -> bool:
        """Returns whether another rank printed this report just before."""
        before, self._previous = self._previous, line.text.strip()
        return before == self._previous

    def _fit(self, at: Origin, step: int, steps: int) -> Events:
        """Infers the steps of an epoch from the bar beside a report; yields the planned epochs."""
        before = self._place.inferred
        planned = self._place.fit(step, steps)
        if planned is not None and self.facts.get("epochs_planned") in (None, before):
            yield from self.report(at, "epochs_planned", planned)

    def _advance(self, f: Fields) -> float | None:
        """Moves on to the step of a bar, and returns its seconds/iteration; None if unknown."""
        self._step, self._steps = f["step"], f["steps"]
        self._total = self._total or f["steps"]
        return self._seconds

    def _timed(self, report: Mapping[str, str]) -> tuple[int | None, int | None, float | None]:
        """Returns the step of ms-swift's report, the planned steps, and seconds/iteration."""
        step, steps, elapsed = step_of(report) or (None, None, None)
        return step, steps, self._clock.duration(step, elapsed)

    def _look(self, f: Fields) -> None:
        """Takes the pace of a bar; if it reveals a resumed run, sets the step back to its start."""
        self._seconds = self._paces.of(f["step"], f["steps"], f["elapsed"], f["pace"])
        if self._paces.skipped and f["steps"] == self._total:
            self._place.resume(self._paces.skipped)
            self._step = min(self._step or 0, self._paces.skipped)

    def _scores(self, at: Origin, pairs: Mapping[str, str]) -> Events:
        return self._place.evaluation(at, pairs, self._step, after_training=self._over)

    def _finished(self, at: Origin, pairs: Mapping[str, str]) -> Events:
        if self._over:  # another rank's, or the block that repeats the dict
            return ()
        self._over = True
        return self._place.closing(at, pairs, self.facts.get("global_batch"))
