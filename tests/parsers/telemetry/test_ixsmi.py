"""The ixsmi command, played by a script of that name."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from sixdim.parsers.telemetry import ixsmi
from sixdim.parsers.telemetry.choose import choose
from sixdim.parsers.telemetry.ixsmi import IxsmiSource
from sixdim.parsers.telemetry.source import Unavailable

XML = """\
<?xml version="1.0" ?>
<!DOCTYPE ixsmi_log SYSTEM "ixsmi_device.dtd">
<ixsmi_log>
<timestamp>Tue May 20 19:21:24 2025</timestamp>
<gpu id="0000:0C:00.0"><product_name>Iluvatar MR-V100</product_name><uuid>GPU-a</uuid>
<minor_number>0</minor_number><memory_usage><total>32768 MiB</total><used>27780 MiB</used>
</memory_usage><power_readings><gpu_power_draw>37 W</gpu_power_draw></power_readings></gpu>
<gpu id="0000:0F:00.0"><product_name>Iluvatar MR-V100</product_name><uuid>GPU-b</uuid>
<minor_number>1</minor_number><power_readings><gpu_power_draw>65535 W</gpu_power_draw>
</power_readings></gpu>
</ixsmi_log>
"""
CSV = "index, uuid, {power} [W], memory.used [MiB]\n0, GPU-a, 54 W, 513 MiB\n"
REFUSAL = 'Field "{}" is not a valid field to query.'


def script(folder: Path, body: str) -> dict[str, str]:
    """Puts an ixsmi there; gives an environment that finds it."""
    binaries = folder / "bin"
    binaries.mkdir(exist_ok=True)
    command = binaries / "ixsmi"
    command.write_text(f"#!/bin/sh\n{body}\n")
    command.chmod(0o755)
    return {"PATH": f"{binaries}:/usr/bin:/bin"}


def opened(environment: dict[str, str], deadline_s: float = 60.0) -> IxsmiSource:
    source = IxsmiSource.open(environment, folders=(), deadline_s=deadline_s)
    assert isinstance(source, IxsmiSource), source
    return source


def test_the_xml_is_asked_for_first(tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(XML)
    source = opened(script(tmp_path, f'test "$*" = "-q -x" && cat {tmp_path}/answer'))
    first, second = source.read(77)
    assert (first.device, first.power_w, first.memory_mib) == (0, 37, 27780)
    assert (first.time_us, first.source, first.uuid) == (77, "ixsmi", "GPU-a")
    assert second.power_w is None
    assert second.missing == (("power_w", "65535 W: the driver's mark of a lost card"),)


@pytest.mark.parametrize(
    ("knows", "other"), [("gpu.power.draw", "zz"), (",power.draw", "gpu.power.draw")]
)
def test_both_dialects_of_csv_serve_where_there_is_no_xml(
    tmp_path: Path, knows: str, other: str
) -> None:
    (tmp_path / "answer").write_text(CSV.format(power=knows.strip(",")))
    body = (
        f'case "$*" in *-x*) echo unknown option; exit 2;; *{other}*) echo '
        f"'{REFUSAL.format(other)}';; *{knows}*) cat {tmp_path}/answer;; esac"
    )
    (one,) = opened(script(tmp_path, body)).read(5)
    assert (one.power_w, one.memory_mib, one.time_us) == (54, 513, 5)


def test_libraries_lie_beside_the_command(tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(XML)
    home = tmp_path / "corex-4.4"
    home.mkdir()
    where = home.resolve()
    body = (
        f'case "$LD_LIBRARY_PATH" in {where}/lib64:{where}/lib*) cat {tmp_path}/answer;; '
        '*) echo "error while loading shared libraries: libixml.so"; exit 127;; esac'
    )
    script(home, body)
    source = IxsmiSource.open({"PATH": "/usr/bin:/bin"}, folders=(f"{tmp_path}/corex*/bin",))
    assert isinstance(source, IxsmiSource)
    assert source.read(0)[0].power_w == 37


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo no devices; exit 3", "ixsmi failed with 3: no devices"),
        ("echo no devices", "no devices"),
        ("echo no devices; echo see the manual", "no devices"),
        ("true", "it says nothing"),
        ("echo '<?xml version=\"1.0\" ?>'; echo '<ixsmi_log></ixsmi_log>'", "it lists no device"),
        ("printf '\\033]0;title\\007boom'; exit 1", "ixsmi failed with 1: boom"),
        ("sleep 60", "ixsmi did not answer within 0.3 s"),
        ("sleep 60 & sleep 60", "ixsmi did not answer within 0.3 s"),
        ("yes", "more than 8 MiB"),
    ],
)
def test_why_the_command_does_not_serve(tmp_path: Path, body: str, words: str) -> None:
    patience = 0.3 if "sleep" in body else 60.0
    found = IxsmiSource.open(script(tmp_path, body), folders=(), deadline_s=patience)
    assert isinstance(found, Unavailable)
    assert words in found.reason


def test_no_command_at_all(tmp_path: Path) -> None:
    found = IxsmiSource.open({"PATH": str(tmp_path)}, folders=())
    assert found == Unavailable("ixsmi", "no ixsmi command in PATH or /usr/local/corex*/bin")


@pytest.mark.slow
def test_a_command_that_hangs_in_mid_run_is_ended_and_said(tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(XML)
    flag, pid = tmp_path / "hang", tmp_path / "pid"
    body = f"if test -e {flag}; then echo $$ > {pid}; sleep 60; fi; cat {tmp_path}/answer"
    source = opened(script(tmp_path, body), deadline_s=4.0)
    source.read(0)
    flag.touch()
    first, second = source.read(9)
    assert (first.device, second.device, first.time_us, first.uuid) == (0, 1, 9, "GPU-a")
    assert dict(first.missing)["power_w"] == "ixsmi did not answer within 4 s"
    hung = int(pid.read_text())
    for _ in range(6000):
        try:
            os.kill(hung, 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    else:
        pytest.fail("the hanging command is still there")
    flag.unlink()
    assert source.read(10)[0].power_w == 37


def test_a_device_that_vanishes_is_said(tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_text(XML)
    source = opened(script(tmp_path, f"cat {answer}"))
    source.read(0)
    head, _, rest = XML.partition('<gpu id="0000:0C')
    answer.write_text(head + '<gpu id="0000:0F' + rest.partition('<gpu id="0000:0F')[2])
    there, lost = source.read(1)
    assert (there.device, lost.device) == (1, 0)
    assert dict(lost.missing)["power_w"] == "the device is lost"


def test_only_visible_devices(tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(XML)
    environment = script(tmp_path, f"cat {tmp_path}/answer")
    source = opened({**environment, "ILUVATAR_COREX_VISIBLE_DEVICES": "GPU-b"})
    assert [reading.device for reading in source.read(0)] == [1]


def test_the_chooser_opens_a_source_or_says_why_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ixsmi, "FOLDERS", ())
    (tmp_path / "answer").write_text(XML)
    found = choose("ixsmi", script(tmp_path, f"cat {tmp_path}/answer"))
    assert isinstance(found, IxsmiSource)
    nothing = choose("ixsmi", {"PATH": ""})
    assert isinstance(nothing, str)
    assert nothing.startswith("ixsmi: ")
    assert choose("none", {}) == "none: not asked for: --telemetry none"
    wrong = choose("train.csv", {})
    assert isinstance(wrong, str)
    assert wrong.startswith("recorded: ")
    assert "dcgm:http://" in wrong


TEXT = """\
Timestamp                                   : Mon Nov 22 10:00:00 2026
Attached GPUs                               : 2
GPU 00000000:C3:00.0
    Product Name                            : BI-V150
    GPU UUID                                : GPU-a
    Minor Number                            : 5
    Memory Usage
        Used                                : 1000 MiB
    Power Readings
        GPU Power Draw                      : 100 W
GPU 00000000:C7:00.0
    Minor Number                            : 6
    Power Readings
        GPU Power Draw                      : 65535 W
"""


def test_text_serves_where_that_is_all_it_answers(tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(TEXT)
    body = f'test "$*" = "-q" && cat {tmp_path}/answer || {{ echo unknown option; exit 2; }}'
    first, second = opened(script(tmp_path, body)).read(9)
    assert (first.device, first.power_w, first.memory_mib) == (5, 100, 1000)
    assert (first.time_us, first.source, first.uuid) == (9, "ixsmi", "GPU-a")
    assert (second.device, second.power_w) == (6, None)
