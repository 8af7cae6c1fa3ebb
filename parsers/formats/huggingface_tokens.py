"""The tokens per second that Axolotl adds to the Trainer's reports."""

from collections.abc import Mapping

from sixdim.parsers.grammar.shapes.figures import as_number

TRAINED, RATE = "tokens/trainable", "tokens/train_per_sec_per_gpu"
"""The tokens trained so far by all devices, and the rate of one."""


class TokenRates:
    """The rates in the reports of one training, as far as they are those of the training.

    A rate is that of the tokens and the time since the report before, evaluations included: the
    first report has none. Earlier versions print one there, too: theirs divides the tokens since
    the report before by the time of the last step alone.
    """

    def __init__(self) -> None:
        self._since_report: bool | None = None
        self._evaluated = False

    def evaluated(self) -> None:
        """Notes an evaluation, whose time is part of the next rate."""
        self._evaluated = True

    def of(self, report: Mapping[str, str]) -> float | None:
        """Returns the rate in a report of the training; None if it has none that counts."""
        if TRAINED not in report:
            return None
        rate = as_number(report.get(RATE))
        if self._since_report is None:
            self._since_report = rate is None
        evaluated, self._evaluated = self._evaluated, False
        return rate if self._since_report and not evaluated else None
