"""InsightFace's arcface_torch, which trains face recognition.

It verifies the model on pairs of faces of several sets, each after a fixed number of steps.
"""

from sixdim.parsers.events import Scope
from sixdim.parsers.statements.evaluated_between import EvaluatedBetween
from sixdim.parsers.statements.figure_rows import evaluation
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import fact, progress

_SPEED = "Speed {throughput:float} samples/sec Loss {loss:float} "
_STEP = "Epoch: {epoch:int} Global Step: {step:int} {}..."
_HEADS = ("Training: {:moment}-", "")
"""What the logger puts in front of a line, date and time; nothing where it was cut off."""


def _lines(*bodies: str) -> tuple[str, ...]:
    return tuple(head + body for body in bodies for head in _HEADS)


class ArcFace(EvaluatedBetween):
    name = "arcface"
    title = "InsightFace arcface_torch (face recognition)"
    example = (
        "Speed 4105.39 samples/sec   Loss 2.9363   LearningRate 0.012777   Epoch: 26   "
        "Global Step: 1090680   Fp16 Grad Scale: 65536   Required: 11 hours"
    )
    unread = "settings other than sizes, the norm of the features, the best verification so far"

    # The rate is that of all devices since the line before, verifications included.
    training = progress(
        _lines(_SPEED + "LearningRate {lr:float} " + _STEP, _SPEED + _STEP),
        NamedRecord(unit="samples/s", scope=Scope.JOB),
        1.0,
    )

    settings = (
        fact(_lines(": num_epoch {epochs_planned:int}"), 0.5),
        fact(_lines(": total_batch_size {global_batch:int}"), 0.5),
        fact(_lines(": total_step {steps_planned:int}"), 0.5),
        fact(_lines(": num_image {samples_per_epoch:int}"), 0.5),
    )

    # A verification of one's own has no folds, and so no deviation.
    verifications = evaluation(
        _lines(
            "[{data:word}][{step:int}]Accuracy-Flip: {accuracy:float}+-{}",
            "[{data:word}][{step:int}]Accuracy-Flip: {accuracy:float}",
        ),
        1.0,
        "verification",
        unit="fraction",
        timed=True,
        midway=True,
    )
