"""Whatever pieces a log comes in, a session shows the same."""

from __future__ import annotations

import re
from itertools import count, cycle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim import sample_logs
from sixdim.parsers.events import Iteration
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.inputs.generated import (
    EDIT,
    MANGLED,
    ODD,
    WHOLE,
    assert_same,
    mangled,
    mostly_slow,
    stated,
)


@pytest.mark.parametrize("name", mostly_slow(MANGLED))
def test_any_pieces_give_the_same(name: str) -> None:
    data = "".join(f"{line}\n" for line in MANGLED[name]()).encode()
    session = assert_same(data, 700)
    if "acc1" in session.run.evaluations.metrics():  # else no target is ever met
        for target in ("acc1>60.9", "acc1>66", "acc1>99"):
            assert_same(data, 700, target=target)


@pytest.mark.parametrize(
    ("name", "figure", "wrong"),
    [("timm-csv", "59.0276,", "159.0276,"), ("dawnbench", "\t59.028\t", "\t159.028\t")],
)
def test_a_share_above_the_whole_is_a_warning_with_its_line(
    name: str, figure: str, wrong: str
) -> None:
    lines = stated(name, 600, 300)
    row = next(number for number, line in enumerate(lines) if figure in line)
    lines[row] = lines[row].replace(figure, wrong)
    data = "".join(f"{line}\n" for line in lines).encode()
    warnings = {w.kind: w.lines for w in assert_same(data, 1 << 14, name=name).card().warnings}
    assert warnings["impossible_accuracy"] == (row + 1,)


def test_an_epoch_that_begins_anew_gives_the_same() -> None:
    lines = [*WHOLE["noisy"][:2], ODD[2], *WHOLE["noisy"][2:]]
    session = assert_same("".join(f"{line}\n" for line in lines).encode(), 1000)
    assert session.run.problems.counts == {"resume": 1}


def test_a_log_may_end_in_a_sign_that_a_reader_looks_for() -> None:
    lines = [*WHOLE["dllogger"], "who knows |"]
    assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)


def test_a_line_that_says_nothing_ends_what_stands_before_it() -> None:
    average = " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.{}"
    closing = "Test: Total time: 0:00:0{} (0.1 s / it)"
    lines = WHOLE["torchvision"][:-1]
    for epoch in range(20):
        lines += [average.format(300 + epoch), closing.format(1), closing.format(2)]
        lines += [average.format(400 + epoch), closing.format(3)]
    session = assert_same("".join(f"{line}\n" for line in lines).encode(), 2000)
    assert sum("box" in e.places for e in session.run.evaluations) == 40


def test_padding_after_a_number_is_no_part_of_it_when_the_number_grows() -> None:
    lines = stated("paddleclas", 400, 24)
    assert any("epoch:9 " in line for line in lines)
    assert any("epoch:10 " in line for line in lines)
    assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)


@pytest.mark.parametrize("later", [0, 12])
def test_a_batch_that_grows_is_a_fact_of_the_line_where_it_does(later: int) -> None:
    lines = stated("megatron", 200, 24)
    validated = [n for n, line in enumerate(lines) if "validation" in line]
    begin = validated[1] + 1 + later
    lines[begin:] = [
        line.replace("batch size:    64", "batch size:   128") for line in lines[begin:]
    ]
    session = assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)
    assert session.run.facts.known["global_batch"] == (128, begin + 1)


def test_reports_of_one_loss_are_distinguished_by_their_text() -> None:
    lines = [
        f"{{'loss': 0.0, 'grad_norm': {n % 7}.{n % 3}5, 'learning_rate': 1e-05, 'epoch': {n / 64}}}"
        for n in range(300)
    ]
    lines[120:120] = lines[119:120] * 2  # two other ranks'
    session = assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)
    assert sum(epoch.records for epoch in session.run.epochs.values()) == 300


def test_rates_without_a_unit_are_cut_lines_once_rates_had_one() -> None:
    named = stated("paddlerec", 120, 24)
    bare = [re.sub(r"(ips: \S+) ins/s", r"\1", line) for line in named]
    lines = [*bare[:60], *named[60:61], *bare[61:]]
    session = assert_same("".join(f"{line}\n" for line in lines).encode(), 1 << 16)
    assert session.run.problems.counts["cut_line"] == sum("ips: " in line for line in bare[61:])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
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
    assert_same(mangled(MANGLED[name](), edits), size, tuple(cuts), target)


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


@settings(max_examples=50, deadline=None)
@given(
    shapes=st.lists(st.sampled_from(SPOKEN), min_size=1, max_size=3),
    odd=st.lists(st.tuples(st.integers(0, 90), st.sampled_from(SPOKEN)), max_size=4),
    data=st.data(),
)
@pytest.mark.slow
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


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
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


@pytest.mark.slow
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
def test_the_seconds_of_a_running_clock(clocks: list[str]) -> None:
    data = _clocked(clocks)
    events = [*Interpreter(formats()).feed(data)]
    assert sum(bool(e.duration) for e in events if isinstance(e, Iteration)) > 10
    for size in (1000, 3000):
        assert_same(data, size)
