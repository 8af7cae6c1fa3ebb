"""`watch --telemetry FILE` while the file grows: the documented `ixsmi … > file`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
from sixdim.metrics.values.settings import Settings
from sixdim.tui.base.clock import Clock
from sixdim.tui.base.errors import UserError
from sixdim.tui.base.readings import Readings
from sixdim.tui.session.live.recordings_followed import FollowedRecordings
from sixdim.tui.session.session import Session
from tests.support.processes.live import SAMPLE, Live

Cli = Callable[..., tuple[int, str, str]]
POWER = sample_logs.path(sample_logs.POWER).read_text().splitlines(keepends=True)
MEMORY = sample_logs.path(sample_logs.MEMORY).read_text()


def _fast() -> float:
    return time.monotonic() * 100


@pytest.mark.parametrize("memory_first", [True, False])
def test_the_card_holds_what_the_files_hold_at_the_end(
    tmp_path: Path, sixdim: Cli, memory_first: bool
) -> None:
    log, power, memory = tmp_path / "train.log", tmp_path / "pw.txt", tmp_path / "mem.txt"
    log.write_bytes(SAMPLE)
    first = next(n for n, line in enumerate(POWER) if "W" in line)
    power.write_text("".join(POWER[: first + 1]))
    if memory_first:
        memory.write_text(MEMORY)
    flags = [f"power={power}", f"memory={memory}"]
    followed = FollowedRecordings(flags, _fast)
    clock = Clock()
    live = Live(log, followed, tmp_path / "live.json", clock)
    live.wait_for_bytes(len(SAMPLE))
    if not memory_first:
        assert (
            "waiting for mem.txt"
            in live.wait(
                lambda frame: "mem.txt" in frame.snapshot.telemetry_note
            ).snapshot.telemetry_note
        )
        memory.write_text(MEMORY)
    for line in POWER[first + 1 :]:
        with power.open("a") as file:
            file.write(line)
        time.sleep(0.01)
    with log.open("ab") as grown:
        grown.write(b"the end\n")
    shown = live.wait(lambda frame: frame.snapshot.bytes == len(SAMPLE) + 8)
    assert [reading.device for reading in shown.snapshot.readings] == [0]
    card = live.card()
    words = ("score", log, "--telemetry", flags[0], "--telemetry", flags[1], "--json", "-")
    code, out, err = sixdim(*words)
    assert code == 0, err
    assert card == out
    assert json.loads(card)["dimensions"]["power"]["readings"] == 5


def test_a_file_that_is_no_recording_is_said_at_once(tmp_path: Path) -> None:
    odd = tmp_path / "odd.txt"
    odd.write_text("nothing of the kind\n")
    with pytest.raises(UserError, match=r"odd\.txt"):
        FollowedRecordings([str(odd)], time.monotonic)


def test_the_answer_of_a_server_replaces_the_message_that_it_did_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers: list[UserError | Telemetry] = [UserError("--telemetry prometheus: no answer")]
    answers.append(Telemetry())

    def ask(readings: Readings, run: object) -> Telemetry:
        answer = answers.pop(0)
        if isinstance(answer, UserError):
            raise answer
        return answer

    monkeypatch.setattr(Readings, "telemetry", ask)
    followed = FollowedRecordings(["prometheus:http://127.0.0.1:9?job=x"], _fast)
    session = Session("train.log", Settings(), ())
    followed.collect(session)
    assert session.telemetry_note == "--telemetry prometheus: no answer"
    session.ended = True  # something has changed, so the server is asked again
    followed.finish(session)
    followed.collect(session)
    assert session.telemetry_note == "prometheus" and not answers
