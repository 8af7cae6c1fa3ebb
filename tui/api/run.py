"""`sixdim.score` and `sixdim.read`: a log as it is now, finished or growing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

from sixdim.tui.api.card import Card
from sixdim.tui.api.errors import LogError, typed_errors
from sixdim.tui.api.options import Options, Path, named_logs, request_of
from sixdim.tui.session.reading import read_run, why_unread
from sixdim.tui.session.session import Session

if TYPE_CHECKING:
    from sixdim.tui.api.columns import Columns
    from sixdim.tui.api.tables import IterationsFold


class FormatError(LogError):
    """The log is readable, and no known format reads it.

    Attributes:
        card: Its card, with every figure unknown.
    """

    def __init__(self, message: str, card: Card) -> None:
        super().__init__(message)
        self.card = card


@dataclass(frozen=True)
class Run:
    """One training, as read from its log.

    Attributes:
        card: Its scorecard.
    """

    card: Card
    _session: Session
    _fold: IterationsFold

    @cached_property
    def epochs(self) -> Columns:
        """A row for each epoch; for a run that counts none, for each window of progress lines.

        `epoch` (or `window`), `throughput`, `derived` (computed and not printed), `duration`,
        `loss`, `iterations` (progress lines), `complete`, `first_line`, `last_line`,
        `time_begin`, `time_end`.
        """
        from sixdim.tui.api.tables import epochs

        return epochs(self._session.run, self._session.snapshot())

    @cached_property
    def evaluations(self) -> Columns:
        """A row for each evaluation during training.

        `line`, `epoch`, `step`, `model` (`raw`, `averaged`, …), `time`, and a column for each
        metric under its usual name (`acc1`, `loss`, `wer`).
        """
        from sixdim.tui.api.tables import evaluations

        run = self._session.run
        return evaluations(run.evaluations, run)

    @cached_property
    def iterations(self) -> Columns:
        """A row for each progress line.

        `line`, `epoch`, `step`, `throughput`, `loss`, `duration` (seconds of an iteration), the
        line's further figures under the log's own names (64 at most), `time`. Where training was
        resumed, the epochs that began again are there once.
        """
        return self._fold.iterations(self._session.run)

    def __repr__(self) -> str:
        """Returns one line: the card's, with the numbers of rows of the tables."""
        tables = ("epochs", "evaluations", "iterations")
        rows = ", ".join(f"{getattr(self, name).rows} {name}" for name in tables)
        return f"<sixdim.Run {self.card.provenance['log']}: {self.card.status}, {rows}>"

    def _repr_html_(self) -> str:
        """Returns the card's table for notebooks."""
        return self.card._repr_html_()


def score(log: Path | Sequence[Path], **options: Unpack[Options]) -> Card:
    """Returns the scorecard of a log, the same that `sixdim score` gives.

    Args:
        log: A log, a folder of ranks, a recording of TensorBoard or W&B; or the pieces of one
            rotated log, oldest first.
        **options: How to score it: `target="acc1>75.9"`, `window=(6, 10)`,
            `baseline="one.log"`, …; see `Options`.

    Raises:
        LogError: The log, or another file that is named, cannot be read.
        FormatError: No known format reads the log.
        OptionError: An option cannot be read.
    """
    with typed_errors():
        paths, request = request_of(options).of_logs(named_logs(log))
        return _card(read_run(paths, request))


def read(log: Path | Sequence[Path], **options: Unpack[Options]) -> Run:
    """Reads the run of a log: its card, and its epochs, evaluations and lines as columns.

    It takes 9 bytes of memory for each figure of each progress line.

    Args:
        log: As `score` takes it.
        **options: As `score` takes them.

    Raises:
        LogError: The log, or another file that is named, cannot be read.
        FormatError: No known format reads the log.
        OptionError: An option cannot be read.
    """
    from sixdim.tui.api.tables import IterationsFold

    with typed_errors():
        paths, request = request_of(options).of_logs(named_logs(log))
        session = request.session(paths[-1], all_figures=True)
        session.fold = fold = IterationsFold(session.fold)
        return Run(_card(read_run(paths, request, session)), session, fold)


def _card(session: Session) -> Card:
    """Returns the card of a session.

    Raises:
        FormatError: No format reads the log, or the given one reads none of its lines.
    """
    card = Card(session.card())
    if reason := why_unread(session):
        raise FormatError(f"{session.name}: {reason}", card)
    return card
