"""How much of a format must be seen before it is chosen: each threshold from both sides."""

from __future__ import annotations

import pytest

from sixdim.parsers.generic.reader import Generic
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.reader import detect
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line
from sixdim.plugin import IterationRecord, Reader, fact, progress
from tests.support.logs import scored

RECORD = IterationRecord(step="step", loss=("loss",))


class One(Reader):
    name, title, example = "one", "One", "one 1 loss 0.5"
    half = progress("one {step:int} loss {loss:float}", RECORD, 0.5)
    hint = progress("hint {step:int} loss {loss:float}", RECORD, 0.2)
    stray = progress("stray {step:int} loss {loss:float}", RECORD, 0.14)
    just = progress("just {step:int} loss {loss:float}", RECORD, 0.15)
    head = fact("devices: {devices:int}", 0.5)
    sure = fact("sure devices: {devices:int}", 1.0)


class Two(Reader):
    name, title, example = "two", "Two", "two 1 loss 0.5"
    line = progress("two {step:int} loss {loss:float}", RECORD, 0.25)
    rest = progress("rest {step:int} loss {loss:float}", RECORD, 0.24)


class First(Reader):
    name, title, example, precedence = "zero", "Zero", "zero 1 loss 0.5", 1
    line = progress("zero {step:int} loss {loss:float}", RECORD, 0.5)


class Last(Reader):
    name, title, example, fallback = "any", "Any", "any 1 loss 0.5", True
    line = progress("any {step:int} loss {loss:float}", RECORD, 0.5)
    just = progress("least {step:int} loss {loss:float}", RECORD, 0.15)
    less = progress("less {step:int} loss {loss:float}", RECORD, 0.14)


def chosen_after(
    lines: list[str], of: tuple[type[Reader], ...] = (One, Two, Generic)
) -> int | None:
    """The number of lines after which a format is chosen; None where none is before the end."""
    read = Interpreter(of)
    for number, line in enumerate(lines, 1):
        for _ in read.feed(f"{line}\n".encode()):
            pass
        if read.detection is not None:
            return number
    return None


def own(count: int) -> list[str]:
    """Lines of a loop that no format knows."""
    return [f"epoch {n} loss 0.5 accuracy 0.7" for n in range(count)]


def named_at_the_end(lines: list[str], of: tuple[type[Reader], ...] = (One, Two)) -> str:
    read = Interpreter(of)
    for _ in (*read.feed("".join(f"{line}\n" for line in lines).encode()), *read.end()):
        pass
    return read.detection.name if read.detection else ""


def test_a_format_without_a_rival_is_chosen_with_the_weight_that_is_enough() -> None:
    lines = [f"one {n} loss 0.5" for n in range(20)]
    assert chosen_after(lines) == detect.ENOUGH / 0.5 == 6
    assert chosen_after(lines[:5]) is None


@pytest.mark.parametrize(("rivals", "at_once"), [(1, True), (2, False)])
def test_a_rival_with_a_tenth_of_the_weight_is_none(rivals: int, at_once: bool) -> None:
    # 0.25 of 3.0 is less than a tenth, 0.5 is more.
    lines = [f"two {n} loss 0.5" for n in range(rivals)] + [f"one {n} loss 0.5" for n in range(6)]
    assert (chosen_after(lines) is not None) == at_once
    after = ["nothing"] * (detect.PATIENCE - len(lines))
    assert at_once or chosen_after([*lines, *after[1:]]) is None
    assert at_once or chosen_after([*lines, *after]) == detect.PATIENCE == 400


@pytest.mark.parametrize(("more", "chosen"), [("half", True), ("stray", False)])
def test_a_format_is_chosen_with_patience_from_the_weight_that_is_sure(
    more: str, chosen: bool
) -> None:
    """Two lines of 0.5 come to the 1.0 that is sure; 0.5 and 0.14 do not."""
    lines = ["one 1 loss 0.5", f"{'one' if more == 'half' else more} 2 loss 0.5"]
    after = ["nothing"] * (detect.PATIENCE - len(lines))
    assert chosen_after([*lines, *after[1:]]) is None
    assert chosen_after([*lines, *after]) == (detect.PATIENCE if chosen else None)


@pytest.mark.parametrize(("line", "name"), [("just 1 loss 0.5", "one"), ("stray 1 loss 0.5", "")])
def test_a_stray_line_is_no_log(line: str, name: str) -> None:
    assert named_at_the_end([line]) == name


