"""fastai without its progress bar: a list an epoch (`[0, 0.638, 0.522, 0.762, '00:01']`).

The list is the epoch, the loss of training and of validation, the metrics without their names,
and the time of the epoch. (With the bar fastai prints a table, which the generic reader reads.)
"""

from __future__ import annotations

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.expression import Expression
from sixdim.parsers.grammar.shapes.holes import NUMBER, clock, number
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_ROW = pattern(
    r"(?:\(#\d{1,3}+\) )?+\[(?P<epoch>\d{1,9}+), ?(?P<train>NUM), ?(?P<valid>NUM)"
    r"(?P<metrics>(?:, ?(?:NUM|None)){0,20}+), ?'(?P<time>\d{1,6}+:\d\d(?::\d\d)?+)'\]".replace(
        "NUM", f"(?:{NUMBER})"
    )
)


def _metrics(text: str) -> list[float | None]:
    """Returns the numbers behind the losses: `, 0.76, None`."""
    words = (word.strip() for word in text.split(",")[1:])
    return [None if word == "None" else number(word) for word in words]


# As Python writes a list (`[0, …`), or as fastcore does (`(#5) [0, …`).
_ROWS = tuple(
    Expression(
        _ROW, "'", begin, epoch=int, train=number, valid=number, metrics=_metrics, time=clock
    )
    for begin in ("[", "(#")
)


class FastaiList(Reader):
    name = "fastai-list"
    title = "fastai without a progress bar (a list an epoch)"
    tried = "fastai 2.8.12"
    example = "[0, 0.6379640102386475, 0.522223174571991, 0.762499988079071, '00:01']"
    unread = "what the metrics are called (they are metric1, metric2, …), and which way is better"

    @line(_ROWS, 0.5, "epoch")
    def _row(self, line: Line, f: Fields) -> Events:
        loss = (Metric("train_loss", f["train"], "", False),)
        yield EpochEnd(line.origin(), f["epoch"], epoch_time=f["time"], values=loss)
        metrics = tuple(
            Metric(f"metric{i}", value, "", False)
            for i, value in enumerate(f["metrics"], 1)
            if value is not None
        )
        losses = (Metric("valid_loss", f["valid"], "", False),)
        yield Evaluation(line.origin(), (*losses, *metrics), f["epoch"])
