"""What the documentation shows is what happens: its commands run, its example works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest

from sixdim import plugin, sample_logs
from sixdim.metrics.card.schema.definitions import DEFINITIONS
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Evaluation, Event, Iteration
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.statements.format import Reader
from sixdim.tui.help.table import COMMANDS, parser_of
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.session import Session
from tests.support.pages import NAMES, ROOT, blocks

PAGES = sorted((ROOT / "docs").glob("*.md")) + [p for p in [ROOT / "README.md"] if p.exists()]


@dataclass(frozen=True)
class Shown:
    """One command of a page, the code it must end with, and the output shown below it."""

    page: str
    command: str
    code: int
    output: tuple[str, ...]


def commands_of(page: Path) -> list[Shown]:
    out = []
    for body in blocks(page, "console"):
        for part in re.split(r"^\$ ", body.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            command, _, comment = line.partition("#")
            code = re.search(r"exit (\d)", comment)
            lines = tuple(output.rstrip("\n").split("\n")) if output.strip() else ()
            out.append(Shown(page.name, command.strip(), int(code[1]) if code else 0, lines))
    return out


def appears(output: tuple[str, ...], text: str) -> bool:
    """Whether the lines stand in the text in order; `…` stands for anything."""
    pieces = [re.escape(piece) for piece in "\n".join(output).split("…")]
    return re.fullmatch(".*?".join(pieces) + r"\s*", text, re.DOTALL) is not None


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the sample logs under the names the pages use."""
    for name, sample in NAMES.items():
        shutil.copy(sample_logs.path(sample), tmp_path / name)
    return tmp_path


def words_of(command: str) -> list[str]:
    """The words behind `sixdim`; none where only a shell runs the command."""
    split = shlex.shlex(command, posix=True, punctuation_chars=True)
    split.whitespace_split = True
    name, *words = split
    for_a_shell = any(set(word) <= set(split.punctuation_chars) for word in words)
    return [] if for_a_shell or name != "sixdim" else words


def by_shell(command: str) -> tuple[int, str, str]:
    script = f'set -o pipefail; sixdim() {{ "{sys.executable}" -m sixdim "$@"; }}; {command}'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=180
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_shown_runs_and_prints_what_is_shown(
    page: Path,
    desk: Path,
    sixdim: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(desk)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "100")
    for one in commands_of(page):
        words = words_of(one.command)
        code, out, err = sixdim(*words) if words else by_shell(one.command)
        said = f"{one.page}: {one.command}\n{out}{err}"
        assert code == one.code, said
        assert not one.output or appears(one.output, out + err), said


def test_the_pages_show_commands_of_every_kind() -> None:
    """The test above would be empty if the pages stopped using fences."""
    words = {one.command.split()[1] for page in PAGES for one in commands_of(page)}
    assert {"watch", "replay", "score", "compare", "report"} <= words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)\)", page.read_text()):
        if not link.startswith("http") and page.name != "README.md":
            assert (page.parent / link).exists(), link


def test_every_dimension_has_its_formula_source_and_pitfall() -> None:
    sections = (ROOT / "docs" / "dimensions.md").read_text().split("\n## ")
    titles = {section.partition("\n")[0]: section for section in sections[1:]}
    assert list(titles)[:6] == ["Speed", "Accuracy", "Linearity", "Power", "Memory", "Stability"]
    for title in list(titles)[:6]:
        for word in ("**Formula.**", "**Source.**", "**Pitfall.**"):
            assert word in titles[title], title
    assert set(DEFINITIONS) == {title.lower() for title in list(titles)[:6]} | {"end_to_end"}


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_flag_is_explained_on_a_page(command: str) -> None:
    text = "\n".join(page.read_text() for page in PAGES)
    for action in parser_of(command)[1]._actions:
        names = [name for name in action.option_strings if name not in ("-h", "--help")]
        assert not names or any(re.search(rf"{name}\b(?!-)", text) for name in names), names


GUIDE = ROOT / "docs" / "write-a-format.md"


def format_of(code: str) -> type[Reader]:
    """The format that a piece of Python defines."""
    module = types.ModuleType("example")
    exec(compile(code, "example.py", "exec"), module.__dict__)
    defined = [one for one in vars(module).values() if getattr(one, "__module__", "") == "example"]
    (found,) = defined
    assert isinstance(found, type) and issubclass(found, Reader)
    return found


def test_every_python_of_the_guide_has_its_log_and_its_result() -> None:
    kinds = [len(blocks(GUIDE, kind)) for kind in ("python", "log", "text")]
    assert kinds == [3, 3, 3]


def test_the_format_of_the_guide_reads_its_log() -> None:
    code, log, result = (blocks(GUIDE, kind)[0] for kind in ("python", "log", "text"))
    session = read_whole(Session("acme.log", Settings(), (format_of(code),)), BytesIO(log.encode()))
    card = session.card()
    speed, accuracy = card.dimensions["speed"], card.dimensions["accuracy"]
    assert speed.value == (812.25 + 820.75) / 2
    assert result.splitlines() == [
        f"speed {speed.value} {speed.unit} over epochs {speed.details['window']}",
        f"accuracy {accuracy.value} {accuracy.unit} at epoch {accuracy.details['epoch']}",
    ]
    assert card.run_end is not None and card.run_end["run_time_s"] == 140.0
    assert (card.run["model"], card.run["devices"]) == ("resnet50", 8)
    assert session.interpreter.unknown == 0
    assert len([line for line in code.splitlines() if line.strip()]) <= 40


def in_words(event: Event) -> str:
    """An event as the guide prints it."""
    if isinstance(event, Evaluation):
        (one,) = event.metrics
        return f"Evaluation: epoch {event.epoch}, {one.name} {one.value} {one.unit}"
    assert isinstance(event, Iteration)
    rate = f"{event.throughput} {event.unit} {event.scope.value}"
    speed = f"{event.duration} s" if event.throughput is None else rate
    place = f"epoch {event.epoch}, step {event.step} of {event.steps}"
    return f"Iteration: {place}, {speed}, loss {event.loss}"


@pytest.mark.parametrize("place", [1, 2])
def test_the_other_formats_of_the_guide_read_their_logs(place: int) -> None:
    code, log, result = (blocks(GUIDE, kind)[place] for kind in ("python", "log", "text"))
    interpreter = Interpreter((format_of(code),))
    events = [*interpreter.feed(log.encode()), *interpreter.end()]
    read = [one for one in events if isinstance(one, (Iteration, Evaluation))]
    assert result.splitlines() == [*map(in_words, read)]


def test_the_rows_of_the_guide_are_those_that_plugins_can_import() -> None:
    rows = re.findall(r"^\| `@?(\w+)\(", GUIDE.read_text(), re.MULTILINE)
    results = {"evaluation", "epoch_end", "summary"}
    assert {*rows} == {"progress", "line", "starts", "ends", "fact", "ignored", *results}
    assert {*rows} < {*plugin.__all__}


def test_every_page_has_its_place_in_the_site() -> None:
    nav = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
    assert sorted(re.findall(r": (\S+\.md)$", nav, re.MULTILINE)) == sorted(
        page.name for page in PAGES if page.parent == ROOT / "docs"
    )


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) < 120
