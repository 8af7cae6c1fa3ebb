"""The block scan gives what the line parser gives, bit for bit, whatever the log holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count, cycle, islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sample_logs
from benchmarks import formats as benchmark
from metrics.card import dumps
from metrics.convergence import parse_target
from metrics.settings import Settings
from parsers import interpret, scan
from parsers.events import Epochs, Evaluations, Iteration, Iterations
from parsers.interpret import Interpreter
from parsers.registry import by_name, formats
from parsers.scan.block import Scanner
from parsers.whole_epochs import WholeEpochs
from tui.session import Session


@pytest.fixture(autouse=True)
def _scanning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are compared here, whichever way the suite runs."""
    monkeypatch.delenv(scan.SWITCH, raising=False)


@contextmanager
def eager(size: int, head: int = 512) -> Iterator[None]:
    """Lets the scan begin at once and work in small blocks."""
    kept = interpret.SCAN_FROM, interpret._HEAD, Scanner.size
    interpret.SCAN_FROM, interpret._HEAD, Scanner.size = 1, head, size
    try:
        yield
    finally:
        interpret.SCAN_FROM, interpret._HEAD, Scanner.size = kept


def read(
    data: bytes, scan: bool, cuts: tuple[int, ...] = (), target: str = "", name: str = ""
) -> Session:
    goal = parse_target(target, "--target") if target else None
    forced = by_name(name) if name else None
    session = Session("train.log", Settings(target=goal), formats(), forced, 7, blocks=scan)
    begin = 0
    for cut in (*sorted(cuts), len(data)):
        session.feed(data[begin:cut])
        begin = max(begin, cut)
    session.end()
    return session


def state(session: Session) -> dict[str, str]:
    """All that a person can see of a session, as text: nan equals nan there."""
    shown: dict[str, object] = asdict(session.snapshot())
    shown["card"] = dumps(session.card())
    shown["recent"] = session.interpreter.recent.lines()
    shown["runs"] = [
        {
            "epochs": [
                (
                    *(e.label, e.first_line, e.last_line, e.offset, e.records),
                    *(e.throughput.count, e.throughput.sum(), e.loss, e.start_us, e.end_us),
                    *(e.step, e.steps, e.first_step, e.complete, e.durations.sum()),
                )
                for e in run.epochs.each()
            ],
            "evaluations": [(j.event, j.epoch, j.values, j.units) for j in run.evaluations],
            "problems": [(p.at, p.kind, p.text) for p in run.problems],
            "observed": (run.observed.slowest, run.observed.fastest, run.observed.pair_lines),
            "counts": run.problem_counts,
            "clock": (run.clock_start_us, run.last_us),
        }
        for run in session.fold.runs
    ]
    return {name: repr(value) for name, value in shown.items()}


def assert_same(
    data: bytes, size: int, cuts: tuple[int, ...] = (), target: str = "", name: str = ""
) -> Session:
    with eager(size):
        scanned = read(data, True, cuts, target, name)
    assert state(scanned) == state(read(data, False, (), target, name))
    return scanned


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
MANGLED = {
    **WHOLE,
    **{name: stated(name, 80, 24) for name in STATED},
    **{f"{name}, redrawn": drawn(name, 80, 24) for name in BARS},
    "caffe, tested": stated("caffe", 120, 5),
    **{f"{name}, short epochs": stated(name, 80, 4) for name in STATED},
    "short epochs": torchvision(24, 3),
    "short epochs, noisy": torchvision(16, 4, noise=True),
    "short epochs, ended": ending(14, 3),
    "short epochs, dllogger": dllogger(30, 3),
}


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_clean_log_is_read_in_stretches_and_gives_the_same(name: str) -> None:
    data = "".join(f"{line}\n" for line in WHOLE[name]).encode()
    scanned = assert_same(data, 1 << 16, target="acc1>60.9")
    scanner = scanned.interpreter._scanner
    assert scanner is not None
    assert len(scanner.lessons.templates) == 1


@pytest.mark.parametrize("name", STATED)
def test_a_stated_progress_line_is_read_in_stretches_and_gives_the_same(name: str) -> None:
    assert_stretched(name, stated(name, 1200, 300))


