"""A run in MLflow: parameters, metrics by iteration and epoch, the card as an artifact.

A folder is a local file store; anything with `://` is handed to MLflow as its tracking URI.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sixdim.metrics.values.card import dumps
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError
from sixdim.tui.export.tracking.series import series
from sixdim.tui.export.tracking.wall_time import WallTime
from sixdim.tui.session.cards import Scored

EXPERIMENT = "sixdim"
_BATCH = 500


def write(target: str, runs: Sequence[Scored]) -> None:
    """Logs the runs into the experiment `sixdim`.

    Raises:
        UserError: MLflow cannot write there.
    """
    # MLflow 3 has the file store only if this variable is set.
    os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")
    # An export goes only where the user said.
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    from mlflow.exceptions import MlflowException
    from mlflow.tracking import MlflowClient

    uri = target if "://" in target else Path(target).absolute().as_uri()
    try:
        client: Any = MlflowClient(tracking_uri=uri)
        found = client.get_experiment_by_name(EXPERIMENT)
        experiment = found.experiment_id if found else client.create_experiment(EXPERIMENT)
        for run in runs:
            _log(client, experiment, run)
    except (MlflowException, OSError) as error:
        raise UserError(f"--mlflow {label(target)}: {label(error)}") from error


def _log(client: Any, experiment: str, run: Scored) -> None:
    made = client.create_run(experiment, run_name=run.name).info.run_id
    try:
        _fill(client, made, run)
    except BaseException:  # else it would seem to train for good
        client.set_terminated(made, "FAILED")
        raise
    client.set_terminated(made)


def _fill(client: Any, made: str, run: Scored) -> None:
    from mlflow.entities import Metric, Param, RunTag

    card = run.card
    params = [
        Param(key, str(value))
        for key, value in card.run.items()
        if isinstance(value, str | int | float) and value != ""
    ]
    tags = [RunTag("sixdim.status", str(card.status))]
    tags.append(RunTag("sixdim.sha256", card.provenance["sha256"]))
    values = [(name, figure.value) for name, figure in card.figures().items()]
    clock, last = WallTime(run), 0.0
    batch: list[Any] = []
    for sample in series(run, clock):
        last = max(last, sample.seconds)
        name, at = accepted(sample.name), int(1000 * sample.seconds)
        batch.append(Metric(name, sample.value, at, sample.step))
        if len(batch) == _BATCH:
            client.log_batch(made, metrics=batch)
            batch = []
    end = int(1000 * (last or clock.at(None, 0, None)))
    batch += [Metric(f"sixdim/{name}", v, end, 0) for name, v in values if v is not None]
    client.log_batch(made, metrics=batch)
    tags.append(RunTag("sixdim.times", clock.source))
    client.log_batch(made, params=params, tags=tags)
    client.log_text(made, dumps(card), "card.json")


def accepted(name: str) -> str:
    """Returns a series' name as MLflow accepts it: `eval/recall_5` for `eval/recall@5`."""
    return name.replace("@", "_")
