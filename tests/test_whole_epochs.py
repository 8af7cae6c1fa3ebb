"""Whole epochs that are read together: what their last lines say, and when each is read singly."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from io import BytesIO
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.settings import Settings
from parsers import scan
from parsers.events import EpochEnd, Evaluation, Event, Iteration
from parsers.format import Reader
from parsers.formats.torchvision import Torchvision
from parsers.interpret import Interpreter
from parsers.prefix import strip
from parsers.registry import by_name, formats
from parsers.ring import filled, rooms
from parsers.scan.closing import Closing
from parsers.scan.trial import learn
from parsers.text import Line
from parsers.whole_epochs import WholeEpochs
from tests.test_scan_equality import assert_same, dllogger, eager, ending, state, torchvision
from tui.session import Session


@pytest.fixture(autouse=True)
def _scanning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are compared here, whichever way the suite runs."""
    monkeypatch.delenv(scan.SWITCH, raising=False)


BEFORE = {
    "torchvision": "Epoch: [3]  [ 330/334]  eta: 0:06:47  lr: 0.128  img/s: 5625.49  "
    "loss: 7.2926 (7.2497)  acc1: 0.1326 (0.1326)  time: 1.2591  data: 0.0019",
    "dllogger": "DLL 2021-03-23 09:25:16.839221 - Epoch: 3 Iteration: 100  "
    "train.loss : 7.65124  train.total_ips : 848.12 img/s",
}
LAST = {
    "torchvision": (
        "Epoch: [3] Avg img/s: {rate}\n"
        "Epoch: [3] Total time: 0:0{digit}:{two} ({rate} s / it)\n"
        " * Acc@1 {rate} Acc@5 {share}\n"
        "epoch time {whole}:{two}:17\n"
    ),
    "dllogger": (
        "DLL 2021-03-23 09:25:{two}.839221 - Epoch: 3  train.loss : {rate}  "
        "train.total_ips : {share} img/s  val.top1 : {rate} %  val.top5 : {share} %\n"
    ),
}


def said(name: str, rate: float, share: float, whole: int, two: int) -> str:
    parts = {"rate": rate, "share": f"{share:.3f}", "whole": whole, "digit": whole % 10}
    return LAST[name].format(two=f"{two:02}", **parts)


def events(name: str, text: str) -> list[Event]:
    reader = by_name(name)()
    reader.read(strip(Line(1, 0, BEFORE[name])))
    lines = enumerate(text.split("\n")[:-1])
    return [e for n, line in lines for e in reader.read(strip(Line(n, 0, line))) or ()]


def learned(name: str, text: str) -> Closing | None:
    reader = by_name(name)()
    last = next(iter(reader.read(strip(Line(1, 0, BEFORE[name]))) or ()))
    assert isinstance(last, Iteration)
    return learn(reader, last, "throughput", text.split("\n")[:-1])


FIGURES = (st.floats(1.0, 9e9).filter(lambda x: "e" not in repr(x)), st.floats(0, 1e6))


@pytest.mark.parametrize("name", sorted(LAST))
@given(
    rates=st.tuples(*FIGURES),
    others=st.tuples(*FIGURES),
    numbers=st.tuples(
        st.integers(0, 9999), st.integers(0, 59), st.integers(0, 9999), st.integers(0, 59)
    ),
)
def test_what_was_learned_of_one_epoch_reads_the_next_as_the_line_parser(
    name: str, rates: tuple[float, float], others: tuple[float, float], numbers: tuple[int, ...]
) -> None:
    closing = learned(name, said(name, *rates, *numbers[:2]))
    assert closing is not None
    text = said(name, *others, *numbers[2:])
    found = closing.pattern.fullmatch(text)
    assert found is not None
    told = [one.event(found.groups()) for one in closing.said]
    bare = [e._replace(values=()) if isinstance(e, EpochEnd) else e for e in events(name, text)]
    assert told == bare
    assert {type(event) for event in told} == {EpochEnd, Evaluation}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("torchvision", "Epoch: [3] Avg img/s: 4900.5\nwho knows\n"),
        ("torchvision", "Training time 1:02:03\n"),
        ("torchvision", "Test:  [  0/196]  eta: 0:08:11  loss: 1.5310 (1.5310)  time: 2.5\n"),
        ("dllogger", "masked_lm_accuracy = 0.71\n"),
        ("dllogger", "Num GPUs 8\n"),
    ],
)
def test_of_other_lines_nothing_is_learned(name: str, text: str) -> None:
    assert learned(name, text) is None


