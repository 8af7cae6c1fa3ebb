"""The life of a run: freeze, resume, several runs in a file, what may still enter."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixdim.metrics.dimensions.speed.speed import speed
from sixdim.metrics.fold.runs.facts import Facts
from sixdim.metrics.fold.runs.log_fold import MOST_RUNS, LogFold
from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.metrics.values.convergence import TargetError, parse_target
from sixdim.metrics.values.exact import ExactSum
from sixdim.metrics.values.protocol import DEEPSPARK, Records, reduce_window
from sixdim.metrics.values.settings import DEFAULT, Settings
from sixdim.parsers.events import EndOfInput, Iteration, Origin, RunInfo, RunStart, Scope
from sixdim.parsers.input.source import LogFile
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.inputs.torchvision_log import epoch, kinds, read
from tests.support.logs import scored

ORIGIN = Origin(1, 0, None, None, None, 0)
REACHED = "The accuracy has been exceeded 75.9,and the training is terminated at epoch {}\n"


def test_the_freeze_is_the_evaluation_that_meets_the_target() -> None:
    log = "".join(epoch(i, 100.0 + i, 70.0 + i) for i in range(12))
    card = read(log, target=parse_target("acc1>=75", "--target"))
    assert card["status"] == "converged"
    assert card["target"]["epoch"] == 5
    assert card["dimensions"]["accuracy"]["value"] == 75.0
    assert card["dimensions"]["accuracy"]["best"] == 75.0
    # Frozen before the window began: what there was, marked.
    assert card["dimensions"]["speed"]["state"] == "short"
    assert card["dimensions"]["speed"]["window"] == [0, 1, 2, 3, 4, 5]
    # The log goes on: that is a block of its own.
    assert card["run"]["epochs"] == 6
    assert (card["run_end"]["epochs"], card["run_end"]["best"]) == (12, 81.0)


def test_a_strict_target_is_not_met_by_equality() -> None:
    log = epoch(0, 100, 75.9)
    assert read(log, target=parse_target("acc1>75.9", "--target"))["status"] == "incomplete"
    assert read(log, target=parse_target("acc1>=75.9", "--target"))["status"] == "converged"
    assert read(log, target=parse_target("acc1=75.9", "--target"))["status"] == "converged"


def test_conditions_must_hold_in_one_evaluation() -> None:
    log = epoch(0, 100, 80)
    target = parse_target("acc1>75,acc5>=99.5", "--target")
    assert read(log, target=target)["status"] == "incomplete"
    assert read(log, target=parse_target("Acc@1>75,top5>=99", "--target"))["status"] == "converged"


def test_the_threshold_line_of_a_log_freezes_at_the_evaluation_before_it() -> None:
    log = epoch(0, 100, 70) + epoch(1, 100, 76) + REACHED.format(1) + "Training time 0:02:10\n"
    card = read(log)
    assert (card["status"], card["target"]["condition"]) == ("converged", "acc1>75.9")
    assert card["target"]["epoch"] == 1


def test_a_claim_without_an_evaluation_is_a_warning() -> None:
    card = read(epoch(0, 100, 70) + REACHED.format(0))
    assert card["status"] == "incomplete"
    assert "claim" in kinds(card)


def test_frozen_figures_never_move() -> None:
    log = "".join(epoch(i, 100.0 + i, 70.0 if i < 11 else 76.0) for i in range(12))
    target = parse_target("acc1>75.9", "--target")
    before = read(log, target=target)["dimensions"]
    later = log + epoch(12, 999.0, 99.0) + epoch(6, 1.0, 1.0) + epoch(7, 1.0, 1.0)
    assert read(later, target=target)["dimensions"] == before


def test_a_repeated_label_without_a_header_is_a_resume_and_the_later_one_counts() -> None:
    log = "".join(epoch(i, 100.0, 10.0) for i in range(9)) + "".join(
        epoch(i, 200.0, 20.0) for i in range(7, 11)
    )
    card = read(log)
    assert card["run"]["epochs"] == 11
    assert card["dimensions"]["speed"]["window"] == [6, 7, 8, 9, 10]
    # 100 and one 200 dropped; the other three are the resumed ones.
    assert card["dimensions"]["speed"]["value"] == 200.0
    assert "resume" in kinds(card)


def test_a_new_header_with_epochs_that_restart_is_a_new_run() -> None:
    one = "Start training\n" + "".join(epoch(i, 100.0, 10.0) for i in range(3))
    two = "Start training\n" + "".join(epoch(i, 300.0, 30.0) for i in range(2))
    last = read(one + two)
    assert (last["run"]["epochs"], last["dimensions"]["speed"]["value"]) == (2, 300.0)
    assert "several_runs" in kinds(last)
    first = read(one + two, run=1)
    assert (first["run"]["epochs"], first["dimensions"]["speed"]["value"]) == (3, 100.0)


def test_a_new_header_with_epochs_that_go_on_is_a_resume() -> None:
    log = "Start training\n" + epoch(0, 100.0, 10.0) + "Start training\n" + epoch(1, 100.0, 11.0)
    card = read(log)
    assert card["run"]["epochs"] == 2
    assert "resume" in kinds(card)


@pytest.mark.parametrize(("label", "several"), [(4, False), (5, True)])
def test_a_resume_misses_no_more_epochs_than_were_read(label: int, several: bool) -> None:
    """After epochs 0 and 1: 2 and 3 may be missing between the parts of one training."""
    first = epoch(0, 100.0, 10.0) + epoch(1, 100.0, 11.0)
    card = read(f"Start training\n{first}Start training\n{epoch(label, 100.0, 12.0)}")
    assert ("several_runs" in kinds(card), "resume" in kinds(card)) == (several, not several)


@pytest.mark.parametrize(("begins", "several"), [(100, False), (110, True)])
def test_a_resume_misses_no_more_steps_than_were_read(begins: int, several: bool) -> None:
    head = "2024-03-01 10:00:00 [INFO]\t[TRAIN] epoch: 1, iter: "
    tail = ", loss: 0.5, lr: 0.01, batch_cost: 0.5, reader_cost: 0.1, ips: 8.0 samples/sec\n"
    header = "------------Environment Information-------------\n"
    first = "".join(f"{head}{step}/1000{tail}" for step in (10, 20, 30, 40, 50))
    second = "".join(f"{head}{begins + step}/1000{tail}" for step in (0, 10, 20))
    card = read(header + first + header + second)
    assert ("several_runs" in kinds(card), "resume" in kinds(card)) == (several, not several)


def test_an_unfinished_epoch_is_not_counted() -> None:
    log = "".join(epoch(i, 100.0, 10.0) for i in range(10)) + epoch(10, 900.0, 1.0)[:150]
    card = read(log)
    assert card["run"]["epochs"] == 10
    assert card["dimensions"]["speed"]["window"] == [6, 7, 8, 9]


def test_a_log_without_printed_throughput_derives_one_and_says_how() -> None:
    lines = "".join(
        f"Epoch: [{label}]  [{step:3}/334]  eta: 0:00:01  lr: 0.1  img/s: {100 + step}  "
        f"loss: 1.0 (1.0)  time: 0.5\n"
        for label in range(3)
        for step in (0, 10, 20)
    )
    speed = read(lines)["dimensions"]["speed"]
    assert speed["derived"] == "work / time of the progress lines, weighted by iterations"
    # 1 iteration of 50 samples, 10 of 55 and 10 of 60, each of half a second.
    assert speed["value"] == (50 + 550 + 600) / (21 * 0.5)
    # With the samples of an epoch and its duration, the quotient of both.
    timed = "read 10000 files from 10 directories\n" + "".join(
        f"{part}\nEpoch: [{label}] Total time: 0:01:20\n"
        for label, part in enumerate("\n".join(lines.splitlines()[i : i + 3]) for i in (0, 3, 6))
    )
    speed = read(timed)["dimensions"]["speed"]
    assert speed["derived"] == "samples / printed duration"
    assert speed["value"] == 125.0


def progress(label: int, rates: tuple[float, ...], time: str = "0.5") -> str:
    """Progress lines of one epoch, as torchvision's own scripts print them: no `Avg img/s`."""
    return "".join(
        f"Epoch: [{label}]  [{step:3}/334]  eta: 0:00:01  lr: 0.1  img/s: {rate}  "
        f"loss: 1.0 (1.0)  time: {time}  data: 0.0\n"
        for step, rate in enumerate(rates)
    )


