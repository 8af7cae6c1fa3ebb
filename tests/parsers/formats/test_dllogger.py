"""DLLogger lines, in the printf shapes of its backends, become the events a reader expects."""

from __future__ import annotations

import math

import pytest

from sixdim.parsers.events import (
    EpochEnd,
    Evaluation,
    Event,
    Iteration,
    Problem,
    RunEnd,
    RunStart,
    Scope,
    Summary,
)
from sixdim.parsers.formats.dllogger import DLLogger
from sixdim.parsers.text.lines import Line
from tests.support.corpus import text
from tests.support.logs import facts

HEAD = "DLL 2024-05-01 10:00:00.000001 - PARAMETER arch : resnet50  epochs : 2  world_size : 8  batch_size : 64  amp : True "


def dll(clock: str, rest: str) -> str:
    return f"DLL 2024-05-01 10:00:{clock} - {rest}"


def one(events: list[Event]) -> Iteration:
    (found,) = [e for e in events if isinstance(e, Iteration)]
    return found


def test_header_starts_the_run_and_tells_the_facts() -> None:
    name, events = text(HEAD, dll("02", "Epoch: 0 Iteration: 1  train.loss : 7.0 "))
    assert name == "dllogger"
    assert sum(isinstance(e, RunStart) for e in events) == 1
    assert facts(events) == {
        "model": "resnet50",
        "epochs_planned": 2,
        "devices": 8,
        "batch_per_device": 64,
        "precision": "amp",
    }


@pytest.mark.parametrize(
    ("step", "epoch", "number"),
    [
        ("Epoch: 3 Iteration: 100 ", 3, 100),
        ("Training Epoch: 0 Training Iteration: 7 ", 0, 7),
        ("Iteration: 44 ", None, 44),
        ("(0, 390)", 0, 390),
        ("[2, 5]", 2, 5),
        ("17", None, 17),
    ],
)
def test_every_spelling_of_a_training_step(step: str, epoch: int | None, number: int) -> None:
    _, events = text(
        HEAD, dll("05.5", f"{step} train.loss : 6.5 None train.total_ips : 800.25 images/s")
    )
    found = one(events)
    assert (found.epoch, found.step) == (epoch, number)
    assert (found.throughput, found.unit, found.scope) == (800.25, "img/s", Scope.JOB)
    assert found.loss == 6.5
    assert found.at.time_us == 1_714_557_605_500_000  # 2024-05-01T10:00:05.5Z


@pytest.mark.parametrize(
    "step",
    [
        "Epoch: 1 Iteration: 9 Validation Iteration: 4 ",
        "(1, 9, 4)",
        "Epoch: 1 Validation Iteration: 4 ",
    ],
)
def test_a_part_of_an_evaluation_is_no_evaluation(step: str) -> None:
    _, events = text(HEAD, dll("05", f"{step} val.top1 : 99.0 % val.loss : 1.0 "))
    assert not [e for e in events if isinstance(e, Evaluation | Iteration | EpochEnd)]


@pytest.mark.parametrize(
    "step", ["Epoch: 2 Iteration: {} Validation Iteration: {} ", "(2, {}, {})"]
)
@pytest.mark.parametrize("counts", [(40, 9), (9, 40)])
def test_three_numbers_with_figures_of_the_training_are_epoch_step_and_steps(
    step: str, counts: tuple[int, int]
) -> None:
    figures = "train_loss : 1.5  throughput : 640.5  lr : 0.1 "
    _, events = text(HEAD, dll("05", f"{step.format(*counts)} {figures}"))
    found = one(events)
    assert (found.epoch, found.step, found.steps, found.loss) == (2, 9, 40, 1.5)
    json = f'"type": "LOG", "step": {[2, *counts]}, "data": {{"train_loss": 1.5}}}}'
    _, events = text(*[f'DLLL {{"timestamp": "1714557600.{n}", {json}' for n in range(3)])
    assert {(e.epoch, e.step, e.steps) for e in events if isinstance(e, Iteration)} == {(2, 9, 40)}


