"""LeRobot's trainer: `step:10K smpl:326K ep:1K epch:25.81 loss:0.053 … updt_s:0.503 data_s:0.010`.

Counts are rounded to thousands, and `ep` counts the episodes of the data, not epochs. The time of
an iteration is `step_s`; where that is missing, it is the time of the update plus the time that it
waits for data. `smp/s` is a whole number: it counts only if the log does not state the batch.
"""

from sixdim.parsers.events import Evaluation, Events, Iteration, Metric, Scope
from sixdim.parsers.grammar.shapes.figures import as_number, figures
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ends, fact, line, starts

_ROUNDED = {"K": 1_000, "M": 1_000_000, "B": 1_000_000_000}
_LABELS = frozenset(("step", "smpl", "ep", "epch", "loss"))


class LeRobot(Reader):
    name = "lerobot"
    title = "LeRobot policy training"
    example = (
        "step:200 smpl:2K ep:4 epch:0.06 loss:6.907 grdn:128.003 lr:1.0e-05 "
        "updt_s:0.211 data_s:0.010"
    )
    unread = "the configuration, episodes and epochs (rounded), rewards, figures of single tasks"

    _apart = 0
    _batch = 0  # samples of an iteration; 0 if unknown

    @line(
        KeyValues("step:{step:word} ", delimiter=" ", required=("updt_s", "smpl")), 1.0, "iteration"
    )
    def _training(self, line: Line, f: Fields) -> Events:
        pairs = f["pairs"]
        parts = ("step_s",) if "step_s" in pairs else ("updt_s", "data_s", "prep_s")
        times = [as_number(pairs.get(part)) for part in parts]
        seconds = sum(time for time in times if time is not None)
        values = figures(self.wanted(pairs), skip=_LABELS)
        loss, step = as_number(pairs.get("loss")), self._step(f["step"])
        event = Iteration(line.origin(), None, step, loss=loss, duration=seconds, values=values)
        rate = None if self._batch else as_number(pairs.get("smp/s"))
        if rate:
            event = event._replace(throughput=rate, unit="samples/s", scope=Scope.JOB)
        self.note(event)
        yield event

    def _step(self, text: str) -> int | None:
        """Returns the step: as printed below 1000, else from the distance of earlier lines."""
        scale = _ROUNDED.get(text[-1:], 1)
        printed = as_number(text.rstrip("KMB"))
        step = None if printed is None else int(printed * scale)
        if step is None or self.step is None:
            return step
        if scale == 1:
            self._apart = step - self.step
        counted = self.step + self._apart
        return counted if abs(counted - step) <= scale / 2 else step

    @line(
        KeyValues("step:{:word} ", delimiter=" ", required=("success", "eval_s")),
        1.0,
        "evaluation",
    )
    def _evaluated(self, line: Line, f: Fields) -> Events:
        success = as_number(f["pairs"]["success"])
        if success is not None:
            yield Evaluation(line.origin(), (Metric("success_rate", success, "%"),), step=self.step)

    losses = evaluation("step {step:int}: eval_loss={loss:float}", 1.0)

    @line(
        "Effective batch size: {} workers x {parts:int} grad accum = {batch:int}...", 0.5, "header"
    )
    @line("Effective batch size: {} = {batch:int}", 0.5, "header")
    def _header(self, line: Line, f: Fields) -> Events:
        self._batch = f["batch"] // max(f.get("parts", 1), 1)  # a step is one part of the batch
        yield from self.report(line.origin(), "global_batch", self._batch)

    planned = fact("cfg.steps={steps_planned:int} {}...", 0.5)

    start = starts(
        tuple(
            f"Start offline training on a fixed dataset{rest}"
            for rest in ("", ", with effective batch size: {}")
        ),
        0.5,
    )
    closing = ends("End of training", 0.3)
