"""Logs no format knows: read by the names in them, or honestly unknown."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration, RunInfo, Scope
from sixdim.parsers.grammar.meaning.named_numbers import named_numbers
from sixdim.parsers.reader.detect import SAMPLE
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.corpus import text


def roles(line: str) -> list[tuple[str, float, str]]:
    return [(one.role, one.value, one.unit) for one in named_numbers(line)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "epoch 3/90 step 40/5005 speed 1,234.5 images/sec loss=0.25",
            [
                ("epoch", 3, ""),
                ("epochs", 90, ""),
                ("step", 40, ""),
                ("steps", 5005, ""),
                ("rate", 1234.5, "img/s"),
                ("loss", 0.25, ""),
            ],
        ),
        (
            "[it 20] training loss: -1.5e-3 | 250 tok/s",
            [("step", 20, ""), ("loss", -0.0015, ""), ("rate", 250, "tokens/s")],
        ),
        ("SamplesPerSec=171.5", [("rate", 171.5, "samples/s")]),
        ("throughput: 88.5", [("rate", 88.5, "")]),
        ("1.25s/it", [("duration", 1.25, "")]),
        (
            "step 3 loss 1.5 250 ms/step",
            [("step", 3, ""), ("loss", 1.5, ""), ("duration", 0.25, "")],
        ),
        ("Loss 1.5 tok/s 1200.5", [("loss", 1.5, ""), ("rate", 1200.5, "tokens/s")]),
        ("12.5k tok/s", [("rate", 12500, "tokens/s")]),
        ("tokens/s=12.5k mfu=45%", [("rate", 12500, "tokens/s")]),
        ("throughput: 1.25M", [("rate", 1_250_000, "")]),
        ("img/s: 1.5 k, loss 2.5", [("rate", 1500, "img/s"), ("loss", 2.5, "")]),
        ("tokens per second 2.5G", [("rate", 2.5e9, "tokens/s")]),
        (
            "Epoch 1 | train:  10%|███ | 10/400 [00:01<00:09,  2.50s/it, loss=1.5]",
            [
                ("epoch", 1, ""),
                ("step", 10, ""),
                ("steps", 400, ""),
                ("duration", 2.5, ""),
                ("loss", 1.5, ""),
            ],
        ),
        (
            "Train Epoch: 1 [640/60000 (1%)]\tLoss: 0.5",
            [("epoch", 1, ""), ("step", 640, ""), ("steps", 60000, ""), ("loss", 0.5, "")],
        ),
        ("Accuracy: 9832/10000", [("quality", 98.32, "%")]),
        ("Accuracy: 9832/10000 (98%)", [("quality", 98.32, "%"), ("quality", 98, "%")]),
        ("Accuracy on evaluation data: 928 / 1000", [("quality", 92.8, "%")]),
        ("val acc: 91.5 / 99.1", [("quality", 91.5, "")]),  # of the first answer, of five
        (
            'msg="train epoch complete" epoch=2 loss=0.5',
            [("epoch", 2, ""), ("loss", 0.5, "")],
        ),
        ("acc 12/10", []),
        ("loss train: 1.5, loss/test: 1.25", [("loss", 1.5, ""), ("loss", 1.25, "")]),
        ("Time taken for epoch 2 is 752.5 sec", [("epoch", 2, ""), ("epoch time", 752.5, "")]),
        ("The elapsed time of epoch 2 is 00: 12: 32", [("epoch", 2, "")]),
        ("Time for epoch: 12", []),  # seconds
        ("Number of epochs 12", []),
        ("epoch time: 2.00 min", [("epoch time", 120, "")]),
        ("Acc@1 75.5 Acc@5 92.25", [("quality", 75.5, ""), ("quality", 92.25, "")]),
        ("top-1: 75.5% (3775/5000)", [("quality", 75.5, "%")]),
        ("train_loss_epoch=0.5, val_loss_step=0.25", [("loss", 0.5, ""), ("loss", 0.25, "")]),
        ("Iteration: 10, loss = nan", [("step", 10, ""), ("loss", "nan", "")]),
    ],
)
def test_names_and_units_of_the_field(line: str, found: list[tuple[str, float, str]]) -> None:
    assert [(r, str(v) if v != v else v, u) for r, v, u in roles(line)] == found


@pytest.mark.parametrize(
    ("line", "rates"),
    [
        ("1234 tokens/s/gpu | 9872 tokens/s", [(1234, True), (9872, False)]),
        ("Tokens/s/device: 3276.5", [(3276.5, True)]),
        ("throughput/device/tokens_per_second=10500.5", [(10500.5, True)]),
        ("loss=0.5 tokens_s=10500.5", [(10500.5, False)]),
        ("tokens/gpu/s: 10500.5", [(10500.5, True)]),
        ("100 samples/sec per GPU", [(100, True)]),
        ("100 samples/sec", [(100, False)]),
    ],
)
def test_a_rate_that_says_it_is_a_devices(line: str, rates: list[tuple[float, bool]]) -> None:
    assert [(n.value, n.per_device) for n in named_numbers(line) if n.role == "rate"] == rates


@pytest.mark.parametrize(
    "line",
    [
        "learning rate 0.1, batch size 256, 8 GPUs, seed 42",
        "loss scale: 65536.0",
        "best acc: 93.5",
        "num epochs: 300",
        "epochs=300",
        "early stopping: patience epochs 5, min loss 0.1",
        "checkpoint saved to /runs/17/epoch-3.pt",
        "memory: 66.91GiB, 12 steps remaining 5",
        "GET /images/2 HTTP/1.1 200 1.5s",
        "Step: 1s194ms | Tot: 45s885ms",
        "throughput: 0",
        "throughput: 1.5x",
        "tokens/s=12.5q",
        "epoch " + "9" * 400,
        "step 1" + "0" * 300 + "/" + "9" * 400,
    ],
)
def test_other_numbers_have_no_meaning(line: str) -> None:
    assert roles(line) == []


HOUSE = [
    line
    for epoch in (1, 2)
    for line in (
        f"=== epoch {epoch} of 2",
        f"it 100/200 tloss: loss 2.5, {1000 + epoch}.5 images/sec",
        f"it 200/200 tloss: loss 1.5, {1000 + epoch}.5 images/sec",
        f"validation: loss 1.25, accuracy 70.{epoch}%",
    )
]


def test_a_house_made_log() -> None:
    name, events = text(*HOUSE)
    assert name == "generic"
    steps = [e for e in events if isinstance(e, Iteration)]
    assert [(e.epoch, e.step, e.steps, e.loss) for e in steps] == [
        (1, None, None, None),  # `=== epoch 1 of 2`
        (1, 100, 200, 2.5),
        (1, 200, 200, 1.5),
        (2, None, None, None),
        (2, 100, 200, 2.5),
        (2, 200, 200, 1.5),
    ]
    assert {(e.throughput, e.unit, e.scope) for e in steps if e.step} == {
        (1001.5, "img/s", Scope.UNKNOWN),
        (1002.5, "img/s", Scope.UNKNOWN),
    }
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.epoch, [(m.name, m.value, m.unit) for m in e.metrics]) for e in found] == [
        (1, [("loss", 1.25, ""), ("acc1", 70.1, "%")]),
        (2, [("loss", 1.25, ""), ("acc1", 70.2, "%")]),
    ]
    assert [(e.name, e.value) for e in events if isinstance(e, RunInfo)] == [("epochs_planned", 2)]


@pytest.mark.parametrize("separator", ["\t", ",", "    ", " | "])
@pytest.mark.parametrize("accuracy", ["Test Acc", "Test Acc1", "Test Top1"])
def test_a_table_under_its_header(separator: str, accuracy: str) -> None:
    rows = (
        ("Epoch", "Seconds", "Train Loss", "Test Loss", accuracy),
        ("0", "213.1", "3.25", "2.5", "43.5"),
        ("1", "201.5", "2.25", "2.0", "46.5"),
        ("2", "201.5", "1.25", "1.5", "56.5"),
    )
    name, events = text(*(separator.join(row) for row in rows))
    assert name == "generic"
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.epoch, {m.name: m.value for m in e.metrics}) for e in found] == [
        (0, {"loss": 2.5, "acc1": 43.5}),
        (1, {"loss": 2.0, "acc1": 46.5}),
        (2, {"loss": 1.5, "acc1": 56.5}),
    ]
    ends = [e for e in events if isinstance(e, EpochEnd)]
    assert [(e.epoch, e.values[0].value) for e in ends] == [(0, 3.25), (1, 2.25), (2, 1.25)]


def test_prose_with_numbers_stays_unknown() -> None:
    name, events = text(
        "We trained for 90 epochs on 8 GPUs; the loss was 0.25 after epoch 3.",
        "Throughput rose to 1234 images/sec, and accuracy 0.76 was met.",
        "Then 12 people went home.",
    )
    assert name == ""
    assert len(events) == 1


def test_a_named_format_that_is_sure_comes_first() -> None:
    lines = [f"iter {n}: loss 2.5000, time 500.00ms, mfu 41.25%" for n in range(3)]
    interpreter = Interpreter(formats())
    data = "\n".join([*HOUSE * 6, *lines, ""]).encode()
    events = [*interpreter.feed(data), *interpreter.end()]
    assert events
    assert interpreter.detection is not None
    # The generic reader is not asked where a named format is sure.
    assert [c.name for c in interpreter.detection.candidates] == ["nanogpt"]
    assert interpreter.detection.name == "nanogpt"


def test_the_decision_does_not_wait_for_ever() -> None:
    interpreter = Interpreter(formats())
    line = b"it 100/200 loss 2.5, 1000.5 images/sec\n"
    assert list(interpreter.feed(line * (SAMPLE - 1))) == []
    assert len(list(interpreter.feed(line))) == SAMPLE
    assert interpreter.detection is not None
    assert interpreter.detection.name == "generic"


def test_it_says_what_it_found_and_how_sure_it_is() -> None:
    interpreter = Interpreter(formats())
    assert [*interpreter.feed("\n".join(HOUSE).encode()), *interpreter.end()]
    assert interpreter.detection is not None
    (candidate,) = interpreter.detection.candidates
    assert candidate.reasons == (
        "4 named figures",
        "1 epoch",
    )  # eight lines, less the first of each kind
    assert 0 < candidate.confidence < 0.5


def test_the_jobs_rate_goes_before_a_devices_and_iterations() -> None:
    lines = [
        f"step {n}: loss 2.5 | 4.0 it/s | 1234 tokens/s/gpu | 9872 tokens/s" for n in (1, 2, 3)
    ]
    _, events = text(*lines)
    steps = [e for e in events if isinstance(e, Iteration)]
    assert {(e.throughput, e.unit, e.scope) for e in steps} == {(9872, "tokens/s", Scope.UNKNOWN)}


def test_a_devices_rate_alone_is_a_devices() -> None:
    _, events = text(*[f"step {n}: loss 2.5, Tokens/s/device: 3276.5" for n in (1, 2, 3)])
    steps = [e for e in events if isinstance(e, Iteration)]
    assert {(e.throughput, e.unit, e.scope) for e in steps} == {(3276.5, "tokens/s", Scope.DEVICE)}


def test_rates_of_other_units_are_no_speed() -> None:
    block = ("tokens_per_second=10500.5", "batches_per_second=0.25", "loss=2.5")
    _, events = text(*[f"    throughput/{line}" for _ in range(5) for line in block])
    speeds = [
        (e.throughput, e.duration)
        for e in events
        if isinstance(e, Iteration) and (e.throughput or e.duration)
    ]
    assert speeds == [(10500.5, None)] * 5


def test_iterations_per_second_are_a_duration() -> None:
    _, events = text(*[f"step {n}: loss 2.5, 4.0 it/s" for n in (1, 2, 3)])
    steps = [e for e in events if isinstance(e, Iteration)]
    assert [(e.throughput, e.duration) for e in steps] == [(None, 0.25)] * 3


def test_a_full_bar_ends_its_epoch() -> None:
    bar = "Epoch [{}/2]: {:3d}%|███ | {}/400 [00:01<00:09, 10.0it/s, loss=1.5]"
    _, events = text(*[bar.format(e, n // 4, n) for e in (1, 2) for n in (100, 200, 400)])
    assert [e.epoch for e in events if isinstance(e, EpochEnd)] == [1, 2]


def test_the_mnist_example() -> None:
    name, events = text(
        *[
            line
            for epoch in (1, 2)
            for line in (
                f"Train Epoch: {epoch} [0/60000 (0%)]\tLoss: 2.5",
                f"Train Epoch: {epoch} [640/60000 (1%)]\tLoss: 1.5",
                f"Test set: Average loss: 0.05, Accuracy: 98{epoch}2/10000 (98%)",
            )
        ]
    )
    assert name == "generic"
    assert [e.step for e in events if isinstance(e, Iteration)] == [0, 640, 0, 640]
    facts = [(e.name, e.value) for e in events if isinstance(e, RunInfo)]
    assert facts == [("samples_per_epoch", 60_000)]
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.epoch, [(m.name, m.value, m.unit) for m in e.metrics]) for e in found] == [
        (1, [("loss", 0.05, ""), ("acc1", 98.12, "%")]),
        (2, [("loss", 0.05, ""), ("acc1", 98.22, "%")]),
    ]


def test_fastais_table() -> None:
    name, events = text(
        "epoch     train_loss  valid_loss  accuracy  time    ",
        "0         0.500000    0.250000    0.875000  00:12     ",
        "1         0.250000    0.125000    0.900000  01:02:03     ",
    )
    assert name == "generic"
    found = [e for e in events if isinstance(e, Evaluation)]
    assert [(e.epoch, {m.name: m.value for m in e.metrics}) for e in found] == [
        (0, {"loss": 0.25, "acc1": 0.875}),
        (1, {"loss": 0.125, "acc1": 0.9}),
    ]


def test_a_rate_without_a_unit_is_a_rate() -> None:
    _, events = text(*[f'{{"step": {n}, "loss": 2.5, "throughput": 51.5}}' for n in (1, 2, 3)])
    steps = [e for e in events if isinstance(e, Iteration)]
    assert [(e.throughput, e.unit) for e in steps] == [(51.5, "")] * 3