def test_a_single_number_is_the_step_if_the_record_names_its_epoch() -> None:
    """Transformer-XL and Mask R-CNN print their steps as other scripts print epochs."""
    _, events = text(
        *(
            dll(
                f"0{n}", f"({n}0,) epoch : 1  train_throughput : {n}00.0 tokens/s train_loss : 4.5 "
            )
            for n in (1, 2)
        ),
        dll("25", "(20,) valid_elapsed : 4.0 min valid_loss : 4.25  valid_perplexity : 70.1 "),
        dll("30", "(30,) epoch : 2  train_throughput : 300.0 tokens/s train_loss : 4.5 "),
    )
    assert [(e.epoch, e.step, e.throughput) for e in events if isinstance(e, Iteration)] == [
        (None, 10, 100.0),
        (None, 20, 200.0),
        (None, 30, 300.0),
    ]
    (evaluation,) = [e for e in events if isinstance(e, Evaluation)]
    assert (evaluation.epoch, evaluation.step, evaluation.metrics[0].value) == (None, 20, 4.25)
    assert not [e for e in events if isinstance(e, EpochEnd)]


def test_the_detections_after_a_step_are_evaluations_of_it() -> None:
    eta = '{"eta": "0:09:00", "learning_rate": 0.02, "memory": 5000.5, "loss": "0.5 (0.7)"}'
    result = '{"BBOX_mAP": 0.375, "MASK_mAP": 0.25}'
    _, events = text(
        *(
            f'DLLL {{"timestamp": "171455760{n}.5", "type": "LOG", "step": {step}, "data": {data}}}'
            for n, (step, data) in enumerate((("[20]", eta), ("[40]", eta), ("[40, 1.5]", result)))
        )
    )
    assert [(e.epoch, e.step) for e in events if isinstance(e, Iteration)] == [
        (None, 20),
        (None, 40),
    ]
    (evaluation,) = [e for e in events if isinstance(e, Evaluation)]
    assert [(m.name, m.value) for m in evaluation.metrics] == [("box", 0.375), ("mask", 0.25)]
    assert (evaluation.epoch, evaluation.step) == (None, 40)


def test_an_epochs_own_label_beside_it_leaves_it_an_epoch() -> None:
    _, events = text(
        *(dll(f"0{n}", f"({n},) epoch : {n}  train_throughput : 9.0 img/s") for n in (3, 4))
    )
    assert [e.epoch for e in events if isinstance(e, EpochEnd)] == [3, 4]


def test_results_of_an_epoch_that_do_not_say_that_they_are_an_evaluations() -> None:
    _, events = text(
        dll("01", "(0,) train_throughput : 3.2e+07 samples/s hr@10 : 0.875  train_loss : 0.5 "),
        dll("02", "(0,) mAP : 0.25 "),
        dll("03", "(1,) train_loss : 0.5  learning_rate : 0.1  accuracy : 0.5 "),
    )
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.epoch, e.metrics[0].name, e.metrics[0].value) for e in found] == [
        (0, "hr@10", 0.875),
        (0, "map", 0.25),
    ], "the accuracy may be the training's"


def test_a_name_may_say_the_unit_of_a_rate() -> None:
    _, events = text(
        HEAD,
        dll("01", "7 tokens/s : 2500.5  tokens : 400  loss : 5.5 "),
        dll("02", "7 val_loss : 4.5  val_bleu : 27.5 "),
    )
    found = one(events)
    assert (found.throughput, found.unit, found.loss) == (2500.5, "tokens/s", 5.5)
    (evaluation,) = [e for e in events if isinstance(e, Evaluation)]
    assert (evaluation.step, evaluation.metrics[1].name, evaluation.metrics[1].value) == (
        7,
        "bleu",
        27.5,
    )


