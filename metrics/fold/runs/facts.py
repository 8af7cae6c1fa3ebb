"""Facts about a run and where each came from: flags win, then the log, then the name."""

from math import inf

from sixdim.metrics.fold.runs.run_state import RunState
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Fact

ORDER = (
    "framework",
    "model",
    "precision",
    "devices",
    "nodes",
    "batch_per_device",
    "global_batch",
    "samples_per_epoch",
    "epochs_planned",
    "steps_planned",
)


class Facts:
    """Looks facts of a run up in the order of their authority."""

    def __init__(self, run: RunState, settings: Settings) -> None:
        self.run = run
        self._settings = settings

    def find(self, name: str) -> tuple[Fact, str] | None:
        """Returns (value, source) of a fact; the source is `flag`, `log line N` or `name`."""
        if name in self._settings.given:
            return self._settings.given[name], "flag"
        if name == "epochs_planned" and (planned := self._epochs_set()) is not None:
            return planned
        if name in self.run.facts.known:
            value, line = self.run.facts.known[name]
            return value, f"log line {line}"
        if name in self._settings.named:
            return self._settings.named[name], "name"
        return None

    def _epochs_set(self) -> tuple[Fact, str] | None:
        """Returns the epochs that the program's settings ask for, unless the run has trained more.

        What a log counts comes first, unless it was assumed, and the settings ask for one more:
        `Epoch 0/5` may be of six.
        """
        facts = self.run.facts.known
        epochs, line = facts.get("epochs_set", (0, 0))
        counted, _ = facts.get("epochs_planned", (None, 0))
        assumed, _ = facts.get("epochs_assumed", (None, 0))
        if counted is not None and not (counted == assumed == int(epochs) - 1):
            return None
        trained = max(self.run.epochs, default=0) + (0 in self.run.epochs)
        return (epochs, f"log line {line}") if trained <= int(epochs) != 0 else None

    def count(self, name: str) -> int | None:
        """Returns a fact that is a positive number of things; None where unknown."""
        found = self.find(name)
        if found is None or isinstance(found[0], str) or not 1 <= found[0] < inf:
            return None
        return int(found[0])

    def batch_varies(self) -> bool:
        """Returns whether the log had another global batch before, and no flag states one."""
        found = self.find("global_batch")
        if found is None or "batch_varies" not in self.run.facts.known:
            return False
        return found[1].startswith("log")

    def known(self) -> tuple[dict[str, Fact], dict[str, str]]:
        """Returns all known facts in a fixed order, and the source of each."""
        found = {name: one for name in ORDER if (one := self.find(name)) is not None}
        values = {name: value for name, (value, _) in found.items()}
        return values, {name: source for name, (_, source) in found.items()}
