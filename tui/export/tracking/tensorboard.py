"""Writes runs as TensorBoard event files: a folder for each log.

The writer is tensorboardX: protobuf and numpy only, where tensorboard itself brings a server.
"""

from collections.abc import Sequence
from pathlib import Path

from sixdim.metrics.values.card import DIMENSIONS
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.unique_names import unique_names
from sixdim.tui.export.tracking.series import plain, series
from sixdim.tui.export.tracking.wall_time import WallTime
from sixdim.tui.session.cards import Scored


def write(target: str, runs: Sequence[Scored]) -> None:
    """Writes the runs.

    The text `sixdim/times` in the files says where the times of the events come from.

    Raises:
        UserError: The folder cannot be written.
    """
    from tensorboardX import SummaryWriter

    names = unique_names([plain(run.name) or "run" for run in runs], "-")
    for run, name in zip(runs, names, strict=True):
        try:
            writer = SummaryWriter(str(Path(target) / name))
        except OSError as error:
            raise UserError(f"cannot write {label(target)}: {label(error)}") from error
        with writer:
            clock, last = WallTime(run), 0.0
            for sample in series(run, clock):
                writer.add_scalar(sample.name, sample.value, sample.step, walltime=sample.seconds)
                last = max(last, sample.seconds)
            last = last or clock.at(None, 0, None)
            writer.add_text("sixdim/times", clock.source, 0, walltime=last)
            for dimension in DIMENSIONS:
                value = run.card.dimensions[dimension].value
                if value is not None:
                    writer.add_scalar(f"sixdim/{dimension}", value, 0, walltime=last)
