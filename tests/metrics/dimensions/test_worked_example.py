"""DeepSpark's worked example, digit for digit, from logs and not from lists.

Every expected figure here is the published one, or its exact value computed by hand from
the published epochs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim import sample_logs

Card = dict[str, Any]


@pytest.fixture
def card(sample_card: Callable[..., Card]) -> Card:
    path = sample_logs.path
    return sample_card(
        path(sample_logs.RUN),
        "--scaled",
        path(sample_logs.SCALED),
        "--baseline",
        path(sample_logs.BASELINE),
        "--devices",
        8,
        "--baseline-devices",
        1,
        "--telemetry",
        f"power={path(sample_logs.POWER)}",
        "--telemetry",
        f"memory={path(sample_logs.MEMORY)}",
        "--repeat",
        *(path(name) for name in sample_logs.REPEATS),
    )


def test_speed_is_the_trimmed_mean_of_the_labelled_epochs(card: Card) -> None:
    speed = card["dimensions"]["speed"]
    assert speed["value"] == 4938.923798404513
    assert speed["window"] == [6, 7, 8, 9, 10]
    assert speed["dropped"] == [8, 10]
    assert speed["state"] == "final"
    assert (speed["unit"], card["run"]["scope"]) == ("img/s", "job")


def test_the_examples_own_arithmetic_stands_beside_it(
    card: Card, card_of: Callable[..., Card]
) -> None:
    assert round(card["dimensions"]["speed"]["example_arithmetic"], 2) == 4938.33
    example = card_of(sample_logs.path(sample_logs.RUN), "--protocol", "deepspark-example")
    assert round(example["dimensions"]["speed"]["value"], 2) == 4938.33


def test_accuracy_is_the_terminating_evaluation(card: Card) -> None:
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["unit"], accuracy["epoch"]) == (77.36, "%", 64)
    assert card["status"] == "converged"
    assert card["target"]["condition"] == "acc1>75.9"
    assert card["target"]["source"] == "log"
    assert card["target"]["time_to_train_s"] == 18330.0
    assert card["target"]["clock"] == "summed epoch durations"


def test_linearity_rests_on_the_two_fp32_logs_and_says_they_are_short(card: Card) -> None:
    linearity = card["dimensions"]["linearity"]
    assert linearity["value"] == 0.9598519984856999
    assert linearity["state"] == "short"
    assert linearity["scaled"]["speed"] == 2575.527288024902
    assert linearity["baseline"]["speed"] == 335.40682470945455


def test_power_and_memory_are_the_means_of_their_recordings(card: Card) -> None:
    power, memory = card["dimensions"]["power"], card["dimensions"]["memory"]
    assert (power["value"], power["unit"], power["readings"]) == (165.6, "W", 5)
    assert (memory["value"], memory["unit"], memory["readings"]) == (30670.6, "MiB", 5)
    assert power["devices"] == memory["devices"] == [0]
    assert power["coverage"] is None


def test_stability_of_the_five_runs(card: Card) -> None:
    stability = card["dimensions"]["stability"]
    assert (stability["value"], stability["runs"], stability["base"]) == (1.0, 5, 77.01)
    # The example prints them cut to four decimals: 0.0045, -0.0025, 0.0013, -0.0006.
    deviations = list(stability["deviations"].values())
    assert [int(d * 10_000) for d in deviations] == [45, -25, 13, -6, 0]


def test_end_to_end_counts_the_epochs_there_are(card: Card) -> None:
    assert card["end_to_end"]["value"] == 4534.980939933562
    assert card["end_to_end"]["epochs"] == 65
    assert round(card["end_to_end"]["example_count"], 1) == 4465.2
    assert card["run_end"]["run_time_s"] == 18363.0
    assert card["run_end"]["clock"] == "printed total"


def test_every_figure_names_the_lines_it_rests_on(card: Card) -> None:
    lines = sample_logs.path(sample_logs.RUN).read_text().split("\n")
    speed = [lines[n - 1] for n in card["evidence"]["speed"]["lines"]]
    assert speed == [
        "Epoch: [6] Avg img/s: 4910.795658460139",
        "Epoch: [7] Avg img/s: 4980.222383258538",
        "Epoch: [8] Avg img/s: 5032.905842259754",
        "Epoch: [9] Avg img/s: 4925.753353494863",
        "Epoch: [10] Avg img/s: 4845.4628560647725",
    ]
    (accuracy,) = card["evidence"]["accuracy"]["lines"]
    assert lines[accuracy - 1].strip().startswith("* Acc@1 77.360")
    (total,) = card["evidence"]["end_to_end"]["lines"]
    assert lines[total - 1] == "Training time 5:06:03"


def test_the_card_names_exactly_the_bytes_it_was_made_from(card: Card) -> None:
    content = sample_logs.path(sample_logs.RUN).read_bytes()
    assert card["provenance"]["sha256"] == hashlib.sha256(content).hexdigest()
    assert card["provenance"]["bytes"] == len(content)
    assert card["provenance"]["log"] == sample_logs.RUN


def test_cards_compose_like_logs(
    card_of: Callable[..., Card], sixdim: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    base = tmp_path / "base.json"
    assert sixdim("score", sample_logs.path(sample_logs.BASELINE), "--json", base)[0] == 0
    path = sample_logs.path
    by_card = card_of(path(sample_logs.SCALED), "--baseline", base, "--devices", 8)
    by_log = card_of(path(sample_logs.SCALED), "--baseline", path(sample_logs.BASELINE))
    assert by_card["dimensions"]["linearity"]["value"] == 0.9598519984856999
    assert by_log["dimensions"]["linearity"]["value"] == 0.9598519984856999


@pytest.mark.parametrize(("devices", "known"), [(7, True), (8, False), (9, False)])
def test_a_baseline_has_fewer_devices(
    card_of: Callable[..., Card], devices: int, known: bool
) -> None:
    path = sample_logs.path
    flags = ("--baseline", path(sample_logs.BASELINE), "--baseline-devices", devices)
    linearity = card_of(path(sample_logs.SCALED), *flags)["dimensions"]["linearity"]
    assert (linearity["value"] is not None) == known
    assert known or linearity["reason"] == (
        f"{sample_logs.BASELINE} has {devices} devices, {sample_logs.SCALED} has 8: "
        "the baseline needs fewer"
    )


def test_a_card_of_a_rate_scaled_to_the_job_is_not_scaled_again(
    card_of: Callable[..., Card], sixdim: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """paddle-tipc multiplies the rate of a device, which the log prints, by the devices."""
    for devices, rate in ((1, 400.0), (8, 380.0)):
        lines = [
            f"[2023/07/28 06:42:{10 + step}] ppcls INFO: epoch:0   train step:{step}   lr: 0.1, "
            f"loss:  8.3496 top1:  0.0 batch_cost: 0.64841 s, reader_cost: 0.00067 s, "
            f"ips: {rate} samples/sec."
            for step in range(40)
        ]
        log = tmp_path / f"{devices}.log"
        log.write_text("\n".join(lines) + "\n")
        words = ("--protocol", "paddle-tipc", "--devices", devices)
        assert sixdim("score", log, *words, "--json", tmp_path / f"{devices}.json")[0] == 0
    base, scaled = tmp_path / "1.json", tmp_path / "8.json"
    card = card_of(tmp_path / "8.log", "--scaled", scaled, "--baseline", base)
    assert card["dimensions"]["linearity"]["value"] == pytest.approx(380.0 / 400.0, rel=1e-12)


def test_one_log_five_times_is_not_five_runs(card_of: Callable[..., Card], tmp_path: Path) -> None:
    run = sample_logs.path(sample_logs.RUN)
    copy = tmp_path / "copy.log"
    copy.write_bytes(run.read_bytes())
    others = [sample_logs.path(name) for name in sample_logs.REPEATS]
    assert "identical_runs" not in [
        w["kind"] for w in card_of(run, "--repeat", *others)["warnings"]
    ]
    card = card_of(run, "--repeat", copy, *others[:3])
    (said,) = card["warnings"]
    assert said["kind"] == "identical_runs"
    assert said["text"].endswith(f"one run: {sample_logs.RUN}, copy.log")
    stability = card["dimensions"]["stability"]
    assert (stability["value"], stability["runs"]) == (None, 4)
    assert stability["not_counted"] == ["copy.log"]
    whole = card_of(run, "--repeat", copy, *others)["dimensions"]["stability"]
    assert (whole["value"], whole["runs"]) == (1.0, 5)


def test_repeated_runs_whose_logs_have_the_same_name_are_named_by_their_paths(
    card_of: Callable[..., Card], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(sample_logs.REPEATS, 2):
        Path(f"run{number}").mkdir()
        Path(f"run{number}/train.log").write_bytes(sample_logs.path(name).read_bytes())
    logs = [f"run{number}/train.log" for number in (2, 3, 4, 5)]
    stability = card_of(sample_logs.path(sample_logs.RUN), "--repeat", *logs)
    assert [*stability["dimensions"]["stability"]["deviations"]] == [sample_logs.RUN, *logs]
