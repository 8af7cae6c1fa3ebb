"""YOLOv6 (Meituan): a header, a progress bar and, every so many epochs, a line of an evaluation.

The bar is the epoch's; its label counts to the last epoch, from 0.
"""

from math import nan

from sixdim.parsers.events import EpochEnd, Events
from sixdim.parsers.grammar.shapes import holes
from sixdim.parsers.grammar.shapes.figures import figures
from sixdim.parsers.statements.common_shapes import iteration_of_bar
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_HEAD = "{epoch:int}/{last:int} {figures:until}: "
_TAIL = " {step:int}/{steps:int} [{elapsed:clock}<{rest:text}"
_PACE = pattern(r"(?<=, )\s{0,9}+(\d{1,9}+(?:\.\d{1,9}+)?(?:it/s|s/it))")
"""Missing where the terminal is too narrow for the whole bar."""


class YoloV6(Reader):
    name = "yolov6"
    title = "YOLOv6 (Meituan)"
    example = "Epoch: 9 | mAP@0.5: 0.51 | mAP@0.50:0.95: 0.32"
    unread = "the batch (the speed is it/s), the COCO table and figures by class, settings"

    _columns: tuple[str, ...] = ()

    @line(("Epoch iou_loss {columns:text}", "Epoch lr iou_loss {columns:text}"), 1.0, "header")
    def _header(self, line: Line, _f: Fields) -> Events:
        self._columns = tuple(line.text.split()[1:])
        return ()

    @line((_HEAD + "{}|" + _TAIL, _HEAD + "{:int}%" + _TAIL), 0.0, "progress")
    def _bar(self, line: Line, f: Fields) -> Events:
        if not self._columns or not f["step"]:
            return
        yield from self.report(line.origin(), "epochs_planned", f["last"] + 1)
        values = figures(dict(zip(self._columns, f["figures"].split(), strict=False)))
        found, at = _PACE.search(f["rest"]), line.origin()
        pace = nan if found is None else holes.pace(found[1])
        event = iteration_of_bar(at, f["epoch"], {**f, "pace": pace}, values=values)
        yield event
        if f["step"] == f["steps"]:
            end = EpochEnd(at, f["epoch"], train_time=f["elapsed"], values=values)
            yield end._replace(iteration_time=event.mean_duration)

    scores = evaluation(
        "Epoch: {epoch:int} | mAP@0.5: {map50:float} | mAP@0.50:0.95: {map:float}", 1.0
    )
