"""The options of a card as keyword arguments; their names are those in `sixdim.toml`."""

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from sixdim.tui.base.card_file import check_logs
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.settings.settings_file import from_table
from sixdim.tui.session.options import read_request
from sixdim.tui.session.request import Request

Path: TypeAlias = str | os.PathLike[str]


class Options(TypedDict, total=False):
    """Each option is the flag of `sixdim score` of that name; see `sixdim score --help-all`.

    No settings file is read.
    """

    target: str
    window: str | tuple[int, int]
    format: str | Mapping[str, Any]
    run: int
    start: str
    protocol: str
    records: str
    metric: str
    skip: int
    skip_end: int
    take: int
    take_end: int
    trim: str | int
    reduce: str
    inverse: str
    scale: str
    devices: int
    nodes: int
    batch: int
    global_batch: int
    samples_per_epoch: int
    model_flops_per_sample: float
    peak_flops: float
    baseline: Path
    baseline_devices: int
    baseline_nodes: int
    scaled: Path
    repeat: Path | Sequence[Path]
    telemetry: Path | Sequence[Path]
    gpus: str | Sequence[int | str]


def request_of(options: Options) -> Request:
    """Returns the request that the options describe; reads the other runs that they name.

    Raises:
        UserError: An option has no such name, or its value cannot be read.
    """
    return read_request(from_table({key: _plain(value) for key, value in options.items()}))


def _plain(value: object) -> object:
    """Returns the value as in a settings file: paths as texts, tuples as lists."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value


def named_paths(paths: Path | Sequence[Path]) -> list[str]:
    """Returns one path, or several, as texts.

    Raises:
        TypeError: An object is no path, such as an open file.
        UserError: A path is empty, or has a zero byte.
    """
    several: Any = [paths] if isinstance(paths, str | os.PathLike) else paths
    if isinstance(several, bytes | io.IOBase) or not isinstance(several, Iterable):
        raise TypeError(f"a log is named by its path, not by {type(several).__name__}")
    texts = [os.fspath(path) for path in several]
    if any(isinstance(text, bytes) for text in texts):
        raise TypeError("a path is str or os.PathLike[str], not bytes")
    for text in texts:
        if not text or "\0" in text:
            raise UserError(f"{text!r} is no path")
    return texts


def named_logs(paths: Path | Sequence[Path]) -> list[str]:
    """Returns the paths of a log, or of its pieces, as texts.

    Raises:
        TypeError, UserError: As `named_paths`; or none is named.
        LogError: One is a device or a card.
    """
    logs = named_paths(paths)
    if not logs:
        raise UserError("no log is named")
    check_logs(logs)
    return logs
