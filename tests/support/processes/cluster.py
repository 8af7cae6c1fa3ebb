"""A Dask cluster of this machine: a real scheduler and real workers, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes.fifo_log import PATIENCE_S, ROOT, until

_SMALL = ("--no-dashboard", "--host", "127.0.0.1")


class Cluster:
    """A scheduler, and workers of one thread each.

    Args:
        folder: Where its processes run and log.
        path: Their Python path.
        tries: How many workers may die of a task before it is given up.
    """

    def __init__(self, folder: Path, path: Path = ROOT, tries: int = 3) -> None:
        pytest.importorskip("distributed", reason="the extra sixdim[cluster] is not installed")
        self._folder = folder
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(path),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(tries),
        }
        self._processes: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        words = ("--port", "0", "--scheduler-file", str(self.file))
        self.scheduler = self._begin("scheduler", *words)
        self.address = str(until(self._written, "a scheduler")["address"])
        self._client: Any = None

    def _written(self) -> Any:
        try:
            return json.loads(self.file.read_text())
        except (OSError, ValueError):
            return None

    def _begin(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        module = f"distributed.cli.dask_{kind}"
        with (self._folder / f"{kind}{len(self._processes)}.out").open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *_SMALL, *words],
                cwd=self._folder,
                env=self._environment,
                stdout=out,
                stderr=out,
            )
        self._processes.append(process)
        return process

    def worker(self, *words: str) -> None:
        """One more worker; it is not waited for."""
        name = str(len(self._processes))
        folder = str(self._folder / "scratch")
        flags = ("--no-nanny", "--nthreads", "1", "--name", name, "--local-directory", folder)
        self._begin("worker", self.address, *flags, *words)

    def workers(self, count: int, *words: str) -> Cluster:
        """Begins that many workers, and waits for them."""
        for _ in range(count):
            self.worker(*words)
        self.client.wait_for_workers(count, timeout=PATIENCE_S)
        return self

    @property
    def client(self) -> Any:
        """Somebody who looks on."""
        if self._client is None:
            from distributed import Client

            self._client = Client(self.address, set_as_default=False)
        return self._client

    def kill_reader(self, number: int) -> None:
        """Kills the worker that reads the log of that number."""

        def reader() -> str:
            tasks = self.client.processing()
            return next((w for w, ks in tasks.items() for k in ks if k.endswith(f"-{number}")), "")

        address = until(reader, "a reader")
        info = self.client.scheduler_info(n_workers=-1)["workers"][address]
        process = self._processes[int(info["name"])]
        process.kill()
        process.wait()

    def close(self) -> None:
        """Ends every process."""
        if self._client is not None:
            self._client.close()
        for process in reversed(self._processes):
            process.send_signal(signal.SIGKILL)
            process.wait()
