"""What is remembered for lines that differ in digits only never hides a line that may be read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sixdim.parsers.grammar.vocabulary.closing import closing
from sixdim.parsers.grammar.vocabulary.hints import has_hint, may_have_hint
from sixdim.parsers.grammar.vocabulary.starting import is_an_engines
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.reader.statement_index import index_of
from sixdim.parsers.statements.troubles import Troubles, may_be_trouble
from sixdim.parsers.text.letters import LONGEST, MOST_TEXTS, ByLetters, without_digits
from sixdim.parsers.text.lines import Line
from tests.parsers.reader.test_dispatch import example_lines

_COMPANIONS = [known for known in formats() if known.precedence < 0]
_LINES = (
    *example_lines(),
    *("Traceback (most recent call last):", "Killed", "ValueError: 3 is no shape", "srun: error: "),
    *(
        "Training complete in 1m 54s",
        "Early stopping at epoch 12",
        "训练完成，用时 12 秒",
        "ep12it 3",
    ),
    *(
        "Engine run complete. Time taken: 00:00:12",
        "ep: 3 of 12",
        "it: 3 of 12",
        "ap 41.5",
        "Fitting done.",
        "Training done.",
        "Early stop.",
    ),
    *("torchrun --nnodes=4 train.py", "epochs: 90", "EPOCHS: 3", "1val accuracy: 0.5", "f1 0.9"),
)


def test_only_ascii_digits_are_left_out() -> None:
    assert without_digits("a1b 22.5\t٣é") == "ab .\t٣é".encode()
    assert without_digits("\ud800 1") == b"? "  # an object may spell half a character


def test_a_line_that_is_read_may_be_read() -> None:
    for text in _LINES:
        letters = without_digits(text).decode()
        for companion in _COMPANIONS:
            if companion().read(Line(1, 0, text)) is not None:
                assert companion().may_read(letters), (companion.name, text)
        hinted = may_have_hint(letters)
        assert hinted or not (has_hint(text) and "f1" not in text), text
        assert hinted or (closing(text) is None and not is_an_engines(text)), text
        troubles = Troubles()
        reports = troubles.look(Line(1, 0, text)) is not None or troubles.last(Line(1, 0, text))
        assert may_be_trouble(letters) or not reports, text


@given(st.sampled_from(_LINES), st.integers(0, 30), st.text("0123456789 -.,:iteaph", max_size=3))
def test_hints_with_digits_between_them(text: str, at: int, other: str) -> None:
    text = text[:at] + other + text[at:]
    letters = without_digits(text).decode()
    assert may_have_hint(letters) or not (has_hint(text) and "f1" not in text.lower())


def test_each_format_is_found_by_any_line_of_the_same_letters() -> None:
    for text in example_lines():
        index = index_of(formats())
        list(index.recognised(f"1{text}"))  # what is remembered for these letters is that of a line
        weighty = {
            known
            for known in formats()
            if not known.fallback
            and (said := known().recognise(Line(1, 0, text))) is not None
            and said[0].weight > 0
        }
        assert weighty <= {known for known, _statement, _fields in index.recognised(text)}, text


def test_results_are_forgotten_before_they_are_too_many_or_too_long() -> None:
    asked: list[str] = []

    def find(letters: str) -> int:
        asked.append(letters)
        return len(letters)

    found = ByLetters(find)
    for length, times in ((LONGEST, 1), (LONGEST + 1, 2)):
        assert [found[b"x" * length] for _ in range(2)] == [length, length]
        assert asked.count("x" * length) == times
    texts = [
        f"{number:b}".replace("0", "a").replace("1", "b").encode() for number in range(MOST_TEXTS)
    ]
    for text in texts[:-1]:
        found[text]
    assert len(found) == MOST_TEXTS
    found[texts[-1]]
    assert len(found) == 1
