"""SpeechBrain: the lines of its train logger, and the bars of its training.

The console has the name of a module in front of each message, log.txt has a clock before it. An
experiment that goes on does so at the epoch of its checkpoint, which is said before the bar only in
some versions. Where it is not, the first bars have no known epoch and are left out.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric, RunEnd, RunStart
from sixdim.parsers.grammar.shapes.figures import lower_is_better
from sixdim.parsers.grammar.shapes.holes import NUMBER, number
from sixdim.parsers.grammar.shapes.shape import Fields, Unanchored
from sixdim.parsers.statements.common_shapes import BAR, BARE_BAR, iteration_of_bar
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rows import ignored, line, remembers
from sixdim.parsers.text.patterns import pattern

_LOGGER = r"(?:speechbrain\.utils\.train_logger - )?+"
_HEAD = pattern(
    rf"{_LOGGER}[Ee]poch(?: loaded)?+: (\d{{1,9}}+)(?:, [\w ]{{1,20}}+: [^\s,]{{1,30}}+){{0,6}}+ - "
    r"(?=(?:train|valid|test) )"
)
_FIGURE = pattern(rf"(train|valid|test) (\w[\w .-]{{0,40}}?): ({NUMBER})(?=,|\s|$)")
_EPOCH = "Going into epoch {_label:int}"
_LOSS = ", train_loss={loss:float}]"
_ERROR_RATES = frozenset({"per", "der"})
"""Of phonemes and of speakers: names that elsewhere are other words."""


class _Statistics(Unanchored):
    """The figures of an epoch, or of a test, each with the data that it is of."""

    clue = "poch"

    def match(self, text: str) -> Fields | None:
        """Returns the `epoch`, and the `figures` as (data, name, value)."""
        head = _HEAD.match(text)
        found = _FIGURE.findall(text, head.end()) if head is not None else ()
        if head is None or not found:
            return None
        return {"epoch": int(head[1]), "figures": [(of, n, number(v)) for of, n, v in found]}


class SpeechBrain(Reader):
    name = "speechbrain"
    title = "SpeechBrain (speech)"
    example = (
        "speechbrain.utils.train_logger - epoch: 2, lr: 1.00e+00 - train loss: 1.08 - "
        "valid loss: 1.03, valid WER: 31.39"
    )
    unread = "the hyperparameters and with them the batch (the speed is it/s), bars of evaluations"

    _label: int | None = None
    """The epoch that is trained, once a line has shown it."""

    @line("speechbrain.core - Beginning experiment!", 1.0, "header")
    @line("Beginning experiment!", 0.3, "header")
    def _begin(self, line: Line, f: Fields) -> Events:
        self._label = None
        self.facts.clear()
        yield RunStart(line.origin())

    begun = remembers((f"speechbrain.utils.epoch_loop - {_EPOCH}", _EPOCH), 0.3, "epoch")

    @line((BAR + _LOSS, BARE_BAR + _LOSS), 0.1, "bar")
    def _bar(self, line: Line, f: Fields) -> Events:
        if self._label is not None:
            yield iteration_of_bar(line.origin(), self._label, f, loss=f["loss"])

    @line(_Statistics(), 0.3, "statistics")
    def _statistics(self, line: Line, f: Fields) -> Events:
        """Reads the figures of an epoch's end, or of a test, which follows the training."""
        at, epoch = line.origin(), f["epoch"]
        data: dict[str, list[Metric]] = {}
        for of, name, value in f["figures"]:
            higher = not (lower_is_better(name) or name.lower() in _ERROR_RATES)
            data.setdefault(of, []).append(Metric(name, value, "", higher))
        tested = data.pop("test", None)
        if tested is not None:
            yield Evaluation(at, tuple(tested), epoch, after_training=True, data="test")
            yield RunEnd(at)
            return
        self._label = epoch + 1
        for of, metrics in data.items():
            if of == "train":
                yield EpochEnd(at, epoch, values=tuple(metrics))
            else:
                yield Evaluation(at, tuple(metrics), epoch, data=of)

    others = ignored("speechbrain.{:word} - {}", 0.3, "message")
