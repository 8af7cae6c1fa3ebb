"""Logs made up for tests of the whole way from bytes to a card, and what a session shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import partial
from itertools import islice

import pytest
from hypothesis import strategies as st

from benchmarks import formats as benchmark
from sixdim.metrics.fold.sums.line_sums import LineSums
from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.convergence import parse_target
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.formats import by_name


def read(data: bytes, cuts: tuple[int, ...] = (), target: str = "", name: str = "") -> Session:
    """A session that was fed these bytes, cut at these places."""
    goal = parse_target(target, "--target") if target else None
    forced = by_name(name) if name else None
    session = Session("train.log", Settings(target=goal), formats(), forced, 7)
    begin = 0
    for cut in (*sorted(cuts), len(data)):
        session.feed(data[begin:cut])
        begin = max(begin, cut)
    session.end()
    return session


def totals(lines: LineSums) -> tuple[float, ...]:
    """Seconds and iterations, of training and of what was left out, and the unprinted ones."""
    read = lines.read()
    left_out = read.evaluations_s, read.evaluations, read.unprinted
    return (read.sums.seconds(), read.sums.timed, *left_out)


def state(session: Session) -> dict[str, str]:
    """All that a person can see of a session, as text: nan equals nan there."""
    shot = session.snapshot()
    shown: dict[str, object] = {one.name: getattr(shot, one.name) for one in fields(shot)}
    shown["card"] = dumps(session.card())
    shown["recent"] = tuple(session.interpreter.recent)
    shown["runs"] = [
        {
            "epochs": [
                (
                    *(e.label, e.first_line, e.last_line, e.offset, e.records),
                    *(e.lines.rate(), totals(e.lines), e.loss, e.start_us, e.end_us),
                    *(e.step, e.steps, e.first_step, e.complete, e.clocked()),
                    *(e.mean_throughput, e.mean_duration, e.lines.seconds()),
                )
                for e in run.epochs.values()
            ],
            "evaluations": [*run.evaluations],
            "problems": [(p.at, p.kind, p.text) for p in run.problems.stored],
            "checks": (run.checks.slowest, run.checks.fastest, run.checks.pairs.lines),
            "counts": run.problems.counts,
            "clock": (run.clock.start.time_us, run.clock.last_us),
        }
        for run in session.fold.runs
    ]
    return {name: repr(value) for name, value in shown.items()}


def assert_same(
    data: bytes, size: int, cuts: tuple[int, ...] = (), target: str = "", name: str = ""
) -> Session:
    """Reads a log in pieces of a size and cut at other places too; all is as if read at once."""
    cut = read(data, (*range(size, len(data), size), *cuts), target, name)
    assert state(cut) == state(read(data, (), target, name))
    return cut


def torchvision(epochs: int, steps: int, noise: bool = False) -> list[str]:
    lines = ["Namespace(model='resnet50', world_size=8)", "Start training"]
    for epoch in range(epochs):
        for step in range(0, steps * 10, 10):
            lines.append(
                f"Epoch: [{epoch}]  [{step:>4}/3340]  eta: 0:{step % 60:02}:47  lr: 0.1  "
                f"img/s: {4000 + 1000 / (step + epoch + 3)!r}  loss: {7 / (epoch + 1):.4f} (7.1)  "
                f"acc1: {step / 7:.4f} (0.1)  time: 0.3{step}  data: 0.01"
            )
            if noise and step % 3:
                lines.append(f"  warnings.warn({step})")
        lines.append(f"Epoch: [{epoch}] Avg img/s: {4900 + epoch}.25")
        lines.append(f" * Acc@1 {60 + epoch}.5 Acc@5 90.1")
    lines.append("Training time 1:02:03")
    return lines


def dllogger(epochs: int, steps: int) -> list[str]:
    lines = ["DLL 2021-03-23 09:25:16.839221 - PARAMETER arch : resnet50  epochs : 90 "]
    for epoch in range(epochs):
        lines += [
            f"DLL 2021-03-{23 + epoch % 9} 09:{step % 60:02}:16.{step:06} - Epoch: {epoch} "
            f"Iteration: {step}  train.loss : {7 / (step + 1):.5f}  "
            f"train.total_ips : {800 + step / 7:.2f} img/s"
            for step in range(steps)
        ]
        lines.append(
            f"DLL 2021-03-23 10:25:16.839221 - Epoch: {epoch}  train.loss : 2.5  "
            f"train.total_ips : 845.10 img/s  val.top1 : {50 + epoch}.1 %"
        )
    return lines


def ending(epochs: int, steps: int) -> list[str]:
    """As DeepSpark's script ends an epoch: five lines, one of them of no interest."""
    lines = torchvision(epochs, steps)
    for epoch in reversed(range(epochs)):
        at = lines.index(f" * Acc@1 {60 + epoch}.5 Acc@5 90.1")
        lines[at:at] = [
            f"Epoch: [{epoch}] Total time: 0:0{epoch % 7}:{epoch % 60:02}",
            "Test:  [  0/196]  eta: 0:08:11  loss: 1.5310 (1.5310)  time: 2.5  data: 2.1",
        ]
        lines.insert(at + 3, f"epoch time 0:1{epoch % 7}:{epoch % 60:02}")
    return lines