def test_a_number_that_is_part_of_a_name_stays_as_it_is() -> None:
    closing = learned("torchvision", " * Acc@1 60.5 Acc@5 90.1\n")
    assert closing is not None
    assert closing.pattern.fullmatch(" * Acc@1 7.25 Acc@5 8.5\n")
    assert not closing.pattern.fullmatch(" * Acc@1 7.25 Acc@6 8.5\n")


def together(lines: list[str], name: str) -> list[int]:
    """The labels of the epochs that were read together."""
    data = "".join(f"{line}\n" for line in lines).encode()
    with eager(1 << 16):
        read = Interpreter((by_name(name),), by_name(name)).feed(data)
        return [n for event in read if isinstance(event, WholeEpochs) for n in event.labels]


def at(lines: list[str], begins: str) -> int:
    return next(number for number, line in enumerate(lines) if line.startswith(begins))


Edit = Callable[[list[str]], None]


def _another_label(lines: list[str]) -> None:
    lines[at(lines, "Epoch: [12] Avg")] = "Epoch: [21] Avg img/s: 4912.25"


def _over(lines: list[str]) -> None:
    lines.insert(at(lines, "Epoch: [12]"), "Training time 1:02:03")


def _another_model(lines: list[str]) -> None:
    lines.insert(at(lines, "Epoch: [12]"), "[Student: resnet18]")


def _unknown(lines: list[str]) -> None:
    lines.insert(at(lines, "Epoch: [12] Avg") + 1, "who knows")


def _twice(lines: list[str]) -> None:
    begin = at(lines, "Epoch: [12]")
    lines[begin:begin] = lines[at(lines, "Epoch: [9]") : begin]


def _caught(lines: list[str]) -> None:
    lines.insert(at(lines, "Epoch: [3]"), "Traceback (most recent call last):")


def _no_number(lines: list[str]) -> None:
    lines[at(lines, "Epoch: [12] Avg")] = "Epoch: [12] Avg img/s: nan"


@pytest.mark.parametrize(
    "edit", [_another_label, _over, _another_model, _unknown, _twice, _caught, _no_number]
)
@pytest.mark.parametrize("target", ["", "acc1>66", "acc1>77.9"])
def test_an_epoch_that_is_unlike_the_others_changes_nothing_of_what_they_say(
    edit: Edit, target: str
) -> None:
    lines = ending(24, 3)
    assert len(together(lines, "torchvision")) > 15
    edit(lines)
    data = "".join(f"{line}\n" for line in lines).encode()
    assert_same(data, 1 << 16, target=target)
    assert_same(data, 3000, target=target)


def _no_such_day(lines: list[str]) -> None:
    row = next(n for n, line in enumerate(lines) if "Epoch: 12  " in line)
    lines[row] = lines[row].replace("2021-03-23", "2021-02-30")


def _clock_back(lines: list[str]) -> None:
    row = next(n for n, line in enumerate(lines) if "Epoch: 12 Iteration: 0 " in line)
    lines[row:] = [re.sub("2021-0[34]", "2021-01", line) for line in lines[row:]]


def _logged_twice(lines: list[str]) -> None:
    for row in reversed(range(len(lines))):
        if re.search(r"Epoch: \d+  ", lines[row]):
            lines[row + 1 : row + 1] = ["masked_lm_accuracy = 0.71"] * 2


@pytest.mark.parametrize("edit", [_no_such_day, _clock_back, _logged_twice])
def test_clocks_and_repeats_are_seen_in_whole_epochs(edit: Edit) -> None:
    lines = [re.sub("2021-03-..", "2021-03-23", line) for line in dllogger(30, 4)]
    lines = [re.sub(r" 09:\d\d:16\.\d+", " 09:30:16.5", line) for line in lines]
    lines = [re.sub(" 10:25:16", " 09:30:17", line) for line in lines]
    edit(lines)
    data = "".join(f"{line}\n" for line in lines).encode()
    assert_same(data, 1 << 16, name="dllogger")


class Locked(Torchvision):
    """Holds what has no copy."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


class Choosy(Torchvision):
    """Fails on a number that no log has."""

    def read(self, line: Line) -> list[Event] | None:
        if "7351" in line.text:
            raise KeyError("7351")
        return super().read(line)


@pytest.mark.parametrize("reader", [Locked, Choosy])
def test_a_reader_that_cannot_be_tried_reads_one_line_after_the_other(reader: type[Reader]) -> None:
    data = "".join(f"{line}\n" for line in ending(24, 3)).encode()
    sessions = []
    for blocks in (True, False):
        with eager(1 << 16):
            session = Session("train.log", Settings(), formats(), reader, 7, blocks=blocks)
            session.feed(data)
            session.end()
        sessions.append(session)
    assert len(sessions[0].run.epochs) == 24
    assert state(sessions[0]) == state(sessions[1])


def standing(epochs: int, steps: int) -> list[str]:
    """A log of DLLogger's whose clock stands still."""
    return [re.sub(r"^DLL \S+ \S+", f"DLL {DAY}", line) for line in dllogger(epochs, steps)]


