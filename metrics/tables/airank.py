"""AI-Rank's row set and the two grids of PaddlePaddle's ResNet50 report.

AI-Rank defines speedup as a ratio of times to train and publishes a ratio of throughputs, so
both are given, each under its own name.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

DEVICES = (1, 8, 32)
_HALF = frozenset(("amp", "fp16", "pure_fp16", "fp16/amp", "mixed"))


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of one training. An unknown one is None.

    Attributes:
        framework: Framework, as its column is headed.
        devices: Devices of the job.
        precision: `fp32`, `amp`, ….
        batch: Batch size of a device.
        throughput: Of the job, per second.
        time2train: Seconds to the target.
        run_time: Seconds of the whole run.
        accuracy: Best accuracy, in percent where the log prints a percentage or a fraction.
        model: Model.
        source: Log or file it comes from.
    """

    framework: str
    devices: int | None
    precision: str = ""
    batch: int | None = None
    throughput: float | None = None
    time2train: float | None = None
    run_time: float | None = None
    accuracy: float | None = None
    model: str = ""
    source: str = ""

    @property
    def mode(self) -> str:
        """`FP32`, or `AMP` for every way of half precision."""
        return "AMP" if self.precision.lower() in _HALF else self.precision.upper()

    @property
    def setting(self) -> tuple[str, int | None]:
        """Precision and batch size."""
        return self.mode, self.batch


HEAD = [
    "model",
    "framework",
    "setting",
    "devices",
    "Time2train(s)",
    "run time(s)",
    "throughput(samples/s)",
    "accuracy(%)",
    "speedup (throughput)",
    "speedup (Time2train)",
]


def rows(results: Sequence[Result]) -> list[list[str]]:
    """Returns AI-Rank's table: a row per training, compared with the one on one device."""
    out = [HEAD]
    for result in sorted(results, key=_order):
        base, (mode, batch) = _base(result, results), result.setting
        out.append(
            [
                result.model or "-",
                result.framework or "-",
                ",".join(filter(None, (mode, f"BS={batch}" if batch else ""))) or "-",
                "-" if result.devices is None else str(result.devices),
                _fixed(result.time2train),
                _fixed(result.run_time),
                printed(result.throughput),
                _fixed(result.accuracy),
                _ratio(result.throughput, base.throughput if base else None),
                _ratio(base.time2train if base else None, result.time2train),
            ]
        )
    return out


def _order(result: Result) -> tuple[str, str, bool, str, int, int]:
    mode, batch = result.setting
    return (result.model, result.framework, mode != "FP32", mode, result.devices or 0, batch or 0)


def _base(result: Result, results: Sequence[Result]) -> Result | None:
    """Returns the same training on one device, if possible with the same batch size."""
    alike = [
        r
        for r in results
        if r.devices == 1
        and (r.model, r.framework, r.mode) == (result.model, result.framework, result.mode)
    ]
    same = [r for r in alike if r.batch == result.batch]
    chosen = same or alike
    return chosen[0] if len(chosen) == 1 and chosen[0] is not result else None


def by_devices(results: Sequence[Result], framework: str) -> list[list[str]]:
    """Returns a framework's grid for one model: device counts against precision and batch size."""
    own = [r for r in results if r.framework == framework]
    settings = _settings(own)
    out = [["devices", *(f"{mode or '?'}(BS={_batch(batch)})" for mode, batch in settings)]]
    for devices in _devices(own):
        cells = [_cell(own, framework, devices, setting) for setting in settings]
        out.append([str(devices), *cells])
    return out


def by_framework(results: Sequence[Result]) -> list[list[str]]:
    """Returns the frameworks' grid for one model: a row for each setting, a column for each."""
    frameworks = list(dict.fromkeys(r.framework for r in results))
    out = [["setting", *frameworks]]
    for devices in _devices(results):
        for mode, batch in _settings(results):
            name = f"{mode or '?'} GPU={devices},BS={_batch(batch)}"
            cells = [_cell(results, f, devices, (mode, batch)) for f in frameworks]
            out.append([name, *cells])
    return out


def remarks(results: Sequence[Result], explained: Collection[str] = ()) -> Iterable[str]:
    """Yields which results are not in the grids, and which have the same cell.

    `explained` are the sources whose lack of a throughput needs no further word.
    """
    shown: dict[tuple[object, ...], str] = {}
    for result in results:
        if result.devices is None:
            yield f"{result.source}: left out of the grids: its devices are unknown"
        if result.throughput is None:
            if result.source not in explained:
                yield f"{result.source}: no throughput"
            continue
        key = (result.model, result.framework, result.devices, *result.setting)
        if key in shown:
            yield f"{result.source}: the same cell as {shown[key]}: the first one is shown"
        else:
            shown[key] = result.source


def _cell(
    results: Sequence[Result], framework: str, devices: int, setting: tuple[str, int | None]
) -> str:
    for r in results:
        known = r.throughput is not None
        if known and (r.framework, r.devices, r.setting) == (framework, devices, setting):
            return printed(r.throughput)
    return "-"


def _settings(results: Sequence[Result]) -> list[tuple[str, int | None]]:
    found = {r.setting for r in results}
    return sorted(found, key=lambda s: (s[0] != "FP32", s[0], s[1] or 0))


def _devices(results: Sequence[Result]) -> list[int]:
    return sorted({*DEVICES, *(r.devices for r in results if r.devices is not None)})


def _batch(batch: int | None) -> str:
    return "?" if batch is None else str(batch)


def printed(value: float | None) -> str:
    """Returns a throughput with the digits that its source prints."""
    return "-" if value is None else f"{value:.10g}"


def _fixed(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _ratio(over: float | None, under: float | None) -> str:
    return "-" if over is None or not under else f"{over / under:.2f}"
