"""Nerfstudio: the table of its training on the console.

    Step (% Done)       Train Iter (time)    ETA (time)           Train Rays / Sec
    7710 (25.70%)       107.563 ms           39 m, 57 s           38.30 K

The time of an iteration and the rays per second are means of the latest ones. The table draws its
last ten rows again with each new one. Rows lack the value of a column that has none yet.
"""

from sixdim.parsers.events import Events, Iteration, Metric, RunStart
from sixdim.parsers.grammar.shapes.shape import Fields, Unanchored
from sixdim.parsers.grammar.vocabulary.durations import spoken_seconds
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line
from sixdim.parsers.text.patterns import pattern

_TIME = r"\d{1,6}+(?:\.\d{1,6}+)? (?:ms|[dhms])(?:, \d{1,4}+(?:\.\d{1,6}+)? (?:ms|[dhms])){0,3}+"
_ROW = pattern(
    rf"(\d{{1,9}}+) \(\d{{1,3}}+\.\d\d%\)\s++({_TIME})\s++{_TIME}"
    r"(?:\s++(\d{1,6}+(?:\.\d{1,6}+)?)(?: ([KMB]))?+(?=\s|$))?"
)
_MANY = {None: 1.0, "K": 1e3, "M": 1e6, "B": 1e9}


class _Row(Unanchored):
    """A row of the table: the step, the time of an iteration, the time left, rays per second."""

    clue = "%)"

    def match(self, text: str) -> Fields | None:
        """Returns the `step`, the `seconds` of an iteration, and the `rays`, None where missing."""
        found = _ROW.match(text)
        if found is None:
            return None
        rays = None if found[3] is None else float(found[3]) * _MANY[found[4]]
        return {"step": int(found[1]), "seconds": spoken_seconds(found[2]), "rays": rays}


class Nerfstudio(Reader):
    name = "nerfstudio"
    title = "Nerfstudio (ns-train)"
    example = "7710 (25.70%)       107.563 ms           39 m, 57 s           38.30 K"
    unread = "losses and evaluations (the console has none), the configuration, the planned steps"

    _step = -1
    """The latest step that was read."""

    @line("Saving config to: {}", 0.2, "header")
    def _begin(self, line: Line, f: Fields) -> Events:
        self._step = -1
        yield RunStart(line.origin())

    @line(_Row(), 0.7, "row")
    def _row(self, line: Line, f: Fields) -> Events:
        step, rays = f["step"], f["rays"]
        if step > self._step:
            self._step = step
            figures = () if rays is None else (Metric("rays_per_s", rays, "rays/s"),)
            yield Iteration(line.origin(), None, step, duration=f["seconds"], values=figures)

    table = ignored("Step (% Done){}Train Iter (time){}", 1.0, "table header")
    closing = ends("{}🎉 Training Finished 🎉{}", 1.0)
