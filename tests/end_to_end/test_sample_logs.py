"""The samples hold what their README says, read here with plain `re` and no parser of ours."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import pytest

from sixdim import sample_logs
from sixdim.sample_logs import generate

COMPLETE = (sample_logs.RUN, *sample_logs.REPEATS)
LOGS = tuple(name for name in sample_logs.NAMES if name.endswith(".log"))

FLOAT = r"\d+\.\d+(?:e-\d+)?"
PAIR = r"(?:\d+\.\d{4}|nan) \((?:\d+\.\d{4}|nan)\)"
TAIL = rf"loss: {PAIR}  acc1: {PAIR}  acc5: {PAIR}  time: \d+\.\d{{4}}  data: \d+\.\d{{4}}"
SHAPES = tuple(
    re.compile(shape)
    for shape in (
        r"\| distributed init \(rank \d\): env://|Not using distributed mode",
        r"Namespace\(acc_thresh=75\.9, .*, world_size=\d\)",
        r"Loading data|Creating data loaders|Creating model resnet50|Start training",
        r"read 1281167 files from 1000 directories",
        rf"Epoch: \[\d+\]  \[ *\d+/\d+\]  eta: \d+:\d\d:\d\d  lr: {FLOAT}  img/s: {FLOAT}  {TAIL}",
        r"Epoch: \[\d+\] Total time: \d:\d\d:\d\d",
        r"Data loading of epoch \d+: 0:00:\d\d\.\d{6}",
        rf"Epoch: \[\d+\] Avg img/s: {FLOAT}",
        rf"Test:  \[ *\d+/\d+\]  eta: \d+:\d\d:\d\d  {TAIL}",
        r"Test: Total time: \d:\d\d:\d\d",
        r" \* Acc@1 \d+\.\d{3} Acc@5 \d+\.\d{3}",
        r"Epoch time \d:\d\d:\d\d",
        r"The accuracy has been exceeded 75\.9,and the training is terminated at epoch \d+",
        r"Training time \d:\d\d:\d\d",
        r"Loss is nan, stopping training",
    )
)


def read(name: str) -> str:
    return sample_logs.path(name).read_text(encoding="ascii")


def seconds(text: str) -> int:
    hours, minutes, rest = text.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + int(rest)


def epoch_seconds(text: str) -> list[int]:
    return [seconds(found) for found in re.findall(r"^Epoch time (.+)$", text, re.M)]


def averages(text: str) -> dict[int, str]:
    found = re.findall(r"^Epoch: \[(\d+)\] Avg img/s: (.+)$", text, re.M)
    return {int(label): value for label, value in found}


def accuracies(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^ \* Acc@1 (\S+) Acc@5 (\S+)$", text, re.M)


def block(text: str, label: int) -> str:
    """What is printed after epoch `label`'s iterations, without the first evaluation line."""
    start = text.index(f"Epoch: [{label}] Total time")
    end = text.index("\n", text.index("Epoch time", start))
    return re.sub(r"Test:  \[.*\n", "", text[start:end])


@pytest.mark.slow
def test_committed_files_are_what_the_generator_writes(tmp_path: Path) -> None:
    assert generate.main([str(tmp_path / "new" / "folder")]) == 0
    written = {file.name: file.read_bytes() for file in (tmp_path / "new" / "folder").iterdir()}
    assert written == {name: sample_logs.path(name).read_bytes() for name in sample_logs.NAMES}


def test_no_sample_lies_there_that_the_generator_does_not_know() -> None:
    folder = sample_logs.path(sample_logs.RUN).parent
    assert {file.name for file in (*folder.glob("*.log"), *folder.glob("*.txt"))} == set(
        sample_logs.NAMES
    )


def test_the_folder_stays_small_enough_to_commit() -> None:
    sizes = [sample_logs.path(name).stat().st_size for name in sample_logs.NAMES]
    assert sizes[0] < 600_000
    assert sum(sizes) < 1_500_000


@pytest.mark.parametrize("name", LOGS)
def test_every_whole_line_has_a_shape_of_the_script(name: str) -> None:
    lines = read(name).split("\n")[:-1]
    strange = [line for line in lines if not any(shape.fullmatch(line) for shape in SHAPES)]
    assert lines
    assert strange == []


