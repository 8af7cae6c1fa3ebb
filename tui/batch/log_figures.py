"""Reads one of many logs, in any process, and reduces it to its figures; the engines for many."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.card import Card
from sixdim.metrics.values.print_rule import as_printed
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Fact
from sixdim.parsers.input.source import LogError, LogFile, base_name
from sixdim.parsers.reader.declared import declared
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import UserError, one_line
from sixdim.tui.base.log_name import NameFacts, facts_in_name
from sixdim.tui.base.plugins import named_format
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.session import Session

_HEAD = 1 << 20
_PIECE = 64 << 10
Note: TypeAlias = Callable[[str], None]
"""Prints a message for the user."""
Content: TypeAlias = Callable[[str], LogFile]
"""Opens the log at a path."""
# (format, text in the log, protocol); the first row that fits is used.
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
    ("keras", b"TimeHistory", "dlperf-tensorflow"),
    ("keras", b"BenchmarkMetric", "dlperf-tensorflow"),
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
    ("tensorflow", "TensorFlow"),
    ("tf_", "TensorFlow"),
    ("torch", "PyTorch"),
)


class Job(NamedTuple):
    """Everything that a process needs to read one log.

    Attributes:
        path: The log.
        settings: How its card is computed.
        usual: When the usual protocol of the log's format is taken. `only`: always; `otherwise`: if
            that of the settings gives no speed; empty: never.
        forced: The name of a format that is used without detection; empty to detect it.
        declared: The formats of the settings file, as tables; a class could not be sent to another
            process.
    """

    path: str
    settings: Settings
    usual: str = ""
    forced: str = ""
    declared: tuple[Mapping[str, Any], ...] = ()

    def formats(self) -> tuple[type[Reader], ...]:
        """Returns the formats to read it with."""
        return (*formats(), *(declared(table) for table in self.declared))


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one log.

    Attributes:
        path: The log.
        name: The facts that its path gives.
        card: Its card; None if the log could not be read.
        error: Why the log could not be read; empty if it was.
        facts: (value, source) of each known fact and of `framework`.
        speed: The speed, rounded as its protocol prints it; None if unknown.
    """

    path: str
    name: NameFacts
    card: Card | None = None
    error: str = ""
    facts: dict[str, tuple[Fact, str]] = field(default_factory=dict)
    speed: float | None = None

    def fact(self, name: str) -> Fact | None:
        """Returns the value of a fact; None if it is unknown."""
        found = self.facts.get(name)
        return found[0] if found else None

    def count(self, name: str) -> int | None:
        """Returns a fact that is a count; None if it is unknown."""
        value = self.fact(name)
        return int(value) if isinstance(value, int | float) and value >= 1 else None


def died(job: Job) -> Figures:
    """Returns figures with only an error, for a log that kills the process that reads it."""
    why = "the process that read it died: too little memory?"
    return Figures(job.path, facts_in_name(job.path), error=why)


class Engine(Protocol):
    """Reads many logs."""

    def find(self, roots: Sequence[str]) -> list[str]:
        """Returns the logs below the paths, ordered by name.

        Raises:
            UserError: A path does not exist, or cannot be read by this engine.
        """

    def read(self, jobs: Sequence[Job], note: Note) -> Iterator[tuple[int, Figures]]:
        """Reads each log once; yields its position among the jobs, in the order of completion.

        If a log cannot be read, or kills the process that reads it, its figures have an error.

        Raises:
            UserError: The engine itself fails.
        """


def read_log(job: Job, content: Content = LogFile) -> Figures:
    """Returns the figures of a whole log; if it cannot be read, they have the reason."""
    name = facts_in_name(job.path)
    try:
        session = read_whole(_session(job, name, content, job.usual == "only"), content(job.path))
        if job.usual == "otherwise" and session.card().dimensions["speed"].value is None:
            session = read_whole(_session(job, name, content, usual=True), content(job.path))
        card = session.card()
    except (LogError, OSError, EOFError) as error:
        return Figures(job.path, name, error=label(error, 200))
    except (UserError, ImportError):  # no log can be read
        raise
    except Exception as error:  # noqa: BLE001 - a fault at one log must not lose all others
        return Figures(job.path, name, error=f"a fault inside sixdim: {one_line(error)}")
    if not session.interpreter.detection or not session.interpreter.detection.name:
        return Figures(job.path, name, error="no known log format")
    speed = card.dimensions["speed"]
    value = speed.value
    if value is not None and session.settings.protocol.prints:
        value = float(as_printed(value, session.settings.protocol.prints))
    return Figures(job.path, name, card, facts=_facts(card), speed=value)


def _session(job: Job, name: NameFacts, content: Content, usual: bool) -> Session:
    known = job.formats()
    forced = named_format(job.forced, known)
    settings = job.settings._replace(named=name.facts)
    if usual:
        chosen = _protocol(content(job.path), known, forced)
        settings = settings._replace(protocol=PROTOCOLS[chosen]) if chosen else settings
    return Session(base_name(job.path), settings, known, forced)


def _protocol(
    content: LogFile, known: tuple[type[Reader], ...], forced: type[Reader] | None
) -> str:
    """Returns the usual protocol for the format and the first MiB of a log; empty if unknown."""
    head = b""
    with closing(content) as log:
        for block in iter(log.read, b""):
            head += block
            if len(head) >= _HEAD:
                break
    interpreter = Interpreter(known, forced)
    for begin in range(0, len(head), _PIECE):
        if interpreter.detection is not None:
            break
        list(interpreter.feed(head[begin : begin + _PIECE]))
    else:
        list(interpreter.end())
    found = interpreter.detection.name if interpreter.detection else ""
    return next((p for f, held, p in _USUAL if f == found and held in head), "")


def _framework(text: str, source: str) -> tuple[str, str] | None:
    name = next((name for word, name in _FRAMEWORKS if word in text), "")
    return (name, source) if name else None


def _facts(card: Card) -> dict[str, tuple[Fact, str]]:
    facts: dict[str, tuple[Fact, str]] = {
        name: (card.run[name], source)
        for name, source in card.run["sources"].items()
        if card.run.get(name) is not None
    }
    if "framework" not in facts:
        read_as, protocol = card.run["format"], card.dimensions["speed"].details["protocol"]
        facts["framework"] = (
            _framework(protocol, "its lines")
            or _framework(read_as, "format of the log")
            or (read_as, "format of the log")
        )
    return facts
