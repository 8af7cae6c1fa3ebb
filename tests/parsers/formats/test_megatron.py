"""Megatron-LM and its forks: iterations, rates, evaluations."""

from __future__ import annotations

from statistics import median

import pytest

from sixdim.parsers.events import (
    Problem,
    RunEnd,
    RunStart,
    Scope,
)
from tests.support.corpus import log, read, text
from tests.support.inputs.torchvision_log import read as card_of
from tests.support.logs import evaluations, facts, iterations, scored, scores_by_step, values

MEGATRON = (
    " iteration {step:8d}/{steps:8d} | consumed samples: {seen:12d} | elapsed time per iteration "
    "(ms): {ms:.1f} | learning rate: {lr:.3E} | global batch size: {batch:5d} | {loss}"
    "loss scale: 1.0 | grad norm: 1.204 | number of skipped iterations:   0 | "
    "number of nan iterations:   0 |"
)


def megatron(step: int, ms: float, loss: str = "lm loss: 2.500000E+00 | ") -> str:
    return MEGATRON.format(
        step=step, steps=1000, seen=64 * step, ms=ms, lr=1.5e-4, batch=64, loss=loss
    )


def test_megatron() -> None:
    name, events = text(
        "using world size: 32, data-parallel-size: 1, tensor-model-parallel size: 4 ",
        "  bf16 ............................................ True",
        "  micro_batch_size ................................ 4",
        "[before the start of training step] datetime: 2030-01-02 03:04:05 ",
        megatron(10, 1600.0, loss=""),
        megatron(20, 1618.0),
        " validation loss at iteration 20 | lm loss value: 2.750000E+00 | "
        "lm loss PPL: 1.564263E+01 | ",
        megatron(30, 1620.0, loss="lm-loss: nan | "),
        " [2030-01-02 03:05:05] " + megatron(40, 1630.0).strip(),
        "[after training is done] datetime: 2030-01-02 03:06:05 ",
    )
    assert name == "megatron"
    assert facts(events) == {
        "devices": 32,
        "precision": "bf16",
        "batch_per_device": 4,
        "global_batch": 64,
    }
    found = iterations(events)
    assert [(e.epoch, e.step, e.steps, e.duration) for e in found] == [
        (None, 10, 1000, 1.6),
        (None, 20, 1000, 1.618),
        (None, 30, 1000, None),  # its time includes the evaluation
        (None, 40, 1000, 1.63),
    ]
    assert [str(e.loss) for e in found] == ["None", "2.5", "nan", "2.5"]
    assert found[3].at.time_us == 1_893_553_505_000_000
    assert values(found[1])["grad norm"] == (1.204, "")
    assert scores_by_step(events) == [(20, {"loss": 2.75, "perplexity": 15.64263})]
    assert sum(isinstance(e, RunStart) for e in events) == 1
    assert [e.status for e in events if isinstance(e, RunEnd)] == ["finished"]


def test_megatron_rates_of_its_forks() -> None:
    whole = megatron(10, 500.0, "lm loss: 1.0E+00 | ") + " tokens per second: 131072.0 |"
    one = megatron(10, 500.0, "lm loss: 1.0E+00 | ") + " tokens per second per device: 16384.0 |"
    mega = megatron(10, 500.0) + " throughput per GPU (TFLOP/s/GPU): 412.3 |"
    rates = [
        (e.throughput, e.unit, e.scope)
        for line in (whole, one, mega)
        for e in iterations(text(line)[1])
    ]
    assert rates == [
        (131072.0, "tokens/s", Scope.JOB),
        (16384.0, "tokens/s", Scope.DEVICE),
        (None, "", Scope.UNKNOWN),
    ]
    tflops = values(iterations(text(mega)[1])[0])["throughput per GPU (TFLOP/s/GPU)"]
    assert tflops[0] == 412.3


def test_megatron_deepspeeds_own_world_size_is_not_the_jobs() -> None:
    """DeepSpeed prints its configuration too, where a world is the ranks of one model's part."""
    _name, events = text(
        "using world size: 64, data-parallel-size: 1, tensor-model-parallel size: 4 ",
        "  world_size ...................................... 64",
        "[2021-06-10 20:47:51,887] [INFO] [config.py:904:print]   world_size ............ 1",
        megatron(1, 1600.0),
        megatron(2, 1600.0),
    )
    assert facts(events)["devices"] == 64


def test_neox_has_as_many_devices_as_its_processes() -> None:
    """GPT-NeoX prints the processes twice, first the launcher's one; DeepSpeed's are half of them."""
    world = "NeoXArgs.configure_distributed_args() using world size: {} and model-parallel size: 2 "
    _name, events = text(
        world.format(1),
        "  world_size ...................... None........................default",
        world.format(8),
        "[2031-02-11 18:17:50,500] [INFO] [config.py:962:print]   world_size ................... 4",
        " samples/sec: 5.120 | iteration        1/   10000 | elapsed time per iteration (ms): 12499.0"
        " | learning rate: 2.052E-06 | approx flops per GPU: 190.4TFLOPS | lm_loss: 5.639597E-01 |",
    )
    assert facts(events)["devices"] == 8


