"""ESPnet 2: `7epoch:train:6751-7125batch: …, loss=1.6, train_time=0.014`, and results per epoch.

`train_time` is the mean time of an update since the last line, with the wait for data. An update
may accumulate several of the batches that are counted, and no line says how many. So the time of
an iteration is that of the epoch's training over its batches; before the epoch is over, the log's
clock tells the speed.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import ends, fact, line, progress
from sixdim.parsers.text.patterns import pattern

_TRAINED = pattern(r"(?:.*, )?time=([^=]{1,99}), total_count=(\d{1,18}+)")
"""The time of the training in words, and the batches of all epochs so far."""
_NOT_SCORES = frozenset(("time", "total_count", "att_plot"))


class Espnet(Reader):
    name = "espnet"
    title = "ESPnet 2 (speech)"
    example = "7epoch:train:6751-7125batch: iter_time=0.001, loss=1.601, acc=0.5, train_time=0.014"
    unread = "the configuration and with it the batch (the speed is it/s), times of a validation"

    _total: tuple[int, int] = 0, 0
    """The last epoch that is over, and the batches of all epochs until then."""

    training = progress(
        KeyValues(
            "{epoch:int}epoch:train:{begin:int}-{step:int}batch: ",
            delimiter=", ",
            separator="=",
            numbers={"loss": "loss"},
        ),
        NamedRecord(further=further("loss")),
        1.0,
    )
    planned = fact("{:int}/{epochs_planned:int}epoch started...", 0.5)

    @line(
        KeyValues(
            "{epoch:int}epoch results: [train] {trained:until}[valid] ",
            delimiter=", ",
            separator="=",
        ),
        1.0,
        "evaluation",
    )
    def _results(self, line: Line, f: Fields) -> Events:
        pairs: dict[str, str] = f["pairs"]
        absent = {name for name in pairs if name[1:4] == "er_" and pairs[name] == "nan"}
        valid = {n: value for n, value in pairs.items() if n[0] != "[" and n not in absent}
        yield self._end(line, f["epoch"], f["trained"])
        yield Evaluation(line.origin(), figures(valid, skip=_NOT_SCORES), f["epoch"])

    def _end(self, line: Line, epoch: int, trained: str) -> EpochEnd:
        """Returns the end of an epoch with its time, if the text says it."""
        found = _TRAINED.match(trained)
        if found is None or (seconds := spoken_seconds(found[1])) is None:
            return EpochEnd(line.origin(), epoch)
        total, (last, before) = int(found[2]), self._total
        self._total = epoch, total
        batches = total - before if epoch == last + 1 else 0  # a resumed run's first is unknown
        mean = seconds / batches if batches > 0 else None
        return EpochEnd(line.origin(), epoch, train_time=seconds, iteration_time=mean)

    closing = ends(
        (
            "The training was finished at {epochs:int} epochs...",
            "[Early stopping] {} The training was stopped at {epochs:int}epoch",
        ),
        0.5,
    )
