"""StyleGAN, StyleGAN2 and StyleGAN3: a line a tick (`tick 77  kimg 308.0  … sec/kimg 38.29 …`)."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line

_HIGHER = ("is", "pr", "precision", "recall")


def score(name: str, value: float) -> Metric:
    """Returns a figure of an evaluation; distances are better when they are lower."""
    return Metric(name, value, "", name.startswith(_HIGHER))


class StyleGan(Reader):
    name = "stylegan"
    title = "StyleGAN, StyleGAN2, StyleGAN3 (ticks)"
    example = "tick 77 kimg 308.0 time 4h 28m 45s sec/tick 153.2 sec/kimg 38.29 maintenance 0.2"
    unread = "the options and the networks, memory, the augmentation, the total time"

    @line(
        "tick {step:int} kimg {kimg:float} {}sec/tick {tick:float} sec/kimg {seconds:float} {}",
        1.0,
        "tick",
    )
    def _tick(self, line: Line, f: Fields) -> Events:
        rate = 1000 / f["seconds"] if f["seconds"] > 0 else None
        yield Iteration(
            line.origin(),
            None,
            f["step"],
            throughput=rate,
            unit="img/s",
            scope=Scope.JOB,
            duration=f["tick"],
            values=(Metric("kimg", f["kimg"]),),
        )

    @line(JsonRecord(required=("results", "metric", "snapshot_pkl")), 0.8, "evaluation")
    def _metric(self, line: Line, f: Fields) -> Events:
        results = f["results"] if isinstance(f["results"], dict) else {}
        scores = tuple(
            score(name, number)
            for name, raw in results.items()
            if (number := as_number(raw)) is not None
        )
        if scores:
            yield Evaluation(line.origin(), scores, step=self.step)

    @line("network-snapshot-{:int} time {}s {name:word} {value:float}...", 0.8, "evaluation")
    def _snapshot(self, line: Line, f: Fields) -> Events:
        yield Evaluation(line.origin(), (score(f["name"], f["value"]),), step=self.step)

    closing = ends("Exiting...", 0.1)
    headers = (
        ignored("Setting up PyTorch plugin {}", 0.2, "header"),
        ignored("Training for {:int} kimg...", 0.5, "header"),
    )
