"""Formats of lines that may be in any log: they read the lines that the log's format does not know.

The events of AI-Rank's submissions, a launcher's command, a program's settings, the sentence that
says that the training is over, and evaluations that are known by their names.
"""

import re
from collections.abc import Iterable

from sixdim.parsers.events import (
    BY_NAME,
    Evaluation,
    Event,
    Events,
    Metric,
    Origin,
    RunEnd,
    RunInfo,
    RunStart,
    Summary,
    TargetReached,
)
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan, Tested
from sixdim.parsers.grammar.meaning.plans import Plans
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.grammar.vocabulary.closing import Closing, closing, is_over, may_close
from sixdim.parsers.grammar.vocabulary.forms import metrics_at
from sixdim.parsers.grammar.vocabulary.rankings import ranks
from sixdim.parsers.grammar.vocabulary.units import rate
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.statements.troubles import EXITED, EXITS
from sixdim.parsers.text.patterns import pattern


class AIRank(Reader):
    name = "airank"
    title = "AI-Rank events (test_begin, eval_accuracy, target_quality_time, …) in any log"
    example = "- AI-Rank-log 1618110234.935 eval_accuracy:40.450405, total_epoch_cnt:0"
    unread = (
        "the epoch of an evaluation (total_epoch_cnt counts in fractions or from 1: it is a "
        "figure), and whose avg_ips is; a submission's own lines are its framework's"
    )
    precedence = -1

    _finished: Origin | None = None

    def end(self, at: Origin) -> list[Event]:
        """As `Reader.end`; a finish record without a total time also ends the run."""
        ended: list[Event] = [RunEnd(self._finished)] if self._finished else []
        return [*ended, *super().end(at)]

    scores = (
        evaluation(
            "eval_accuracy:{eval_accuracy:float}, total_epoch_cnt:{total_epoch_cnt:float}",
            1.0,
            names={"total_epoch_cnt": ("total_epoch_cnt", "epochs")},
        ),
        evaluation("eval_accuracy:{eval_accuracy:float}", 0.3),
    )

    @line("target_quality_time:{time:amount}{:text}", 1.0, "target")
    def _target(self, line: Line, f: Fields) -> Events:
        yield TargetReached(line.origin())
        yield Summary(line.origin(), (Metric("target_quality_time", f["time"], "s", False),))

    @line("total_use_time:{time:amount}{:text}", 1.0, "total time")
    def _total(self, line: Line, f: Fields) -> Events:
        self._finished = None
        yield Summary(line.origin(), (Metric("total_use_time", f["time"], "s", False),))
        yield RunEnd(line.origin(), f["time"])

    @line("avg_ips:{value:amount}{unit:text}", 0.5, "throughput")
    def _speed(self, line: Line, f: Fields) -> Events:
        yield Summary(line.origin(), (Metric("avg_ips", f["value"], rate(f["unit"])),))

    @line("test_begin", 0.5, "header")
    def _begin(self, line: Line, f: Fields) -> Events:
        self._finished = None
        yield RunStart(line.origin())

    @line("test_finish", 0.5, "closing line")
    def _finish(self, line: Line, f: Fields) -> Events:
        self._finished = line.origin()
        return ()


_NODES = pattern(r"--nnodes(?:=|\s{1,8})(\d{1,6}+)(?::(\d{1,6}+))?+(?=\s|$)")
_LOCAL = pattern(r"--nproc[-_]per[-_]node(?:=|\s{1,8})(\d{1,6}+)(?=\s|$)")


class _Command(Unanchored):
    """A line with `--nnodes N` or `N:N`; an elastic job (`1:4`) has no fixed number of nodes."""

    clue = "--nnodes"

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the `nodes`, and the `devices` if the line says how many a node has."""
        found = _NODES.search(text)
        if found is None or int(found[2] or found[1]) != int(found[1]) or not int(found[1]):
            return None
        nodes, local = int(found[1]), _LOCAL.search(text)
        devices = {"devices": nodes * int(local[1])} if local and int(local[1]) else {}
        return {"nodes": nodes, **devices}


class Launcher(Reader):
    """Reads a launcher's command in any log."""

    name = "launcher"
    title = "torchrun's command line (--nnodes) in any log"
    example = "torchrun --nnodes=4 --nproc_per_node=8 train.py"
    unread = "a command without --nnodes, elastic jobs (1:4), the launchers of clusters"
    precedence = -1

    @line(_Command(), 0.0, "command")
    def _command(self, line: Line, f: Fields) -> Events:
        for name in f:
            yield from self.report(line.origin(), name, f[name])


_OWNER = r"(?:(?:args|cfg|config|hparams|opt|runner|solver|train|trainer|training)\.){0,2}"
_NAME = (
    r"(?:epochs|(?:num|nb|max|total)[_ -]?epochs?|(?:num_)?train(?:ing)?[_ -]epochs"
    r"|epochs?_num|nepochs|(?:number of|# ?of) (?:training )?epochs)"
)
"""`n_epochs` is left out: CycleGAN uses it for a part of the run, PPO for an update."""
_SETTING = pattern(
    r"(?:^|[\[{(,;|│┃]\s{0,8}|\s--|^--|\s\s|:\s|=\S{1,40}\s)['\"]?"
    + _OWNER
    + _NAME
    + r"['\"]?\)?(?:\s{0,40}[:=|│┃]\s{0,40}|\s{0,2}\.{3,80}\s{0,2}|\s{1,80})['\"]?"
    + r"(\d{1,3}(?:,\d{3}){1,2}+(?![\d,])|\d{1,7}+)(?![\w.%:/-])(?!\s{0,4}/)",
    re.IGNORECASE,
)
_MAY_SET = pattern(_NAME + r"['\"]?\)?(?:\s|[:=|│┃.])|\sfor\s{1,3}epochs", re.IGNORECASE)
"""What every such line contains without its digits."""
_SENTENCE = pattern(
    r"^\W{0,8}(?:start(?:ing|ed)?\s)?(?:the\s)?train(?:ing)?\s(?:[\w-]{1,20}\s)?for\s"
    r"(\d{1,7}+)\sepochs\W{0,8}$",
    re.IGNORECASE,
)
_PRECISION = pattern(
    r"(?<![\w.])['\"]?(fp16|bf16)['\"]?\s{0,40}(?:[:=|│┃]|\.{2,80})\s{0,40}['\"]?[Tt]rue\b"
)
_STEPS = pattern(
    r"\d{1,9}+ iterations per epoch\. (\d{1,12}+) max iterations(?![\w/])", re.IGNORECASE
)
_LONGEST = 20_000