@pytest.mark.parametrize(
    ("name", "figure", "wrong"),
    [("timm-csv", "59.0276,", "159.0276,"), ("dawnbench", "\t59.028\t", "\t159.028\t")],
)
def test_a_share_above_the_whole_is_told_of_a_row_read_in_a_stretch(
    name: str, figure: str, wrong: str
) -> None:
    lines = stated(name, 600, 300)
    row = next(number for number, line in enumerate(lines) if figure in line)
    lines[row] = lines[row].replace(figure, wrong)
    data = "".join(f"{line}\n" for line in lines).encode()
    warnings = {w.kind: w.lines for w in assert_same(data, 1 << 14, name=name).card().warnings}
    assert warnings["impossible_accuracy"] == (row + 1,)


@pytest.mark.parametrize("name", BARS)
def test_a_redrawn_bar_is_read_in_stretches_and_gives_the_same(name: str) -> None:
    assert_stretched(name, drawn(name, 2400, 300))


def assert_stretched(name: str, lines: list[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    with eager(1 << 16, head=2048):
        scanned = read(data, True)
        stretched = sum(
            event.records
            for event in Interpreter((by_name(name),), by_name(name)).feed(data)
            if isinstance(event, Iterations | Epochs | Evaluations)
        )
    assert state(scanned) == state(read(data, False))
    assert stretched > 1000


@pytest.mark.parametrize("name", ["short epochs", "short epochs, noisy", "short epochs, ended"])
def test_whole_epochs_are_read_together_and_give_the_same(name: str) -> None:
    data = "".join(f"{line}\n" for line in MANGLED[name]).encode()
    with eager(1 << 16):
        events = [*Interpreter((by_name("torchvision"),), by_name("torchvision")).feed(data)]
    together = [event for event in events if isinstance(event, WholeEpochs)]
    assert sum(len(event.labels) for event in together) > 9
    for target in ("", "acc1>66", "acc1>99"):
        assert_same(data, 1 << 16, target=target)


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


def test_an_epoch_that_begins_anew_within_a_stretch_gives_the_same() -> None:
    lines = [*WHOLE["noisy"][:2], ODD[2], *WHOLE["noisy"][2:]]
    scanned = assert_same("".join(f"{line}\n" for line in lines).encode(), 1000)
    assert scanned.run.problem_counts == {"resume": 1}


def test_a_block_may_end_in_a_sign_that_a_reader_looks_for() -> None:
    lines = [*WHOLE["dllogger"], "who knows |"]
    assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)


def test_a_line_that_says_nothing_ends_what_stands_before_it() -> None:
    average = " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.{}"
    closing = "Test: Total time: 0:00:0{} (0.1 s / it)"
    lines = WHOLE["torchvision"][:-1]
    for epoch in range(20):
        lines += [average.format(300 + epoch), closing.format(1), closing.format(2)]
        lines += [average.format(400 + epoch), closing.format(3)]
    scanned = assert_same("".join(f"{line}\n" for line in lines).encode(), 2000)
    judged = [j.values["box"][0] for j in scanned.run.evaluations if "box" in j.values]
    assert len(judged) == 40


def test_padding_behind_a_number_is_no_part_of_it_when_the_number_grows() -> None:
    lines = stated("paddleclas", 400, 24)
    assert any("epoch:9 " in line for line in lines)
    assert any("epoch:10 " in line for line in lines)
    assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)


@pytest.mark.parametrize("later", [0, 12])
def test_a_batch_that_grows_is_told_where_it_does(later: int) -> None:
    lines = stated("megatron", 200, 24)
    validated = [n for n, line in enumerate(lines) if "validation" in line]
    begin = validated[1] + 1 + later
    lines[begin:] = [
        line.replace("batch size:    64", "batch size:   128") for line in lines[begin:]
    ]
    scanned = assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)
    assert scanned.run.facts["global_batch"] == (128, begin + 1)


def test_reports_of_one_loss_are_told_apart_by_their_text() -> None:
    lines = [
        f"{{'loss': 0.0, 'grad_norm': {n % 7}.{n % 3}5, 'learning_rate': 1e-05, 'epoch': {n / 64}}}"
        for n in range(300)
    ]
    lines[120:120] = lines[119:120] * 2  # two other ranks'
    scanned = assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)
    assert sum(epoch.records for epoch in scanned.run.epochs.each()) == 300


