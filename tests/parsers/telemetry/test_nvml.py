"""The real pynvml code against a C library that plays GPUs and their failures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

HERE = Path(__file__).parent
COMPILER = shutil.which("cc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler (cc) to build the stub")

NOBODY = "no compute process listed: none runs, or only in another container"

PLAYER = """
import json, os, sys
from pathlib import Path
from sixdim.parsers.telemetry.journal_line import encode
from sixdim.parsers.telemetry.nvml import NvmlSource
from sixdim.parsers.telemetry.source import Unavailable

def play(name, scenes, log):
    state = Path(os.environ["NVML_STUB_STATE"])
    state.write_text(scenes[0])
    source = NvmlSource.open(name, log=Path(log) if log else None)
    if isinstance(source, Unavailable):
        return {"unavailable": source.reason}
    out = []
    for second, scene in enumerate(scenes):
        state.write_text(scene)
        out.append([json.loads(encode(r)) for r in source.read(second * 1_000_000)])
    source.close()
    source.close()
    return {"readings": out, "notes": source.notes}

for line in sys.stdin:
    environment, words = json.loads(line)
    child = os.fork()
    if not child:
        os.environ.clear()
        os.environ.update(environment)
        print(json.dumps(play(*words)), flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("null", flush=True)
"""


class Player:
    """An interpreter that finds the libraries of a folder, and forks for each play.

    Each play has a process of its own, as the code and the libraries keep state.
    """

    def __init__(self, libraries: Path, errors: Path) -> None:
        self.libraries = libraries
        self._errors = errors
        with errors.open("w") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-c", PLAYER],
                env={**os.environ, "LD_LIBRARY_PATH": str(libraries)},
                cwd=HERE.parent,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )

    def ask(self, environment: dict[str, str], *words: object) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps([environment, words]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        assert self._errors.read_text() == ""
        return json.loads(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate(timeout=180)


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    folder = tmp_path_factory.mktemp("nvml")
    for name in ("libnvidia-ml.so.1", "libixml.so"):
        source = HERE / "nvml_stub" / "nvml_stub.c"
        link = ["-shared", "-fPIC", f"-Wl,-soname,{name}"]
        subprocess.run([str(COMPILER), *link, "-o", str(folder / name), str(source)], check=True)
    with Player(folder, folder / "errors") as player:
        yield player


def play(
    libraries: Player,
    tmp_path: Path,
    *scenes: str,
    name: str = "nvml",
    visible: str | None = None,
    log: Path | str = "",
) -> dict[str, Any]:
    """What the source reads in one process while the stub plays the scenes, one a second."""
    environment = {k: v for k, v in os.environ.items() if k != "CUDA_VISIBLE_DEVICES"}
    environment |= {"NVML_STUB_STATE": str(tmp_path / "state")}
    if visible is not None:
        environment["CUDA_VISIBLE_DEVICES"] = visible
    result: dict[str, Any] = libraries.ask(environment, name, scenes, str(log))
    return result


def missing(reading: dict[str, Any]) -> dict[str, str]:
    return dict(reading.get("missing", []))


def test_two_gpus_in_the_units_a_card_uses(libraries: Player, tmp_path: Path) -> None:
    scene = "power.0=161250\npower.1=9\nenergy.0=1234567\nthrottle.0=37\nused.1=1048576\n"
    first, second = play(libraries, tmp_path, scene)["readings"][0]
    assert first == {
        "device": 0,
        "source": "nvml",
        "name": "Stub B100",
        "uuid": "GPU-00000000-aaaa",
        "time_us": 0,
        "power_w": 161.25,
        "power_limit_w": 250.0,
        "memory_mib": 512.0,
        "memory_total_mib": 32768.0,
        "utilisation": 98.0,
        "temperature_c": 61.0,
        "energy_j": 1234.567,
        "throttle": ["power cap", "thermal (software)"],
        "missing": [["process_mib", NOBODY]],
    }
    assert (second["power_w"], second["memory_mib"]) == (0.009, 1.0)


def test_one_refused_field_leaves_the_others(libraries: Player, tmp_path: Path) -> None:
    scene = "refuse.power.0=3\nrefuse.energy.0=4\nrefuse.temperature.1=999\nrefuse.throttle.1=3\n"
    first, second = play(libraries, tmp_path, scene)["readings"][0]
    assert missing(first) == {
        "power_w": "Not Supported",
        "energy_j": "Insufficient Permissions",
        "process_mib": NOBODY,
    }
    assert first["memory_mib"] == 512.0
    assert set(missing(second)) == {"temperature_c", "throttle", "process_mib"}
    assert second["power_w"] == 161.0


@pytest.mark.parametrize(
    ("milliwatts", "reason"),
    [(65535000, "65535 W"), (0, "0 W"), (4294967295, "absurd")],
)
def test_power_that_cannot_be_is_no_figure(
    libraries: Player, tmp_path: Path, milliwatts: int, reason: str
) -> None:
    reading = play(libraries, tmp_path, f"power.0={milliwatts}\n")["readings"][0][0]
    assert "power_w" not in reading
    assert reason in missing(reading)["power_w"]


def test_a_lost_gpu_is_shown_as_lost_and_comes_back(libraries: Player, tmp_path: Path) -> None:
    before, lost, still, back = play(
        libraries, tmp_path, "", "lost.0=1\n", "lost.0=1\n", "power.0=99000\n"
    )["readings"]
    assert before[0]["power_w"] == 161.0
    assert missing(lost[0])["power_w"] == "GPU is lost"
    assert missing(still[0])["power_w"] == "the device is lost"
    assert [reading["device"] for reading in still] == [0, 1]
    assert still[0]["name"] == "Stub B100"
    assert still[1]["power_w"] == 161.0
    assert back[0]["power_w"] == 99.0


def test_the_library_is_restarted_at_the_thirtieth_search_for_a_lost_gpu(
    libraries: Player, tmp_path: Path
) -> None:
    """A reading loses the GPU, 29 do not find it; the restart takes nothing from the other one."""
    played = play(libraries, tmp_path, "", *["begun.0=2\n"] * 31)["readings"]
    assert [lost.get("power_w") for lost, _ in played] == [161.0, *[None] * 30, 161.0]
    assert {other["power_w"] for _, other in played} == {161.0}


def test_a_gpu_lost_at_the_start_does_not_hide_the_other(libraries: Player, tmp_path: Path) -> None:
    first, later = play(libraries, tmp_path, "lost.0=1\n", "")["readings"]
    assert missing(first[0])["power_w"] == "the device is lost"
    assert first[1]["power_w"] == 161.0
    assert later[0]["power_w"] == 161.0


def test_memory_of_an_older_driver(libraries: Player, tmp_path: Path) -> None:
    reading = play(libraries, tmp_path, "memory_v2=0\n")["readings"][0][0]
    assert reading["memory_mib"] == 1024.0


def test_names_cannot_steer_a_terminal(libraries: Player, tmp_path: Path) -> None:
    broken, evil = play(libraries, tmp_path, "name.0=1\nname.1=2\n")["readings"][0]
    assert broken["name"] == "name in broken UTF-8"
    assert broken["power_w"] == 161.0
    assert evil["name"] == "evil [@click=app.quit]board"


@pytest.mark.parametrize(
    ("scene", "reason"),
    [
        ("init=9\n", "Driver Not Loaded"),
        ("init=18\n", "RM has detected an NVML/RM version mismatch."),
        ("init=4\n", "Insufficient Permissions"),
        ("count=0\n", "the driver sees no device"),
    ],
)
def test_why_there_is_no_source(libraries: Player, tmp_path: Path, scene: str, reason: str) -> None:
    assert play(libraries, tmp_path, scene) == {"unavailable": reason}


def test_a_missing_library_is_a_reason(tmp_path: Path) -> None:
    if subprocess.run(["sh", "-c", "ldconfig -p | grep -q libnvidia-ml"]).returncode == 0:
        pytest.skip("this machine has a real libnvidia-ml.so.1")
    with Player(tmp_path, tmp_path / "errors") as player:
        nvml = play(player, tmp_path, "")
        reason = play(player, tmp_path, "", name="ixml")["unavailable"]
    assert nvml == {"unavailable": "NVML Shared Library Not Found"}
    assert reason.startswith("libixml.so not found")


@pytest.mark.parametrize(
    ("visible", "devices"),
    [
        ("1", [1]),
        ("1,0", [1, 0]),
        ("GPU-00000001", [1]),
        ("0,-1,1", [0]),
        ("0,0", [0]),
    ],
)
def test_only_visible_devices_are_read(
    libraries: Player, tmp_path: Path, visible: str, devices: list[int]
) -> None:
    readings = play(libraries, tmp_path, "", visible=visible)["readings"][0]
    assert [reading["device"] for reading in readings] == devices


@pytest.mark.parametrize("visible", ["", "-1", "7", "GPU-0000000", "all", "none", "MIG-7-7"])
def test_all_devices_hidden(libraries: Player, tmp_path: Path, visible: str) -> None:
    played = play(libraries, tmp_path, "", visible=visible)
    assert played == {"unavailable": "CUDA_VISIBLE_DEVICES hides every device"}


@pytest.mark.parametrize(("visible", "reads"), [("GPU-", False), ("G", False), ("GPU-0", True)])
def test_an_identity_is_named_by_more_than_its_prefix(
    libraries: Player, tmp_path: Path, visible: str, reads: bool
) -> None:
    """As CUDA itself answers on a machine with one board."""
    played = play(libraries, tmp_path, "count=1\n", visible=visible)
    assert ("readings" in played) is reads


def test_cuda_ends_its_list_at_a_slice_that_was_never_there(
    libraries: Player, tmp_path: Path
) -> None:
    played = play(libraries, tmp_path, "mig.0=1\n", visible="MIG-0-1,MIG-7-7,MIG-1-1")
    assert [one["uuid"] for one in played["readings"][0]] == ["MIG-0-1"]


def test_all_is_a_word_of_iluvatar_alone(
    libraries: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ILUVATAR_COREX_VISIBLE_DEVICES", "all")
    assert len(play(libraries, tmp_path, "", name="ixml")["readings"][0]) == 2


def test_slices_of_one_board_share_its_power_once(libraries: Player, tmp_path: Path) -> None:
    played = play(libraries, tmp_path, "mig.0=1\n", visible="MIG-0-1,MIG-0-2,MIG-1-1")
    first, second, third = played["readings"][0]
    assert first["name"] == "Stub B100 (MIG slice: power is the board's)"
    assert (first["power_w"], third["power_w"]) == (161.0, 161.0)
    assert missing(second)["power_w"] == "the board's power stands at device 0"
    assert second["memory_mib"] == 128.0
    assert second["uuid"] == "MIG-0-2"


def test_libixml_in_watts_and_in_milliwatts(libraries: Player, tmp_path: Path) -> None:
    scene = "power.0=54\nlimit.0=250\npower.1=161000\nlimit.1=250000\n"
    played = play(libraries, tmp_path, scene, name="ixml")
    watts, milliwatts = played["readings"][0]
    assert (watts["source"], watts["power_w"], watts["power_limit_w"]) == ("ixml", 54.0, 250.0)
    assert (milliwatts["power_w"], milliwatts["power_limit_w"]) == (161.0, 250.0)
    assert missing(watts)["energy_j"] == "libixml does not say its unit of energy"
    assert played["notes"]


def test_libixml_says_watts_below_a_thousand(libraries: Player, tmp_path: Path) -> None:
    ((reading, _),) = play(libraries, tmp_path, "power.0=999\nlimit.0=1000\n", name="ixml")[
        "readings"
    ]
    assert (reading["power_w"], reading["power_limit_w"]) == (999.0, 1.0)


def test_libixml_serves_where_nvml_failed(libraries: Player, tmp_path: Path) -> None:
    state = tmp_path / "state"
    script = (
        "from pathlib import Path\n"
        "from sixdim.parsers.telemetry.nvml import NvmlSource\n"
        f"state = Path({str(state)!r})\n"
        "state.write_text('init=9\\n')\n"
        "print(NvmlSource.open('nvml').reason)\n"
        "state.write_text('power.0=54\\n')\n"
        "print(NvmlSource.open('ixml').read(0)[0].power_w)\n"
    )
    environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries.libraries)}
    environment["NVML_STUB_STATE"] = str(state)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.stdout == "Driver Not Loaded\n54.0\n", done.stderr


def test_processes_of_nobody_known_are_all_that_compute(libraries: Player, tmp_path: Path) -> None:
    scene = f"processes.0=2\nheld0.0={300 << 20}\nheld1.0={200 << 20}\n"
    first, second = play(libraries, tmp_path, scene)["readings"][0]
    assert (first["process_mib"], first["process_scope"]) == (500.0, "device")
    assert "process_mib" not in second
    assert missing(second) == {"process_mib": NOBODY}


def test_the_runs_own_processes_alone_count_once_one_is_found(
    libraries: Player, tmp_path: Path
) -> None:
    log = tmp_path / "train.log"
    with log.open("w"):
        scene = (
            f"processes.0=2\npid0.0=999999\npid1.0={os.getpid()}\nheld1.0={200 << 20}\n"
            "processes.1=1\npid0.1=999999\n"
        )
        played = play(libraries, tmp_path, "processes.0=1\n", scene, log=log)
    before, (first, second) = played["readings"]
    assert (before[0]["process_mib"], before[0]["process_scope"]) == (256.0, "device")
    assert (first["process_mib"], first["process_scope"]) == (200.0, "shared")
    assert missing(second) == {"process_mib": "no process of the run is on this device"}


def test_a_run_has_left_the_devices_only_if_all_of_them_say_so(
    libraries: Player, tmp_path: Path
) -> None:
    log = tmp_path / "train.log"
    trains = f"processes.0=1\npid0.0={os.getpid()}\n"
    refuses = "refuse.processes.0=999\nprocesses.1=1\npid0.1=999999\n"
    other = "processes.0=1\npid0.0=999999\n"
    with log.open("w"):
        played = play(libraries, tmp_path, trains, refuses, "", other, trains, log=log)
    _, (_, refused), (empty, _), (of_other, _), (back, _) = played["readings"]
    assert missing(refused) == {"process_mib": "no process of the run is on this device"}
    gone = {"process_mib": "no process of the run is on any device"}
    assert missing(empty) == missing(of_other) == gone
    assert back["process_scope"] == "run"


@pytest.mark.parametrize(
    ("scene", "reason"),
    [
        ("refuse.processes.0=3\n", "Not Supported"),
        ("refuse.processes.0=4\n", "Insufficient Permissions"),
        ("processes.0=2\nheld1.0=-1\n", "the driver does not report the memory of a process"),
        (f"processes.0=1\nheld0.0={1 << 60}\n", "absurd (1.09951e+12)"),
    ],
)
def test_why_processes_are_not_known(
    libraries: Player, tmp_path: Path, scene: str, reason: str
) -> None:
    reading = play(libraries, tmp_path, scene)["readings"][0][0]
    assert missing(reading) == {"process_mib": reason}
    assert "process_scope" not in reading
    assert (reading["power_w"], reading["memory_mib"]) == (161.0, 512.0)


def test_processes_by_a_driver_that_only_knows_the_older_call(
    libraries: Player, tmp_path: Path
) -> None:
    reading = play(libraries, tmp_path, "no_v3=1\nprocesses.0=1\n")["readings"][0][0]
    assert reading["process_mib"] == 256.0


def test_a_board_of_another_job_is_neither_read_nor_lost(libraries: Player, tmp_path: Path) -> None:
    """NVML counts boards that a job's cgroup forbids; CUDA counts the others only."""
    played = play(libraries, tmp_path, "count=3\nforbidden.0=1\npower.1=99000\n")["readings"][0]
    assert [(one["device"], one["power_w"]) for one in played] == [(1, 99.0), (2, 161.0)]
    first = play(libraries, tmp_path, "count=3\nforbidden.0=1\n", visible="0")["readings"][0]
    assert [one["device"] for one in first] == [1]
    none = play(libraries, tmp_path, "count=2\nforbidden.0=1\nforbidden.1=1\n")
    assert none == {"unavailable": "this process may use none of 2 devices"}


@pytest.mark.parametrize(
    ("visible", "order", "devices"),
    [
        ("0", None, [0, 1]),
        ("0", "FASTEST_FIRST", [0, 1]),
        ("0", "PCI_BUS_ID", [0]),
        ("GPU-00000001", None, [1]),
    ],
)
def test_an_index_of_different_boards_needs_the_order_of_the_bus(
    libraries: Player,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    visible: str,
    order: str | None,
    devices: list[int],
) -> None:
    monkeypatch.delenv("CUDA_DEVICE_ORDER", raising=False)
    if order is not None:
        monkeypatch.setenv("CUDA_DEVICE_ORDER", order)
    played = play(libraries, tmp_path, "name.0=3\n", visible=visible)
    assert [one["device"] for one in played["readings"][0]] == devices
    assert len(played["notes"]) == (len(devices) == 2)


@pytest.mark.parametrize(
    ("scene", "field", "reason"),
    [
        ("used.0=-1\n", "memory_mib", "absurd"),
        ("refuse.memory.0=3\n", "memory_mib", "Not Supported"),
        ("refuse.memory.0=3\n", "memory_total_mib", "Not Supported"),
        ("refuse.utilisation.0=3\n", "utilisation", "Not Supported"),
        ("refuse.limit.0=3\n", "power_limit_w", "Not Supported"),
        ("refuse.power.0=999\n", "power_w", "Unknown Error"),
        ("refuse.temperature.0=16\n", "temperature_c", ""),
    ],
)
def test_what_one_call_refuses_is_the_only_thing_that_lacks(
    libraries: Player, tmp_path: Path, scene: str, field: str, reason: str
) -> None:
    whole = play(libraries, tmp_path, "")["readings"][0][0]
    one = play(libraries, tmp_path, scene)["readings"][0][0]
    assert field not in one
    assert missing(one)[field].startswith(reason)
    same = set(whole) - {"missing", "memory_mib", "memory_total_mib", field}
    assert {name: one[name] for name in same} == {name: whole[name] for name in same}


def test_a_board_that_is_lost_between_two_calls_keeps_what_was_read(
    libraries: Player, tmp_path: Path
) -> None:
    reading, later = play(libraries, tmp_path, "refuse.energy.0=15\n", "")["readings"]
    assert reading[0]["power_w"] == 161.0
    assert missing(reading[0])["energy_j"] == "GPU is lost"
    assert (later[0]["power_w"], later[0]["energy_j"]) == (161.0, 5.0)
