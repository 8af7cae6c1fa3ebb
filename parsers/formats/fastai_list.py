"""fastai without its progress bar: one list per epoch (`[0, 0.638, 0.522, 0.762, '00:01']`).

The list is the epoch, the loss of training and of validation, the metrics without their names,
and the time of the epoch. (With the bar fastai prints a table, which the generic reader reads.)
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.holes import NUMBER, clock, number
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_ROW = pattern(
    r"(?:\(#\d{1,3}+\) )?+\[(?P<epoch>\d{1,9}+), ?(?P<train>NUM), ?(?P<valid>NUM)"
    r"(?P<metrics>(?:, ?(?:NUM|None)){0,20}+), ?'(?P<time>\d{1,6}+:\d\d(?::\d\d)?+)'\]".replace(
        "NUM", f"(?:{NUMBER})"
    )
)


class _Row(Unanchored):
    """A list as Python prints it (`[0, …`), or as fastcore does (`(#5) [0, …`)."""

    clue = "'"

    def __init__(self, anchor: str) -> None:
        self.anchor = anchor

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the `epoch`, `losses`, `metrics` and `seconds`."""
        found = _ROW.fullmatch(text)
        if found is None:
            return None
        metrics = [one.strip() for one in found["metrics"].split(",")[1:]]
        try:
            return {
                "epoch": int(found["epoch"]),
                "losses": (number(found["train"]), number(found["valid"])),
                "metrics": [None if one == "None" else number(one) for one in metrics],
                "seconds": clock(found["time"]),
            }
        except ValueError as error:  # more digits than a number can have
            return Broken("a loss or a metric", str(error)[:40])


class FastaiList(Reader):
    name = "fastai-list"
    title = "fastai without a progress bar (one list per epoch)"
    tried = "fastai 2.8.12"
    example = "[0, 0.6379640102386475, 0.522223174571991, 0.762499988079071, '00:01']"
    unread = "what the metrics are called (they are metric1, metric2, …), and which way is better"

    @line((_Row("["), _Row("(#")), 0.5, "epoch")
    def _row(self, line: Line, f: Fields) -> Events:
        train, valid = f["losses"]
        loss = (Metric("train_loss", train, "", False),)
        yield EpochEnd(line.origin(), f["epoch"], epoch_time=f["seconds"], values=loss)
        metrics = tuple(
            Metric(f"metric{i}", value, "", False)
            for i, value in enumerate(f["metrics"], 1)
            if value is not None
        )
        losses = (Metric("valid_loss", valid, "", False),)
        yield Evaluation(line.origin(), (*losses, *metrics), f["epoch"])
