"""What a dimension's further facts must look like on a card that somebody else wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

Check: TypeAlias = Callable[[object], bool]


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _all(one: Check) -> Check:
    return lambda value: isinstance(value, list) and all(one(v) for v in value)


def _maybe(one: Check) -> Check:
    return lambda value: value is None or one(value)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _word(value: object) -> bool:
    return isinstance(value, str)


def _run(value: object) -> bool:
    return isinstance(value, dict) and _number(value.get("speed")) and _whole(value.get("count"))


def _device(value: object) -> bool:
    return isinstance(value, dict) and "device" in value and _maybe(_number)(value.get("value"))


def _deviations(value: object) -> bool:
    values = list(value.values()) if isinstance(value, dict) else value
    return _all(_number)(values)


_READINGS: Mapping[str, Check] = {
    "devices": _all(lambda v: _whole(v) or _word(v)),
    "readings": _whole,
    "job_total": _maybe(_number),
    "coverage": _maybe(_number),
    "per_device": _all(_device),
}
DETAILS: Mapping[str, Mapping[str, Check]] = {
    "speed": {
        "protocol": _word,
        "scope": _word,
        "window": _all(_whole),
        "dropped": _all(_whole),
        "values": _all(_maybe(_number)),
        "example_arithmetic": _number,
        "wall_clock": _number,
        "iteration_s": _number,
        "with_evaluations": _number,
        "window_iterations": _whole,
        "mfu": _number,
        "mfu_how": _word,
        "tflops": _number,
        "derived": _word,
        "stated": _word,
        "rule": _word,
        "source": _word,
        "unscaled": _number,
        "records": _whole,
        "skipped": _whole,
        "kept": _whole,
        "trimmed": _whole,
        "metric": _word,
        "scale": _word,
        "printed": _word,
        "job": _number,
    },
    "accuracy": {"metric": _word, "epoch": _maybe(_whole), "best": _maybe(_number)},
    "linearity": {"by": _word, "scaled": _run, "baseline": _run},
    "power": _READINGS,
    "memory": {**_READINGS, "process_mean": _number, "process_scope": _word},
    "stability": {"runs": _whole, "base": _maybe(_number), "deviations": _deviations},
    "end_to_end": {
        "epochs": _maybe(_number),
        "samples": _whole,
        "seconds": _maybe(_number),
        "clock": _word,
        "stated": _word,
        "example_count": _number,
    },
}
NEEDED: Mapping[str, tuple[str, ...]] = {
    "speed": ("protocol", "scope", "window", "dropped"),
    "accuracy": ("metric", "epoch", "best"),
    "linearity": ("by", "scaled", "baseline"),
    "power": ("devices", "readings"),
    "memory": ("devices", "readings"),
    "stability": ("runs", "base"),
    "end_to_end": ("epochs", "seconds", "clock"),
}