def test_rates_without_a_unit_are_cut_lines_once_rates_had_one() -> None:
    named = stated("paddlerec", 120, 24)
    bare = [re.sub(r"(ips: \S+) ins/s", r"\1", line) for line in named]
    lines = [*bare[:60], *named[60:61], *bare[61:]]
    scanned = assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)
    assert scanned.run.problem_counts["cut_line"] == sum("ips: " in line for line in bare[61:])


@settings(max_examples=100, deadline=None)
@given(
    name=st.sampled_from(sorted(MANGLED)),
    edits=st.lists(EDIT, max_size=8),
    size=st.sampled_from([300, 1000, 5000, 1 << 16]),
    cuts=st.lists(st.integers(0, 20_000), max_size=4),
    target=st.sampled_from(["", "acc1>60.9"]),
)
def test_a_mangled_log_gives_the_same(
    name: str, edits: list[tuple[str, int, object]], size: int, cuts: list[int], target: str
) -> None:
    assert_same(mangled(MANGLED[name], edits), size, tuple(cuts), target)


# What a log's own words say, for the last resort among the readers: `#` is any number, `@` a step.
SPOKEN = (
    "epoch @ step @/5005: loss #, acc # %, # images/sec",
    "step @: loss # | # it/s | # tokens/s/gpu | # tokens/s",
    "  iter @ train loss # lr # (# ms/it) of @",
    "Epoch [@][@/400] loss: # acc: #/# time #s # k samples/s",
    "val epoch @ loss # accuracy # %",
    "epoch @ of @ took # s, loss=# ppl=#",
    "step,@,loss,#,x-#,top@ #,# img/s",
    "tested # samples at step @ loss # f1 # #",
    "step loss accuracy",
    "@ # #",
)
_figure = st.one_of(
    st.floats(0, 1e6).map("{:.4f}".format),
    st.sampled_from(["0", "0.0", "-1.5", "1e-05", "2.5e+06", "12,345", "123456789", "nan", "7."]),
)
_step = st.one_of(st.integers(0, 99_999).map(str), st.sampled_from(["1.5", "x", "12345678"]))


@settings(max_examples=100, deadline=None)
@given(
    shapes=st.lists(st.sampled_from(SPOKEN), min_size=1, max_size=3),
    odd=st.lists(st.tuples(st.integers(0, 90), st.sampled_from(SPOKEN)), max_size=4),
    data=st.data(),
)
def test_a_log_in_its_own_words_gives_the_same(
    shapes: list[str], odd: list[tuple[int, str]], data: st.DataObject
) -> None:
    steps = count(data.draw(st.integers(0, 500)))
    lines = [shape for _ in range(30) for shape in shapes]
    lines = [re.sub("@", lambda _: str(next(steps)), line) for line in lines]
    rates = data.draw(st.lists(st.floats(0.001, 1e4).map(repr), min_size=5, max_size=5))
    pool = cycle(rates)
    lines = [re.sub("#", lambda _: next(pool), line) for line in lines]
    for place, shape in odd:
        line = re.sub("#", lambda _: data.draw(_figure), shape)
        lines.insert(place, re.sub("@", lambda _: data.draw(_step), line))
    log = "".join(f"{line}\n" for line in lines).encode()
    assert_same(log, data.draw(st.sampled_from([400, 2000])), name="generic")


TABLES = {
    "timm-csv": ("epoch,train_loss,eval_loss,eval_top1,eval_top5", "{},{},{},{},{}"),
    "yolo-csv": (
        "epoch,time,train/box_loss,metrics/precision(B),metrics/mAP50(B)",
        "{:>4},  {},{} ,{},{}",
    ),
    "lightning-csv": ("epoch,step,train_loss_step,train_loss_epoch,val_loss", "1,{},{},,"),
    "bearpaw": ("Learning Rate\tTrain Loss\tValid Loss\tTrain Acc.\tValid Acc.\t", "{1}\t" * 5),
    "jsonl-epoch": (
        '{"epoch": 0, "train_loss": 7.5, "test_acc1": 0.5, "test_acc1_ema": 0.5}',
        '{{"epoch": {}, "train_loss": {}, "test_acc1": {}, "test_acc1_ema": {}, "n": "{}"}}',
    ),
}