class ProgramSettings(Reader):
    """Reads the number of epochs and the precision in a program's settings.

    They count if the log's format does not say them.
    """

    name = "settings"
    title = "`epochs: 90`, `fp16: true` or Namespace(epochs=90, fp16=True) among any log's settings"
    example = "Namespace(arch='resnet50', batch_size=256, epochs=90, fp16=True, lr=0.1)"
    unread = "n_epochs, settings that contradict one another, other names of a precision"
    precedence = -1

    def __init__(self) -> None:
        self._numbers: set[int] = set()

    def may_read(self, letters: str) -> bool:
        """As `Reader.may_read`."""
        if "rue" in letters and ("fp" in letters or "bf" in letters):
            return True
        if "per epoch. " in letters:
            return True
        return "epoch" in letters.lower() and _MAY_SET.search(letters) is not None

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`; if two settings differ, neither is known to be the training's."""
        text = line.text[:_LONGEST]
        types = set(_PRECISION.findall(text))
        said = [RunInfo(line.origin(), "precision", one) for one in types if len(types) == 1]
        settings = (one for one in _SETTING.finditer(text) if _is_outer(text, one.start()))
        numbers = {int(one[1].replace(",", "")) for one in settings}
        if sentence := _SENTENCE.search(text):
            numbers.add(int(sentence[1]))
        if steps := _STEPS.search(text):
            said.append(RunInfo(line.origin(), "steps_planned", int(steps[1])))
        if numbers:
            self._numbers |= numbers
            epochs = min(self._numbers) if len(self._numbers) == 1 else 0
            said.append(RunInfo(line.origin(), "epochs_set", epochs))
        return said or None


def _is_outer(text: str, place: int) -> bool:
    """Whether a place is outside of nested dictionaries, which have the settings of a part."""
    return text.count("{", 0, place + 1) - text.count("}", 0, place + 1) < 2


_DONE = pattern(EXITED + r"0\b")


class ClosingLine(Reader):
    """Reads the sentence if the log's own format does not know it, or that the program is over."""

    name = "closing-line"
    title = "`Training complete in 1m 54s` at the end of any log"
    example = "Training complete in 1m 54s"
    unread = "other languages than English, Chinese, Japanese, Korean and Russian"
    precedence = -1

    def may_read(self, letters: str) -> bool:
        """As `Reader.may_read`."""
        return may_close(letters) or is_over(letters) or any(text in letters for text in EXITS)

    def read(self, line: Line) -> Events | None:
        """As `Reader.read`."""
        text = line.text.strip()
        ends = Closing(None) if _DONE.match(text) else closing(text)
        if ends is None:
            return (RunEnd(line.origin(), midway=True, word=True),) if is_over(text) else None
        return (RunEnd(line.origin(), ends.duration, midway=True, sentence=True),)


_EVALUATES = pattern(r"(?i)(?<![a-z])(?:val|test|eval|mAP\b)")

_ERROR_RATES = frozenset({"wer", "cer", "eer"})


class EvaluationsByName(Reader):
    """Reads evaluations by the names in the line, as the generic reader does.

    A user's own evaluation often stands among the progress lines of a known trainer. It counts as
    long as the log's format itself has read no evaluation.
    """

    name = "evaluations-by-name"
    title = "`Validation accuracy: 71.2` among the lines of a format that does not print it"
    example = "Validation accuracy: 71.2"
    unread = "lines that do not name their split, batches of an evaluation"
    precedence = -1
    fallback = True

    def __init__(self) -> None:
        self._plans = Plans()

    def may_read(self, letters: str) -> bool:
        """As `Reader.may_read`."""
        lower = letters.lower()
        return "val" in lower or "test" in lower or "mAP" in letters  # `eval`, too

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`."""
        if _EVALUATES.search(line.text) is None:
            return None
        planned = self._plans.read(line.text.strip())
        if planned is None or (tested := _whole_evaluation(planned[0].plan)) is None:
            return None
        metrics = metrics_at(tested.metrics, planned[1])
        if not any(one.higher_is_better or one.name in _ERROR_RATES for one in metrics):
            return None  # a loss alone
        return (Evaluation(line.origin(), metrics, model=BY_NAME, midway=True, data=tested.data),)


def _whole_evaluation(plan: Plan) -> Tested | None:
    """Returns the figures of an evaluation if a line has those of a whole one; else None."""
    tested, of_batch = plan.tested, max(plan.step, plan.steps, plan.part, plan.parts) != ABSENT
    if of_batch or tested is None or (plan.trained is not None and plan.trained.rates):
        return None
    return tested if tested.names_split or all(map(ranks, tested.names)) else None
