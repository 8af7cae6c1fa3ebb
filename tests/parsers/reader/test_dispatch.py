"""The statement that is chosen is the first that fits, whatever the dispatch leaves out."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.events import Iteration, Problem
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.by_start import MOST_STARTS
from sixdim.parsers.statements.compiled import Dispatch
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.rows import Rows, ignored, progress
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.lines import Line
from tests.support.inputs.statement_lines import BLANKS, ODD_VALUES

_STEPS = IterationRecord(epoch="epoch", step="step")
_FORMATS = {known.name: known for known in formats()}


def example_lines() -> list[str]:
    """The lines of all formats' examples, without what stands in front of them."""
    texts = (text for known in formats() for text in known.example.splitlines() if text.strip())
    return list(dict.fromkeys(strip(Line(1, 0, text)).text.strip() for text in texts))


_LINES = example_lines()


def first_that_fits(format_: type[Reader], text: str) -> tuple[Statement, Fields | Broken] | None:
    """What a plain loop over the statements in order chooses."""
    for statement in format_.statements:
        fields = statement.shape.match(text)
        if fields is not None:
            return statement, fields
    return None


def agree(found: Fields | Broken, expected: Fields | Broken) -> bool:
    """Whether what was found is among the fields of a line: a record does not use all."""
    if isinstance(found, Broken) or isinstance(expected, Broken):
        return found == expected
    pairs = dict(found).get("pairs", {}).items() <= dict(expected).get("pairs", {}).items()
    values = {name: repr(value) for name, value in expected.items()}
    return pairs and all(values[k] == repr(v) for k, v in found.items() if k != "pairs")


def check(format_: type[Reader], dispatch: Dispatch, text: str) -> None:
    found, expected = dispatch.recognise(text), first_that_fits(format_, text)
    if expected is None or found is None:
        assert found == expected, text
        return
    place = format_.statements.index
    assert found[0].shape is expected[0].shape, (format_.name, place(expected[0]), text)
    assert agree(found[1], expected[1]), text


def test_every_example_line_of_every_format() -> None:
    for format_ in _FORMATS.values():
        dispatch = Dispatch(format_.statements)
        for text in _LINES:
            for _ in range(5):  # so that templates are made
                check(format_, dispatch, text)


@settings(max_examples=60)
@given(st.randoms(use_true_random=True))
def test_lines_with_other_beginnings(random: Random) -> None:
    format_ = random.choice(formats())
    dispatch = Dispatch(format_.statements)
    for _ in range(20):
        text = random.choice(_LINES)
        begin, end = sorted((random.randint(0, 6), random.randint(0, 6)))
        other = random.choice((*BLANKS, *ODD_VALUES, random.choice(_LINES)[: random.randint(0, 9)]))
        check(format_, dispatch, (text[:begin] + other + text[end:]).strip())


def test_short_lines() -> None:
    dispatches = [(format_, Dispatch(format_.statements)) for format_ in formats()]

    @given(st.text(max_size=8))
    def any_text(text: str) -> None:
        for format_, dispatch in dispatches:
            check(format_, dispatch, text.strip())

    any_text()


def test_beginnings_are_forgotten_before_they_are_too_many() -> None:
    format_ = _FORMATS["torchvision"]
    dispatch = Dispatch(format_.statements)
    for number in range(MOST_STARTS + 10):
        dispatch.recognise(f"{number:05}")
    for text in _LINES:
        check(format_, dispatch, text)


@pytest.mark.parametrize(
    ("second", "kinds"),
    [
        ("Epoch {epoch:int} Batch {batch:word} end", [Iteration]),
        ("Epoch {epoch:int} Batch {batch:word} end...", [Problem]),  # fits more than it means
    ],
)
def test_a_spelling_that_fits_goes_before_one_with_a_bad_number(
    second: str, kinds: list[type]
) -> None:
    first = "Epoch {epoch:int} Batch {begin:int}-{step:int} end"
    statements = (*progress(first, _STEPS, 1.0), *progress(second, _STEPS, 1.0))
    reader = type("Spelled", (Reader,), {"statements": statements})()
    for _ in range(5):
        events = reader.read(Line(1, 0, "Epoch 1 Batch 3-x end"))
        assert [type(event) for event in events or ()] == kinds


@pytest.mark.parametrize(
    ("earlier", "steps"),
    [
        (ignored("Epoch {epoch:int} Batch 4 end", 1.0, "other"), [None, None]),
        (progress("Epoch {epoch:int} Batch {step:int} end", _STEPS, 1.0), [None, 4, None]),
    ],
)
def test_the_function_that_read_the_last_line_reads_no_line_of_an_earlier_statement(
    earlier: Rows, steps: list[int | None]
) -> None:
    later = progress("Epoch {epoch:int} Batch {batch:word} end", _STEPS, 1.0)
    reader = type("Spelled", (Reader,), {"statements": (*earlier, *later)})()
    events: list[object] = []
    for batch in ("x", "4", "x"):
        events += reader.read(Line(1, 0, f"Epoch 1 Batch {batch} end")) or ()
    assert [getattr(event, "step", "no progress line") for event in events] == steps


def test_forms_that_take_turns_are_read_in_any_order() -> None:
    """The function that is expected next reads no line of another form."""
    forms = {"s": "Epoch 1 step {} end", "b": "Epoch 1 batch {} end", "i": "Epoch 1 iter {} end"}
    rows = (f"Epoch {{epoch:int}} {word} {{step:int}} end" for word in ("step", "batch", "iter"))
    statements = [one for row in rows for one in progress(row, _STEPS, 1.0)]
    reader = type("Spelled", (Reader,), {"statements": tuple(statements)})()
    steps: list[object] = []
    for number, form in enumerate("sbsbsbssbibisbisbbb"):
        for event in reader.read(Line(1, 0, forms[form].format(number))) or ():
            assert isinstance(event, Iteration)
            steps.append(event.step)
    assert steps == [*range(19)]