def test_whose_rate_a_progress_line_prints_is_stated_by_no_line_of_torchvisions_own() -> None:
    speed = read("".join(progress(label, (100.0, 120.0)) for label in range(12)))
    assert speed["run"]["scope"] == "unknown"
    assert speed["dimensions"]["speed"]["scope"] == "unknown"
    # DeepSpark's scripts print the rate of all devices, and the line that only they have says so,
    # also for the progress lines of the next epoch.
    deepspark = read("".join(epoch(i, 100.0, 10.0) for i in range(12)) + progress(12, (99.0,)))
    assert deepspark["run"]["scope"] == "job"
    assert deepspark["dimensions"]["speed"]["scope"] == "job"


def test_the_iteration_time_is_that_of_the_epochs_that_count() -> None:
    times = {6: "9.0", 7: "0.5", 8: "0.5", 9: "0.5", 10: "0.1"}
    log = "".join(
        progress(label, (100.0, 100.0), times.get(label, "1.0")).replace("img/s: 100.0  ", "")
        for label in range(12)
    )
    speed = read(log)["dimensions"]["speed"]
    assert speed["dropped"] == [6, 10]
    assert (speed["value"], speed["iteration_s"]) == (2.0, 0.5)


def test_only_printed_throughputs_have_the_examples_arithmetic() -> None:
    printed = read("".join(epoch(i, 100.5, 10.0) for i in range(12)))
    assert printed["dimensions"]["speed"]["example_arithmetic"] == 100.0
    derived = read("".join(progress(label, (100.5, 100.5)) for label in range(12)))
    assert derived["dimensions"]["speed"]["state"] == "final"
    assert "example_arithmetic" not in derived["dimensions"]["speed"]


