"""What holds for every format: it knows itself, and nothing breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.events import EndOfInput, Event, Iteration
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.format import Reader
from tests.support.formats import by_name

NAMES = (
    "bert-mlperf",
    "detectron2",
    "detectron2-json",
    "dlrm",
    "fairmot",
    "hrnet",
    "huggingface",
    "ixpylogger",
    "jsonl-epoch",
    "lightning",
    "lightning-csv",
    "llamafactory",
    "mmcv",
    "mmcv-json",
    "perflog",
    "ssd",
    "swin",
    "timm",
    "timm-csv",
    "trainer-state",
    "ttsr",
    "yolo",
    "yolo-csv",
)
FORMATS = tuple(by_name(name) for name in NAMES)


def events(data: bytes, known: type[Reader], chunk: int = 1 << 20) -> list[Event]:
    interpreter = Interpreter(formats(), known)
    out: list[Event] = []
    for begin in range(0, len(data), chunk):
        out += interpreter.read(data[begin : begin + chunk])
    return [*out, *interpreter.end()]


@pytest.mark.parametrize("known", FORMATS, ids=NAMES)
def test_example_is_recognised_as_its_own_format(known: type[Reader]) -> None:
    interpreter = Interpreter(formats())
    for _ in (*interpreter.feed((known.example + "\n").encode() * 3), *interpreter.end()):
        pass
    assert interpreter.detection is not None
    assert interpreter.detection.name == known.name


@pytest.mark.parametrize("known", FORMATS, ids=NAMES)
def test_every_statement_can_be_matched(known: type[Reader]) -> None:
    for statement in known.statements:
        assert not isinstance(statement.shape.match("\x00"), dict)


@pytest.mark.parametrize("known", FORMATS, ids=NAMES)
def test_example_cut_anywhere_is_read_without_an_exception(known: type[Reader]) -> None:
    example = known.example
    text = "\n".join([example[:end] for end in range(len(example))] + [example])
    found = events(text.encode() + b"\n", known)
    assert isinstance(found[-1], EndOfInput)


@pytest.mark.slow
@pytest.mark.parametrize("known", FORMATS, ids=NAMES)
@settings(max_examples=40)
@given(
    junk=st.sampled_from(
        [
            "nan",
            "inf",
            "-inf",
            "1e999",
            "-1",
            "9" * 400,
            "None",
            "",
            "1_0",
            "½",
            "{",
            "\x1b[2J",
            '"',
        ]
    ),
    pick=st.integers(min_value=0, max_value=40),
    chunk=st.integers(min_value=1, max_value=200),
)
def test_any_number_may_be_anything_and_the_cutting_of_bytes_does_not_matter(
    known: type[Reader], junk: str, pick: int, chunk: int
) -> None:
    tokens = known.example.split(" ")
    tokens[pick % len(tokens)] = junk
    data = "\n".join([known.example, " ".join(tokens), known.example, ""]).encode()
    # By repr, because a nan is not equal to itself.
    assert repr(events(data, known)) == repr(events(data, known, chunk))


@pytest.mark.slow
@given(st.binary(max_size=400))
def test_no_bytes_break_any_format(data: bytes) -> None:
    for known in FORMATS:
        assert not any(isinstance(e, Iteration) for e in events(data, known))