def test_the_cells_of_the_speech_examples() -> None:
    _, events = text(
        dll("00", "PARAMETER | epochs :  3"),
        dll("01", "epoch    1 | iter   5/19 | loss 36.50 | mel loss 17.25 |    4932.25 frames/s | took 2.5 s | lrate 1.00e-03"),
        dll("09", "epoch    1 | avg train loss 30.25 | avg train mel loss 16.5 |    4800.5 frames/s | took 8.00 s"),
        dll("10", "epoch    1 |   avg dev loss  1.25 |   avg dev wer  40.25 |    9999.0 samples/s | took 3.00 s"),
        dll("11", "epoch    1 |   EMA dev loss  1.50 |   EMA dev wer  45.50 | took 3.00 s"),
        dll("12", "| avg train loss 30.25 |    4800.5 frames/s | took 8.00 s"),
    )  # fmt: skip
    found = one(events)
    assert (found.epoch, found.step, found.steps, found.loss) == (1, 5, 19, 36.5)
    assert (found.throughput, found.unit) == (4932.25, "frames/s")
    first, *others = [e for e in events if isinstance(e, EpochEnd)]
    assert (first.epoch, first.throughput, first.unit) == (1, 4800.5, "frames/s")
    assert [e.throughput for e in others] == [None, None], "the rate of an evaluation"
    raw, averaged = [e for e in events if isinstance(e, Evaluation)]
    assert [(m.name, m.value, m.higher_is_better) for m in raw.metrics] == [
        ("loss", 1.25, False),
        ("wer", 40.25, False),
    ]
    assert (raw.model, averaged.model, averaged.metrics[1].value) == ("raw", "averaged", 45.5)


def test_a_loss_that_is_no_number_in_a_cell() -> None:
    _, events = text(
        HEAD,
        dll("01", "epoch    1 | iter   5/19 | loss   nan | mel loss   nan | took 2.5 s"),
    )
    assert math.isnan(one(events).loss or 0)


def test_an_epoch_line_closes_the_epoch_and_evaluates() -> None:
    _, events = text(
        HEAD,
        dll(
            "08",
            "Epoch: 1  train.loss : 2.5  train.total_ips : 810.0 img/s val.top1 : 61.5 % val.top5 : 84.25 % val.loss : 1.75  val.total_ips : 2000.0 img/s",
        ),
        dll("08.1", "Epoch: 1  lr : 0.1  train.compute_ips : 820.0 img/s val.data_time : 0.01 s"),
    )
    first, second = [e for e in events if isinstance(e, EpochEnd)]
    assert (first.epoch, first.throughput, first.unit, first.scope) == (
        1,
        810.0,
        "img/s",
        Scope.JOB,
    )
    assert second.throughput is None, "the second verbosity's line must not count the step twice"
    assert ("train.compute_ips", 820.0) in [(m.name, m.value) for m in second.values]
    (evaluation,) = [e for e in events if isinstance(e, Evaluation)]
    assert evaluation.epoch == 1
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("acc1", 61.5, "%"),
        ("acc5", 84.25, "%"),
        ("loss", 1.75, ""),
    ]
    assert [m.higher_is_better for m in evaluation.metrics] == [True, True, False]


@pytest.mark.parametrize("step", ["Epoch: {} ", "({},)", "[{}]"])
def test_epoch_lines_that_differ_in_their_numbers_say_as_much_as_the_first(step: str) -> None:
    rates = ["810.0", "9e2", "-1", "nan", "820.25", "None"]
    _, events = text(
        HEAD,
        *(
            dll(
                f"{10 + n}.5",
                f"{step.format(7 * n)} train.total_ips : {rate} img/s val.top1 : {n}.5 %",
            )
            for n, rate in enumerate(rates)
        ),
    )
    ends = [e for e in events if isinstance(e, EpochEnd)]
    assert [e.epoch for e in ends] == [0, 7, 14, 21, 28, 35]
    assert [str(e.throughput) for e in ends] == ["810.0", "900.0", "-1.0", "nan", "820.25", "None"]
    assert {(e.unit, e.scope) for e in ends[:-1]} == {("img/s", Scope.JOB)}
    seconds = [(e.at.time_us or 0) / 1e6 - 1_714_557_600 for e in ends]
    assert seconds == [10.5, 11.5, 12.5, 13.5, 14.5, 15.5]
    evaluations = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.epoch, e.metrics[0].name, e.metrics[0].value) for e in evaluations] == [
        (7 * n, "acc1", n + 0.5) for n in range(6)
    ]


