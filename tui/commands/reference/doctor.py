"""`sixdim doctor`: what this machine has, what was tried, and why it failed."""

import argparse
import os
import platform
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path

from sixdim import __version__
from sixdim.metrics.dimensions.telemetry.memory import PROCESSES
from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.choose import AUTOMATIC, FORMS, open_source
from sixdim.parsers.telemetry.source import Source, Unavailable
from sixdim.parsers.text.lines import label
from sixdim.tui.base.errors import DONE, FAILED

EXAMPLES = """examples:
  sixdim doctor                    GPU readings, file events, versions
  sixdim doctor train.log          also where the journal of this log would be
  sixdim doctor --telemetry dcgm:http://node1:9400/metrics

exit codes: 0 done; 1 the source named with --telemetry gives no readings
"""

PACKAGES = ("textual", "rich", "watchdog", "numpy", "nvidia-ml-py")
PATIENCE_S = 20.0
NAMED_ONLY = (
    ("dcgm", "asked only where named: --telemetry dcgm:http://HOST:9400/metrics"),
    ("prometheus", "asked only where named: --telemetry prometheus:http://HOST:9090?job=NAME"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags of `sixdim doctor`."""
    parser.add_argument("log", nargs="?", metavar="LOG", help="log whose journal to look for")
    parser.add_argument("--telemetry", metavar="SOURCE", help=FORMS)


def run(args: argparse.Namespace) -> int:
    """Prints the findings; returns the exit code."""
    for title, lines in (("versions", _versions()), ("file events", _events(args.log))):
        _print(title, lines)
    serves: dict[str, bool] = {}
    log = Path(args.log) if args.log else None
    _print("GPU readings", _sources(args.telemetry, log, serves))
    if log:
        _print("journal", _journals(log))
    return FAILED if args.telemetry and not any(serves.values()) else DONE


def _print(title: str, lines: Iterator[tuple[str, str]]) -> None:
    print(title)
    for name, text in lines:
        print(f"  {name:<12} {text}", flush=True)


def _versions() -> Iterator[tuple[str, str]]:
    yield "sixdim", __version__
    yield "python", f"{platform.python_version()} ({platform.machine()}, {platform.system()})"
    for package in PACKAGES:
        try:
            yield package, label(metadata.version(package))
        except metadata.PackageNotFoundError:
            yield package, "not installed"


def _events(log: str | None) -> Iterator[tuple[str, str]]:
    """Tests whether file events arrive, with a temporary file in the folder of the log."""
    from sixdim.parsers.input.waker import Waker

    folder = str(Path(log).absolute().parent) if log else None
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".sixdim-doctor-") as file:
            waker = Waker(file.name, time.monotonic, heartbeat=1.0)
            waker.start()
            begun = time.monotonic()
            file.write(b"x")
            file.flush()
            waker.wait(False)
            took = time.monotonic() - begun
            waker.stop()
    except OSError as error:
        yield "inotify", f"not tried, no file can be made there: {label(error.strerror or error)}"
        return
    if waker.trouble:
        yield "inotify", waker.trouble
    elif took >= 1.0:
        yield ("inotify", "no events here (a network file system?): logs are read twice a second")
    else:
        yield "inotify", f"works: a write woke us after {took * 1000:.1f} ms"


def _sources(
    spec: str | None, log: Path | None, serves: dict[str, bool]
) -> Iterator[tuple[str, str]]:
    for name in AUTOMATIC if spec is None else (spec,):
        outcome = _within(PATIENCE_S, partial(_try, name, log))
        if outcome is None:
            outcome = False, f"did not answer within {PATIENCE_S:g} s"
        serves[name], text = outcome
        printed = name.partition(":")[0]
        for number, line in enumerate(text.split("\n")):
            yield ("" if number else label(printed, 12)), line
    if spec is None:
        yield from NAMED_ONLY
        first = next((name for name, good in serves.items() if good), None)
        yield "chosen", first or "none: power and memory stay unknown without --telemetry FILE"


def _try(name: str, log: Path | None) -> tuple[bool, str]:
    """Opens a source of readings and reads it once."""
    found = open_source(name, os.environ, log)
    if isinstance(found, Unavailable):
        return False, found.reason
    try:
        return True, "\n".join(_described(found))
    finally:
        found.close()


def _described(source: Source) -> Iterator[str]:
    try:
        readings = source.read(time.time_ns() // 1000)
    except Exception as error:  # noqa: BLE001 - whatever a source fails with is the finding
        yield f"opens, but does not answer: {label(error)}"
        return
    yield f"serves {len(readings)} device{'' if len(readings) == 1 else 's'}"
    yield from (_line(reading) for reading in readings)
    yield from source.notes


def _line(reading: Reading) -> str:
    figures = [
        f"{value:g} {unit}"
        for value, unit in (
            (reading.power_w, "W"),
            (reading.memory_mib, "MiB"),
            (reading.process_mib, f"MiB of {PROCESSES.get(reading.process_scope, 'processes')}"),
            (reading.utilisation, "%"),
            (reading.temperature_c, "C"),
            (reading.energy_j, "J counted"),
        )
        if value is not None
    ]
    reasons = dict.fromkeys(reason for _, reason in reading.missing)
    lacking = [
        f"{', '.join(field for field, why in reading.missing if why == reason)}: {reason}"
        for reason in reasons
    ]
    read = ", ".join(figures + lacking) or "no figure"
    return f"{reading.label} {reading.name or 'unnamed'}: {read}"


def _journals(log: Path) -> Iterator[tuple[str, str]]:
    from sixdim.parsers.telemetry.journal_places import find_journals
    from sixdim.parsers.telemetry.logkey import journal_beside, state_folder

    found = find_journals(log, os.environ)
    for path in found:
        yield "found", label(path, 200)
    if len(found) > 1:
        yield "", "several fit this log: --telemetry FILE says which counts"
    if not found:
        writable = os.access(log.absolute().parent, os.W_OK)
        place = journal_beside(log) if writable else state_folder(os.environ)
        yield "none yet", f"sixdim record or watch would write {label(place, 200)}"


def _within(seconds: float, ask: Callable[[], tuple[bool, str]]) -> tuple[bool, str] | None:
    """Runs a call in a thread with a time limit, because a driver may hang."""
    answer: list[tuple[bool, str]] = []
    thread = threading.Thread(target=lambda: answer.append(ask()), daemon=True)
    thread.start()
    thread.join(seconds)
    sys.stdout.flush()
    return answer[0] if answer else None
