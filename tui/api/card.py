"""The scorecard as an immutable Python value, which notebooks show as a table."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sixdim.metrics.values.card import DIMENSIONS, Caution, Dimension, Status, dumps
from sixdim.metrics.values.card import Card as Scorecard

if TYPE_CHECKING:
    import os


@dataclass(frozen=True, repr=False)
class Card:
    """The scorecard of one run. Figures are exact; an unknown one is None, with a reason.

    Attributes:
        scorecard: The card as the commands use it.
    """

    scorecard: Scorecard

    @property
    def status(self) -> Status:
        """The status of the run: `training`, `converged`, `finished`, `incomplete`, …."""
        return self.scorecard.status

    @property
    def frozen(self) -> bool:
        """Whether the target is met; the six figures do not change after that."""
        return self.scorecard.frozen

    @property
    def speed(self) -> Dimension:
        """Throughput of stable training, in the log's own unit and scope."""
        return self.scorecard.dimensions["speed"]

    @property
    def accuracy(self) -> Dimension:
        """The metric at the evaluation that ends the run."""
        return self.scorecard.dimensions["accuracy"]

    @property
    def linearity(self) -> Dimension:
        """Speed on N devices / N / speed on one: 1 is perfect scaling."""
        return self.scorecard.dimensions["linearity"]

    @property
    def power(self) -> Dimension:
        """Mean watts of a device during stable training."""
        return self.scorecard.dimensions["power"]

    @property
    def memory(self) -> Dimension:
        """Mean MiB used on a device during stable training."""
        return self.scorecard.dimensions["memory"]

    @property
    def stability(self) -> Dimension:
        """Agreement of five runs that reach the target: 1 at best, 0 at worst."""
        return self.scorecard.dimensions["stability"]

    @property
    def end_to_end(self) -> Dimension:
        """Samples trained / total training time."""
        return self.scorecard.end_to_end

    @property
    def dimensions(self) -> Mapping[str, Dimension]:
        """The six figures by name, in their order."""
        return MappingProxyType({name: self.scorecard.dimensions[name] for name in DIMENSIONS})

    @property
    def time_to_train_s(self) -> float | None:
        """Seconds until the target was met; None before, and if the log has no times."""
        seconds: float | None = (self.scorecard.target or {}).get("time_to_train_s")
        return seconds

    @property
    def run_time_s(self) -> float | None:
        """Seconds of the whole training; None before its end, and if the log has no times."""
        seconds: float | None = (self.scorecard.run_end or {}).get("run_time_s")
        return seconds

    @property
    def run(self) -> Mapping[str, Any]:
        """Format, model, devices, epochs, …, and the source of each under `sources`."""
        return MappingProxyType(copy.deepcopy(dict(self.scorecard.run)))

    @property
    def target(self) -> Mapping[str, Any] | None:
        """Condition and source; once it is met, epoch, value and time. None without a target."""
        found = self.scorecard.target
        return None if found is None else MappingProxyType(copy.deepcopy(dict(found)))

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """The warnings of the card, with their lines."""
        return self.scorecard.warnings

    @property
    def provenance(self) -> Mapping[str, Any]:
        """The bytes that it was computed from: log, sha256, bytes, ended, version of sixdim."""
        return MappingProxyType(dict(self.scorecard.provenance))

    def to_dict(self) -> dict[str, Any]:
        """Returns the card as JSON data (`sixdim schema`); a copy that may be changed."""
        return copy.deepcopy(self.scorecard.to_json())

    def to_json(self) -> str:
        """Returns the text that `sixdim score --json` writes, byte for byte."""
        return dumps(self.scorecard)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes that text to a file, atomically."""
        import os

        from sixdim.tui.api.errors import typed_errors
        from sixdim.tui.base.safe_files import write_atomically

        with typed_errors():
            write_atomically(os.fspath(path), self.to_json())

    def __repr__(self) -> str:
        """Returns one line: `<sixdim.Card train.log: converged, speed 4938.9 img/s, …>`."""
        from sixdim.tui.export.wording import quantity

        known = (
            f"{name} {quantity(name, one.value, one.unit)}"
            for name, one in self.dimensions.items()
            if one.value is not None
        )
        parts = ", ".join([str(self.status), *known])
        return f"<sixdim.Card {self.scorecard.provenance['log']}: {parts}>"

    def __str__(self) -> str:
        """Returns the text that `sixdim score` prints."""
        from sixdim.tui.export.printed import printed

        return printed(self.scorecard).rstrip("\n")

    def _repr_html_(self) -> str:
        """Returns a table for notebooks: a row for each figure, and the warnings below."""
        from sixdim.tui.export.markup import element, joined, table
        from sixdim.tui.export.printed import table_cells
        from sixdim.tui.export.wording import about

        card = self.scorecard
        rows = (table_cells(name, figure) for name, figure in card.figures().items())
        caption = f"{card.provenance['log']} · {about(card)} · {card.status}"
        warnings = (element("li", f"warning: {warning.text}") for warning in card.warnings)
        below = element("ul", *warnings) if card.warnings else None
        return joined(table(("dimension", "figure", "state", "how"), rows, caption), below)
