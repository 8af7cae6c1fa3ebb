"""Evaluations on lines that the log's own format does not know: `Validation accuracy: 71.2`."""

from __future__ import annotations

from collections.abc import Iterable

from sixdim.parsers.events import BY_NAME, Evaluation, Event
from sixdim.parsers.grammar.meaning.line_plan import ABSENT, Plan
from sixdim.parsers.grammar.meaning.plans import Plans
from sixdim.parsers.grammar.vocabulary.forms import metrics_at
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.patterns import pattern

_EVALUATES = pattern(r"(?i)(?<![a-z])(?:val|test|eval)")


class EvaluationsByName(Reader):
    """Reads them by the names in the line, as the generic reader does.

    A person's own evaluation often stands among the progress lines of a known trainer. It counts
    as long as the format itself has read none.
    """

    name = "evaluations-by-name"
    title = "`Validation accuracy: 71.2` among the lines of a format that does not print it"
    example = "Validation accuracy: 71.2"
    unread = "lines that do not name their split, batches of an evaluation"
    precedence = -1
    fallback = True

    def __init__(self) -> None:
        self._plans = Plans()

    def read(self, line: Line) -> Iterable[Event] | None:
        """As `Reader.read`."""
        text = line.text
        if not (
            ("val" in text or "Val" in text or "VAL" in text)  # `eval`, too
            or ("test" in text or "Test" in text or "TEST" in text)
        ):
            return None  # at next to no cost
        if _EVALUATES.search(text) is None:
            return None
        found = self._plans.read(text.strip())
        if found is None or not _is_whole(found[0].plan):
            return None
        known, numbers = found
        metrics = metrics_at(known.plan.tested, numbers)
        if not any(metric.higher_is_better for metric in metrics):
            return None
        data = known.plan.data
        return (Evaluation(line.origin(), metrics, model=BY_NAME, midway=True, data=data),)


def _is_whole(p: Plan) -> bool:
    """Whether a line has the figures of a whole evaluation, and says that they are of one."""
    of_batch = p.bar or bool(p.rates) or max(p.step, p.steps, p.part, p.parts) != ABSENT
    return bool(p.tested) and p.says_split and not of_batch
