"""Hugging Face's Trainer on a console: its header, bars, reports and blocks of metrics."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Evaluation, Iteration, Problem, RunEnd, RunStart, Scope, Summary
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.formats import by_name
from tests.support.logs import detected, facts, only, read, real, scored

HEADER = """\
***** Running training *****
  Num examples = 2,182
  Num Epochs = 1,000
  Instantaneous batch size per device = 1
  Total train batch size (w. parallel, distributed & accumulation) = 128
  Gradient Accumulation steps = 64
  Total optimization steps = 17,000
  Number of trainable parameters = 18,739,200
"""


def logged(text: str, ranks: int) -> str:
    """`text` as so many ranks log it at the same moment."""
    lines = text.splitlines()
    return "".join(
        f"[INFO|trainer.py:{1143 + i}] 2021-05-25 06:30:55,249 >> {line}\n"
        for i, line in enumerate(lines)
        for _ in range(ranks)
    )


def test_report() -> None:
    line = "{'loss': 1.5524, 'grad_norm': nan, 'learning_rate': 1e-04, 'epoch': 0.01}\n"
    (iteration,) = only(read(line, "huggingface"), Iteration)
    assert (iteration.loss, iteration.epoch, iteration.step) == (1.5524, 1, None)
    assert [(m.name, m.value) for m in iteration.values if m.name != "grad_norm"] == [
        ("learning_rate", 1e-04),
        ("epoch", 0.01),
    ]
    assert detected(line * 4) == "huggingface"


def test_a_report_whose_loss_has_another_name_is_one() -> None:
    rest = "'learning_rate': '1.8e-05', 'epoch': '0.4'}"
    named = f"{{'embedding_loss': '0.4086', 'grad_norm': '1.652', {rest}"
    (report,) = only(read(f"{named}\n", "huggingface"), Iteration)
    assert (report.epoch, report.loss) == (1, None)
    figures = {m.name: (m.value, m.higher_is_better) for m in report.values}
    assert figures["embedding_loss"] == (0.4086, False)
    # Without a gradient it may be a program's settings.
    assert not only(read(f"{{'embedding_dim': '64', {rest}\n", "huggingface"), Iteration)


def test_later_versions_quote_their_numbers() -> None:
    line = "{'loss': '1.552', 'grad_norm': '0.5', 'learning_rate': '1e-04', 'epoch': '0.01'}\n"
    (iteration,) = only(read(line, "huggingface"), Iteration)
    assert iteration.loss == 1.552


def test_header_is_reported_once_and_counts_the_devices() -> None:
    events = read(logged(HEADER, ranks=4), "huggingface")
    assert facts(events) == {
        "samples_per_epoch": 2182,
        "epochs_planned": 1000,
        "batch_per_device": 1,
        "global_batch": 128,
        "devices": 2,
    }
    assert len(only(events, RunStart)) == 1
    assert only(events, RunStart)[0].at.time_us == 1_621_924_255_249_000


def test_paddlenlp_counts_its_steps_with_a_fraction() -> None:
    whole = HEADER.replace("17,000", "17000.0")
    assert whole != HEADER
    assert read(whole, "huggingface") == read(HEADER.replace("17,000", "17000  "), "huggingface")


def test_examples_of_an_evaluation_are_not_the_epochs() -> None:
    text = HEADER + "***** Running Evaluation *****\n  Num examples = 243\n  Batch size = 1\n"
    assert facts(read(text, "huggingface"))["samples_per_epoch"] == 2182


def test_step_comes_from_the_progress_bar_of_training_alone() -> None:
    text = HEADER + (
        "  0%|          | 0/17000 [00:00<?, ?it/s]\r"
        "  0%|          | 5/17000 [00:05<4:43:20,  1.00s/it]\r"
        "  0%|          | 5/17000 [00:05<4:43:20,  1.00s/it]\n"
        "{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 0.5}\n"
        " 45%|████▌     | 9/20 [00:01<00:01,  8.0it/s]\r"
        "  0%|          | 6/17000 [00:05<4:43:20,  2.00it/s]\n"
    )
    steps = [(i.step, i.loss, i.duration) for i in only(read(text, "huggingface"), Iteration)]
    assert steps == [(5, None, 1.0), (5, 2.5, None), (6, None, 0.5)]


def test_report_right_after_a_bar() -> None:
    line = "  1%|▏  | 5/500 [00:05<08:15,  1.00s/it]{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 0.5}\n"
    assert [i.loss for i in only(read(line, "huggingface"), Iteration)] == [2.5]


def test_what_every_rank_repeats_is_read_once() -> None:
    report = "{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 1.0}\n" * 3
    ends = "".join(
        f"{{'train_runtime': {t}, 'train_samples_per_second': 1.147, 'epoch': 1.0}}\n"
        for t in (871.787, 871.7719, 871.809)
    )
    block = """\
