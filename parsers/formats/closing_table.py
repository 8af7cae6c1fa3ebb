"""The small tables that NGC MXNet's runner prints at the end: one figure by devices and batch.

A table has a line with the name of the figure (`train.ips`), a line of batch sizes
(`|    128    |    256    |`), and a line for each number of devices
(`8     |   9100.5  |   9911.0  |`).
"""

from typing import Any

from sixdim.parsers.events import Events, Metric, Summary
from sixdim.parsers.grammar.shapes.figures import as_number
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.rows import Rows, remembers, row
from sixdim.parsers.text.lines import Line


def closing_table(weight: float) -> Rows:
    """Returns the statements of the tables' lines; `weight` is that of the line with the name."""
    what = "closing table"
    return (
        *remembers("train.{_table:word}", weight, what, _batches=""),
        *remembers("|{_batches:text}", 0.0, what),
        *row("{devices:int} |{cells:text}", _figures, 0.0, what),
    )


def _figures(reader: Any, line: Line, f: Fields) -> Events:
    """Yields a line's figures, each under its plain name and under `name[devices,batch]`."""
    name = getattr(reader, "_table", "")
    batches, cells = (
        text.replace("|", " ").split() for text in (reader._batches if name else "", f["cells"])
    )
    if not name or len(cells) != len(batches):
        return
    unit = "img/s" if name.endswith("ips") else "s"
    for batch, cell in zip(batches, cells, strict=True):
        value = as_number(cell)
        if value is not None:
            names = f"train.{name}", f"train.{name}[{f['devices']},{batch}]"
            yield Summary(line.origin(), tuple(Metric(n, value, unit, unit != "s") for n in names))
