"""Catalyst's console logger and its progress bars.

    train (1/5) accuracy01: 0.6244 | loss: 0.6511
    1/5 * Epoch 1 (train): _timer/batch_time=0.1500 | accuracy01=0.6244 | loss=0.6511

The second form is that of the versions before 21, whose first ones print accuracies in percent.
"""

from sixdim.parsers.events import EpochEnd, Evaluation, Events, Metric
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import BAR, BARE_BAR, iteration_of_bar
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, ignored, line
from sixdim.parsers.text.patterns import pattern

_ACCURACY = pattern(r"accuracy0?(\d{1,2})")
_SPREAD = ("/std", "/mean")
_HEAD = "{epoch:int}/{epochs:int} * Epoch (train): "
_TIMES = ("_timer/batch_time", "_timers/batch_time")


def _loader(name: str) -> tuple[KeyValues, KeyValues]:
    older = f"{{epoch:int}}/{{epochs:int}} * Epoch {{:int}} ({name}): "
    return (
        KeyValues(f"{name} ({{epoch:int}}/{{epochs:int}}) ", delimiter=" | ", separator=": "),
        KeyValues(older, delimiter=" | ", separator="="),
    )


class Catalyst(Reader):
    name = "catalyst"
    title = "Catalyst (console logger and progress bars)"
    example = "train (1/5) accuracy01: 0.6244 | loss: 0.6511 | loss/mean: 0.6511 | lr: 0.1"
    unread = (
        "spreads, means that repeat a figure, the batch (so the speed is it/s), the best models"
    )

    _step = 0

    @line((_HEAD + BAR + "{}", _HEAD + BARE_BAR + "{}"), 0.8, "progress")
    def _bar(self, line: Line, f: Fields) -> Events:
        at, step = line.origin(), f["step"]
        yield from self.report(at, "epochs_planned", f["epochs"])
        if step == self._step:
            return  # drawn again for its figures
        self._step = step
        yield iteration_of_bar(at, f["epoch"], f)

    @line(_loader("train"), 1.0, "epoch")
    def _trained(self, line: Line, f: Fields) -> Events:
        at = line.origin()
        yield from self.report(at, "epochs_planned", f["epochs"])
        times = (as_number(f["pairs"].get(name)) for name in _TIMES)
        seconds = next((time for time in times if time), None)
        yield EpochEnd(at, f["epoch"], iteration_time=seconds, values=_metrics(f))

    @line(_loader("valid"), 1.0, "evaluation")
    def _validated(self, line: Line, f: Fields) -> Events:
        return (Evaluation(line.origin(), _metrics(f), epoch=f["epoch"]),)

    others = ignored("{:int}/{:int} * Epoch ({}): {:int}%|{}", 0.3, "progress of an evaluation")
    best = ends(("Top models:", "Top best models:"), 0.3)


def _metrics(f: Fields) -> tuple[Metric, ...]:
    """Returns the figures of a loader without their spreads, settings and times."""
    named = {
        name: raw
        for name, raw in f["pairs"].items()
        if not name.endswith(_SPREAD) and not name.startswith("_")
    }
    return tuple(
        one._replace(name=f"acc{found[1]}", unit="%" if one.value > 1 else "fraction")
        if found
        else one
        for one in figures(named)
        for found in (_ACCURACY.fullmatch(one.name),)
    )