@pytest.mark.parametrize("name", LOGS)
def test_only_the_diverged_run_prints_nan(name: str) -> None:
    assert ("nan" in read(name)) == (name == sample_logs.DIVERGED)


def test_the_run_has_65_epochs_in_order_with_their_iterations() -> None:
    text = read(sample_logs.RUN)
    printed = re.findall(r"^Epoch: \[(\d+)\]  \[ *(\d+)/334\]", text, re.M)
    assert [(int(epoch), int(step)) for epoch, step in printed] == [
        (epoch, step) for epoch in range(65) for step in range(0, 334, 10)
    ]
    assert list(averages(text)) == list(range(65))


def test_the_run_carries_the_worked_throughputs_digit_for_digit() -> None:
    printed = averages(read(sample_logs.RUN))
    assert {epoch: printed[epoch] for epoch in (0, 6, 7, 8, 9, 10, 63, 64)} == {
        0: "5060.21643823427",
        6: "4910.795658460139",
        7: "4980.222383258538",
        8: "5032.905842259754",
        9: "4925.753353494863",
        10: "4845.4628560647725",
        63: "4928.513448918747",
        64: "4812.667878767461",
    }


@pytest.mark.parametrize(
    ("label", "train", "data", "test", "acc1", "acc5", "whole"),
    [
        (0, "0:04:38", "0.759193", "04", "0.112", "1.040", "0:04:43"),
        (6, "0:04:38", "0.797741", "03", "13.360", "30.960", "0:04:43"),
        (7, "0:04:36", "0.770986", "03", "24.928", "49.712", "0:04:41"),
        (8, "0:04:31", "0.756521", "03", "23.536", "47.024", "0:04:35"),
        (9, "0:04:39", "0.761111", "03", "28.480", "59.568", "0:04:44"),
        (10, "0:04:42", "0.776602", "03", "33.520", "61.264", "0:04:47"),
        (63, "0:04:36", "0.688607", "03", "69.104", "89.088", "0:04:40"),
        (64, "0:04:47", "0.674387", "03", "77.360", "93.120", "0:04:52"),
    ],
)
def test_the_run_closes_the_worked_epochs_as_published(
    label: int, train: str, data: str, test: str, acc1: str, acc5: str, whole: str
) -> None:
    text = read(sample_logs.RUN)
    assert block(text, label).split("\n") == [
        f"Epoch: [{label}] Total time: {train}",
        f"Data loading of epoch {label}: 0:00:0{data}",
        f"Epoch: [{label}] Avg img/s: {averages(text)[label]}",
        f"Test: Total time: 0:00:{test}",
        f" * Acc@1 {acc1} Acc@5 {acc5}",
        f"Epoch time {whole}",
    ]


def test_the_run_adds_up_to_the_worked_times() -> None:
    text = read(sample_logs.RUN)
    assert sum(epoch_seconds(text)) == 18330
    assert text.endswith(
        "Epoch time 0:04:52\n"
        "The accuracy has been exceeded 75.9,and the training is terminated at epoch 64\n"
        "Training time 5:06:03\n"
    )
    assert seconds("5:06:03") == 18363


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_run_passes_its_threshold_in_the_last_epoch_only(name: str) -> None:
    text = read(name)
    *before, last = [float(acc1) for acc1, _ in accuracies(text)]
    assert max(before) < 75.9 < last
    assert f"terminated at epoch {len(before)}\nTraining time" in text
    total = re.fullmatch(r"Training time (.+)", text.splitlines()[-1])
    assert total is not None
    assert 0 < seconds(total[1]) - sum(epoch_seconds(text)) < len(before) + 1


@pytest.mark.parametrize("name", COMPLETE)
def test_accuracy_learns_and_jumps_where_the_learning_rate_drops(name: str) -> None:
    text = read(name)
    acc1 = [float(first) for first, _ in accuracies(text)]
    assert all(float(first) < float(fifth) for first, fifth in accuracies(text))
    assert max(acc1[:5]) < min(acc1[11:32]) < max(acc1[11:32]) < min(acc1[32:])
    rates = dict(re.findall(r"^Epoch: \[(\d+)\]  .*  lr: (\S+)", text, re.M))
    assert [float(rates[str(label)]) for label in (31, 32, 64)] == pytest.approx(
        [0.128, 0.0128, 0.00128], rel=1e-12
    )


