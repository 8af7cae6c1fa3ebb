"""Records of MLPerf's logger, in its newest spelling."""

from __future__ import annotations

from sixdim.parsers.events import Event, RunEnd
from tests.support.logs import only


def record(ms: int, key: str, value: str = "null", about: str = "") -> str:
    """One record; `about` follows the first members of its metadata."""
    metadata = f'{{"file": "train.py", "lineno": 1{about}}}'
    return (
        f':::MLLOG {{"namespace": "", "time_ms": {ms}, "event_type": "POINT_IN_TIME", '
        f'"key": "{key}", "value": {value}, "metadata": {metadata}}}'
    )


def ends(events: list[Event]) -> list[tuple[float | None, str]]:
    """Of the closing records; other programs' sentences stand beside them."""
    return [(e.duration, e.status) for e in only(events, RunEnd) if not e.sentence]


RUN = (
    record(1_700_000_000_000, "cache_clear", "true"),
    record(1_700_000_000_500, "submission_benchmark", '"resnet"'),
    record(1_700_000_001_000, "global_batch_size", "3264"),
    record(1_700_000_001_000, "train_samples", "1281167"),
    record(1_700_000_002_000, "run_start"),
    record(1_700_000_003_000, "epoch_start", about=', "epoch_num": 1'),
    record(1_700_000_063_250, "epoch_stop", about=', "epoch_num": 1'),
    record(1_700_000_064_000, "eval_accuracy", "0.76123", ', "epoch_num": 1'),
    record(1_700_000_065_125, "run_stop", about=', "status": "success"'),
)