def test_an_excerpt_is_no_run() -> None:
    files = "read 1000 files from 10 directories\n"
    parts = [epoch(i, 100.0, 70.0 if i < 9 else 80.0) for i in range(10)]
    end = "Training time 0:10:00\n"
    whole = read(files + "".join(parts) + end, target=parse_target("acc1>75.9", "--target"))
    assert whole["target"]["time_to_train_s"] == 600.0
    assert whole["end_to_end"]["value"] == 1000 * 10 / 600
    excerpt = read(
        files + parts[0] + "...\n" + "".join(parts[6:]) + end,
        target=parse_target("acc1>75.9", "--target"),
    )
    assert excerpt["target"]["time_to_train_s"] is None
    assert excerpt["end_to_end"]["value"] is None
    assert excerpt["end_to_end"]["reason"] == "the log holds 5 of the epochs 0 to 9"
    # What the log prints itself stays.
    assert excerpt["run_end"]["run_time_s"] == 600.0


def test_a_total_time_without_epochs_is_not_said_to_be_missing() -> None:
    card = read("read 1000 files from 10 directories\nTraining time 0:10:00\n" + " \n")
    assert card["run_end"]["run_time_s"] == 600.0
    assert card["end_to_end"]["reason"] == "the log names no completed epoch"


def test_a_log_that_states_its_rate_once_says_how_to_take_it() -> None:
    records = [("[0, 1]", '{"step_loss": 11.25}'), ("[0, 2]", '{"step_loss": 10.5}')]
    records.append(("[]", '{"training_sequences_per_second": 128.25}'))
    log = "".join(
        f'DLLL {{"timestamp": "{1587450974 + i}.25", "datetime": "2020-04-21 06:36:{14 + i}.25", '
        f'"elapsedtime": "{i}.25", "type": "LOG", "step": {step}, "data": {data}}}\n'
        for i, (step, data) in enumerate(records)
    )
    reason = read(log)["dimensions"]["speed"]["reason"]
    assert reason.endswith("--records summary --metric training_sequences_per_second")
    rule = PROTOCOLS["custom"]._replace(
        records=Records.SUMMARY, metric="training_sequences_per_second"
    )
    assert read(log, protocol=rule)["dimensions"]["speed"]["value"] == 128.25