***** train metrics *****
  epoch                    =        1.0
  train_runtime            = 0:14:31.66
"""
    events = read(report + ends + block, "huggingface")
    assert [i.throughput for i in only(events, Iteration)] == [None]
    assert [(e.duration, e.throughput) for e in only(events, RunEnd)] == [(871.787, 1.147)]
    (summary,) = only(events, Summary)
    assert [(m.name, m.value, m.unit) for m in summary.metrics[:2]] == [
        ("train_runtime", 871.787, "s"),
        ("train_samples_per_second", 1.147, "samples/s"),
    ]


def test_blocks_of_metrics() -> None:
    text = """\
***** train metrics *****
  epoch                    =        3.0
  train_loss               =     0.1234
  train_runtime            = 1:02:04.04
  train_samples            =       401
  train_samples_per_second =      3.225
***** eval metrics *****
  epoch                   =        3.0
  eval_accuracy           =     0.8725
  eval_loss               =     0.4321
  eval_runtime            = 0:00:04.04
"""
    events = read(text, "huggingface")
    assert only(events, RunEnd)[0].duration == 3724.04
    (evaluation,) = only(events, Evaluation)
    assert [(m.name, m.value, m.unit) for m in evaluation.metrics] == [
        ("accuracy", 0.8725, "fraction"),
        ("loss", 0.4321, ""),
    ]
    assert not evaluation.after_training  # the training shows no other
    during = "{'eval_loss': 1.25, 'eval_accuracy': 0.75, 'epoch': 2.0}\n"
    found = only(read(during + text, "huggingface"), Evaluation)
    assert [one.after_training for one in found] == [False, True]


def test_assignments_outside_a_block_are_unknown() -> None:
    interpreter = Interpreter(formats(), by_name("huggingface"))
    for _ in interpreter.feed(b"batch_size = 4\nlr = 0.1\n"):
        pass
    assert interpreter.unknown == 2


def test_evaluation_report() -> None:
    line = (
        "{'eval_loss': 1.25, 'eval_accuracy': 0.75, 'eval_f1': 0.5, 'eval_runtime': 13.3, "
        "'eval_samples_per_second': 18.2, 'eval_steps_per_second': 2.3, 'epoch': 5.87}\n"
    )
    (evaluation,) = only(read(line, "huggingface"), Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [
        ("loss", 1.25),
        ("accuracy", 0.75),
        ("f1", 0.5),
    ]


def test_tokens_per_second_of_llama_factory() -> None:
    line = "{'loss': 2.28, 'learning_rate': 2.5e-06, 'epoch': 0.29, 'throughput': 4321.5}\n"
    prefix = "[INFO|2024-11-26 22:09:01] logging.py:157 >> "
    (iteration,) = only(read(prefix + line, "huggingface"), Iteration)
    assert (iteration.throughput, iteration.unit) == (4321.5, "tokens/s")
    assert iteration.scope is Scope.JOB
    assert iteration.at.time_us == 1_732_658_941_000_000


def test_interleaved_and_cut_reports_are_never_a_figure() -> None:
    glued = "{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 1.0}{'loss': 2.5, 'learning_rate'\n"
    events = read(glued, "huggingface")
    assert only(events, Iteration) == [] or only(events, Iteration)[0].loss == 2.5
    cut = "{'loss': 2.5, 'learni{'loss': 2.5, 'learning_rate': 0.1, 'epoch': 1.0}\n"
    assert all(i.loss == 2.5 for i in only(read(cut, "huggingface"), Iteration))
    broken = "{'loss': 2.5.1, 'epoch': 1.0}\n"
    assert only(read(broken, "huggingface"), Problem)[0].kind == "broken_number"


def test_64_ranks_of_bigscience() -> None:
    name, events = real("corpus/huggingface/bigscience_hf_ds_gpt2_base_n16.log")
    assert name == "huggingface"
    assert facts(events)["devices"] == 64  # 16 nodes of 4
    ends = [end for end in only(events, RunEnd) if not end.sentence]  # each rank says one
    assert [end.duration for end in ends] == [871.787]
    assert [i.step for i in only(events, Iteration)] == [1, 2, 3, 4]


def test_llava() -> None:
    name, events = real("corpus/huggingface/yunsaijc_llava_sft.log")
    (end,), (summary,) = only(events, RunEnd), only(events, Summary)
    figures = {m.name: m.value for m in summary.metrics}
    assert (name, end.duration) == ("huggingface", 11174.986)
    assert figures["train_samples_per_second"] == 2.553
    assert len(only(events, Iteration)) == 900


def test_running_log_of_llama_factory() -> None:
    name, events = real("corpus/huggingface/llamafactory_running_log.log")
    assert name == "huggingface"
    assert facts(events)["devices"] == 2
    assert facts(events)["samples_per_epoch"] == 2182
    assert only(events, Iteration)[0].loss == 2.2818


def test_the_reports_of_ms_swift_say_their_steps_and_times_on_a_console_without_bars() -> None:
    """A step takes 3 s, and the evaluation after the tenth 30 s."""

    def report(step: int, seconds: int, **figures: object) -> str:
        place = {"epoch": step / 40, "global_step/max_steps": f"{step}/80"}
        return f"{figures | place | {'elapsed_time': f'{seconds // 60}m {seconds % 60}s'}}\n"

    text = "".join(
        report(step, 3 * step + 30 * (step > 10), loss=2 / step)
        + (report(10, 60, eval_loss=0.75, eval_runtime=30.0) if step == 10 else "")
        for step in range(1, 21)
    )
    events = read(text, "huggingface")
    assert [(i.epoch, i.step, i.steps) for i in only(events, Iteration)][-1] == (1, 20, 40)
    assert {i.duration for i in only(events, Iteration)[1:]} == {3.0}
    assert facts(events)["epochs_planned"] == 2
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(1 / 3), "it/s")


def test_a_type_that_is_not_chosen_is_no_precision() -> None:
    line = (
        "Process rank: 0, world size: 1, device: {}, distributed training: {}, compute dtype: {}\n"
    )
    assert (
        facts(read(line.format("cpu", False, "None") + HEADER, "huggingface")).get("precision")
        is None
    )
    half = line.format("cuda:0", True, "torch.bfloat16") + HEADER
    assert facts(read(half, "huggingface"))["precision"] == "bfloat16"


def test_a_dict_of_a_loop_that_begins_with_its_epoch_is_not_the_trainers() -> None:
    """The Trainer adds the epoch to the figures that it reports, so it stands after them."""
    text = "".join(
        f"{{'epoch': {epoch}, 'loss': {1 / epoch}, 'val_loss': 1.5, 'val_f1': 0.{70 + epoch}}}\n"
        for epoch in (1, 2, 3)
    )
    card = scored(text)
    assert card["run"]["format"] == "generic"
    assert card["dimensions"]["accuracy"]["value"] == 0.73


@pytest.mark.parametrize(("closing", "state"), [(True, "finished"), (False, "incomplete")])
def test_example_scripts_without_the_trainer_end_with_the_mean_loss(
    closing: bool, state: str
) -> None:
    text = HEADER + "Saving model checkpoint to out/checkpoint-50\n"
    text += "global_step = 17000, average loss = 0.4195645262857342\n" * closing
    assert scored(text)["status"] == state


def test_the_header_of_llamafactory_s_ppo() -> None:
    """It prints the epochs with a decimal; a half of one plans none."""
    text = HEADER.replace("Num Epochs = 1,000", "Num Epochs = 3.0").replace(
        "optimization", "training"
    )
    text += "{'loss': 0.5, 'reward': 0.25, 'learning_rate': 1e-05, 'epoch': 0.01}\n" * 2
    events = read(text, "huggingface")
    assert not only(events, Problem)
    assert facts(events)["epochs_planned"] == 3
    half = read(text.replace("3.0", "0.5"), "huggingface")
    assert "epochs_planned" not in facts(half)


def test_reports_of_trl_s_ppo_have_no_loss() -> None:
    text = "".join(
        f"\r{n:3}%|#   | {n}/100 [{4 * n // 60:02}:{4 * n % 60:02}<06:00,  4.00s/it]"
        f"{{'eps': 4, 'objective/kl': 0.5, 'objective/scores': {0.01 * n:.2f}, "
        f"'loss/policy_avg': -0.01, 'lr': 1e-06, 'episode': {16 * n}, 'epoch': {n / 100:.2f}}}\n"
        for n in range(1, 60)
    )
    assert detected(text) == "huggingface"
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(0.25, rel=0.02), "it/s")
