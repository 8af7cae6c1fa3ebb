"""The files for CI and services do what their pages say, run as those who use them run them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import yaml

from sixdim import sample_logs
from tests.support.pages import blocks
from tests.support.processes.fifo_log import until
from tests.support.processes.web import answering

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
RUN = sample_logs.path(sample_logs.RUN)


@pytest.fixture
def sixdim_program(tmp_path: Path) -> Path:
    """The command as a program of its own."""
    program = tmp_path / "bin" / "sixdim"
    program.parent.mkdir()
    python = f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.quote(sys.executable)}"
    program.write_text(f'#!/bin/sh\n{python} -m sixdim "$@"\n')
    program.chmod(0o755)
    return program


def action(program: Path, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Runs the step of the action with the variables that the runner sets."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]
    (step,) = [one for one in steps if one.get("id") == "score"]
    environment = {
        **os.environ,
        **dict.fromkeys(step["env"], ""),
        **inputs,
        "SIXDIM": str(program),
        "OUT": str(folder / "out"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_OUTPUT": str(folder / "output"),
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
    )


def test_the_action_scores_gates_and_summarises(sixdim_program: Path, tmp_path: Path) -> None:
    done = action(
        sixdim_program,
        tmp_path,
        LOG=str(RUN),
        REQUIRE="speed>=4900\naccuracy>=75.9\n",
        AGAINST=str(RUN),
        TOLERANCE="1%\nspeed=3%",
        FLAGS="--window\n6:10",
    )
    assert done.returncode == 0, done.stderr
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["dimensions"]["accuracy"]["value"] == 77.36
    assert "all requirements met" in (tmp_path / "summary").read_text()
    assert (tmp_path / "out" / "gate.xml").exists()
    output = (tmp_path / "output").read_text()
    assert f"card={tmp_path}/out/card.json\n" in output
    assert "\nconverged\n" in output


def test_the_action_fails_with_the_gate_and_still_summarises(
    sixdim_program: Path, tmp_path: Path
) -> None:
    done = action(sixdim_program, tmp_path, LOG=str(RUN), REQUIRE="speed>=6000")
    assert done.returncode == 1
    assert "FAILED" in (tmp_path / "summary").read_text()


def test_what_the_action_is_given_is_never_run(sixdim_program: Path, tmp_path: Path) -> None:
    log = tmp_path / "--json=$(touch gotcha).log"
    log.write_bytes(RUN.read_bytes())
    done = action(
        sixdim_program, tmp_path, LOG=f"{log.name}\n{RUN}", TARGET="$(touch gotcha)", FLAGS="; id"
    )
    assert done.returncode == 2
    done = action(sixdim_program, tmp_path, LOG=f"{log.name}\n{RUN}")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "gotcha").exists()
    assert len(json.loads((tmp_path / "out" / "card.json").read_text())) == 2


def test_every_input_of_the_action_reaches_its_step() -> None:
    data = yaml.safe_load((ROOT / "action.yml").read_text())
    text = json.dumps(data["runs"])
    for name in data["inputs"]:
        assert f"inputs.{name}" in text
    for step in data["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_the_workflow_publishes_tags_alone_and_stores_no_token() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    publish = workflow["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert "ref_type == 'tag'" in publish["if"]
    assert "secrets." not in json.dumps(workflow)


def write_urls(folder: Path, repository: str) -> subprocess.CompletedProcess[str]:
    """Runs the step of the release that writes the addresses, over a copy of the two files."""
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    address = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": repository}
    return subprocess.run(
        [sys.executable, ROOT / ".ci" / "urls"],
        cwd=folder, env={**os.environ, **address}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_a_release_names_the_addresses_of_the_repository_that_builds_it(tmp_path: Path) -> None:
    assert write_urls(tmp_path, "acme/sixdim").returncode == 0
    base = "https://github.com/acme/sixdim"
    before = tomllib.loads((ROOT / "pyproject.toml").read_text())
    after = tomllib.loads((tmp_path / "pyproject.toml").read_text())
    assert after["project"].pop("urls") == {
        "Homepage": base,
        "Documentation": f"{base}/blob/HEAD/docs/index.md",
        "Changelog": f"{base}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{base}/issues",
    }
    assert after == before
    readme = (tmp_path / "README.md").read_text()
    assert f"]({base}/raw/HEAD/docs/screen.svg)" in readme
    links = re.findall(r"\]\((\S+?)\)", readme)
    assert len(links) > 5
    assert all(link.startswith("https://") for link in links)
    for path in re.findall(rf"{base}/(?:blob|raw)/HEAD/([^)#]+)", readme):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("repository", ["", "acme", 'acme/x"\n[tool]', "acme/six dim"])
def test_an_address_that_is_none_is_written_nowhere(repository: str, tmp_path: Path) -> None:
    assert "is no address of a repository" in write_urls(tmp_path, repository).stderr
    for name in ("pyproject.toml", "README.md"):
        assert (tmp_path / name).read_text() == (ROOT / name).read_text()


def test_the_release_writes_the_addresses_before_it_builds() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    (build,) = [
        step["run"]
        for step in workflow["jobs"]["build"]["steps"]
        if "python -m build" in step.get("run", "")
    ]
    assert build.index(".ci/urls") < build.index("python -m build")


@pytest.mark.parametrize("hook", yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()))
def test_a_hook_passes_a_known_log_and_fails_an_unknown_one(
    hook: dict[str, Any], sixdim: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    unknown = tmp_path / "prose.log"
    unknown.write_text("to be or not to be\n" * 50)
    program, *words = hook["entry"].split()
    assert program == "sixdim"
    assert sixdim(*words, RUN)[0] == 0
    assert sixdim(*words, unknown)[0] != 0


def epilog(
    program: Path, folder: Path, log: Path, **job: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs the epilog with stand-ins for the programs of a cluster's node."""
    for name, text in (
        ("scontrol", f'[ "$2" = hostnames ] && echo n1 || echo {shlex.quote(f"   StdOut={log}")}'),
        ("runuser", 'echo "$2" > "$ASKED"; shift 3; exec "$@"'),
    ):
        stand_in = program.parent / name
        stand_in.write_text(f"#!/bin/sh\n{text}\n")
        stand_in.chmod(0o755)
    environment = {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "ASKED": str(folder / "asked"),
        "SIXDIM": str(program),
        **{f"SLURM_{name}": value for name, value in job.items()},
    }
    return subprocess.run(
        [DEPLOY / "slurm-epilog.sh"], env=environment, capture_output=True, timeout=180
    )


