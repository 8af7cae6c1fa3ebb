"""Memory: mean of the GPUs' used memory during stable training, in MiB.

DeepSpark (six_dimension_howto.md): readings of the vendor's tool, averaged; the worked example
takes (30671 + 30670 + 30671 + 30671 + 30670) / 5 = 30670.6 MiB on one GPU.
"""

from sixdim.metrics.dimensions.telemetry.averages import WHOLE, Averages, Selection
from sixdim.metrics.fold.devices.telemetry import TelemetryFold
from sixdim.metrics.values.card import Dimension, Json, finite, unknown

BOARD_UNKNOWN = "the readings have the memory of processes (process_mean), not that of the board"
NO_PROCESSES = "the readings do not have the memory of processes"
PROCESSES = {
    "run": "the run's own processes",
    "shared": "the run's own processes, beside others",
    "device": "every compute process on the device",
}
"""Whose memory `Reading.process_mib` is, in words, by `Reading.process_scope`."""


def memory(
    fold: TelemetryFold, selection: Selection = WHOLE, window_s: float | None = None
) -> Dimension:
    """Returns mean MiB used per device (the whole board), with its peak.

    Beside the value stand the time-weighted mean, the peak of any device, and what the run's
    own processes held if the driver reports it (`process_mean`, `process_peak`). `window_s` is the
    length of the window in seconds by the log, where known.
    """
    of = Averages(fold, "memory_mib", selection, window_s)
    by_process = Averages(fold, "process_mib", selection)
    if of.mean is None and by_process.mean is not None:
        return unknown(BOARD_UNKNOWN, "MiB", _processes(by_process), over=selection.final)
    details = of.details()
    details["scope"] = "used on the board, mean per device"
    details["peak"] = finite(of.peak)
    details["per_device"] = [*of.per_device()]
    details |= _processes(by_process)
    details |= of.missing(("memory_mib", "process_mib"))
    return of.dimension("MiB", details)


def _processes(of: Averages) -> dict[str, Json]:
    """Returns what processes held, mean per device, and whose they are, or why it is unknown."""
    if of.mean is None:
        return {"process_reason": of.refusals() or NO_PROCESSES}
    scopes = {scope for d in of.measured for scope in d.scopes}
    if "shared" in scopes:
        scopes.discard("run")  # others computed there for a part of the time
    shared: list[Json] = [d.label for d in of.measured if "shared" in d.scopes]
    beside: dict[str, Json] = {"shared": shared} if shared else {}
    return beside | {
        "process_mean": finite(of.mean),
        "process_peak": finite(of.peak),
        "process_scope": " and ".join(
            PROCESSES.get(scope, "processes") for scope in sorted(scopes)
        ),
        "process_devices": [d.label for d in of.measured],
    }