_figures = st.lists(_figure, min_size=5, max_size=5)


@settings(max_examples=100, deadline=None)
@given(
    name=st.sampled_from(sorted(TABLES)),
    odd=st.lists(st.tuples(st.integers(0, 60), _figures), max_size=5),
    headers=st.lists(st.integers(0, 60), max_size=2),
    back=st.integers(0, 60),
    cuts=st.lists(st.integers(0, 2000), max_size=3),
    size=st.sampled_from([300, 2000]),
    target=st.sampled_from(["", "acc1>60.9"]),
)
def test_a_mangled_table_gives_the_same(
    name: str,
    odd: list[tuple[int, list[str]]],
    headers: list[int],
    back: int,
    cuts: list[int],
    size: int,
    target: str,
) -> None:
    header, row = TABLES[name]
    rows = [row.format(n, n / 7, 1 / (n + 1), n / 9, n * 1.5) for n in (*range(40), *range(back))]
    for place, cells in odd:
        rows.insert(place, row.format(*cells))
    for place in headers:
        rows.insert(place, header)
    log = "".join(f"{line}\n" for line in (header, *rows)).encode()
    assert_same(log, size, tuple(cuts), target, name)


@pytest.mark.parametrize(
    "path",
    sorted(sample_logs.path(sample_logs.RUN).parent.glob("*.log")),
    ids=lambda path: path.name,
)
def test_every_sample_log_gives_the_same(path: Path) -> None:
    assert_same(path.read_bytes(), 20_000)


def test_every_real_log_gives_the_same(corpus: Path) -> None:
    for path in sorted(corpus.rglob("*")):
        if path.is_file() and path.stat().st_size < 2_000_000:
            assert_same(path.read_bytes(), 1 << 16)


def _clocked(clocks: list[str]) -> bytes:
    """A log of LLaMA-Factory, with these times since its run began."""
    lines = zip(clocks, stated("llamafactory", len(clocks), 20), strict=True)
    timed = (re.sub('"elapsed_time": "[^"]*"', f'"elapsed_time": "{t}"', line) for t, line in lines)
    return "".join(f"{line}\n" for line in timed).encode()


CLOCKS = {
    "moving": [f"0:{n // 60:02}:{n % 60:02}" for n in range(200)],
    "still at first": [f"0:{10 + max(0, n - 60) // 7:02}:00" for n in range(200)],
    "still now and then": [f"1{n // 100}:{n // 9:02}:{n % 9 // 2:02}" for n in range(200)],
    "over days": [
        f"{n // 50 + 1} day{'s' * (n >= 50)}, {n % 9}:{n % 50:02}:00" for n in range(200)
    ],
    "begun anew": [f"0:{n % 60:02}:30" for n in range(200)],
    "no clock": ["N/A" if n % 40 == 33 else f"0:{n // 4:02}:0{n % 4}" for n in range(200)],
    "of other widths": [
        "0:9:59" if n % 50 == 9 else f"00:{n // 4:02}:0{n % 4}" for n in range(200)
    ],
}


@pytest.mark.parametrize("clocks", [pytest.param(v, id=k) for k, v in CLOCKS.items()])
def test_the_seconds_of_a_running_clock_are_those_of_the_line_parser(clocks: list[str]) -> None:
    data = _clocked(clocks)
    told = [*Interpreter(formats(), blocks=False).feed(data)]
    assert sum(bool(e.duration) for e in told if isinstance(e, Iteration)) > 10
    for size in (1000, 3000, 1 << 16):
        assert_same(data, size)


def test_records_with_a_running_clock_are_read_in_stretches() -> None:
    for name in ("moving", "still at first", "still now and then"):
        with eager(1 << 16):
            told = [*Interpreter((by_name("llamafactory"),)).feed(_clocked(CLOCKS[name]))]
        assert max(event.records for event in told if isinstance(event, Iterations)) > 30
