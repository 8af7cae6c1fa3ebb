"""What the numbers of a line are is inferred by reading it again with others."""

from __future__ import annotations

import pytest

from sixdim.parsers.blocks.form import RowForm
from sixdim.parsers.blocks.infer import infer_form
from sixdim.parsers.blocks.trial import Probe
from sixdim.parsers.envelopes.prefix import Envelopes
from tests.support.formats import by_name

TORCHVISION = (
    "Epoch: [3]  [{step:>4}/3340]  eta: 0:06:47  lr: 0.128  img/s: 5625.49{step}  "
    "loss: 7.2926 (7.2497)  acc1: 0.1326 (0.1326)  acc5: 0.5302 (0.5302)  "
    "time: 1.2591  data: 0.0019  max mem: 11100"
)
DLLOGGER = (
    "DLL 2021-03-23 09:25:16.839221 - Epoch: 0 Iteration: {step}  "
    "train.loss : 7.65124  train.total_ips : 848.12 img/s"
)
LLMC = (
    "step {step:>4}/19560 | loss 10.718262 (+nanz)| norm 12.9215 (+nanz)| lr 6.00e-06 | "
    "4133.71 ms | 41.6% bf16 MFU | 126838 tok/s"
)
TIMM = (
    "Train: 4 [{step:>4}/1251 (  0%)]  Loss: 6.93 (6.95)  Time: 0.912s, 1122.60/s  "
    "(0.980s, 1044.44/s)  LR: 1.000e-06  Data: 0.012 (0.070)"
)


def form(name: str, line: str) -> RowForm | None:
    """What is inferred of the second of two lines of a format."""
    reader, envelopes = by_name(name)().want(()), Envelopes()
    envelopes.clocks.decide(timeless=reader.own_clock)
    before, raw = (f"{line.format(step=step)}\n".encode() for step in (50, 100))
    return infer_form(Probe(envelopes, reader), before, raw)


@pytest.mark.parametrize(
    ("name", "line", "fields"),
    [
        ("torchvision", TORCHVISION, {"epoch", "step", "throughput", "loss", "duration"}),
        ("dllogger", DLLOGGER, {"epoch", "step", "throughput", "loss"}),
        ("timm", TIMM, {"epoch", "step", "throughput", "loss", "duration"}),
        ("llmc", LLMC, {"step", "loss", "duration", "throughput"}),  # its times are milliseconds
    ],
)
def test_the_fields_of_an_event_are_numbers_of_the_line(
    name: str, line: str, fields: set[str]
) -> None:
    inferred = form(name, line)
    assert inferred is not None
    assert fields <= set(inferred.meanings)


def test_a_clock_counts_what_its_digits_are_worth() -> None:
    inferred = form("dllogger", DLLOGGER)
    assert inferred is not None
    assert [*inferred.clock.values()] == [3_600_000_000, 60_000_000, 1_000_000, 1]
    assert len(inferred.same) == 3  # year, month and day


def test_a_clock_in_front_of_a_line_counts_as_well() -> None:
    inferred = form(
        "timm", f"[2023-02-{{step}} 10:42:47,857] {TIMM.replace('{step:>4}', ' {step}')}"
    )
    assert inferred is None  # no day has this number
    inferred = form("timm", f"[2023-02-11 10:42:47,857] {TIMM}")
    assert inferred is not None
    assert [*inferred.clock.values()] == [3_600_000_000, 60_000_000, 1_000_000, 1000]


def test_a_digit_that_is_part_of_a_name_stays() -> None:
    inferred = form("torchvision", TORCHVISION)
    assert inferred is not None
    line = f"{TORCHVISION.format(step=7)}\n".encode()
    assert inferred.expression.fullmatch(line)
    assert not inferred.expression.fullmatch(line.replace(b"acc5", b"acc3"))


@pytest.mark.parametrize(
    ("old", "new"), [(b"0:06:47", b"1:59:08"), (b"0.128", b"0.064"), (b": 11100", b": 11213")]
)
def test_a_number_that_is_no_figure_may_change(old: bytes, new: bytes) -> None:
    """The time left, the learning rate and the memory."""
    inferred = form("torchvision", TORCHVISION)
    assert inferred is not None
    assert inferred.expression.fullmatch(
        f"{TORCHVISION.format(step=7)}\n".encode().replace(old, new)
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"7.2926", b"nan"), (b"7.2926", b"-7.2926"), (b"/3340", b"/3341"), (b"0.0019", b"0.00.19")],
)
def test_a_line_with_anything_else_is_of_another_form(old: bytes, new: bytes) -> None:
    inferred = form("torchvision", TORCHVISION)
    line = f"{TORCHVISION.format(step=7)}\n".encode()
    assert inferred is not None
    assert inferred.expression.fullmatch(line)
    assert not inferred.expression.fullmatch(line.replace(old, new))


def test_a_reader_that_remembers_its_lines_is_not_inferred() -> None:
    line = "{{'loss': 1.4019, 'learning_rate': 9.98e-05, 'epoch': 0.{step}}}"
    inferred = form("huggingface", line)
    assert inferred is None or "epoch" not in inferred.meanings
