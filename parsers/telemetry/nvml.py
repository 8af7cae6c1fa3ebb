"""Reads NVML through the official pynvml module; Iluvatar's libixml has the same interface.

Every field is asked for separately: a field that the board, driver or permissions refuse is None
with the library's own reason, and all other fields are read.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.draft import Draft
from sixdim.parsers.telemetry.nvml_boards import Board, describe, find
from sixdim.parsers.telemetry.nvml_library import (
    IXML_FOLDERS,
    is_lost,
    load,
    reason_of,
    shut_down,
    start,
)
from sixdim.parsers.telemetry.process_memory import Held, ProcessMemory
from sixdim.parsers.telemetry.source import Unavailable
from sixdim.parsers.telemetry.visible import order_unknown

MIB = 1 << 20
IXML_WATTS_BELOW = 1000
"""libixml reports W or mW, depending on its version: below this it is W (nvtop's rule)."""

WORDS = {
    0x2: "application clocks",
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x10: "sync boost",
    0x20: "thermal (software)",
    0x40: "thermal (hardware)",
    0x80: "power brake",
    0x100: "display clocks",
}
"""NVML's clocks-event reasons (nvml.h). Idle (0x1) is no throttling and is left out."""

FIELDS = ("power_w", "memory_mib", "process_mib", "utilisation", "temperature_c", "energy_j")
"""Fields that a lost board no longer reports."""

ORDER_UNKNOWN = (
    "all GPUs are read: CUDA counts the fastest first, unless CUDA_DEVICE_ORDER=PCI_BUS_ID, so"
    " which of these different GPUs CUDA_VISIBLE_DEVICES means is not known"
)

RESTART_AFTER = 30
"""Failed searches for a lost board before the library itself is restarted."""

Ask: TypeAlias = Callable[[], float]
_T = TypeVar("_T")


class NvmlSource:
    """Reads every visible GPU of this machine through NVML or libixml."""

    patience_s = 2.0

    def __init__(
        self, pynvml: ModuleType, name: str, boards: list[Board], log: Path | None = None
    ) -> None:
        self.name = name
        self.notes: tuple[str, ...] = ()
        self._nvml: Any = pynvml
        self._boards = boards
        self._open = True
        self._searches = 0
        self._processes = ProcessMemory(log)
        if name == "ixml":
            self.notes = (
                f"libixml does not say its unit of power: below {IXML_WATTS_BELOW} is read as W,"
                " else as mW",
            )

    @classmethod
    def open(
        cls,
        name: str = "nvml",
        *,
        environment: Mapping[str, str] | None = None,
        folders: tuple[str, ...] = IXML_FOLDERS,
        log: Path | None = None,
    ) -> NvmlSource | Unavailable:
        """Loads the library and finds the devices, or returns the reason why it cannot.

        Args:
            name: `nvml`, or `ixml` for Iluvatar's library of the same symbols.
            environment: Where `CUDA_VISIBLE_DEVICES` is looked up; None for this process's.
            folders: Where `libixml.so` is sought besides the linker's own places.
            log: The run's log: the processes that write it are the run's; None if unknown.
        """
        pynvml = load(name, folders)
        if isinstance(pynvml, str):
            return Unavailable(name, pynvml)
        known = os.environ if environment is None else environment
        found = find(pynvml, known)
        if isinstance(found, str):
            shut_down(pynvml)
            return Unavailable(name, found)
        source = cls(pynvml, name, found, log)
        if order_unknown(known, [board.name for board in found]):
            source.notes += (ORDER_UNKNOWN,)
        return source

    def read(self, now_us: int) -> list[Reading]:
        """Returns one reading of each device, stamped `now_us` (microseconds since 1970)."""
        drafts = [self._read(board, now_us) for board in self._boards]
        pairs = zip(drafts, self._boards, strict=True)
        listed = [(draft, self._listed(draft, board)) for draft, board in pairs]
        known = [(draft, held) for draft, held in listed if held is not None]
        self._processes.fill(known, now_us, complete=len(known) == len(listed))
        return [draft.reading() for draft in drafts]

    def close(self) -> None:
        """Shuts the library down; harmless when repeated."""
        if self._open:
            self._open = False
            shut_down(self._nvml)

    def _read(self, board: Board, now_us: int) -> Draft:
        nvml = self._nvml
        draft = Draft(board.device, self.name, time_us=now_us)
        if board.handle is None:
            self._find_again(board)
        draft.name, draft.uuid = board.name, board.uuid
        if board.handle is None:
            for field in FIELDS:
                draft.lack(field, "the device is lost")
            return draft
        whole, part = board.board, board.handle
        asks: dict[str, Ask] = {
            "power_w": lambda: self._watts(nvml.nvmlDeviceGetPowerUsage(whole)),
            "energy_j": lambda: self._joules(whole),
            "power_limit_w": lambda: self._watts(nvml.nvmlDeviceGetEnforcedPowerLimit(whole)),
            "utilisation": lambda: nvml.nvmlDeviceGetUtilizationRates(part).gpu,
            "temperature_c": lambda: nvml.nvmlDeviceGetTemperature(
                whole, nvml.NVML_TEMPERATURE_GPU
            ),
        }
        for field, ask in asks.items():
            if board.note and field in ("power_w", "energy_j"):
                draft.lack(field, board.note)
            else:
                self._figure(draft, board, field, ask)
        self._memory(draft, board, part)
        self._throttle(draft, whole)
        return draft

    def _listed(self, draft: Draft, board: Board) -> list[Held] | None:
        """Returns every compute process on a device; None if the driver refuses the list."""
        nvml = self._nvml

        def ask() -> list[Held]:
            try:
                reported = nvml.nvmlDeviceGetComputeRunningProcesses_v3(board.handle)
            except nvml.NVMLError_FunctionNotFound:  # a driver before 510
                reported = nvml.nvmlDeviceGetComputeRunningProcesses_v2(board.handle)
            return [(int(one.pid), _mib(one.usedGpuMemory)) for one in reported]

        return None if board.handle is None else self._asked(draft, board, "process_mib", ask)

    def _figure(self, draft: Draft, board: Board, field: str, ask: Ask) -> None:
        """Asks for one figure and puts it, or the reason for its absence, into the draft."""
        reported = self._asked(draft, board, field, lambda: float(ask()))
        if reported is not None:
            draft.put(field, reported)

    def _asked(self, draft: Draft, board: Board, field: str, ask: Callable[[], _T]) -> _T | None:
        """Returns the answer; None with its reason noted if refused. Seeks a lost board later."""
        try:
            return ask()
        except _UnitError as unclear:
            draft.lack(field, str(unclear))
        except self._nvml.NVMLError as error:
            draft.lack(field, reason_of(error))
            if is_lost(self._nvml, error):
                board.handle = board.board = None
        except (AttributeError, TypeError, ValueError, UnicodeError, ctypes.ArgumentError) as error:
            # A module or library of another version: only this field is lost.
            draft.lack(field, f"pynvml: {type(error).__name__}")
        return None

    def _watts(self, reported: float) -> float:
        in_watts = self.name == "ixml" and reported < IXML_WATTS_BELOW
        return reported if in_watts else reported / 1000

    def _joules(self, handle: Any) -> float:
        if self.name == "ixml":
            raise _UnitError("libixml does not say its unit of energy")
        return int(self._nvml.nvmlDeviceGetTotalEnergyConsumption(handle)) / 1000

    def _memory(self, draft: Draft, board: Board, handle: Any) -> None:
        """Asks for memory by version 2, which excludes the driver's reserve, else by version 1."""
        nvml = self._nvml
        try:
            reported = nvml.nvmlDeviceGetMemoryInfo(handle, version=nvml.nvmlMemory_v2)
        except (nvml.NVMLError, AttributeError, TypeError):
            reported = None
        for field, part in (("memory_mib", "used"), ("memory_total_mib", "total")):

            def ask(part: str = part) -> float:
                info = reported or nvml.nvmlDeviceGetMemoryInfo(handle)
                return int(getattr(info, part)) / MIB

            self._figure(draft, board, field, ask)

    def _throttle(self, draft: Draft, handle: Any) -> None:
        nvml = self._nvml
        try:
            bits = int(nvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle))
        except (nvml.NVMLError, AttributeError, TypeError) as error:
            draft.lack("throttle", reason_of(error))
            return
        words = [word for bit, word in WORDS.items() if bits & bit]
        unknown = bits & ~sum(WORDS) & ~0x1
        draft.throttle = (*words, *([f"reason {unknown:#x}"] if unknown else []))

    def _find_again(self, board: Board) -> None:
        """Seeks a lost board by its identity, or by its index if it has none.

        If the search keeps failing, the library is restarted now and then: only a restarted library
        sees a reloaded driver.
        """
        nvml = self._nvml
        self._searches += 1
        if self._searches % RESTART_AFTER == 0:
            shut_down(nvml)
            start(nvml)
            for other in self._boards:
                other.handle = other.board = None
        try:
            handle = (
                nvml.nvmlDeviceGetHandleByUUID(board.uuid)
                if board.uuid
                else nvml.nvmlDeviceGetHandleByIndex(board.index)
            )
            describe(nvml, board, handle)
        except nvml.NVMLError_Uninitialized:
            start(nvml)
        except nvml.NVMLError:
            return  # still lost


def _mib(reported: int | None) -> float | None:
    """Converts bytes to MiB; pynvml gives None for NVML_VALUE_NOT_AVAILABLE."""
    return None if reported is None else int(reported) / MIB


class _UnitError(Exception):
    """The library reports a field in an unknown unit."""
