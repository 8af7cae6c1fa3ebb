"""What published tables get wrong becomes a warning with its lines, and corrects nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixdim.metrics.card.scorecard import score
from sixdim.metrics.dimensions.telemetry.telemetry_figures import Telemetry
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import EpochEnd, Iteration, Origin, Scope
from tests.support.inputs.checked_logs import HEAD, iteration, line, mllog, mlperf
from tests.support.inputs.dlperf_logs import ngc_pytorch
from tests.support.inputs.generated import read

Cards = Callable[..., dict[str, Any]]


@pytest.fixture
def warned(tmp_path: Path, card_of: Cards) -> Callable[..., dict[str, dict[str, Any]]]:
    """Warnings of a card by their kind, for the lines of a log."""

    def call(*lines: str, flags: tuple[str, ...] = ()) -> dict[str, dict[str, Any]]:
        path = tmp_path / "train.log"
        path.write_text("\n".join(lines) + "\n")
        return {w["kind"]: w for w in card_of(path, *flags)["warnings"]}

    return call


Warned = Callable[..., dict[str, dict[str, Any]]]
STEADY = [iteration(i, i, 256.0) for i in range(1, 40)]


def test_a_sound_log_gives_no_warning(warned: Warned) -> None:
    head = f"{HEAD}world_size : 1  batch_size : 256"
    closing = line(41, "Summary: train.total_ips : 256.0 images/s")
    assert warned(head, *STEADY, closing) == {}


def test_throughput_times_time_is_the_global_batch(warned: Warned) -> None:
    # The label says 16 devices; 4096 images an iteration are those of 32.
    head = f"{HEAD}world_size : 16  batch_size : 128"
    lines = [iteration(i * 0.4, i, 10240.0) for i in range(1, 40)]
    found = warned(head, *lines)["batch_disagrees"]
    assert "gives 4096 samples an iteration, and the batch of the job is 2048" in found["text"]
    assert found["lines"] == [2, 40]
    right = f"{HEAD}world_size : 32  batch_size : 128"
    assert [*warned(right, *lines)] == ["incomplete"]


@pytest.mark.parametrize(("lines", "warns"), [(10, False), (11, True)])
def test_eight_pairs_of_lines_are_needed_to_contradict_a_batch(
    warned: Warned, lines: int, warns: bool
) -> None:
    # Ten pairs of 11 lines, without those that end on a whole second, which may be a rounded clock.
    head = f"{HEAD}world_size : 16  batch_size : 128"
    found = warned(head, *(iteration(i * 0.4, i, 10240.0) for i in range(1, lines + 1)))
    assert ("batch_disagrees" in found) == warns


@pytest.mark.parametrize(("samples", "warns"), [(2048 * 1.09, False), (2048 * 1.11, True)])
def test_less_than_a_tenth_does_not_contradict_a_batch(
    warned: Warned, samples: float, warns: bool
) -> None:
    head = f"{HEAD}world_size : 16  batch_size : 128"
    found = warned(head, *(iteration(i * 0.4, i, samples / 0.4) for i in range(1, 40)))
    assert ("batch_disagrees" in found) == warns


@pytest.mark.parametrize(("samples", "warns"), [(1.09, False), (1.11, True)])
def test_steps_that_count_samples_contradict_no_batch(
    warned: Warned, samples: float, warns: bool
) -> None:
    head = f"{HEAD}world_size : 16  batch_size : 128"
    found = warned(head, *(iteration(i * 0.4, i, samples / 0.4) for i in range(1, 40)))
    assert ("batch_disagrees" in found) == warns


def test_a_rate_that_may_be_one_devices_contradicts_no_batch(warned: Warned) -> None:
    # torchvision's own scripts print the rate of one process, DeepSpark's that of all.
    head = "2020-07-09 23:23:01,000\tINFO\tx.y\tNamespace(batch_size=256, world_size=8, amp=True)"
    lines = [
        f"2020-07-09 23:23:{i:02},500\tINFO\tx.y\tEpoch: [0]  [{i:3}/334]  eta: 0:00:01  lr: 0.1  "
        f"img/s: 256.0  loss: 1.0 (1.0)  time: 1.0  data: 0.0"
        for i in range(10, 50)
    ]
    assert "batch_disagrees" not in warned(head, *lines)


@pytest.mark.parametrize(("rate", "warns"), [(250.0, False), (500.0, True)])
def test_the_rates_of_lines_contradict_the_batch_of_whom_they_are(rate: float, warns: bool) -> None:
    """Lines print the rate of a device of eight, and ends of epochs that of the job.

    A device with a batch of 100 trains 250 samples a second, at 0.4 s an iteration.
    """
    settings = Settings(given={"devices": 8, "batch_per_device": 100})
    fold = LogFold(settings)
    for n in range(1, 40):
        at = Origin(n, 100 * n, 1_600_000_000_000_001 + 400_000 * n)
        fold.apply(Iteration(at, 1, n, None, rate, "img/s", Scope.DEVICE))
    fold.apply(EpochEnd(Origin(40, 4000), 1, 8 * rate, "img/s", Scope.JOB))
    assert fold.runs[0].scope is Scope.JOB
    provenance = {"log": "train.log", "sha256": "", "bytes": 1, "ended": False}
    card = score(fold, fold.runs[0], settings, Telemetry(), None, provenance)
    texts = [one.text for one in card.warnings if one.kind == "batch_disagrees"]
    assert [text.partition(":")[0] for text in texts] == warns * [
        "throughput x time between lines gives 200 samples an iteration, and the batch of a "
        "device is 100"
    ]


def test_a_closing_figure_that_no_line_comes_near(warned: Warned) -> None:
    closing = line(41, "Summary: train.total_ips : 776.0 images/s")
    found = warned(*STEADY, closing)["summary_disagrees"]
    assert found["lines"][0] == 40
    assert "train.total_ips is 776, and its progress lines say 256 to 256" in found["text"]


def test_samples_of_an_epoch_that_the_closing_throughput_contradicts(warned: Warned) -> None:
    closing = ', "status": "success", "throughput": "625.6423"'
    assert "rates_disagree" not in warned(*mlperf(60_000, closing))
    found = warned(*mlperf(20_000, closing))["rates_disagree"]
    assert found["text"].startswith(
        "samples / printed duration gives 202.02 samples/s, and the closing line of the log 625.642"
    )
    assert found["lines"] == [29]


def test_a_target_that_is_met_after_the_run_is_over(warned: Warned) -> None:
    lines = mlperf(60_000, ', "status": "success"')
    assert "clocks_disagree" not in warned(*lines)
    lines[-2] = mllog(9_300_000, "eval_accuracy", "0.76", ', "epoch_num": 11')
    found = warned(*lines)["clocks_disagree"]
    assert found["text"] == "the target is met after 9300 s of a run of 1200 s: two clocks?"
    assert found["lines"] == [28, 29]


def test_a_run_that_calls_itself_aborted(warned: Warned) -> None:
    assert "run_status" not in warned(*mlperf(60_000, ', "status": "success"'))
    found = warned(*mlperf(60_000, ', "status": "aborted"'))["run_status"]
    assert "says that the run was aborted" in found["text"]
    assert found["lines"] == [29]


def test_a_clock_that_jumps_back(warned: Warned) -> None:
    again = [iteration(i - 500, i, 256.0) for i in range(40, 50)]
    found = warned(*[iteration(i + 600, i, 256.0) for i in range(1, 40)], *again)
    assert found["clock_back"]["lines"] == [40]
    assert "1099 s" in found["clock_back"]["text"]


def test_a_time_written_by_hand(warned: Warned) -> None:
    # The time of AI-Rank's documentation, 2019, in front of a training of 2021.
    found = warned("AI-Rank-log 1558631910.424 test_begin", *STEADY)["clock_leap"]
    assert found["lines"] == [2]
    assert "leaps ahead by 593 days" in found["text"]


def test_steps_that_come_again_are_a_resume(warned: Warned) -> None:
    again = [iteration(40 + i, 10 + i, 256.0) for i in range(20)]
    found = warned(*STEADY, *again)["steps_again"]
    assert found["lines"] == [42]
    assert "comes again after 39" in found["text"]


def test_evaluations_after_the_claimed_moment(warned: Warned) -> None:
    # AI-Rank's own example: the accuracy comes at 5.0 s, the claim says 3.03 s.
    found = warned(
        "- AI-Rank-log 1558631910.424 load_data, checksum:aaaa",
        "- AI-Rank-log 1558631910.424 test_begin",
        "- AI-Rank-log 1558631912.424 eval_accuracy:0.16, total_epoch_cnt:1",
        "- AI-Rank-log 1558631915.424 eval_accuracy:0.76, total_epoch_cnt:2",
        "- AI-Rank-log 1558631913.454 target_quality_time:3.03sec",
        "- AI-Rank-log 1558631922.454 test_finish",
    )
    assert found["late_evaluation"]["lines"] == [4]


def test_ranks_of_one_epoch_are_no_resume(tmp_path: Path, card_of: Cards) -> None:
    from tests.support.inputs.dlperf_logs import mindspore

    path = tmp_path / "1n4g" / "rn50_b128_fp32_1.log"
    mindspore(path, 1400.0, 1, 4, 128)
    assert [w["kind"] for w in card_of(path)["warnings"]] == ["incomplete"]


@pytest.mark.parametrize(
    "broken",
    [
        "train.total_ips : inf images/s",
        "train.total_ips : nan images/s",
        "train.total_ips : None images/s",
        "train.total_ips : 1,234.5 images/s",
        "train.total_ips : 127.0.0.1 images/s",
        "train.total_ips : 25",
    ],
)
def test_a_broken_rate_never_enters_the_figure(tmp_path: Path, card_of: Cards, broken: str) -> None:
    path = tmp_path / "train.log"
    bad = line(20.5, f"Epoch: 0 Iteration: 400  train.loss : 7.0 None {broken}")
    path.write_text("\n".join([*STEADY[:20], bad, *STEADY[20:]]) + "\n")
    card = card_of(path, "--protocol", "custom", "--metric", "train.total_ips", "--trim", "1")
    assert card["dimensions"]["speed"]["value"] == 256.0


def test_a_report_that_mislabels_its_devices(tmp_path: Path, card_of: Cards) -> None:
    path = tmp_path / "2n8g" / "r50_b128_fp32_1.log"
    ngc_pytorch(path, 10240.0, 4, 8, 128)  # made on 32 devices, filed under 16
    kinds = [w["kind"] for w in card_of(path, "--protocol", "dlperf-ngc-pytorch")["warnings"]]
    assert kinds == ["incomplete", "batch_disagrees"]


def _bars(*passes: range) -> list[str]:
    drawn = "loss=0.25:  50%|████  | {}/40 [00:01<00:01, 20.00it/s]"
    return [drawn.format(step) for steps in passes for step in steps]


def test_bars_that_begin_again_after_a_full_one_are_the_next_pass(warned: Warned) -> None:
    whole = range(0, 41, 2)
    assert warned(*_bars(whole, whole, whole)).keys() <= {"incomplete"}
    broken_off = warned(*_bars(whole, range(0, 31, 2), whole))
    assert broken_off.keys() >= {"steps_again"}
    assert "resume" not in broken_off  # no epoch has a name that could come again


def _loop(epoch: int, steps: range, rate: float) -> list[str]:
    return [f"epoch {epoch} step {s}/40 loss 0.5 {rate} samples/s" for s in steps]


@pytest.mark.parametrize("between", [[], ["Killed"], ["Traceback (most recent call last):"]])
def test_an_epoch_that_was_stopped_and_resumed_is_only_the_later_part(
    tmp_path: Path, card_of: Cards, between: list[str]
) -> None:
    whole = range(10, 50, 10)
    first = [line for epoch in range(7) for line in _loop(epoch, whole, 100.0)]
    second = [line for epoch in range(7, 12) for line in _loop(epoch, whole, 200.0)]
    path = tmp_path / "train.log"
    path.write_text(
        "\n".join([*first, *_loop(7, range(10, 30, 10), 50.0), *between, *second]) + "\n"
    )
    card = card_of(path)
    # Epochs 6 to 10: 100, 200, 200, 200, 200; without the lowest and the highest.
    assert card["dimensions"]["speed"]["value"] == pytest.approx(200.0)
    kinds = {warning["kind"] for warning in card["warnings"]}
    assert "resume" in kinds
    assert "steps_again" not in kinds


def test_steps_that_come_again_in_each_epoch_are_of_ranks_that_mix(
    tmp_path: Path, card_of: Cards
) -> None:
    lines = [
        line
        for epoch in range(11)
        for steps in (range(10, 30, 10), range(10, 30, 10), range(30, 50, 10), range(30, 50, 10))
        for line in _loop(epoch, steps, 100.0)
    ]
    path = tmp_path / "train.log"
    path.write_text("\n".join(lines) + "\n")
    card = card_of(path)
    assert card["run"]["epochs"] == 11
    assert "resume" not in {warning["kind"] for warning in card["warnings"]}


def test_a_line_that_only_names_its_epoch_stands_for_no_iteration(
    tmp_path: Path, card_of: Cards
) -> None:
    """Steps count through all epochs; the lines of an epoch stand for ten iterations each."""
    lines = [
        line
        for epoch in range(1, 12)
        for line in (
            f"EPOCH {epoch}",
            *(
                f"Epoch {epoch}, Step: {30 * epoch + step}, Loss: 0.5, Tokens per Sec: {rate}"
                for step, rate in ((10, 2400), (20, 1200), (30, 800))
            ),
            f"Epoch {epoch}, total training loss: 421.40",
        )
    ]
    path = tmp_path / "train.log"
    path.write_text("\n".join(lines) + "\n")
    speed = card_of(path)["dimensions"]["speed"]
    assert speed["value"] == pytest.approx(3 / (1 / 2400 + 1 / 1200 + 1 / 800))


@pytest.mark.parametrize("size", [1, 40, 1000])
def test_a_resumed_epoch_is_the_same_in_pieces_of_any_size(size: int) -> None:
    whole = range(10, 50, 10)
    parts = [(epoch, whole, 100.0) for epoch in range(7)]
    parts += [(7, range(10, 30, 10), 50.0), *((epoch, whole, 200.0) for epoch in range(7, 12))]
    lines = "".join(f"{line}\n" for part in parts for line in _loop(*part)).encode()
    speed = read(lines, tuple(range(size, len(lines), size))).card().dimensions["speed"]
    assert speed.value == pytest.approx(200.0)