def test_megatron_broken_number_is_a_warning_with_its_line() -> None:
    _, events = text(megatron(10, 1600.0), megatron(20, 1600.0).replace("1600.0", "16x0.0"))
    problems = [e for e in events if isinstance(e, Problem)]
    assert [(p.kind, p.at.line) for p in problems] == [("broken_number", 2)]
    assert [e.step for e in iterations(events)] == [10]


@pytest.mark.parametrize(
    ("file", "published", "digit", "records"),
    [
        # Of 20, the one after the evaluation at iteration 100 includes it (1.773 s): it has no time.
        ("bigscience_meg_30B_32gpu_base_n8.log", 1.618, 0.001, 19),
        ("bigscience_megds3d_52B_64gpu_dsoff.log", 126, 1, 62),
        ("bigscience_megds3d_52B_64gpu_dson.log", 137, 1, 49),
    ],
)
def test_megatron_published_seconds_per_iteration(
    file: str, published: float, digit: float, records: int
) -> None:
    name, events = read(log(f"corpus/megatron/{file}").read_bytes())
    found = [e.duration for e in iterations(events) if e.duration is not None]
    assert (name, len(found)) == ("megatron", records)
    # How it was rounded, and over which records, was not published: its last digit holds.
    assert abs(median(found) - published) < digit


def test_the_accuracy_of_a_task_between_the_iterations() -> None:
    """The time of the evaluation is in that of the iteration after it, which is left out."""
    evaluation = (
        " validation results on LAMBADA | number correct: 3.5650E+03 | total examples: "
        "5.1530E+03 | avg accuracy: 6.9183E-01"
    )
    lines = ["using world size: 8, data-parallel-size: 8, tensor-model-parallel size: 1 "]
    for step in range(1, 41):
        lines.append(megatron(step, 30_000.0 if step % 10 == 1 and step > 1 else 500.0))
        if step % 10 == 0:
            lines.append(evaluation if step < 40 else evaluation.replace("6.9183", "6.7980"))
    card = scored("\n".join(lines) + "\n")
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.6798, 0.69183)
    assert card["dimensions"]["speed"]["value"] == 64 / 0.5


def test_the_first_iteration_that_the_second_line_counts_again() -> None:
    """Newer versions print it after 20 s, and then the mean of all ten: (20 + 9 * 2) / 10 s."""
    begins = "[before the start of training step] datetime: 2030-01-02 03:04:05.120000 "
    lines = [begins, megatron(1, 20_000.0), megatron(10, 3800.0), megatron(20, 2000.0)]
    found = iterations(text(*lines)[1])
    assert [e.loss for e in found] == [2.5, 2.5, 2.5]
    assert [e.duration for e in found] == [None, pytest.approx(2.0), 2.0]
    assert scored("\n".join(lines) + "\n")["dimensions"]["speed"]["value"] == pytest.approx(32.0)
    again = [begins, megatron(124, 9000.0), megatron(130, 3000.0), megatron(140, 2000.0)]
    found = iterations(text(*lines, *again)[1])[3:]  # (9 + 6 * 2) / 7 s
    assert [e.duration for e in found] == [None, pytest.approx(2.0), 2.0]
    divided = [begins, megatron(24, 9000.0), megatron(30, 3000.0)]  # 6 more, and 24 is 4 * 6
    assert [e.duration for e in iterations(text(*divided)[1])] == [None, pytest.approx(2.0)]
    whole = [begins, megatron(10, 3800.0), megatron(20, 2000.0)]
    assert [e.duration for e in iterations(text(*whole)[1])] == [None, 2.0]
    older = [begins.replace(".120000", ""), *lines[1:]]
    assert [e.duration for e in iterations(text(*older)[1])] == [20.0, 3.8, 2.0]


def test_evaluations_on_several_sets() -> None:
    _, events = text(
        megatron(20, 1600.0),
        " validation-wiki loss at iteration 20 on validation set | lm loss value: 2.5E+00 | "
        "lm loss PPL: 1.218249E+01 | ",
        " validation-1 loss at iteration 20 on test set | lm loss value: 3.5E+00 | "
        "lm loss PPL: 3.311545E+01 | ",
    )
    found = [(e.step, e.data, e.after_training, e.metrics[0].value) for e in evaluations(events)]
    assert found == [(20, "wiki", False, 2.5), (20, "1", True, 3.5)]


@pytest.mark.parametrize(
    "line",
    [
        "validation loss at iteration 20 on 512-sample draw from test set | lm loss value: 3.5E+00",
        "validation results at the end of training for val data | lm_loss value: 3.500000E+00",
        "test results at the end of training for test data | lm_loss value: 3.500000E+00",
    ],
)
def test_the_evaluations_of_forks_after_the_training(line: str) -> None:
    earlier = " validation results at iteration 20 | lm_loss value: 3.750000E+00 | "
    _, events = text(megatron(20, 1600.0), earlier, f" {line} | ")
    found = [(e.step, e.after_training, e.metrics[0].value) for e in evaluations(events)]
    assert found == [(20, False, 3.75), (20, True, 3.5)]


