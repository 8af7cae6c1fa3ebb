"""Lines of DLLogger and of MLPerf's logger, from which logs are made that contradict themselves."""

from __future__ import annotations

HEAD = "DLL 2021-01-05 12:00:00.000000 - PARAMETER arch : resnet50  epochs : 1  "


def line(second: float, words: str, day: str = "2021-01-05") -> str:
    whole = int(second)
    clock = f"{12 + whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"DLL {day} {clock}.{round((second - whole) * 1e6):06} - {words}"


def iteration(second: float, step: int, rate: float, day: str = "2021-01-05") -> str:
    words = f"Epoch: 0 Iteration: {step}  train.loss : 7.0 None train.total_ips : {rate} images/s"
    return line(second, words, day)


def mllog(ms: int, key: str, value: str = "null", about: str = "") -> str:
    return (
        f':::MLLOG {{"namespace": "", "time_ms": {1_700_000_000_000 + ms}, '
        f'"event_type": "POINT_IN_TIME", "key": "{key}", "value": {value}, '
        f'"metadata": {{"file": "train.py", "lineno": 1{about}}}}}'
    )


def mlperf(samples: int, closing: str) -> list[str]:
    """A run of twelve epochs of 100 s each, whose closing line says `closing`."""
    lines = [
        mllog(0, "submission_benchmark", '"resnet"'),
        mllog(0, "train_samples", str(samples)),
        mllog(0, "run_start"),
    ]
    for label in range(12):
        about = f', "epoch_num": {label}'
        lines.append(mllog(label * 100_000, "epoch_start", about=about))
        lines.append(mllog(label * 100_000 + 99_000, "epoch_stop", about=about))
    lines.append(mllog(1_200_000, "eval_accuracy", "0.76", ', "epoch_num": 11'))
    return [*lines, mllog(1_200_100, "run_stop", about=closing)]