def test_values_that_are_none_are_no_figures() -> None:
    _, events = text(
        HEAD,
        dll(
            "08",
            "Epoch: 0  train.loss : None None train.total_ips : 5.5 images/s val.top1 : None % val.loss : None None",
        ),
    )
    (epoch,) = [e for e in events if isinstance(e, EpochEnd)]
    assert epoch.throughput == 5.5
    assert not [e for e in events if isinstance(e, Evaluation | Problem)]


def test_summary_is_the_logs_own_and_ends_the_run_once() -> None:
    _, events = text(
        HEAD,
        dll("09", "Summary: train.loss : 6.5  train.total_ips : 800.0 img/s val.top1 : 70.0 %"),
        dll("09.1", "Summary: train.compute_ips : 805.0 img/s"),
        "Experiment ended",
        "Experiment ended",
    )
    named = {m.name: m.value for e in events if isinstance(e, Summary) for m in e.metrics}
    assert named["train.compute_ips"] == 805.0
    assert named["val.top1"] == 70.0
    assert not [e for e in events if isinstance(e, Evaluation)], "a summary's best is no evaluation"
    assert sum(isinstance(e, RunEnd) for e in events) == 1
    assert isinstance(events[-2], RunEnd)


def test_the_whole_runs_step_may_be_empty() -> None:
    _, events = text(
        dll("01", "Iteration: 1  throughput_train : 500.5 seq/s total_loss : 11.0 "),
        dll(
            "09",
            " e2e_train_time : 12.5 s training_sequences_per_second : 640.25 sequences/s final_loss : 8.5 None",
        ),
    )
    (end,) = [e for e in events if isinstance(e, RunEnd)]
    assert end.duration == 12.5
    (summary,) = [e for e in events if isinstance(e, Summary)]
    assert summary.metrics[1].value == 640.25
    assert one(events).unit == "sequences/s"


def test_a_record_after_a_progress_bar_and_a_rank_and_in_front_of_other_words() -> None:
    _, events = text(
        HEAD,
        "Iteration:  61%|██████    | 703/1148 [02:01<01:16,  5.83it/s]Sun May 29 14:57:11 2022[1,0]<stdout>:"
        + dll(
            "03",
            "Training Epoch: 0 Training Iteration: 4  step_loss : 9.25  raw_train_time : 5.5 Sun May 29 14:57:12 2022[1,0]<stdout>:",
        ),
    )
    found = one(events)
    assert (found.step, found.loss) == (4, 9.25)
    assert [(m.value, m.unit) for m in found.values] == [(9.25, ""), (5.5, "")]


def test_a_launchers_clock_yields_to_the_records_own() -> None:
    _, events = text(
        HEAD, "Tue Apr 30 23:59:59 2024[1,3]<stdout>:" + dll("04", "(0, 2) total_ips : 9.0 ")
    )
    assert one(events).at.time_us == 1_714_557_604_000_000
    assert one(events).at.rank == 3


@pytest.mark.parametrize(
    "form",
    [
        "(0, {}) total_ips : {} ",
        "Epoch: 0 Iteration: {}  train.loss : {} None train.total_ips : 16691.62 images/s",
        "Iteration: {}  throughput_train : 4276.760 seq/s mlm_loss : {}  learning_rate : 9.6e-05 ",
        "[3, {}] step_loss : {} nat lr : 0 other : word",
        "{} final_loss : {}",
        "7 {} loss : {}",
    ],
)
def test_a_step_means_the_same_whatever_was_read_before(form: str) -> None:
    numbers = ["7.5", "8", "-1e-3", ".5", "nan", "inf", "None", "1e999", "7.5.2", "7.5,", "9.0"]
    lines = [dll("04", form.format(i, number)) for i, number in enumerate(numbers * 3)]
    reader = DLLogger()
    for i, one in enumerate(lines):
        fresh, again = (r.read(Line(i, 0, one)) for r in (DLLogger(), reader))
        assert repr(list(again or ())) == repr(list(fresh or ())), one


