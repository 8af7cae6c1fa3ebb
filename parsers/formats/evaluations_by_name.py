"""Reads evaluations that the log's own format does not know: `Validation accuracy: 71.2`."""

from __future__ import annotations

from collections.abc import Iterable

from sixdim.parsers.events import BY_NAME, Evaluation, Event
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan, Tested
from sixdim.parsers.grammar.meaning.plans import Plans
from sixdim.parsers.grammar.vocabulary.forms import metrics_at
from sixdim.parsers.grammar.vocabulary.rankings import ranks
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_EVALUATES = pattern(r"(?i)(?<![a-z])(?:val|test|eval|mAP\b)")

_ERROR_RATES = frozenset({"wer", "cer"})


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

    def may_read(self, letters: bytes) -> bool:
        """As `Reader.may_read`."""
        lower = letters.lower()
        return b"val" in lower or b"test" in lower or b"mAP" in letters  # `eval`, too

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`."""
        if _EVALUATES.search(line.text) is None:
            return None
        found = self._plans.read(line.text.strip())
        if found is None or (tested := _whole_evaluation(found[0].plan)) is None:
            return None
        numbers = found[1]
        metrics = metrics_at(tested.metrics, numbers)
        if not any(one.higher_is_better or one.name in _ERROR_RATES for one in metrics):
            return None  # a loss alone
        return (Evaluation(line.origin(), metrics, model=BY_NAME, midway=True, data=tested.data),)


def _whole_evaluation(p: Plan) -> Tested | None:
    """Returns the figures if the line says that they are a whole evaluation's; else None."""
    of_batch = max(p.step, p.steps, p.part, p.parts) != ABSENT
    if of_batch or p.tested is None or (p.trained is not None and p.trained.rates):
        return None
    named = p.tested.says_split or all(map(ranks, p.tested.names))
    return p.tested if named else None