def test_a_hint_counts_once_however_often_it_comes() -> None:
    assert chosen_after([f"hint {n} loss 0.5" for n in range(100)]) is None
    read = Interpreter((One, Two))
    for _ in read.feed(b"hint 1 loss 0.5\n" * 3 + b"two 1 loss 0.5\n" * 2):
        pass
    assert [(c.name, c.weight) for c in read.candidates()] == [("two", 0.5), ("one", 0.2)]


@pytest.mark.parametrize(("broken", "first"), [("0.5.5", 1), ("lots", 2)])
def test_a_line_with_a_broken_number_takes_no_weight_from_the_others(
    broken: str, first: int
) -> None:
    """A word in its place is no evidence at all."""
    line = "Epoch: [0]  [{:3}/334]  eta: 0:00:01  lr: 0.1  img/s: {}  loss: 1.0 (1.0)  time: 0.5\n"
    card = scored("".join(line.format(n, 100.0 if n else broken) for n in range(20)))
    assert card["run"]["format"] == "torchvision"
    assert card["run"]["detection"]["first_line"] == first


def test_headers_alone_choose_a_format_late_for_another_one_may_follow() -> None:
    headers = [f"devices: {n}" for n in range(10)]
    assert named_at_the_end(headers) == "one"
    assert (
        named_at_the_end([*headers, *["nothing"] * detect.PATIENCE, *["two 1 loss 0.5"] * 50])
        == "two"
    )
    after = ["nothing"] * (detect.LAST_PATIENCE - len(headers))
    assert chosen_after([*headers, *after[1:]]) is None
    assert chosen_after([*headers, *after]) == detect.LAST_PATIENCE == 5_000
    assert chosen_after([*headers, "one 1 loss 0.5"]) == len(headers) + 1


def test_a_loop_that_no_format_knows_is_read_once_half_of_the_latest_lines_are_known() -> None:
    half = detect.SAMPLE // 2
    assert chosen_after(["nothing"] * half + own(half)) == detect.SAMPLE
    assert chosen_after(["nothing"] * (half + 1) + own(half - 1)) is None


def test_it_is_asked_again_whenever_the_lines_have_doubled() -> None:
    size = detect.SAMPLE
    assert chosen_after(["nothing"] * size + own(2 * size)) == 2 * size
    assert chosen_after(["nothing"] * 2 * size + own(3 * size)) == 4 * size


@pytest.mark.parametrize(("line", "chosen"), [("just", None), ("stray", detect.SAMPLE)])
def test_it_is_not_chosen_early_where_a_format_knows_any_line(
    line: str, chosen: int | None
) -> None:
    assert chosen_after([f"{line} 1 loss 0.5", *own(detect.SAMPLE - 1)]) == chosen


@pytest.mark.parametrize(
    ("first", "figures", "chosen"),
    [
        ("nothing", 202, detect.LOOK_AGAIN),
        ("nothing", 200, None),  # the first of its kind does not count
        ("just 1 loss 0.5", 202, None),
    ],
)
def test_a_loop_among_other_lines_is_read_once_plenty_is_known(
    first: str, figures: int, chosen: int | None
) -> None:
    lines = [first]
    for line in own(figures):
        lines += [line, *["nothing"] * 3]
    after = ["nothing"] * (2 * detect.LOOK_AGAIN - len(lines) - 1)
    assert chosen_after([*lines, *after]) == chosen


def test_a_fallback_reader_that_is_sure_but_of_few_lines_is_chosen_in_the_end() -> None:
    lines = [*own(15), *["nothing"] * (detect.LAST_PATIENCE - 15)]
    assert chosen_after(lines) == detect.LAST_PATIENCE
    assert chosen_after(lines[:-1]) is None


def test_the_header_of_a_second_table_counts_once() -> None:
    """A header has the weight 3."""
    header = "Learning Rate\tTrain Loss\tValid Loss\tTrain Acc.\tValid Acc."
    detector, lines = detect.Detector(formats()), [Line(n, 0, header) for n in (1, 2)]
    assert all(detector.look(line) for line in lines)
    assert [(one.name, one.weight, one.lines) for one in detector.candidates(lines)] == [
        ("bearpaw", 6.0, 2)
    ]


def test_a_rival_of_exactly_a_tenth_is_none() -> None:
    """Twenty lines of 0.25 come to 5.0, of which 0.5 is a tenth."""
    assert chosen_after(["one 1 loss 0.5", *["two 1 loss 0.5"] * 30]) == 1 + 20


@pytest.mark.parametrize(("lines", "name"), [(1, "one"), (2, "zero")])
def test_a_format_that_frames_others_is_preferred_once_it_is_sure(lines: int, name: str) -> None:
    text = ["zero 1 loss 0.5"] * lines + ["one 1 loss 0.5"] * 5
    assert named_at_the_end(text, (One, First)) == name


