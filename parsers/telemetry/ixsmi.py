"""Reads Iluvatar's `ixsmi` command, on machines where no other source answers."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.dialects import smi_csv, smi_text, smi_xml
from sixdim.parsers.telemetry.dialects.base import Dialect, Notes
from sixdim.parsers.telemetry.source import Unavailable, lost
from sixdim.parsers.telemetry.visible import visible_devices
from sixdim.parsers.text.lines import LineSplitter, label

FOLDERS = ("/usr/local/corex/bin", "/usr/local/corex*/bin")
MAX_OUTPUT = 8 << 20
"""The most bytes of one answer; sixteen boards print a hundredth of it."""
PATIENCE_S = 5.0

_FIELDS = "index,uuid,name,{power},memory.used,memory.total,utilization.gpu,temperature.gpu"
WAYS: tuple[tuple[tuple[str, ...], Dialect], ...] = (
    (("-q", "-x"), smi_xml.DIALECT),
    (("--query-gpu=" + _FIELDS.format(power="gpu.power.draw"), "--format=csv"), smi_csv.DIALECT),
    (("--query-gpu=" + _FIELDS.format(power="power.draw"), "--format=csv"), smi_csv.DIALECT),
    (("-q",), smi_text.IXSMI),
)
"""XML first, then the CSV of CoreX 4, the CSV of CoreX 3, and the text that all manuals show."""


class IxsmiSource:
    """Reads every visible GPU by running `ixsmi` once per reading."""

    name = "ixsmi"
    patience_s = PATIENCE_S

    def __init__(
        self, command: Path, environment: Mapping[str, str], deadline_s: float = PATIENCE_S
    ) -> None:
        self.command = command
        self.notes: tuple[str, ...] = ()
        self._environment = _with_libraries(command, environment)
        self._deadline_s = deadline_s
        self._way = WAYS[0]
        self._visible = environment
        self._known: dict[int, Reading] = {}

    @classmethod
    def open(
        cls,
        environment: Mapping[str, str],
        folders: tuple[str, ...] = FOLDERS,
        deadline_s: float = PATIENCE_S,
    ) -> IxsmiSource | Unavailable:
        """Finds the command and the shape of its answer, or returns why it cannot.

        Args:
            environment: Where `PATH` and `CUDA_VISIBLE_DEVICES` are looked up.
            folders: Where the command is sought besides `PATH`; `*` stands for a version.
            deadline_s: Seconds one run may take.
        """
        command = find_command(environment, folders)
        if command is None:
            return Unavailable(cls.name, "no ixsmi command in PATH or /usr/local/corex*/bin")
        source = cls(command, environment, deadline_s)
        reasons = []
        for way in WAYS:
            try:
                if source._ask(way):
                    source._way = way
                    return source
                reasons.append("it lists no device")
            except _LateError as error:
                return Unavailable(cls.name, str(error))
            except _NoAnswerError as error:
                reasons.append(str(error))
        return Unavailable(cls.name, reasons[0])

    def read(self, now_us: int) -> list[Reading]:
        """Returns one reading of each device, stamped `now_us` (microseconds since 1970)."""
        try:
            found = self._ask(self._way)
        except _NoAnswerError as error:
            return [lost(known, str(error), now_us) for known in self._known.values()]
        out = [reading._replace(time_us=now_us) for reading in found]
        seen = {reading.device for reading in out}
        out += [
            lost(known, "the device is lost", now_us)
            for device, known in self._known.items()
            if device not in seen
        ]
        self._known |= {reading.device: reading for reading in found}
        return out

    def close(self) -> None:
        """Does nothing: no resource is held between readings."""

    def _ask(self, way: tuple[tuple[str, ...], Dialect]) -> list[Reading]:
        words, dialect = way
        answer = run([str(self.command), *words], self._environment, self._deadline_s)
        splitter = LineSplitter()
        lines = [*splitter.feed(answer), *splitter.flush()]
        notes = Notes()
        found = list(dialect.read(lines, notes))
        if not found:
            answered = lines[0].text if lines else "it says nothing"
            answered = "it lists no device" if answered.startswith("<") else answered
            raise _NoAnswerError(notes.texts[0] if notes.texts else label(answered, 100))
        self.notes = tuple(notes.texts)
        wanted = visible_devices(self._visible, [reading.uuid for reading in found])
        return found if wanted is None else [r for at, r in enumerate(found) if at in wanted]


class _NoAnswerError(Exception):
    """The command gave no readings; the message is one sentence that says why."""


class _LateError(_NoAnswerError):
    """The command hangs; asking it in another way would hang, too."""

    def __init__(self, deadline_s: float) -> None:
        super().__init__(f"ixsmi did not answer within {deadline_s:g} s")


def find_command(environment: Mapping[str, str], folders: tuple[str, ...]) -> Path | None:
    """Returns `ixsmi` in `PATH`, else in the first folder that has it; else None."""
    found = shutil.which("ixsmi", path=environment.get("PATH", ""))
    if found:
        return Path(found)
    for folder in folders:
        for place in sorted(Path("/").glob(folder.lstrip("/"))):
            if os.access(place / "ixsmi", os.X_OK):
                return place / "ixsmi"
    return None


def _with_libraries(command: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment with the folder of libixml, which the linker seldom knows."""
    root = command.resolve().parent.parent
    places = [str(root / "lib64"), str(root / "lib"), environment.get("LD_LIBRARY_PATH", "")]
    return {**environment, "LD_LIBRARY_PATH": ":".join(filter(None, places)), "LC_ALL": "C"}


def run(words: list[str], environment: Mapping[str, str], deadline_s: float) -> bytes:
    """Runs a command and returns its output, within a deadline and a size.

    Raises:
        _NoAnswerError: It cannot be run, fails, prints too much or takes too long.
    """
    try:
        child = subprocess.Popen(
            words,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise _NoAnswerError(f"cannot run ixsmi: {error.strerror or error}") from error
    assert child.stdout is not None
    try:
        answer = _drain(child.stdout.fileno(), time.monotonic() + deadline_s, deadline_s)
        code = child.wait(timeout=deadline_s)
    except subprocess.TimeoutExpired:
        raise _LateError(deadline_s) from None
    finally:
        _end(child)
    if code:
        answered = label(answer.decode("utf-8", "replace"), 100)
        raise _NoAnswerError(f"ixsmi failed with {code}: {answered or 'no word'}")
    return answer


def _drain(handle: int, until: float, deadline_s: float) -> bytes:
    answer = bytearray()
    with selectors.DefaultSelector() as ready:
        ready.register(handle, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if left <= 0 or not ready.select(left):
                raise _LateError(deadline_s)
            piece = os.read(handle, 1 << 16)
            if not piece:
                return bytes(answer)
            answer += piece
            if len(answer) > MAX_OUTPUT:
                raise _NoAnswerError("ixsmi printed more than 8 MiB")


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ends the command and everything that it started, and frees its process-table entry."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    if child.stdout is not None:
        child.stdout.close()