def test_the_epilog_leaves_a_card_as_the_jobs_user(sixdim_program: Path, tmp_path: Path) -> None:
    log = tmp_path / "job $(id) 7.out"
    log.write_bytes(RUN.read_bytes())
    done = epilog(
        sixdim_program, tmp_path, log, JOB_ID="7", JOB_USER="alice", JOB_NODELIST="n[1-2]"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "asked").read_text() == "alice\n"
    card = json.loads((tmp_path / f"{log.name}.card.json").read_text())
    assert card["status"] == "converged"


@pytest.mark.parametrize(
    "job",
    [
        {},
        {"JOB_ID": "7"},
        {"JOB_ID": "7", "JOB_USER": "root"},
        {"JOB_ID": "7", "JOB_USER": "alice"},
    ],
)
def test_the_epilog_never_fails(job: dict[str, str], sixdim_program: Path, tmp_path: Path) -> None:
    done = epilog(sixdim_program, tmp_path, tmp_path / "none.out", **job)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.fixture
def webhook() -> Iterator[tuple[str, list[bytes]]]:
    """An address, and what was sent there."""
    received: list[bytes] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        received.append(handler.rfile.read(int(handler.headers["Content-Length"])))
        handler.send_response(200)
        handler.end_headers()

    with answering(answer) as address:
        yield f"http://{address}/hook", received


RECIPES = {
    name: text
    for text in blocks(ROOT / "docs" / "ci.md", "sh")
    for name in ("SLACK", "TEAMS")
    if f"{name}_WEBHOOK_URL" in text
}


@pytest.mark.parametrize("name", ["SLACK", pytest.param("TEAMS", marks=pytest.mark.slow)])
def test_a_recipe_sends_the_card_and_no_markup_of_the_log(
    name: str, webhook: tuple[str, list[bytes]], sixdim_program: Path, tmp_path: Path
) -> None:
    if not (shutil.which("jq") and shutil.which("curl")):
        pytest.skip("no jq or no curl on this machine")
    address, received = webhook
    log = tmp_path / '<!channel> "$(id)" & [x](http:evil).log'
    log.write_bytes(RUN.read_bytes())
    script = RECIPES[name].replace("train.log", shlex.quote(log.name))
    environment = {
        **os.environ,
        "PATH": f"{sixdim_program.parent}:{os.environ['PATH']}",
        f"{name}_WEBHOOK_URL": address,
    }
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    until(lambda: received, "a message")  # the recipe's command may outlast the watch
    (body,) = received
    message = json.loads(body)
    if name == "SLACK":
        said = message["text"]
        assert "<" not in said
        assert "&lt;!channel&gt;" in said
    else:
        (attachment,) = message["attachments"]
        (block,) = attachment["content"]["body"]
        assert block["type"] == "RichTextBlock"
        said = block["inlines"][0]["text"]
        assert "<!channel>" in said
    assert "speed 4938.9237984045" in said
    assert "accuracy 77.36" in said
