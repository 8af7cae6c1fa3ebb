"""Reads many logs on a Dask cluster: each log is a task, which returns its figures.

The scheduler does not need sixdim, and a worker without sixdim must be able to report that. So a
task is a call of `pickle.loads` with bytes, and unpickling these bytes calls `read_there`.
"""

import logging
import os
import pickle
import queue
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from sixdim import __version__
from sixdim.parsers.input.source import LogFile
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError, missing
from sixdim.tui.base.untrusted_json import loads
from sixdim.tui.batch.log_figures import Figures, Job, Note, died, read_log
from sixdim.tui.batch.log_paths import find_logs, is_url
from sixdim.tui.batch.log_urls import list_logs, open_log

CONNECT_S = 10
"""Seconds within which a scheduler answers."""
LOOK_S = 2.0
"""Seconds without a result after which the number of workers is queried."""
_AT_ONCE = 500
"""Logs that are submitted in one message."""
_MOST_NAMED = 3
_VERSION = b"csixdim\n__version__\n."
"""A pickle of a reference to `sixdim.__version__`, which is resolved on the worker."""


class DaskCluster:
    """Reads logs on a Dask cluster; see `tui.batch.log_figures.Engine`.

    The address is that of the scheduler (`tcp://host:8786`), or the scheduler file that has it.

    Raises:
        UserError: The extra is not installed.
    """

    def __init__(self, address: str) -> None:
        for library in ("distributed", "fsspec"):
            try:
                __import__(library)
            except ImportError as error:
                raise missing("--dask", library, "cluster") from error
        self._address = address
        self._flag = f"--dask {label(address, 100)}"

    def find(self, roots: Sequence[str]) -> list[str]:
        """See `Engine.find`."""
        each = (list_logs(root) if is_url(root) else find_logs([root]) for root in roots)
        return [path for found in each for path in found]

    def read(self, jobs: Sequence[Job], note: Note) -> Iterator[tuple[int, Figures]]:
        """See `Engine.read`."""
        client = self._client()
        try:
            blamed = []
            for number, figures in self._tasks(client, dict(enumerate(jobs)), note):
                if figures is None:
                    blamed.append(number)
                else:
                    yield number, figures
            # Dask blames all tasks of a worker for its death, so each log is tried by itself.
            for number in blamed:
                alone = {number: jobs[number]} if len(blamed) > 1 else {}
                results = [figures for _, figures in self._tasks(client, alone, note) if figures]
                yield number, results[0] if results else died(jobs[number])
        except OSError as error:
            raise self._gone() from error
        finally:
            client.close()  # the scheduler drops tasks without a client

    def _gone(self) -> UserError:
        return UserError(f"{self._flag}: the scheduler went away before all logs were read")

    def _client(self) -> Any:
        from distributed import Client

        for name in ("distributed", "distributed.client"):
            # Dask logs this as well; the command reports it in one line.
            logging.getLogger(name).setLevel(logging.CRITICAL)
        # A server that is no scheduler may accept the connection and never answer.
        begun: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def begin() -> None:
            try:
                address = self._scheduler()
                begun.put(Client(address, timeout=CONNECT_S, set_as_default=False))
            except Exception as error:  # noqa: BLE001 - it is raised where it can be reported
                begun.put(error)

        threading.Thread(target=begin, daemon=True).start()
        try:
            client = begun.get(timeout=2 * CONNECT_S)
        except queue.Empty:
            client = OSError(f"no answer for {2 * CONNECT_S} s")
        if isinstance(client, OSError | ValueError):
            reason = label(str(client).partition("\n")[0], 200) or type(client).__name__
            raise UserError(
                f"{self._flag}: no scheduler answers there ({reason}); `dask scheduler` prints "
                "the address of one"
            ) from client
        if isinstance(client, Exception):
            raise client
        return client

    def _scheduler(self) -> str:
        """Returns the scheduler's address, read from its file if a file is named.

        Raises:
            ValueError: The file has no address.
        """
        if not Path(self._address).is_file():
            return self._address
        said = loads(Path(self._address).read_text(encoding="utf-8"))
        if not isinstance(said, dict) or not isinstance(said.get("address"), str):
            raise ValueError("the file names no address")
        return str(said["address"])

    def _tasks(
        self, client: Any, jobs: Mapping[int, Job], note: Note
    ) -> Iterator[tuple[int, Figures | None]]:
        """Yields the number and the figures of each log; None for a log whose workers died."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        left = _submitted(client, jobs)
        for future, _number in left.values():
            future.add_done_callback(done.put)
        while left:
            ready = self._next(client, done, note)
            if any(future.status == "cancelled" for future in ready):
                raise self._gone()
            answers = dict(client.gather(ready, errors="skip"))
            yield from answers.items()
            for future in ready:
                # The state may be "lost" by now, together with the worker that had the answer.
                _, number = left.pop(future.key)
                if number in answers:
                    continue
                if future.status != "error":
                    raise self._gone()
                self._explain(client, future.exception(), jobs[number])
                yield number, None

    def _next(self, client: Any, done: queue.SimpleQueue[Any], note: Note) -> list[Any]:
        """Waits for finished tasks, and reports if the cluster has no workers."""
        noted = False
        while True:
            try:
                ready = [done.get(timeout=LOOK_S)]
                break
            except queue.Empty:
                if not noted and client.status == "running" and not client.nthreads():
                    note(f"{self._flag} has no worker: waiting for one (Ctrl-C ends it)")
                    noted = True
        while not done.empty():
            ready.append(done.get())
        return ready

    def _explain(self, client: Any, error: BaseException, job: Job) -> None:
        """Raises the error that made a task fail; returns if its workers died.

        Raises:
            UserError: The cluster cannot read logs as it is.
        """
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return
        if isinstance(error, UserError):
            raise UserError(f"{label(job.path, 300)}: {error}") from error
        if isinstance(error, ModuleNotFoundError | AttributeError | pickle.UnpicklingError):
            reason = f"a worker has another build of sixdim ({label(error, 200)}): install the same"
        elif isinstance(error, ImportError):
            reason = label(error, 300)
        else:
            raise error
        raise UserError(f"{self._flag}: {_other_versions(client) or reason}") from error


def _submitted(client: Any, jobs: Mapping[int, Job]) -> dict[str, tuple[Any, int]]:
    """Submits the logs; returns (task, number of its log) by the key of the task."""
    batch, names = uuid4().hex, tuple(reader.name for reader in formats())
    calls = [
        pickle.dumps(_Call(__version__, names, number, pickle.dumps((job, _place(job.path)))))
        for number, job in jobs.items()
    ]
    keys = [f"sixdim-{batch}-{number}" for number in jobs]
    futures: Iterable[Any] = (
        client.map(pickle.loads, calls, key=keys, pure=False, batch_size=_AT_ONCE) if calls else ()
    )
    return {f.key: (f, number) for f, number in zip(futures, jobs, strict=True)}


def _place(path: str) -> str:
    """Returns the absolute path or URL, since workers have another current folder."""
    return path if is_url(path) else os.path.abspath(path)  # noqa: PTH100 - symlinks stay


def _other_versions(client: Any) -> str:
    """Returns a sentence with the workers that have another sixdim; empty if none has."""
    found = client.run(pickle.loads, _VERSION, on_error="return")
    other = {worker: version for worker, version in found.items() if version != __version__}
    if not other:
        return ""
    named = ", ".join(
        f"{label(worker, 60)} has {f'sixdim {label(v, 20)}' if isinstance(v, str) else 'no sixdim'}"
        for worker, v in list(other.items())[:_MOST_NAMED]
    )
    more = f" and {len(other) - _MOST_NAMED} more have not" if len(other) > _MOST_NAMED else ""
    return f"worker {named}{more}: install sixdim {__version__} on every worker"


class _Call:
    """Pickles as a call of `read_there`."""

    def __init__(self, *given: object) -> None:
        self._given = given

    def __reduce__(self) -> tuple[Any, ...]:
        return read_there, self._given


def read_there(
    version: str, names: tuple[str, ...], number: int, packed: bytes
) -> tuple[int, Figures]:
    """Reads one log on a worker, for a sixdim of `version` with the formats `names`.

    `packed` holds the job, and where the log is. `number` is returned with the figures.

    Raises:
        ImportError: The worker has another version or other formats, or cannot open the URL.
    """
    here = socket.gethostname()
    if version != __version__:
        raise ImportError(f"worker {here} has sixdim {__version__}, not {version}")
    if odd := set(names) ^ {reader.name for reader in formats()}:
        raise ImportError(
            f"worker {here} has other format plugins: {', '.join(sorted(odd))}: install the same "
            "on every worker"
        )
    job, place = pickle.loads(packed)
    try:
        if is_url(place):
            return number, read_log(job, partial(LogFile, opened=partial(open_log, place)))
        figures = read_log(job, lambda path: LogFile(place))
    except ImportError as error:
        raise ImportError(f"worker {here}: {error}") from error
    if figures.card is None and not os.path.exists(place):  # noqa: PTH110 - raises nothing
        unseen = f"worker {here} does not see it: share the folder with the workers, or name a URL"
        figures = replace(figures, error=unseen)
    return number, figures
