"""PaddleDetection: detection, segmentation, keypoints and tracking.

The times of a line are means of as many iterations as lie between two lines, and so is `ips`: the
samples of one card by that time. An evaluation prints a table of pycocotools for each kind of
result, whose name stands in front of it.
"""

from sixdim.parsers.events import Evaluation, Events, Metric
from sixdim.parsers.formats.paddle import Paddle, paddle_record
from sixdim.parsers.grammar.shapes.key_values import KeyValues
from sixdim.parsers.grammar.shapes.shape import Fields
from sixdim.parsers.statements.common_shapes import COCO_MEAN
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.rows import ignored, line, progress
from sixdim.parsers.text.lines import Line

_EPOCH = "Epoch: [{epoch:int}] [{step:int}/{steps:int}] "
_SEMI_SUPERVISED = "{:int}/{:int} iters "
_NUMBERS = {"throughput": "ips", "loss": "loss", "duration": "batch_cost"}
_KINDS = {"bbox": "box", "mask": "mask", "segm": "mask", "keypoint": "keypoints"}


class PaddleDetection(Paddle):
    name = "paddledetection"
    title = "PaddleDetection"
    example = (
        "Epoch: [3] [ 40/221] learning_rate: 0.000645 loss_cls: 1.155822 loss: 2.721928 "
        "eta: 0:37:18 batch_cost: 0.3625 data_cost: 0.0503 ips: 16.5499 images/s"
    )
    unread = (
        "the configuration and with it the batch and the planned epochs, average precisions by "
        "size and by class, the speed of an evaluation, tables of tracking"
    )

    _kind = "box"

    training = progress(
        tuple(
            KeyValues(
                before + _EPOCH, delimiter=None, numbers=_NUMBERS, required=("batch_cost", "ips")
            )
            for before in ("", _SEMI_SUPERVISED)
        ),
        paddle_record("duration", unit="img/s"),
        1.0,
    )

    @line("The {kind:word} result is saved to {}", 0.1, "evaluation")
    def _result(self, line: Line, f: Fields) -> Events:
        kind: str = f["kind"]
        self._kind = _KINDS.get(kind, kind)
        return ()

    @line(COCO_MEAN, 0.05, "evaluation table")
    def _table(self, line: Line, f: Fields) -> Events:
        metric = Metric(self._kind, f["value"], "fraction")
        yield Evaluation(line.origin(), (metric,), self.epoch)

    # Of VOC: `mAP(0.50, 11point) = 85.12%`.
    precision = evaluation(
        "mAP({:float}, {:word}) = {value:float}%", 0.5, unit="%", names={"value": ("map", "%")}
    )

    evaluating = ignored(
        ("Eval iter: {:int}", "Best test {:word} ap is {:float}."), 0.1, "evaluation"
    )

    launcher = Paddle.statements
