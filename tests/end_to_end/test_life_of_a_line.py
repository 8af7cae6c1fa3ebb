"""How much code a progress line executes, and that docs/architecture.md names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.support.pages import blocks
from tests.support.processes.executed import functions

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
MOST = 10
LINE = (
    "Epoch: [3]  [{:3}/334]  eta: 0:06:47  lr: 0.128  img/s: 5625.49  loss: 7.2926 (7.2497)  "
    "acc1: 0.1326 (0.1326)  acc5: 0.5302 (0.5302)  time: 1.2591  data: 0.0019  max mem: 11100\n"
)


def executed() -> list[str]:
    """The functions of `parsers` and `metrics` that one DeepSpark line executes, bytes to fold."""
    before = "".join(LINE.format(step) for step in range(0, 100, 10))
    found = functions(before.encode(), LINE.format(100).encode())
    return [one for one in found if not one.startswith("tui/session/session.py ")]


def test_a_progress_line_executes_few_files() -> None:
    files = list(dict.fromkeys(one.partition(" ")[0] for one in executed()))
    assert len(files) <= MOST, files


def test_the_page_lists_the_files_that_a_progress_line_executes() -> None:
    (listed,) = blocks(PAGE, "files")
    files = {one.partition(" ")[0] for one in executed() if not one.startswith("parsers/formats/")}
    assert {line.split()[0] for line in listed.splitlines()} == files
    for path, *named in (re.split(r",? +", line) for line in listed.splitlines()):
        assert {*named} <= defined(ROOT / path), f"{path} {named}"


def test_every_name_of_the_page_exists() -> None:
    """Each `path.py` is a file, and each name that stands after it is defined in it."""
    text = PAGE.read_text()
    named = re.findall(
        r"`((?:parsers|metrics|tui|sixdim|tests)/[\w/]+\.py)`(?:\s`([\w.]+)`)?", text
    )
    assert len(named) > 40
    for path, name in named:
        assert (ROOT / path).exists(), path
        if name:
            assert name in defined(ROOT / path), f"{path} {name}"


def defined(path: Path) -> set[str]:
    """The names that a module defines, those inside its classes as `Class.name`."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        found |= names(node)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for inner in node.body for name in names(inner)}
    return found


def names(node: ast.stmt) -> set[str]:
    """The names that one statement defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}