DAY = "2021-03-23 09:30:16.500000"


def places(lines: list[str]) -> list[int]:
    """Where each line begins, and where the last ends."""
    return [0, *accumulate(len(line.encode()) + 1 for line in lines)]


def ends(lines: list[str], last: str) -> list[int]:
    """Where the lines end that hold the text."""
    return [end for line, end in zip(lines, places(lines)[1:], strict=True) if last in line]


@pytest.mark.parametrize(
    ("lines", "name", "last"),
    [
        (torchvision(40, 3), "torchvision", "Acc@1"),
        (standing(40, 3), "dllogger", "val.top1"),
    ],
)
def test_a_block_of_whole_epochs_is_read_together_from_the_first_to_the_last(
    lines: list[str], name: str, last: str
) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    cuts = [0, *ends(lines, last)[9::10]]
    interpreter = Interpreter((by_name(name),), by_name(name))
    with eager(1 << 16):
        blocks = [[*interpreter.feed(data[begin:end])] for begin, end in pairwise(cuts)]
    for read, first in zip(blocks[1:], (10, 20, 30), strict=True):
        whole, *others = read
        assert isinstance(whole, WholeEpochs)
        assert whole.labels == [*range(first, first + 10)]
        assert others == []
    assert_same(data, 1 << 16, tuple(cuts))


LINES = st.integers(0, 150)
MOVES = st.tuples(st.sampled_from(["again", "without", "elsewhere"]), LINES, LINES)


@given(
    log=st.sampled_from([torchvision(24, 3), ending(14, 3), dllogger(30, 3)]),
    moves=st.lists(MOVES, max_size=5),
    size=st.integers(1, 12),
    cuts=st.lists(LINES, max_size=9),
    target=st.sampled_from(["", "acc1>60.9", "acc1>70.2"]),
)
def test_blocks_may_end_at_any_line(
    log: list[str], moves: list[tuple[str, int, int]], size: int, cuts: list[int], target: str
) -> None:
    lines = [*log]
    for what, begin, there in moves:
        some = lines[begin : begin + size]
        if what != "again":
            del lines[begin : begin + size]
        if what != "without":
            lines[there:there] = some
    data = "".join(f"{line}\n" for line in lines).encode()
    known = places(lines)
    assert_same(data, 1 << 16, tuple(known[min(cut, len(known) - 1)] for cut in cuts), target)


@pytest.mark.parametrize(
    ("after", "again"),
    [
        (0, "Epoch: 19  train.compute_ips : 901.50 img/s"),
        (0, "Epoch: 19  train.total_ips : 7 img/s"),
        (3, "Epoch: 20 Iteration: 2  train.compute_ips : 901.50 img/s"),
    ],
)
def test_what_the_last_lines_of_a_block_leave_bears_upon_the_next(after: int, again: str) -> None:
    lines = standing(40, 3)
    cut = ends(lines, "val.top1")[19]
    lines.insert(places(lines).index(cut) + after, f"DLL {DAY} - {again}")
    data = "".join(f"{line}\n" for line in lines).encode()
    card = assert_same(data, 1 << 16, (cut,), name="dllogger")
    assert len(card.run.epochs) == 40


def test_a_room_ends_behind_the_last_line_with_the_mark() -> None:
    lines = torchvision(40_000, 2)
    data = "".join(f"{line}\n" for line in lines).encode()
    mark = b" * Acc@1 "
    pieces = [bytes(p.room[: p.size]) for p in filled(BytesIO(data), rooms(), 0, lambda: mark)]
    assert b"".join(pieces) == data
    assert len(pieces) > 3
    for piece in pieces[:-1]:
        assert piece.endswith(b"\n")
        assert piece[piece.rindex(b"\n", 0, -1) + 1 :].startswith(mark)
    plain = [bytes(p.room[: p.size]) for p in filled(BytesIO(data), rooms(), 0, lambda: b"none")]
    assert plain == [bytes(p.room[: p.size]) for p in filled(BytesIO(data), rooms())]