def test_the_end_of_a_run_is_judged_by_one_model() -> None:
    log = "".join(
        epoch(i, 100.0, 70.0 + i) + f"Test: EMA Acc@1 {80.0 - i:.3f} Acc@5 95.000\n"
        for i in range(3)
    )
    card = read(log)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (72.0, 72.0)
    assert (card["run_end"]["last"], card["run_end"]["best"]) == (72.0, 72.0)
    assert accuracy["other_models"]["averaged"]["best"] == 80.0


def test_a_broken_number_is_a_warning_with_its_line() -> None:
    card = read(epoch(0, 100, 70) + "Epoch: [1] Avg img/s: 49a0.7\n")
    (warning,) = [w for w in card["warnings"] if w["kind"] == "broken_number"]
    assert warning["lines"] == [6]
    assert "49a0.7" in warning["text"]


def test_a_target_in_the_other_unit_is_a_warning() -> None:
    card = read(epoch(0, 100, 70), target=parse_target("acc1>=0.759", "--target"))
    assert "target_unit" in kinds(card)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([5.0], 5.0),
        ([1.0, 3.0], 2.0),  # fewer than three: the plain mean
        ([1.0, 2.0, 6.0], 2.0),
        ([4.0, 4.0, 4.0, 4.0], 4.0),
    ],
)
def test_trimming_needs_three_values(values: list[float], expected: float) -> None:
    reduced = reduce_window(values, DEEPSPARK)
    assert reduced is not None
    assert reduced.value == expected


def test_targets_are_read_as_written() -> None:
    assert str(parse_target("box>=37.7,mask>=33.9", "x")) == "box>=37.7,mask>=33.9"
    assert parse_target("wer<=3.72", "x").conditions[0].minimise
    for bad in ("", "acc1", "acc1>", ">5", "acc1>x", "acc1>nan", "acc1>>5"):
        with pytest.raises(TargetError):
            parse_target(bad, "x")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), max_size=50))
def test_sums_are_correctly_rounded_in_any_order(values: list[float]) -> None:
    forward, backward = ExactSum(), ExactSum()
    for value in values:
        forward.add(value)
    for value in reversed(values):
        backward.add(value)
    try:
        expected = math.fsum(values)
    except OverflowError:  # fsum gives up on intermediate overflow; ours does not
        assert forward.sum() == backward.sum()
        return
    assert forward.sum() == backward.sum() == expected


def test_joined_pieces_of_a_rotated_log_are_one_run(
    sixdim: Any, card_of: Any, tmp_path: Path
) -> None:
    whole = "".join(epoch(i, 100.0 + i, 10.0) for i in range(12)).encode()
    (tmp_path / "t.log").write_bytes(whole)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "t.log.1").write_bytes(whole[:1000])
    (tmp_path / "old" / "t.log").write_bytes(whole[1000:])
    joined = card_of(tmp_path / "old" / "t.log.1", tmp_path / "old" / "t.log", "--join")
    assert joined == card_of(tmp_path / "t.log")


@pytest.mark.parametrize("size", [32, 33, 4096])
@pytest.mark.parametrize(
    ("first", "second", "between"),
    [
        (b"2026-01-05 config a\nEpoch 3 lo", b"2026-01-06 config a\nEpoch 0 loss 1\n", b"\n"),
        (b"2026-01-05 config a\nEpoch 3 loss 1\n", b"2026-01-06 config a\nEpoch 0", b""),
        (b"2026-01-05 config a\nEpoch 3 lo", b"ss 0.5\nEpoch 4 loss 0.25\n", b""),
        (b"10,0.5\n20,0.", b"25,0.5\n30,0.5\n", b""),
    ],
)
def test_the_first_line_of_a_run_that_was_started_again_is_no_end_of_the_last_one(
    tmp_path: Path, first: bytes, second: bytes, between: bytes, size: int
) -> None:
    (tmp_path / "a.log").write_bytes(first)
    (tmp_path / "b.log").write_bytes(second)
    log = LogFile(str(tmp_path / "a.log"), str(tmp_path / "b.log"))
    assert b"".join(iter(lambda: log.read(size), b"")) == first + between + second


HEADER = "Namespace(model='resnet50', batch_size=256, epochs=4, world_size=8)\nStart training\n"
TEST_ONLY = "Test: Total time: 0:00:09\n * Acc@1 11.000 Acc@5 22.000\nTraining time 0:00:10\n"


