"""StyleGAN's stats.jsonl: an object a tick, each figure as its number, mean and deviation."""

from __future__ import annotations

from sixdim.parsers.events import Events, Iteration, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole, figures
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line


class StyleGanJson(Reader):
    name = "stylegan-json"
    title = "StyleGAN stats.jsonl"
    example = (
        '{"Progress/tick": {"num": 1, "mean": 4.0, "std": 0.0}, "Progress/kimg": {"num": 1, '
        '"mean": 16.0, "std": 0.0}, "Timing/sec_per_kimg": {"num": 1, "mean": 38.3, "std": 0.0}}'
    )
    unread = "numbers and deviations of the figures, evaluations (they are in metric-*.jsonl)"

    @line(JsonRecord(required=("Progress/kimg", "Timing/sec_per_kimg")), 1.0, "record")
    def _record(self, line: Line, f: Fields) -> Events:
        means = {
            name: one["mean"] for name, one in f.items() if isinstance(one, dict) and "mean" in one
        }
        seconds, stamp = as_number(means.get("Timing/sec_per_kimg")), as_number(f.get("timestamp"))
        known = stamp is not None and 0 < stamp < 1e11
        at = line.origin()._replace(time_us=int(stamp * 1e6)) if stamp and known else line.origin()
        yield Iteration(
            at,
            epoch=None,
            step=as_whole(means.get("Progress/tick")),
            throughput=1000 / seconds if seconds and seconds > 0 else None,
            unit="img/s",
            scope=Scope.JOB,
            loss=as_number(means.get("Loss/G/loss")),
            values=figures(self.wanted(means)),
        )