@pytest.mark.parametrize("cut", ["23[1,4]<stderr>:oops", "1,234.5", "7.5.2", "12:30"])
def test_a_cut_number_is_a_warning_and_no_figure(cut: str) -> None:
    _, events = text(HEAD, dll("04", f"(0, 2) total_ips : {cut} "))
    assert not [e for e in events if isinstance(e, Iteration)]
    (problem,) = [e for e in events if isinstance(e, Problem)]
    assert (problem.kind, problem.at.line) == ("broken_number", 2)


@pytest.mark.parametrize(
    ("word", "test"), [("nan", lambda x: x != x), ("inf", lambda x: x > 1e308)]
)
def test_losses_that_are_no_numbers_are_kept_as_printed(word: str, test: object) -> None:
    _, events = text(HEAD, dll("04", f"(0, 2) train.loss : {word} total_ips : 1e3 "))
    found = one(events)
    assert callable(test)
    assert test(found.loss)
    assert found.throughput == 1000.0


def test_json_and_its_metadata() -> None:
    def record(step: str, data: str, kind: str = "LOG") -> str:
        return (
            'DLLL {"timestamp": "1714557600.5", "datetime": "2024-05-01 10:00:00.500000+00:00", '
            f'"elapsedtime": "1.5", "type": "{kind}", "step": {step}, "data": {data}}}'
        )

    _, events = text(
        record(
            '"PARAMETER"',
            '{"arch": "resnet50", "epochs": 1, "batch_size": 32, "world_size": 2, "amp": false}',
        ),
        'DLLL {"timestamp": "1714557600.6", "type": "METADATA", "metric": "val.top1", "metadata": {"unit": "%", "format": ":.2f+00:00"}}',
        'DLLL {"timestamp": "1714557600.6", "type": "METADATA", "metric": "train.total_ips", "metadata": {"unit": "img/s"}}',
        record("[0, 5]", '{"train.loss": 7.5, "train.total_ips": 640.125}'),
        record("[0, 5]", '{"lr": 0.1, "train.compute_ips": 650.5}'),
        record("[0, 5, 2]", '{"val.top1": 99.0}'),
        record("[0]", '{"train.total_ips": 641.0, "val.top1": 12.5}'),
        record("[]", '{"train.total_ips": 642.0}'),
        'DLLL {"timestamp": "1714557601.0", "type": "LOG", "step": [0, 6], "da',
    )
    first, second = [e for e in events if isinstance(e, Iteration)]
    assert (first.throughput, first.unit, first.loss) == (640.125, "img/s", 7.5)
    assert first.at.time_us == 1_714_557_600_500_000
    assert second.throughput is None
    (evaluation,) = [e for e in events if isinstance(e, Evaluation)]
    assert (evaluation.metrics[0].value, evaluation.metrics[0].unit) == (12.5, "%")
    assert facts(events)["precision"] == "fp32"
    assert [e.kind for e in events if isinstance(e, Problem)] == ["broken_number"]


def test_closing_table() -> None:
    _, events = text(
        dll("01", "Epoch: 0 Iteration: 19  train.ips : 900.0 images/s"),
        "train.ips",
        "           |    128    |    256    |",
        "------------------------",
        "     8     |   7100.5  |   7200   |",
    )
    cells = [m for e in events if isinstance(e, Summary) for m in e.metrics]
    assert [(m.name, m.value) for m in cells] == [
        ("train.ips", 7100.5),
        ("train.ips[8,128]", 7100.5),
        ("train.ips", 7200.0),
        ("train.ips[8,256]", 7200.0),
    ]


def test_mxnets_batch_is_the_jobs() -> None:
    _, events = text(
        dll(
            "00",
            "PARAMETER arch : resnetv15  gpus : [0, 1, 2, 3]  kv_store : horovod  dtype : float16  batch_size : 512 ",
        )
    )
    found = facts(events)
    assert (found["devices"], found["global_batch"], found["precision"]) == (4, 512, "fp16")
    assert "batch_per_device" not in found