def test_an_evaluation_alone_after_the_training_is_another_program() -> None:
    trained = HEADER + "".join(epoch(e, 100, 70 + e) for e in range(4)) + "Training time 0:04:00\n"
    alone, both = read(trained), read(trained + HEADER + TEST_ONLY)
    assert both["dimensions"]["accuracy"] == alone["dimensions"]["accuracy"]
    assert both["run_end"]["run_time_s"] == alone["run_end"]["run_time_s"] == 240
    assert set(kinds(both)) == {*kinds(alone), "not_training"}


def test_an_evaluation_alone_in_front_of_a_training_is_another_program() -> None:
    def trained(first: int) -> str:
        return (
            HEADER + "".join(epoch(e, 100, first + e) for e in range(4)) + "Training time 0:04:00\n"
        )

    expected = read(trained(70))["dimensions"]["accuracy"]
    log = trained(50) + HEADER + TEST_ONLY + trained(70)
    assert read(log)["dimensions"]["accuracy"] == expected
    assert "not_training" in kinds(read(log, run=1))


def test_of_programs_none_of_which_trains_the_last_is_judged() -> None:
    other = TEST_ONLY.replace("11.000", "33.000")
    card = read(HEADER + TEST_ONLY + HEADER + other)
    assert card["dimensions"]["accuracy"]["value"] == 33.0
    assert card["dimensions"]["accuracy"]["best"] == 33.0
    third = read(HEADER + TEST_ONLY + HEADER + other + HEADER + TEST_ONLY)
    assert third["dimensions"]["accuracy"]["value"] == 11.0
    first = read(HEADER + TEST_ONLY + HEADER + other, run=1)
    assert first["dimensions"]["accuracy"]["value"] == 11.0


def test_the_header_of_a_late_rank_takes_no_evaluation_away() -> None:
    head, tail = epoch(0, 100, 70) + HEADER, epoch(1, 100, 71) + epoch(2, 100, 72)
    card = read(HEADER + head + tail)
    assert card["dimensions"]["accuracy"]["value"] == 72
    assert card["run_end"]["epochs"] == 3
    # An evaluation between the header and the epochs that go on is the resumed run's.
    resumed = read(HEADER + head + " * Acc@1 99.000 Acc@5 99.000\n" + tail)
    assert resumed["dimensions"]["accuracy"]["best"] == 99


def test_of_very_many_runs_the_latest_and_the_one_asked_for_are_held() -> None:
    """Of 1502 runs, the older ones are dropped twice: after the 1001st and after the 1501st."""
    log = "Start training\n".join(epoch(0, 100.0, n / 100) for n in range(1, 1503))
    last = read(log)
    assert last["dimensions"]["accuracy"]["value"] == 15.02
    assert "the log holds 1502 runs; this is run 1502" in [w["text"] for w in last["warnings"]]
    session = Session("t.log", Settings(run=1), formats())
    session.feed(log.encode())
    session.end()
    early: dict[str, Any] = session.card().to_json()
    fold = session.fold
    assert early["dimensions"]["accuracy"]["value"] == 0.01
    assert "the log holds 1502 runs; this is run 1" in [w["text"] for w in early["warnings"]]
    assert fold.count == 1502 and len(fold.runs) <= MOST_RUNS
    assert fold.chosen(1).number == 1
    with pytest.raises(IndexError, match="number 2 is not held any more"):
        fold.chosen(2)


@pytest.mark.parametrize(
    ("operator", "met"),
    [
        ("<", [True, False, False]),
        ("<=", [True, True, False]),
        (">", [False, False, True]),
        (">=", [False, True, True]),
        ("=", [False, True, True]),
    ],
)
def test_a_target_on_its_threshold_and_on_both_sides(operator: str, met: list[bool]) -> None:
    (condition,) = parse_target(f"wer{operator}3.72", "--target").conditions
    assert [condition.met(value) for value in (3.7199, 3.72, 3.7201)] == met
    assert not condition.met(math.nan)


def test_as_good_as_follows_the_metric() -> None:
    (condition,) = parse_target("wer=3.72", "--target").conditions
    assert [condition.met(v, higher_is_better=False) for v in (3.7199, 3.72, 3.7201)] == [
        *(True, True, False)
    ]