def test_the_five_runs_converge_to_the_worked_accuracies() -> None:
    assert [accuracies(read(name))[-1][0] for name in COMPLETE] == [
        "77.360",
        "76.816",
        "77.116",
        "76.960",
        "77.010",
    ]
    assert len({read(name) for name in COMPLETE}) == 5


@pytest.mark.parametrize(
    ("name", "steps", "batch", "devices", "average"),
    [
        (sample_logs.SCALED, 534, 300, 8, "2575.527288024902"),
        (sample_logs.BASELINE, 4576, 280, 1, "335.40682470945455"),
    ],
)
def test_the_fp32_runs_stop_after_one_epoch(
    name: str, steps: int, batch: int, devices: int, average: str
) -> None:
    text = read(name)
    assert averages(text) == {0: average}
    assert set(re.findall(r"^Epoch: \[0\]  \[ *\d+/(\d+)\]", text, re.M)) == {str(steps)}
    assert (steps - 1) * batch * devices < 1281167 <= steps * batch * devices
    assert f"amp=False, batch_size={batch}," in text
    assert f"world_size={devices})" in text
    assert ("Not using distributed mode" in text) == (devices == 1)
    assert text.count("| distributed init (rank ") == (devices if devices > 1 else 0)
    assert re.fullmatch(r"Epoch time \d:\d\d:\d\d", text.splitlines()[-1])
    assert text.endswith("\n")


@pytest.mark.parametrize("name", LOGS)
def test_the_speed_of_iterations_agrees_with_clock_and_average(name: str) -> None:
    text = read(name)
    header = re.search(r"batch_size=(\d+).*world_size=(\d+)", text)
    assert header is not None
    batch = int(header[1]) * int(header[2])
    for label, average in averages(text).items():
        shown = re.search(rf"^Epoch: \[{label}\] Total time: (.+)$", text, re.M)
        assert shown is not None
        # The script's average leaves the waiting out, so it lies above what the clock gives.
        steps = -(-1281167 // batch)
        assert 1.04 < float(average) * (seconds(shown[1]) + 1) / (steps * batch) < 1.11
    rates = [float(rate) for rate in re.findall(r"\[ *[1-9]\d*/.*img/s: (\S+)  ", text)]
    centre = statistics.fmean(float(average) for average in averages(text).values())
    assert all(0.5 * centre < rate < 1.25 * centre for rate in rates)
    assert len(set(rates)) == len(rates)


def test_the_power_recording_holds_the_worked_readings() -> None:
    prompt, *lines = read(sample_logs.POWER).splitlines()
    assert prompt == "$ ixsmi -q -i 0 -l | grep -E 'Power Draw'"
    readings = [re.fullmatch(r" {8}Power Draw {30}: (\d+) W", line) for line in lines]
    assert [found and found[1] for found in readings] == ["161", "169", "161", "174", "163"]


def test_the_memory_recording_holds_the_worked_readings() -> None:
    prompt, *lines = read(sample_logs.MEMORY).splitlines()
    assert prompt == "$ ixsmi -q -i 0 -l | grep Used.[^G]"
    readings = [re.fullmatch(r" {3}Used {36}: (\d+)  MiB", line) for line in lines]
    assert [found and found[1] for found in readings] == [
        "30671",
        "30670",
        "30671",
        "30671",
        "30670",
    ]


def test_the_diverged_run_stops_in_epoch_3_on_nan() -> None:
    lines = read(sample_logs.DIVERGED).splitlines()
    assert lines[-1] == "Loss is nan, stopping training"
    first = next(line for line in lines if "nan" in line)
    assert first.startswith("Epoch: [3]  [190/334]")
    assert "loss: nan (nan)" in first
    assert list(averages("\n".join(lines))) == [0, 1, 2]


def test_the_cut_run_breaks_off_inside_a_number_of_epoch_12() -> None:
    text = read(sample_logs.CUT)
    assert list(averages(text)) == list(range(12))
    assert re.search(r"\nEpoch: \[12\]  \[150/334\]  eta: \S+  lr: 0\.128  img/s: \d\d\Z", text)


def test_an_unknown_sample_is_named_with_those_there_are() -> None:
    with pytest.raises(FileNotFoundError, match=r"'\.\./pyproject\.toml'.*resnet50_amp_8card\.log"):
        sample_logs.path("../pyproject.toml")
