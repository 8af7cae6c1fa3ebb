"""Files that only look like recordings: each is read, or refused in a sentence, and soon."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.telemetry.journal_line import decode, encode
from sixdim.parsers.telemetry.recorded import BadRecordingError, read_recording
from tests.support.telemetry import recorded

LAUGHS = '<!DOCTYPE ixsmi_log [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'<?xml version="1.0"?>\n{LAUGHS}<ixsmi_log><gpu id="&b;"/></ixsmi_log>', "own markup"),
        (
            '<?xml version="1.0"?>\n<!DOCTYPE ixsmi_log [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n'
            '<ixsmi_log><gpu id="1"><uuid>&x;</uuid></gpu></ixsmi_log>',
            "own markup",
        ),
        ("<ixsmi_log>" + "<a>" * 40, "nested deeper"),
        ("<ixsmi_log><gpu></wrong></ixsmi_log>", "mismatched tag"),
        ("<ixsmi_log>\n" + ("<a>" + "x" * 200_000 + "</a>\n") * 90, "larger than 16 MiB"),
    ],
)
def test_hostile_xml_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "evil.xml"
    path.write_text(text)
    with pytest.raises(BadRecordingError) as caught:
        read_recording(path)
    assert words in str(caught.value)


SHREDS = st.sampled_from(
    [
        "GPU 00000000:83:00.0",
        "    Power Draw : 161 W",
        "Timestamp : Fri Jul  3 22:10:45 2026",
        "index, power.draw [W]",
        "0, 54 W",
        "gpu_uuid, pid, used_memory [MiB]",
        "GPU-a, 7, 54 MiB",
        "    Processes",
        "        Process ID : 7",
        "            Used GPU Memory : 61 MiB",
        "<processes><process_info><type>C</type><used_memory>x</used_memory></process_info>",
        "0, 54 W, 5 MiB, 7 MiB",
        "# gpu   pwr  sm",
        "# Idx W %",
        "    0   77    1",
        "| NVIDIA-SMI 495.44   x   |",
        "|   0  Tesla   On   | 0:16:00.0 Off |  0 |",
        "| N/A   30C    P0    42W / 300W |  0MiB / 32510MiB |  0%  Default |",
        '<?xml version="1.0"?>',
        "<ixsmi_log>",
        '<gpu id="1">',
        "</gpu>",
        "</ixsmi_log>",
        "<uuid>x",
        '{"card0": {"GPU use (%)": "1"}}',
        '{"card0":',
        "| npu-smi 1 |",
        "NpuID(Idx) ChipId(Idx) Pwr(W)",
        "0 1 -",
        "1 0 7.5",
        "| 4  910A | OK | NA 43 0 / 9 |",
        "| 0  0 | 0:81 | 0 8 / 2 |",
        "\tNPU ID : 2944",
        "\tPower Dissipation(W) : 42.9",
        "GPU#0  MXN260  0000:0f:00.0",
        "    Memory",
        "        vram used : 1 KB",
        "DEV ID 0",
        "26C 50W 513MiB 32768MiB 0%",
        "#Entity POWER",
        "GPU 0 70.5",
        "GPUId,TimeStampUs,Field,Values",
        "0,1718783836956328,power_usage,71.20",
        "[0] A30 | 45°C,  97 %,  151 / 165 W | 20480 / 24576 MB |",
        "GPU  Temp   AvgPwr  SCLK  Fan  PwrCap  VRAM%  GPU%",
        "0    61.0c  480.0W  0Mhz  0%   560.0W   62%   99%",
        "GPU[0] : GPU use (%): 98",
        "device,GPU use (%)",
        "card0,98",
        "GPU  POWER  VRAM_USAGE",
        "  0  702 W  0.3/192.0 GB",
        "GPU: 0",
        "    POWER:",
        "        SOCKET_POWER: 702 W",
        "² ٣ ½",
        "RAM 2/3MB (lfb 2x4MB) GR3D_FREQ 9% POM_5V_GPU 7/5",
        "| CNMON v5 x |",
        'DCGM_FI_DEV_POWER_USAGE{gpu="0"} 1',
        '{"data": {"resultType": "matrix", "result": [{"metric": {"__name__": "a"}}, 7]}}',
        '{"query_time": "x", "gpus": [{"index": 0, "power.draw": 1}, 7]}',
        "N/A",
        "9" * 22,
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        "# gpu pwr\n² 77\n",
        "GPUId,TimeStampUs,Field,Values\n²,1718783836956328,power_usage,71.20\n",
        "GPUId,TimeStampUs,Field,Values\n0,²,power_usage,71.20\n",
        "| NVIDIA-SMI 495.44 x |\n| ² Tesla | 0:16:00.0 | 0 |\n| 4W / 9W | 0 / 1 | 0 |\n",
        "GPU  POWER\n  ²  199 W\n",
        "TIMESTAMP  GPU  POWER\n1767323045  N/A  199 W\n",
    ],
)
def test_a_digit_that_is_no_number_is_no_index(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadRecordingError, match="holds no reading"):
        recorded(tmp_path, text)


@pytest.mark.slow
@given(st.lists(SHREDS | st.text(max_size=20), max_size=12).map("\n".join))
@settings(max_examples=300, deadline=None)
def test_any_mixture_is_a_recording_or_a_sentence(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            recording = recorded(Path(folder), text)
        except BadRecordingError as refused:
            assert str(refused).isprintable()
            return
    for reading in recording.readings:
        assert decode(encode(reading).decode()) == reading


@pytest.mark.parametrize(
    "line",
    [
        "a: " * 60_000,
        " " * 200_000 + "x",
        "0, " * 60_000,
        "# gpu " + "a " * 90_000,
        "|" + " " * 200_000 + "| NVIDIA-SMI",
        "| NVIDIA-SMI 1" + " " * 200_000,
        "GPU#0 " + "x " * 90_000,
        "[" * 200_000,
        "Timestamp : " + "1" * 200_000,
        "#Entity " + "A " * 90_000,
        "NPU ID" + " " * 200_000,
        "[0] " + "a " * 90_000 + "|",
        "[0] a | 45°C," + " 1 %," * 40_000,
        "GPU " + "a " * 90_000 + "PwrCap VRAM% GPU",
        "GPU[0] : " + "a " * 90_000,
        "device," + "a," * 90_000,
        "RAM 1/2MB (lfx " + " VDD_GPU" * 30_000,
        "DCGM_FI_DEV_POWER_USAGE{" + 'gpu="0",' * 30_000,
        "GPU POWER " + "A " * 90_000,
        "NpuID(Idx) " + "A " * 90_000,
    ],
    ids=lambda line: line[:12],
)
def test_long_lines_do_not_make_the_patterns_run_wild(tmp_path: Path, line: str) -> None:
    with pytest.raises(BadRecordingError):
        recorded(tmp_path, line + "\n" + line)


def test_a_long_line_of_tegrastats_is_read_in_one_pass(tmp_path: Path) -> None:
    (one,) = recorded(tmp_path, "RAM 1/2MB (lfb " + " VDD_GPU" * 30_000 + " VDD_GPU 7/7").readings
    assert one.power_w == 0.007
