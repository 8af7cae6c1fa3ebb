"""OLMo and OLMo-core: a heading `[step=10/10000,epoch=0]`, and a line `name=value` per figure.

The tokens per second are those of one device: in OLMo averaged over the last steps, in OLMo-core
those of the step.
"""

from sixdim.parsers.events import Evaluation, Event, Events, Iteration, Origin, RunEnd, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.statements.format import Fields, Line
from sixdim.parsers.statements.gathering import Gathering
from sixdim.parsers.statements.rows import line

_RATES = ("throughput/device/tokens_per_second", "throughput/device/TPS")
_LOSSES = ("train/CrossEntropyLoss", "train/CE loss")
_NAMES = {"throughput/device/MFU": ("mfu", "%")}
_HEADINGS = tuple(
    f"[step={{step:int}}/{steps}epoch={{epoch:int}}{eta}]"
    for steps in ("???,", "{steps:int},")  # a run that is limited otherwise plans no steps
    for eta in ("", ",eta={}")
)


class Olmo(Gathering):
    name = "olmo"
    title = "OLMo and OLMo-core"
    example = "[step=10/10000,epoch=0]"
    unread = "the configuration, memory, the meaning of the optimizer's figures"

    def __init__(self) -> None:
        self.gathered: tuple[Origin, int, int | None, int | None] | None = None  # a heading
        self._last: tuple[int, int | None, int | None] | None = None  # the last step's
        self._tests = False
        self._number = 0
        self._pairs: dict[str, str] = {}

    # The planned steps may end within an epoch. The logger's prefix has a host and a rank.
    @line("{}Training complete", 0.0, "end")
    def _end(self, line: Line, f: Fields) -> Events:
        return (RunEnd(line.origin(), midway=True),)

    def goes_on(self, line: Line) -> bool:
        """See `Gathering.goes_on`."""
        return line.number == self._number + 1 and "=" in line.text and "[step=" not in line.text

    @line(_HEADINGS, 1.0, "step")
    @line("[step={step:int}/{steps:int}]", 0.8, "step")
    def _step(self, line: Line, f: Fields) -> Events:
        self.gathered = line.origin(), f["step"], f.get("steps"), f.get("epoch")
        self._number, self._last, self._tests = line.number, self.gathered[1:], False
        return ()

    @line("Finished {} evals in {:float} seconds. Metrics:", 0.5, "evaluation")
    def _test(self, line: Line, f: Fields) -> Events:
        """Reads the heading of the figures of one evaluation, which OLMo-core prints once more."""
        if self._last is not None:
            self.gathered = line.origin(), *self._last
            self._number, self._tests = line.number, True
        return ()

    @line("{name:until}={value:text}", 0.0, "figure")
    def _figure(self, line: Line, f: Fields) -> Events | None:
        if self.gathered is None or line.number != self._number + 1:
            return None
        self._number = line.number
        self._pairs[f["name"]] = f["value"].replace(",", "")
        return ()

    def complete(self) -> list[Event]:
        """See `Gathering.complete`."""
        if self.gathered is None:
            return []
        (at, step, steps, epoch), self.gathered = self.gathered, None
        pairs, self._pairs = self._pairs, {}
        trained = {name: value for name, value in pairs.items() if not name.startswith("eval/")}
        tested = {name[5:]: value for name, value in pairs.items() if name not in trained}
        if self._tests:
            trained, tested = {}, pairs
        rate = next((as_number(pairs[name]) for name in _RATES if name in trained), None)
        loss = next((as_number(pairs[name]) for name in _LOSSES if name in trained), None)
        of_epoch = steps if epoch is None else None  # the run's steps; it may end within an epoch
        events: list[Event] = []
        if rate is not None or loss is not None:
            speed = rate, "tokens/s", Scope.DEVICE
            values = figures(trained, names=_NAMES)
            events.append(Iteration(at, epoch, step, of_epoch, *speed, loss, values=values))
        if tested:
            events.append(Evaluation(at, figures(tested), epoch, step, midway=epoch is not None))
        return events
