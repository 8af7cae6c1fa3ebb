"""DreamerV3: its console, and the lines of its metrics.jsonl.

`fps/policy` counts the steps of the environment since the lines before, `fps/train` the steps that
are trained on, most of them again and again.
"""

from sixdim.parsers.events import Events, Iteration, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, as_whole
from sixdim.parsers.grammar.shapes.json_record import JsonRecord
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line

_SCORE = "episode/score"


class DreamerV3(Reader):
    name = "dreamerv3"
    title = "DreamerV3 (console and metrics.jsonl)"
    example = '{"step": 12260, "episode/score": 2.1, "fps/policy": 100.68, "fps/train": 2943.18}'
    unread = (
        "losses, lengths of episodes, the times of parts, evaluations; on the console, the scores, "
        "and figures that are in another line than their names"
    )

    _step: int | None = None

    @line("───{}Step {step:word} ─...", 0.3, "header")
    def _header(self, _line: Line, f: Fields) -> Events:
        self._step = as_whole(f["step"].replace("_", ""))  # `12_260` in newer versions
        return ()

    @line("[{step:int}] {}/ fps/policy {rate:float} /...", 1.0, "iteration")
    @line(
        (
            "fps/policy {rate:float} /...",
            "fps/policy {rate:float}",
            "{}/ fps/policy {rate:float}",
            "{}/ fps/policy {rate:float} /...",
        ),
        0.7,
        "iteration",
    )
    def _printed(self, line: Line, f: Fields) -> Events:
        step, speed = f.get("step", self._step), (f["rate"] or None, "steps/s", Scope.JOB)
        yield Iteration(line.origin(), None, step, None, *speed)

    @line(JsonRecord(required=("step", "fps/policy")), 1.0, "iteration")
    @line(JsonRecord(required=("step", _SCORE)), 0.3, "episode")
    def _recorded(self, line: Line, f: Fields) -> Events:
        score, rate = as_number(f.get(_SCORE)), as_number(f.get("fps/policy"))
        values = () if score is None else (Metric("score", score),)
        speed = rate or None, "steps/s", Scope.JOB
        yield Iteration(line.origin(), None, as_whole(f["step"]), None, *speed, values=values)