STATED = sorted(benchmark.LOGS)


def stated(name: str, lines: int, steps: int) -> list[str]:
    text = "\n".join(islice(benchmark.lines(benchmark.LOGS[name], steps), lines))
    return text.split("\n")


def drawn(name: str, lines: int, steps: int) -> list[str]:
    """Progress bars as a terminal gets them: of block characters, each drawn over the last."""
    pieces = []
    for number, line in enumerate(stated(name, lines, steps)):
        done = number % steps * 10 // steps
        bar = "█" * done + "▏▎▍▌▋▊▉"[number % 7] + " " * (9 - done)
        bars = re.sub(r"\|[# 0-9]+\|", f"|{bar}|", line)
        pieces.append(bars + ("\r" if bars != line and number % steps else "\n"))
    return "".join(pieces).split("\n")[:-1]


WHOLE = {
    "torchvision": torchvision(3, 24),
    "noisy": torchvision(3, 20, noise=True),
    "dllogger": dllogger(3, 24),
    "submitted": [
        f"AI-Rank-log {1_618_110_234 + n}.{n * 37 % 1000:03} {line}"
        for n, line in enumerate(torchvision(3, 24))
    ],
}


BARS = ("lightning", "yolo")
MANGLED: dict[str, Callable[[], list[str]]] = {
    **{name: partial(list, lines) for name, lines in WHOLE.items()},
    **{name: partial(stated, name, 80, 24) for name in STATED},
    **{f"{name}, redrawn": partial(drawn, name, 80, 24) for name in BARS},
    "caffe, tested": partial(stated, "caffe", 120, 5),
    **{f"{name}, short epochs": partial(stated, name, 80, 4) for name in STATED},
    "short epochs": partial(torchvision, 24, 3),
    "short epochs, noisy": partial(torchvision, 16, 4, noise=True),
    "short epochs, ended": partial(ending, 14, 3),
    "short epochs, dllogger": partial(dllogger, 30, 3),
}
"""Logs by name; each is written when a test asks for it, as most processes need a few."""