@pytest.mark.parametrize(("line", "name"), [("least", "any"), ("less", "")])
def test_a_stray_line_is_no_log_of_a_fallback_reader(line: str, name: str) -> None:
    assert named_at_the_end([f"{line} 1 loss 0.5"], (One, Last)) == name


@pytest.mark.parametrize(
    ("named", "name"),
    [
        (["one 1 loss 0.5"], "any"),
        ([f"{word} 1 loss 0.5" for word in ("one", "hint", "stray", "just")], "any"),  # 0.99
        (["one 1 loss 0.5"] * 2, "one"),
        (["devices: 8"] * 2, "any"),  # a header that is not sure says nothing of other lines
        (["sure devices: 8"], "one"),
    ],
)
def test_a_fallback_reader_is_chosen_before_a_format_that_is_not_sure(
    named: list[str], name: str
) -> None:
    """Its three lines come to 1.5."""
    assert named_at_the_end([*named, *["any 1 loss 0.5"] * 3], (One, Last)) == name


@pytest.mark.parametrize(("lines", "name"), [(1, "one"), (2, "any")])
def test_headers_alone_count_less_than_a_fallback_reader_that_is_sure(
    lines: int, name: str
) -> None:
    """Both come to 1.0, or the headers alone; of equal weights the first name is chosen."""
    assert named_at_the_end(["devices: 8"] * 2 + ["any 1 loss 0.5"] * lines, (One, Last)) == name


@pytest.mark.parametrize("headers", [0, 2])
@pytest.mark.parametrize(("lines", "chosen"), [(39, False), (40, True)])
def test_a_fallback_reader_with_plenty_of_lines_is_chosen_early(
    headers: int, lines: int, chosen: bool
) -> None:
    """Forty lines of 0.5 come to 20."""
    text = ["devices: 8"] * headers
    for _ in range(lines):
        text += ["any 1 loss 0.5", *["nothing"] * 3]
    text += ["nothing"] * (2 * detect.LOOK_AGAIN - len(text) - 1)
    assert chosen_after(text, (One, Last)) == (detect.LOOK_AGAIN if chosen else None)


@pytest.mark.parametrize(("lines", "chosen"), [(1, False), (2, True)])
def test_a_fallback_reader_that_is_sure_is_chosen_in_the_end(lines: int, chosen: bool) -> None:
    text = ["any 1 loss 0.5"] * lines + ["nothing"] * (detect.LAST_PATIENCE - lines)
    assert chosen_after(text, (One, Last)) == (detect.LAST_PATIENCE if chosen else None)


@pytest.mark.parametrize(("line", "tried_on_all"), [("nothing", False), ("less 1 loss 0.5", True)])
def test_a_fallback_reader_that_knows_none_of_a_sample_is_not_tried_on_the_other_lines(
    line: str, tried_on_all: bool
) -> None:
    tried: set[int] = set()

    class Counting(Last):
        def recognise(self, line: Line) -> tuple[Statement, Fields | Broken] | None:
            tried.add(line.number)
            return super().recognise(line)

    others = [line, *["nothing"] * 9] * (detect.LOOK_AGAIN // 10)
    assert chosen_after(["sure devices: 8", *others[1:]], (One, Counting)) is None
    sampled = -(-detect.LOOK_AGAIN // detect.SAMPLE_STRIDE)
    assert len(tried) == (detect.LOOK_AGAIN if tried_on_all else sampled)


def beside(lines: list[str]) -> detect.Beside:
    """What was found of another format among lines that that of the log does not know."""
    found = detect.Beside((One, Two), (One(),))
    for number, line in enumerate(lines, 1):
        found.look(Line(number, 0, line))
    return found


@pytest.mark.parametrize(("lines", "rest", "found"), [(7, 2, []), (8, 0, ["two"])])
def test_another_format_is_reported_from_a_weight_on(
    lines: int, rest: int, found: list[str]
) -> None:
    """Eight lines of 0.25 come to 2, seven and a hint of 0.24, which counts once, to 1.99."""
    other = beside(["two 1 loss 0.5"] * lines + ["rest 1 loss 0.5"] * rest)
    assert [one.name for one in other.found()] == found


@pytest.mark.parametrize(
    ("lines", "looked"), [(999, 999), (1000, 1000), (1023, 1000), (1024, 1001), (1536, 1002)]
)
def test_of_many_lines_beside_a_format_some_are_examined(lines: int, looked: int) -> None:
    assert beside(["two 1 loss 0.5"] * lines).looked == looked
