"""Cut, glued and scrambled lines: unknown or a warning, never a crash, for any format."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats

EXAMPLES = [f.example for f in formats()]
PIECES = st.one_of(
    st.sampled_from(EXAMPLES),
    st.text(max_size=40),
    st.sampled_from(
        [" : ", "None", "nan", "-inf", "1e400", "[1,3]<stderr>:", "{", "}", '"', "\t", "9" * 400]
    ),
)


@st.composite
def lines(draw: st.DrawFn) -> str:
    example = draw(st.sampled_from(EXAMPLES))
    cut = draw(st.integers(0, len(example)))
    return example[:cut] + draw(PIECES) + example[draw(st.integers(cut, len(example))) :]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(lines(), min_size=1, max_size=8))
def test_no_reader_raises(log: list[str]) -> None:
    data = "\n".join(log).encode("utf-8", "replace")
    for chosen in formats():
        interpreter = Interpreter(formats(), forced=chosen)
        events = [*interpreter.feed(data), *interpreter.end()]
        assert events
