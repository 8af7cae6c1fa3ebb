"""The facts that the log states about a run."""

from sixdim.parsers.events import Fact, RunInfo


class LoggedFacts:
    """The facts that the log states.

    One that contradicts a known fact after training began waits for a further record of training:
    it may belong to an attempt that fails before its first step, or to the header of the next run.

    Attributes:
        known: Name to (value, line).
        held: The facts after the last record of training, by name.
    """

    def __init__(self) -> None:
        self.known: dict[str, tuple[Fact, int]] = {}
        self.held: dict[str, RunInfo] = {}

    def add(self, event: RunInfo, *, trained: bool) -> bool:
        """Adds a fact; returns False if it waits, as it contradicts one of a run that trained."""
        if trained:
            self.held[event.name] = event
            if self._contradicts(event.name):
                return False
        self.known[event.name] = event.value, event.at.line
        return True

    def count(self, name: str) -> int | None:
        """Returns a fact that is an integer, as the log states it; None without one."""
        value, _ = self.known.get(name, (None, 0))
        return value if isinstance(value, int) else None

    def _contradicts(self, name: str) -> bool:
        """Returns whether the waiting fact of a name differs from the known one."""
        held = self.held.get(name)
        return held is not None and self.known.get(name, (held.value,))[0] != held.value

    def take_held(self, *, frozen: bool) -> bool:
        """Adds the facts that waited for a record of training; a frozen run keeps its own.

        Returns:
            Whether another number of epochs is planned.
        """
        if not self.held:
            return False
        replanned = self._contradicts("epochs_planned")
        held = {name: (one.value, one.at.line) for name, one in self.held.items()}
        if not frozen and self._contradicts("global_batch"):
            held["batch_varies"] = (1, held["global_batch"][1])
        self.known = held | self.known if frozen else self.known | held
        self.held.clear()
        return replanned
