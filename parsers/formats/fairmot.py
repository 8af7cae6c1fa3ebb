"""FairMOT / CenterTrack (`mot/exp| train: [1][10/500]|Tot: … |loss …`).

`Net` is the mean time of an iteration since the epoch began, with the wait for data. `Fps`, which
DeepSparkHub adds, is the mean rate of one rank since then. The tracking table of motmetrics follows
an evaluation; only its OVERALL row is read.
"""

from collections.abc import Sequence

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.table import Table
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line, progress, remembers

_NUMBERS = {"loss": "loss", "duration": "Net", "throughput": "Fps"}


class FairMot(Reader):
    name = "fairmot"
    title = "FairMOT console"
    example = (
        "mot/exp| train: [1][10/500]|Tot: 0:00:10 |ETA: 0:10:00 |loss 12.3000 |hm_loss 2.1000 "
        "|Data 0.001s(0.002s) |Net 0.500s|Fps 6.500"
    )
    unread = (
        "the rows of single sequences (the OVERALL row counts), precision and recall of the tracks"
    )

    cells: Sequence[str] = ()
    """The columns of the table."""

    training = progress(
        tuple(
            KeyValues(
                "{}| train: [{epoch:int}][{step:int}/{steps:int}]|" + times,
                delimiter="|",
                separator=" ",
                numbers=_NUMBERS,
                required=("Data", "Net"),
                glued=("s",),
            )
            for times in ("Tot: {elapsed:duration} |ETA: {eta:duration} ", "")
        ),
        NamedRecord(
            unit="img/s",
            scope=Scope.DEVICE,
            mean_throughput="throughput",
            mean_duration="duration",
            further=further("Data", *_NUMBERS.values()),
        ),
        1.0,
    )

    @line("{:int}-{:int}-{:int}-{:int}-{:int}: epoch: {epoch:int} |{figures:text}", 1.0, "epoch")
    def _epoch(self, line: Line, f: Fields) -> Events:
        """Reads a line of `log.txt`, in which the figures of an evaluation repeat the names."""
        trained: dict[str, str] = {}
        tested: dict[str, str] = {}
        for one in f["figures"].split("|"):
            name, _, value = one.strip().partition(" ")
            (tested if name in trained else trained)[name] = value
        minutes = as_number(trained.pop("time", None))
        seconds = None if minutes is None else 60 * minutes
        yield EpochEnd(line.origin(), f["epoch"], train_time=seconds, values=figures(trained))
        scores = figures(tested, skip=("time",))
        if scores:
            yield Evaluation(line.origin(), scores, f["epoch"])

    header = remembers(
        Table(delimiter=None, columns=8, required=("IDF1", "MOTA", "MOTP")), 0.8, "tracking table"
    )

    @line("OVERALL {row:text}", 0.5, "tracking table")
    def _overall(self, line: Line, f: Fields) -> Events:
        row = dict(zip(self.cells, f["row"].split(), strict=False))
        metrics = tuple(
            Metric(name.lower(), value, "%")
            for name in ("MOTA", "IDF1")
            if (value := as_number(row.get(name, "").rstrip("%"))) is not None
        )
        return (Evaluation(line.origin(), metrics, epoch=self.epoch),) if metrics else ()
