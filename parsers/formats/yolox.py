"""YOLOX (`epoch: 1/300, iter: 10/47, …`), which logs through loguru.

`-b` is the batch of the whole job, `-d` the devices of one machine. COCO's table follows an
evaluation; VOC's evaluator prints elsewhere, so the log may have only the best figure, in its
closing line.
"""

from sixdim.parsers.events import Evaluation, Events, Metric, RunEnd, RunStart, Summary
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.statements.common_shapes import COCO_MEAN
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.record import NamedRecord, further
from sixdim.parsers.statements.rows import line, progress
from sixdim.parsers.text.patterns import pattern

_ARGUMENT = pattern(r"\b(batch_size|devices|num_machines)=(\d{1,6}+)\b")


class Yolox(Reader):
    name = "yolox"
    title = "YOLOX"
    example = (
        "epoch: 1/300, iter: 10/47, mem: 1491Mb, iter_time: 0.487s, total_loss: 10.7, lr: 0.01"
    )
    unread = "the table of settings but for batch and devices, average precisions by class"

    _evaluated = False

    training = progress(
        KeyValues(
            "epoch: {epoch:int}/{epochs:int}, iter: {step:int}/{steps:int}, ",
            delimiter=",",
            numbers={"duration": "iter_time", "loss": "total_loss"},
            required=("iter_time",),
            glued=("s",),
        ),
        NamedRecord(further=further("iter_time", "total_loss")),
        1.0,
    )

    @line("args: Namespace({arguments:text}", 0.2, "header")
    def _start(self, line: Line, f: Fields) -> Events:
        yield RunStart(line.origin())
        self.facts.clear()
        given = {name: int(value) for name, value in _ARGUMENT.findall(f["arguments"])}
        devices = given.get("devices", 0) * given.get("num_machines", 1)
        for name, value in (("global_batch", given.get("batch_size")), ("devices", devices)):
            if value:  # `devices=0` is no number of devices
                yield from self.report(line.origin(), name, value)

    @line(COCO_MEAN, 0.1, "evaluation")
    @line("map_5095: {value:float}", 0.3, "evaluation")
    def _evaluation(self, line: Line, f: Fields) -> Events:
        self._evaluated = True
        yield Evaluation(line.origin(), (Metric("map", f["value"], "fraction"),), self.epoch)

    @line("Training of experiment is done and the best AP is {value:float}", 1.0, "end")
    def _end(self, line: Line, f: Fields) -> Events:
        """Reads the closing line, which is also printed where the training breaks off.

        Without any epoch before it, only a best figure shows that there was a training.
        """
        if f["value"] or self._evaluated:
            best = (Metric("best_ap", f["value"], "%"),)
            yield Summary(line.origin(), best)
            if not self._evaluated:
                yield Evaluation(line.origin(), best, self.epoch)
        if f["value"] if self.epoch is None else self.epoch == self.facts.get("epochs_planned"):
            yield RunEnd(line.origin())
