"""Reads the runs that `--against` names, which are drawn behind a run and compared with it."""

from collections.abc import Sequence

from sixdim.metrics.card.curves import RunCurves
from sixdim.metrics.card.snapshot import Progress, Snapshot
from sixdim.metrics.values.card import Card
from sixdim.metrics.values.points import EpochPoint, EvaluationPoint
from sixdim.parsers.input.source import base_name, is_stdin
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.session.cards import read_one
from sixdim.tui.session.request import Request, same_file

MOST = 8
"""Most reference runs; there are no more colours to distinguish them."""


def with_references(request: Request, paths: Sequence[str], logs: Sequence[str]) -> Request:
    """Returns the request with the runs to compare with.

    Args:
        request: How the run and its references are read.
        paths: The logs or cards of the references.
        logs: The logs that are watched or replayed.

    Raises:
        UserError: A reference cannot be read, holds nothing to compare, or is the log itself.
    """
    if len(paths) > MOST:
        raise UserError(f"--against: {len(paths)} runs are too many to tell apart (most: {MOST})")
    for path in paths:
        if is_stdin(path):
            raise UserError("--against - : a reference run is a file, or the folder of its ranks")
        if any(same_file(path, log) for log in logs):
            raise UserError(f"--against {label(path)} is the log itself: name another run")
    return request._replace(references={path: _read(path, request) for path in paths})


def _read(path: str, request: Request) -> RunCurves:
    try:
        scored = read_one(path, request.alone(), curves=True)
    except UserError as error:
        raise UserError(f"--against: {error}") from error
    if scored.snapshot is not None:
        return RunCurves(scored.snapshot)
    found = from_card(label(base_name(path)), scored.card)
    if not (found.epochs or found.snapshot.evaluations):
        raise UserError(
            f"--against: {found.snapshot.name} holds no figures of single epochs: name its log"
        )
    return found


def from_card(name: str, card: Card) -> RunCurves:
    """Returns the curves of a card: the epochs of its window, and up to two evaluations."""
    speed, accuracy = card.dimensions["speed"].details, card.dimensions["accuracy"]
    window = () if "window_iterations" in speed else speed.get("window", ())
    epochs = (
        EpochPoint(label_, value, False, None, None, 0, 0, 0, True)
        for label_, value in zip(window, speed.get("values", ()), strict=False)
        if value is not None
    )
    met = {} if card.target is None else card.target
    found = {met.get("epoch"): met.get("value"), accuracy.details.get("epoch"): accuracy.value}
    evaluations = [
        EvaluationPoint(epoch, None, value, 0)
        for epoch, value in found.items()
        if epoch is not None and value is not None
    ]
    return RunCurves(
        Snapshot(
            name,
            card.run["format"],
            card,
            Progress(),
            epochs=tuple(epochs),
            evaluations=tuple(sorted(evaluations)),
            metric=accuracy.details.get("metric", ""),
            higher_is_better=not accuracy.details.get("lower_is_better"),
            unit=card.dimensions["speed"].unit,
        ),
        whole=False,
    )