@pytest.mark.parametrize(
    ("clock", "after_evaluation", "speed"),
    [("", 2900.0, 32.0), (" [2030-01-02 03:05:05]", 2400.0, 64 / 2.2)],
)
def test_the_time_of_an_evaluation_between_two_lines(
    clock: str, after_evaluation: float, speed: float
) -> None:
    """Versions without a clock time it: 64 samples take 2 s, and an evaluation 9 s in 10 iterations.

    Those with a clock do not: 64 samples take the mean of 2 and 2.4 s, as the first line counts for
    nothing.
    """
    lines = ["  micro_batch_size ................................ 4"]
    for n, ms in enumerate((2000.0, 2000.0, after_evaluation), 1):
        lines += [
            clock + megatron(10 * n, ms),
            f" validation loss at iteration {10 * n} | lm loss value: 2.75E+00 | ",
        ][: 1 + (n == 2)]
    assert scored("\n".join(lines) + "\n")["dimensions"]["speed"]["value"] == pytest.approx(speed)


@pytest.mark.parametrize(
    ("stated", "grows_at", "unit", "speed"),
    [
        (True, 13, "samples/s", 32.0),  # the arguments say 64, the lines 32 and then 64
        (False, 13, "samples/s", 32.0),
        (False, 24, "it/s", 1.0),  # the batch is known to grow when most lines have been read
    ],
)
def test_a_batch_that_grows(stated: bool, grows_at: int, unit: str, speed: float) -> None:
    """32 samples take 1 s and 64 samples 2 s."""
    lines = ["  global_batch_size ............................... 64"][: 1 if stated else 0]
    lines.append("[before the start of training step] datetime: 2030-01-02 03:04:05 ")
    for step in range(1, 27):
        batch = 32 if step < grows_at else 64
        usual = megatron(step, batch / 32 * 1000.0)
        lines.append(usual.replace("global batch size:    64", f"global batch size:    {batch}"))
    printed = "\n".join(lines) + "\n"
    found = scored(printed)["dimensions"]["speed"]
    assert (found["unit"], found["value"]) == (unit, pytest.approx(speed))
    # A flag states that all iterations have one batch.
    found = card_of(printed, given={"global_batch": 48})["dimensions"]["speed"]
    assert found["unit"] == "samples/s"
    assert found["value"] == pytest.approx(48.0 * speed if unit == "it/s" else speed)


def test_a_batch_that_grows_beside_the_first_iteration() -> None:
    """The second line counts the first iteration again: (20 + 9 * 1) / 10 s."""
    lines = [
        "  global_batch_size ............................... 64",
        "[before the start of training step] datetime: 2030-01-02 03:04:05.120000 ",
        *(megatron(step, ms).replace(":    64 |", ":    32 |")
          for step, ms in ((1, 20_000.0), (10, 2900.0), (20, 1000.0))),
    ]  # fmt: skip
    rates = [e.throughput for e in iterations(text(*lines)[1])]
    assert rates == [None, pytest.approx(32.0), 32.0]


def test_a_line_on_which_the_batch_grew_has_no_rate() -> None:
    """A line each ten iterations of 32 samples, from the 105th on 64: at 32 samples/s all along."""
    lines = ["[before the start of training step] datetime: 2030-01-02 03:04:05 "]
    for step, batch, ms in ((90, 16, 500), (100, 32, 1000), (110, 64, 1600), (120, 64, 2000)):
        usual = megatron(step, float(ms))
        lines.append(usual.replace("global batch size:    64", f"global batch size:    {batch}"))
    rates = [e.throughput for e in iterations(text(*lines)[1])]
    assert rates == [None, None, None, 32.0]  # of the first two, nothing shows that it varies


def test_the_line_of_argonnes_fork() -> None:
    """Its rates are those of whole iterations; DeepSpeed's mean leaves the optimizer out."""
    line = (
        "[2024-06-21 10:{m:02d}:42][INFO][training:1609] -  iteration={n:8d}/  317892 | "
        "consumed_samples={seen:12d} | elapsed_time_per_iteration_ms=30000.0 | "
        "learning_rate=1.88743e-08 | global_batch_size=  768 | lm loss=11.133188 | loss_scale=1.0 "
        "| actual_seqlen= 4096 | samples_per_second=25.600 | "
        "tokens_per_gpu_per_second_tgs=4369.067 | [LM]-TFLOPs=49.66 | [DS]-TFLOPs=73.32 |\n"
        "[2024-06-21 10:{m:02d}:42,167] [INFO] [timer.py:260:stop] epoch=0/micro_step={n}/"
        "global_step={n}, RunningAvgSamplesPerSec=33.1, CurrSamplesPerSec=33.1, "
        "MemAllocated=17.8GB, MaxMemAllocated=49.5GB\n"
    )
    card = scored("".join(line.format(n=n, m=n, seen=768 * n) for n in range(1, 21)))
    assert (card["run"]["format"], card["run"]["global_batch"]) == ("megatron", 768)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["scope"]) == (25.6, "samples/s", "job")
