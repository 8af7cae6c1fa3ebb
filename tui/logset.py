"""Many logs at once: found in a folder, read on every core, each reduced to its figures."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from metrics.card import Card
from metrics.print_rule import as_printed
from metrics.protocols import PROTOCOLS
from metrics.settings import Settings
from parsers.declared import declared
from parsers.events import Fact
from parsers.format import Reader
from parsers.interpret import Interpreter
from parsers.naming import Named, named
from parsers.registry import formats
from parsers.source import LogError, LogFile, base_name, blocks
from parsers.text import label
from tui.errors import UserError
from tui.plugins import named_format
from tui.session import Session

MOST_FILES = 20_000
_FEW = 3
_HEAD = 1 << 20
_NOT_LOGS = frozenset(
    (".md", ".py", ".sh", ".json", ".csv", ".png", ".jpg", ".zip", ".tar", ".yaml", ".yml")
)
# (format, what its lines hold, protocol): the first that fits chooses.
_USUAL = (
    ("mindspore", b"per step time", "dlperf-mindspore"),
    ("dllogger", b"imgs_per_sec", "dlperf-ngc-tensorflow-time"),
    ("dllogger", b"throughput_train", "dlperf-ngc-tensorflow-bert-time"),
    ("dllogger", b"average_loss", "dlperf-ngc-pytorch-bert"),
    ("dllogger", b"train.loss", "dlperf-ngc-pytorch"),
    ("oneflow", b"latency(ms)", "dlperf-oneflow-wdl-models"),
    ("oneflow", b" time ", "dlperf-oneflow-wdl"),
    ("hugectr", b"", "dlperf-hugectr"),
    ("oneflow", b"step: ", "dlperf-oneflow-bert"),
    ("oneflow", b"iter ", "dlperf-oneflow"),
    ("ptimagenet", b"", "dlperf-pytorch"),
    ("keras_timehistory", b"", "dlperf-tensorflow"),
    ("keras", b"TimeHistory", "dlperf-tensorflow"),
    ("mxnet", b" Batch [", "dlperf-ngc-mxnet"),
    ("mxnet", b"Batch[", "dlperf-mxnet"),
    ("paddleclas", b"elapse", "dlperf-paddle"),
    ("paddleclas", b"ips:", "paddle-tipc"),
    ("paddlenlp", b"ips:", "paddle-tipc"),
    ("paddleseg", b"ips:", "paddle-tipc-hrnet"),
    ("mlperf", b"", "mlperf"),
)
_FRAMEWORKS = (
    ("mindspore", "MindSpore"),
    ("oneflow", "OneFlow"),
    ("paddle", "PaddlePaddle"),
    ("mxnet", "MXNet"),
    ("pytorch", "PyTorch"),
    ("tensorflow", "TensorFlow"),
    ("tf_", "TensorFlow"),
    ("ngc-tf", "TensorFlow"),
    ("torch", "PyTorch"),
)


class Job(NamedTuple):
    """What a worker needs to read one log.

    Attributes:
        path: The log.
        settings: What shapes its card.
        usual: `only`: take the protocol usual for the log's format; `otherwise`: where that of
            the settings gives no speed; empty: never.
        forced: Name of a format taken without detection; empty to detect.
        declared: Formats of the settings file, as its tables: a class made there could not be
            sent to another process.
    """

    path: str
    settings: Settings
    usual: str = ""
    forced: str = ""
    declared: tuple[Mapping[str, Any], ...] = ()

    def formats(self) -> tuple[type[Reader], ...]:
        """Everyone there is to read it."""
        return (*formats(), *(declared(table) for table in self.declared))


@dataclass(frozen=True, slots=True)
class Figures:
    """What one log amounts to.

    Attributes:
        path: The log.
        card: Its card; None where it could not be read.
        error: Why it could not.
        facts: Facts and where each came from, `framework` among them.
        name: What its path says.
        speed: The speed as its protocol prints it; None where unknown.
    """

    path: str
    card: Card | None
    error: str
    facts: dict[str, tuple[Fact, str]]
    name: Named
    speed: float | None = None

    def fact(self, name: str) -> Fact | None:
        """One fact; None where unknown."""
        found = self.facts.get(name)
        return found[0] if found else None

    def count(self, name: str) -> int | None:
        """A fact that is a number of things."""
        value = self.fact(name)
        return int(value) if isinstance(value, int | float) and value >= 1 else None


def find_logs(roots: Sequence[str]) -> list[str]:
    """Every file below the folders, and the files themselves, in the order of their names.

    Raises:
        UserError: A path is not there, or there are too many.
    """
    found: list[str] = []
    for root in roots:
        if not os.path.isdir(root):  # noqa: PTH112 - a path as typed, shown as typed
            if not os.path.exists(root):  # noqa: PTH110
                raise UserError(f"no file or folder {label(root, 200)}")
            found.append(root)
            continue
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for file in sorted(files):
                path = Path(folder) / file
                hidden = file.startswith(".") or path.suffix.lower() in _NOT_LOGS
                if not hidden and path.is_file():
                    found.append(str(path))
            if len(found) > MOST_FILES:
                raise UserError(f"more than {MOST_FILES} files below {label(root, 200)}")
    return found


def read_logs(jobs: Sequence[Job], what: str = "read") -> list[Figures]:
    """Reads the logs, on every core where there are more than a few; says how far it is."""
    if len(jobs) <= _FEW:
        return [read_log(job) for job in jobs]
    try:
        with ProcessPoolExecutor(min(os.cpu_count() or 1, len(jobs))) as pool:
            return list(_told(pool, jobs, what))
    except BrokenProcessPool as error:
        raise UserError("a reader died: too little memory? fewer logs at once may do") from error


def _told(pool: Executor, jobs: Sequence[Job], what: str) -> Iterator[Figures]:
    live = sys.stderr.isatty()
    step = 1 if live else max(1, len(jobs) // 4)
    for number, figures in enumerate(pool.map(read_log, jobs), 1):
        if number % step == 0 or number == len(jobs):
            end = "\n" if number == len(jobs) or not live else ""
            begin = "\r" if live else ""
            print(f"{begin}{what} {number} of {len(jobs)} logs", end=end, file=sys.stderr)
            sys.stderr.flush()
        yield figures


def read_log(job: Job) -> Figures:
    """Reads one log whole; what goes wrong is a reason, not an end."""
    name = named(job.path)
    try:
        session = _session(job, name, job.usual == "only").read(LogFile(job.path))
        if job.usual == "otherwise" and session.card().dimensions["speed"].value is None:
            session = _session(job, name, usual=True).read(LogFile(job.path))
    except (LogError, OSError, EOFError) as error:
        return Figures(job.path, None, label(error, 200), {}, name)
    if not session.interpreter.detection or not session.interpreter.detection.name:
        return Figures(job.path, None, "no known log format", {}, name)
    card = session.card()
    speed = card.dimensions["speed"]
    value = speed.value
    if value is not None and session.settings.protocol.prints:
        value = float(as_printed(value, session.settings.protocol.prints))
    return Figures(job.path, card, "", _facts(card, job.path), name, value)


def _session(job: Job, name: Named, usual: bool) -> Session:
    known = job.formats()
    forced = named_format(job.forced, known)
    settings = replace(job.settings, named=name.facts)
    if usual:
        chosen = _protocol(job.path, known, forced)
        settings = replace(settings, protocol=PROTOCOLS[chosen]) if chosen else settings
    return Session(base_name(job.path), settings, known, forced)


def _protocol(path: str, known: tuple[type[Reader], ...], forced: type[Reader] | None) -> str:
    """The protocol usual for a log, by its format and what its first megabyte holds."""
    head = b""
    for block in blocks(path):
        head += block
        if len(head) >= _HEAD:
            break
    interpreter = Interpreter(known, forced)
    list(interpreter.feed(head))
    list(interpreter.end())
    found = interpreter.detection.name if interpreter.detection else ""
    return next((p for f, held, p in _USUAL if f == found and held in head), "")


def _framework(text: str, source: str) -> tuple[str, str] | None:
    told = next((name for word, name in _FRAMEWORKS if word in text), "")
    return (told, source) if told else None


def _facts(card: Card, path: str) -> dict[str, tuple[Fact, str]]:
    sources = card.run["sources"]
    assert isinstance(sources, dict)
    facts: dict[str, tuple[Fact, str]] = {}
    for name, source in sources.items():
        value = card.run.get(name)
        if isinstance(value, str | int | float):
            facts[name] = (value, str(source))
    if "framework" not in facts:
        low = path.lower()
        protocol = str(card.dimensions["speed"].details.get("protocol", ""))
        facts["framework"] = (
            _framework(low, "path")
            or _framework(protocol, "its lines")
            or (str(card.run["format"]), "format of the log")
        )
    return facts