@pytest.mark.parametrize(("trained", "batch"), [(False, 16), (True, 8)])
def test_a_fact_of_an_attempt_that_did_not_train_leaves_those_of_the_one_before(
    trained: bool, batch: int
) -> None:
    fold = LogFold()
    fold.apply(RunInfo(ORIGIN, "global_batch", 16))
    fold.apply(Iteration(ORIGIN._replace(line=2), None, 1))
    fold.apply(RunInfo(ORIGIN, "global_batch", 8))
    if trained:
        fold.apply(Iteration(ORIGIN._replace(line=3), None, 2))
    assert fold.runs[-1].facts.known["global_batch"][0] == batch


def _attempt(begin: str, steps: int, label: str) -> list[str]:
    """A line of progress each 2 s, by the log's clock."""
    at = datetime.fromisoformat(begin)
    return [
        f"{at + timedelta(seconds=n / 5)!s:.19},000 - INFO - {label}step {n}, loss {9 / n:.4f}"
        for n in range(10, steps + 1, 10)
    ]


@pytest.mark.parametrize("label", ["", "epoch 1 "])
@pytest.mark.parametrize(("pause_s", "again"), [(55, False), (65, True)])
def test_steps_that_begin_again_after_a_pause_are_another_attempts(
    label: str, pause_s: int, again: bool
) -> None:
    first = _attempt("2022-05-08 17:00:00", 900, label)
    begin = datetime.fromisoformat("2022-05-08 17:03:00") + timedelta(seconds=pause_s - 2)
    lines = [*first, *_attempt(str(begin), 600, label)]
    card = scored("\n".join(lines) + "\n")
    assert ("resume" in [w["kind"] for w in card["warnings"]]) is again
    if again:
        assert card["run_end"]["run_time_s"] == 118.0


def test_steps_that_go_back_to_a_checkpoint_go_on() -> None:
    lines = _attempt("2022-05-08 17:00:00", 900, "")
    later = _attempt("2022-05-09 17:00:00", 1200, "")[29:]
    card = scored("\n".join([*lines, *later]) + "\n")
    assert "resume" not in [w["kind"] for w in card["warnings"]]


@pytest.mark.parametrize(("step", "best"), [(0, None), (20, 0.5), (60, 0.5)])
def test_an_evaluation_at_the_first_step_again_may_be_of_another_training(
    step: int, best: float | None
) -> None:
    steps = (0, 20, 40, step)
    losses = (0.9, 0.5, 0.8, 0.7)
    text = "".join(
        f"step {n}: train loss {loss:.4f}, val loss {loss:.4f}\n"
        for n, loss in zip(steps, losses, strict=True)
    )
    figure = read(text)["dimensions"]["accuracy"]
    assert (figure["value"], figure["best"]) == (0.7, best)


@pytest.mark.parametrize(("first", "best"), [(0, None), (5, 0.9)])
def test_steps_that_begin_again_may_be_of_another_training(first: int, best: float | None) -> None:
    def part(begin: int, accuracy: float) -> list[str]:
        steps = (f"step {n}: loss {9 / (n + 1):.4f}" for n in range(begin, 50, 5))
        return [*steps, f"validation accuracy: {accuracy}"]

    figure = read("\n".join([*part(0, 0.9), *part(first, 0.8), ""]))["dimensions"]["accuracy"]
    assert (figure["value"], figure["best"]) == (0.8, best)


@pytest.mark.parametrize("number", [1, 2])
def test_an_earlier_run_of_a_log_ends_as_if_the_log_ended_there(number: int) -> None:
    """The last epoch of each run is whole by its last step; no line after it says so."""
    fold, line = LogFold(), 0
    for _ in range(2):
        fold.apply(RunStart(Origin(line := line + 1, 0)))
        for label in (1, 2, 3):
            for step in (1, 2, 3, 4):
                at = Origin(line := line + 1, 0)
                rate = 100.0 + 10 * label
                fold.apply(Iteration(at, label, step, 4, rate, "img/s", Scope.JOB))
    fold.apply(EndOfInput(Origin(line + 1, 0)))
    run = fold.chosen(number)
    assert run.completed() == [1, 2, 3]
    assert speed(run, DEFAULT, Facts(run, DEFAULT)).value == 120.0  # the middle one of three
