"""What every test may use: the command line, sample logs, and the corpus where there is one."""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import hypothesis
import pytest
from jsonschema import Draft202012Validator

from sixdim.metrics.card.schema.schema import card_schema
from sixdim.tui.cli import main
from tests.support.schema import undescribed

# The same examples every time and no deadline: whether the tests pass depends on the code, never
# on chance or on what else the machine does. `make fuzz` is for looking further.
hypothesis.settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile("searching", deadline=None)
# The tests create far more objects than garbage: to look for it rarely saves a tenth of the time.
gc.set_threshold(100_000, 20, 100)
hypothesis.settings.load_profile("searching" if "SIXDIM_FUZZ" in os.environ else "repeatable")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in a job in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # some tests send interrupts


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Workers of `-n auto`: one more than there are cores, as a third of the time is waiting."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Each worker imports another part of the modules first, and then the others.

    All workers import all of them. In the same order, all would compile the same module at the same
    time; so each finds the bytecode that the others have written.
    """
    config = session.config
    if not hasattr(config, "workerinput") or config.args_source is not config.ArgsSource.TESTPATHS:
        return
    number, workers = config.workerinput["workerid"][2:], config.workerinput["workercount"]
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = len(files) * int(number) // workers
    for file in files[first:] + files[:first]:
        name = ".".join(file.relative_to(config.rootpath).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # pytest imports it again and reports that
            import_module(name)


_HOMES = tempfile.TemporaryDirectory(prefix="sixdim-homes-")
_NUMBERS = count()


# Hooks and not fixtures that every test uses: those would take a third of what pytest takes itself.
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """No test reads or writes the state and settings folders of whoever runs it."""
    home = f"{_HOMES.name}/{next(_NUMBERS)}"  # does not exist yet
    os.environ["XDG_CONFIG_HOME"] = f"{home}/config"
    os.environ["XDG_STATE_HOME"] = f"{home}/state"


def _fail(*fault: object) -> NoReturn:
    raise next(one for one in fault if isinstance(one, Exception))


_REPORTS = (
    *("parsers.reader.interpret.fault", "parsers.reader.chosen.fault"),
    *("parsers.blocks.reading.fault", "tui.session.session.fault"),
    *("tui.batch.log_figures.one_line", "tui.cli._report"),
)
_CONTAINED = {name: pkgutil.resolve_name(f"sixdim.{name}") for name in _REPORTS}


@pytest.fixture(scope="session", autouse=True)
def _faults_fail_tests() -> Iterator[None]:
    """Lets a fault that sixdim contains, by line, log or command, fail the test."""
    with pytest.MonkeyPatch.context() as patch:
        for name in _CONTAINED:
            patch.setattr(f"sixdim.{name}", _fail)
        yield


@pytest.fixture
def faults_contained(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what users see of a fault: it is contained, as it is for them."""
    for name, contained in _CONTAINED.items():
        monkeypatch.setattr(f"sixdim.{name}", contained)


@pytest.fixture
def sixdim(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command line in this process: (exit code, stdout, stderr)."""

    def call(*words: object) -> tuple[int, str, str]:
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return call


@pytest.fixture(scope="session")
def of_card() -> Draft202012Validator:
    """The published schema of a card; to check the schema itself takes as long as 90 cards."""
    return Draft202012Validator(card_schema())


@pytest.fixture
def card_of(
    sixdim: Callable[..., tuple[int, str, str]], of_card: Draft202012Validator
) -> Callable[..., dict[str, Any]]:
    """The card that `sixdim score … --json -` writes, held against the published schema."""

    def call(*words: object) -> dict[str, Any]:
        _code, out, _err = sixdim("score", *words, "--json", "-")
        card: dict[str, Any] = json.loads(out)
        of_card.validate(card)
        assert undescribed(card, card_schema()) == []
        return card

    return call


@pytest.fixture(scope="session")
def _sample_cards() -> dict[tuple[str, ...], str]:
    return {}


@pytest.fixture
def sample_card(
    card_of: Callable[..., dict[str, Any]], _sample_cards: dict[tuple[str, ...], str]
) -> Callable[..., dict[str, Any]]:
    """As `card_of`, of sample logs, which no test changes: a card is written once a session."""

    def call(*words: object) -> dict[str, Any]:
        key = tuple(map(str, words))
        if key not in _sample_cards:
            _sample_cards[key] = json.dumps(card_of(*words))
        card: dict[str, Any] = json.loads(_sample_cards[key])
        return card

    return call


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real logs that SIXDIM_CORPUS names."""
    folder = os.environ.get("SIXDIM_CORPUS", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("SIXDIM_CORPUS names no folder of real logs")
    return Path(folder)
