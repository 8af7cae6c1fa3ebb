"""`sixdim.compare`: runs side by side."""

import copy
import os
from dataclasses import dataclass
from typing import Any, Unpack

from sixdim.metrics.tables.compare import Comparison as Table
from sixdim.metrics.tables.compare import compare as compared
from sixdim.metrics.values.nearest import did_you_mean
from sixdim.tui.api.card import Card
from sixdim.tui.api.errors import OptionError, typed_errors
from sixdim.tui.api.options import Options, request_of


@dataclass(frozen=True, repr=False)
class Comparison:
    """Runs against one of them. A ratio is turned so that above 1 is better.

    Attributes:
        cards: The runs, in the order given.
        reference: Position of the run that the others are divided by.
    """

    cards: tuple[Card, ...]
    reference: int
    _table: Table

    def ratio(self, figure: str, run: int = 1) -> float | None:
        """Returns the ratio of a run's figure to the reference's.

        Args:
            figure: One of the six, `end_to_end` or `time_to_train`.
            run: Position of the run.

        Returns:
            None where the two cannot be divided; `to_dict` has the reason.

        Raises:
            OptionError: There is no such figure or run.
        """
        row = next((row for row in self._table.rows if row.name == figure), None)
        if row is None:
            names = [row.name for row in self._table.rows]
            meant = did_you_mean(figure, names, f"there are {', '.join(names)}")
            raise OptionError(f"no figure {figure[:40]!r}; {meant}")
        if not 0 <= run < len(self.cards):
            raise OptionError(f"no run {run}: there are {len(self.cards)}, counted from 0")
        return row.ratios[run].value

    def to_dict(self) -> dict[str, Any]:
        """Returns the data that `sixdim compare --json` writes; a copy that may be changed."""
        return copy.deepcopy(self._table.to_json([card.scorecard for card in self.cards]))

    def __repr__(self) -> str:
        """Returns one line with the runs' names."""
        return f"<sixdim.Comparison of {', '.join(self._table.names)}>"

    def __str__(self) -> str:
        """Returns the text that `sixdim compare` prints."""
        from sixdim.tui.export.comparison_text import as_text

        return as_text(self._table, [card.scorecard for card in self.cards]).rstrip("\n")

    def _repr_html_(self) -> str:
        """Returns a table for notebooks: a row for each known figure."""
        from sixdim.tui.export.comparison_text import cells
        from sixdim.tui.export.markup import table

        (_, *titles), *rows = cells(self._table)
        for i, name in enumerate(self._table.names):
            titles[i] += f": {name}"
        return table(["", *titles], rows)


def compare(
    *runs: Card | str | os.PathLike[str], reference: int = 0, **options: Unpack[Options]
) -> Comparison:
    """Compares two or more runs.

    Args:
        *runs: Cards, logs, or files of cards.
        reference: Position of the run that the others are divided by.
        **options: The options for logs, as `score` takes them.

    Raises:
        LogError: A file is neither a readable log nor a card.
        OptionError: There are fewer than two runs, or an option cannot be read.
    """
    from sixdim.tui.session.cards import read_scored

    cards: list[Card] = []
    with typed_errors():
        request = request_of(options)
        for run in runs:
            if isinstance(run, Card):
                cards.append(run)
            else:
                cards += [Card(one.card) for one in read_scored(os.fspath(run), request)]
    if len(cards) < 2:
        raise OptionError("compare needs two runs or more")
    if not 0 <= reference < len(cards):
        raise OptionError(f"reference {reference}: there are {len(cards)} runs, counted from 0")
    names = [card.provenance["log"] for card in cards]
    table = compared([card.scorecard for card in cards], names, reference)
    return Comparison(tuple(cards), reference, table)
