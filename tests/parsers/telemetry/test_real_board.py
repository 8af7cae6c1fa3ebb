"""NVML on a real board, against `nvidia-smi` and a process that holds memory."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.nvml import NvmlSource

SMI = shutil.which("nvidia-smi")
MIB = 1 << 20
HELD_MIB = 768
HOLDER = f"""
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
assert cuda.cuInit(0) == 0 and cuda.cuDeviceGet(ctypes.byref(device), 0) == 0
assert cuda.cuCtxCreate_v2(ctypes.byref(context), 0, device) == 0
assert cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t({HELD_MIB * MIB})) == 0
print("holding", flush=True)
sys.stdin.read()
"""


def _serves() -> bool:
    return SMI is not None and subprocess.run([SMI, "-L"], capture_output=True).returncode == 0


pytestmark = pytest.mark.skipif(not _serves(), reason="no NVIDIA GPU in this machine")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "train.log"


@pytest.fixture
def source(log: Path) -> Iterator[NvmlSource]:
    found = NvmlSource.open(environment={}, log=log)
    assert isinstance(found, NvmlSource)
    yield found
    found.close()


def smi(*fields: str) -> list[list[str]]:
    """What `nvidia-smi` prints of every board."""
    words = [str(SMI), f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"]
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return [[cell.strip() for cell in row] for row in csv.reader(printed.splitlines())]


def now_us() -> int:
    return time.time_ns() // 1000


def test_identity_and_limits_are_those_of_nvidia_smi(source: NvmlSource) -> None:
    read = source.read(now_us())
    printed = smi("name", "uuid", "memory.total", "enforced.power.limit")
    assert [(r.name.removesuffix(" (MIG on)"), r.uuid) for r in read] == [
        (name, uuid) for name, uuid, *_ in printed
    ]
    for reading, (*_, total, limit) in zip(read, printed, strict=True):
        assert reading.memory_total_mib == pytest.approx(float(total), abs=1)
        assert reading.power_limit_w == pytest.approx(float(limit), abs=0.01)


def test_memory_and_temperature_are_those_of_nvidia_smi(source: NvmlSource) -> None:
    read = source.read(now_us())
    for reading, (used, celsius) in zip(read, smi("memory.used", "temperature.gpu"), strict=True):
        assert reading.memory_mib == pytest.approx(float(used), abs=64)
        assert reading.temperature_c == pytest.approx(float(celsius), abs=3)


def test_the_energy_counter_rises_by_the_power_that_is_read(source: NvmlSource) -> None:
    rows: list[list[Reading]] = []
    for _ in range(40):
        rows.append(source.read(now_us()))
        time.sleep(0.1)
    for device in zip(*rows, strict=True):
        first, last = device[0], device[-1]
        if first.energy_j is None or last.energy_j is None:
            continue  # boards before Volta have no counter
        assert first.time_us is not None and last.time_us is not None
        counted_w = (last.energy_j - first.energy_j) * 1e6 / (last.time_us - first.time_us)
        watts = [one.power_w for one in device if one.power_w is not None]
        assert sum(watts) / len(watts) == pytest.approx(counted_w, rel=0.1)


def test_the_process_that_writes_the_log_is_found_with_its_memory(
    source: NvmlSource, log: Path
) -> None:
    with log.open("w") as out:
        words = [sys.executable, "-c", HOLDER]
        holder = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out, text=True)
    try:
        until = time.monotonic() + 60
        while "holding" not in log.read_text():
            assert holder.poll() is None and time.monotonic() < until
            time.sleep(0.1)
        first, *others = source.read(now_us())
        if first.process_mib is None:
            pytest.skip("the driver does not list processes here (a container)")
        assert first.process_scope in ("run", "shared")
        assert HELD_MIB < first.process_mib < HELD_MIB + 1024  # the context's own beside it
        assert all(other.process_scope != "run" for other in others)
    finally:
        assert holder.stdin is not None
        holder.stdin.close()
        holder.wait()
    left = source.read(now_us())[0]
    assert left.process_mib is None
    assert ("process_mib", "no process of the run is on any device") in left.missing