ODD = (
    "",
    "   ",
    "Epoch: [1]  [  10/3340]  eta: 1 day, 0:00:47  lr: 0.1  img/s: 4100.5  loss: 1 (1)  "
    "acc1: 1 (1)  time: 0.3  data: 0.01",
    "Epoch: [0]  [   0/3340]  eta: 0:00:47  lr: 0.1  img/s: 4100.5  loss: nan (nan)  "
    "acc1: 0.1 (0.1)  time: 0.3  data: 0.01",
    "Epoch: [1]  [   0/3340]  eta: 0:00:47  lr: 0.1  img/s: 4100.5  loss: 1.1 (7.1)  "
    "acc1: 0.1 (0.1)  time: 0.3  data: 0.01",
    "Epoch: [2]  [  50/100]  eta: 0:00:47  lr: 0.1  img/s: 4.1e3  loss: 1.1 (7.1)  "
    "acc1: 0.1 (0.1)  time: 0.3  data: 0.01",
    "Epoch: [2]  [  60/3340]  eta: 0:00:47  lr: 0.1  img/s: 12345678.5  loss: 1.1 (7.1)  "
    "acc1: 0.1 (0.1)  time: 0.3.3  data: 0.01",
    "10%|#\r20%|##",
    "Epoch 0:  43%|██▎  | 3/5010 [00:37<00:50, 12.58s/it, loss=1.82, v_num=5]\rEpoch 0: █",
    "Epoch 1:  43%|$$$  | 3/5010 [00:37<00:50, 0.00it/s, loss=x, v_num=5]███\r",
    "I0802 00:00:10.537974 140419828713280 sgd_solver.cpp:112] Iteration 70, lr = 0.01000",
    "I0802 00:00:10.537974 140419828713280 solver.cpp:414]     Test net output #0: loss = 0.5",
    "Traceback (most recent call last):",
    "RuntimeError: CUDA out of memory. Tried to allocate",
    "IoU metric: bbox",
    " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.369",
    "Start training",
    "Not using distributed mode",
    "Créating model 中文",
    "\x1b[32mEpoch: [1] Avg img/s: nan\x1b[0m",
    "eval_accuracy:40.4, total_epoch_cnt:0",
    " * Acc@1 99.5 Acc@5 99.9",
    "DLL 2021-02-30 09:25:16.839221 - Epoch: 0 Iteration: 3  train.loss : 7.6  "
    "train.total_ips : 848.12 img/s",
    "DLL 2021-03-23 09:25:16.839221 - Epoch: 0 Iteration: 3  train.compute_ips : 848.12 img/s",
    "DLL 2021-03-23 09:25:16.839221 - Epoch: 0 Iteration: 4  train.loss : 7.6  "
    "train.total_ips : 848.12 imgs/s",
    "DLL 2021-03-23 09:25:16.839221 - Summary: train.loss : 7.6",
    "%%% DLL 2021-03-23 09:25:16.5 - Epoch: 3 Iteration: 7  train.loss : 7.6  "
    "train.total_ips : 848.12 img/s",
)
EDIT = st.one_of(
    st.tuples(st.just("insert"), st.integers(0, 100), st.sampled_from(ODD)),
    st.tuples(st.just("byte"), st.integers(0, 12_000), st.binary(min_size=1, max_size=2)),
    st.tuples(st.just("delete"), st.integers(0, 20_000), st.integers(1, 40)),
    st.tuples(st.just("copy"), st.integers(0, 100), st.integers(0, 100)),
    st.tuples(st.just("digit"), st.integers(0, 20_000), st.sampled_from("0123456789.-e ")),
)


def mostly_slow(cases: Iterable[object]) -> list[object]:
    """Parameters of a test for each case, of which three in four are slow tests."""
    return [
        pytest.param(case, marks=pytest.mark.slow if place % 4 else ())
        for place, case in enumerate(cases)
    ]


def mangled(lines: list[str], edits: list[tuple[str, int, object]]) -> bytes:
    lines = list(lines)
    for what, place, value in edits:
        if what == "insert":
            lines.insert(place, str(value))
        elif what == "copy":
            assert isinstance(value, int)
            lines[place:place] = lines[value : value + 20]
    data = bytearray("".join(f"{line}\n" for line in lines).encode())
    for what, place, value in edits:
        place %= len(data)
        if what == "byte":
            assert isinstance(value, bytes)
            data[place : place + 1] = value
        elif what == "digit":
            data[place] = ord(str(value))
        elif what == "delete":
            assert isinstance(value, int)
            del data[place : place + value]
    return bytes(data)
