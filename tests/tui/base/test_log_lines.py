"""Lines by number: the same text under the same number as the reader of the log gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sixdim import sample_logs
from sixdim.parsers.text.lines import LineSplitter
from sixdim.tui.base.log_lines import numbered

LINE = st.text(alphabet="ab \té\x1b[31m", max_size=12)


@given(st.lists(LINE, max_size=30), st.integers(1, 40), st.sets(st.integers(1, 35)))
def test_the_numbers_are_those_of_the_splitter(
    lines: list[str], size: int, wanted: set[int]
) -> None:
    data = "\n".join(lines).encode()
    splitter = LineSplitter()
    known = {line.number: line.text for line in (*splitter.feed(data), *splitter.flush())}
    blocks = [data[start : start + size] for start in range(0, len(data), size)]
    expected = [(number, known[number]) for number in sorted(wanted) if number in known]
    assert list(numbered(blocks, wanted)) == expected


def test_lines_far_apart_in_a_real_log() -> None:
    data = sample_logs.path(sample_logs.RUN).read_bytes()
    lines = data.decode().split("\n")
    wanted = (1, 2, 700, len(lines) - 1)
    blocks = (data[start : start + 1000] for start in range(0, len(data), 1000))
    assert list(numbered(blocks, wanted)) == [(n, lines[n - 1]) for n in wanted]


def test_a_redrawn_line_is_its_last_piece() -> None:
    assert list(numbered([b"10 %\r50", b" %\r100 %\r\nnext\n"], {1, 2})) == [
        (1, "100 %"),
        (2, "next"),
    ]
