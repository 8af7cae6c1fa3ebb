"""The statement that is chosen is the first that fits, whatever the dispatch leaves out."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.events import Iteration, Problem
from sixdim.parsers.grammar.shapes.shape import Broken, Fields
from sixdim.parsers.reader.detect import Detector
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.by_start import MOST_STARTS
from sixdim.parsers.statements.compiled import Dispatch
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import IterationRecord
from sixdim.parsers.statements.rows import Rows, ignored, progress
from sixdim.parsers.statements.statement import Statement
from sixdim.parsers.text.letters import without_digits
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


@pytest.mark.slow
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


def test_a_statement_is_tried_on_lines_with_the_word_that_the_fewest_statements_have() -> None:
    rows = ("Epoch {:int} throughput at {:float} s", "Epoch {:int} throughput in {:float} s")
    statements = [one for row in rows for one in ignored(row, 1.0, "time")]
    words = [word for word, _ in Dispatch(statements).reads["Epoc"]]
    assert words == ["at", "in"]


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


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("boosting", "algo-1-xk2#011[3]#011train-rmse:0.5#011validation-rmse:0.6"),
        (
            "deepmd",
            "DEEPMD rank:0  INFO    deepmd.train.trainer   batch  100: total wall time = 1.2 s",
        ),
        (
            "dllogger",
            " 25%|##  | 1/4 [00:01<00:03] DLL 2021-03-23 09:25:10.000001 - Epoch: 0  x : 1 ",
        ),
        ("mlperf", '0: :::MLLOG {"key": "run_start", "value": null}'),
        ("openpcdet", "epochs: 0%| | 0/80 2021-01-05 10:22:33,123   INFO  Train: 1/80 (1%) [0/9]"),
        ("openrlhf", "2025-05-01 12:00:00 INFO x.py:12 -- ✨ Global step 3: {'reward': 0.5}"),
        ("slime", "model.py:352 - step 3: {'train/loss': 0.5}"),
    ],
)
def test_a_record_inside_a_line_has_the_clue_of_its_format(name: str, line: str) -> None:
    """The detection looks for one in no other line."""
    format_ = _FORMATS[name]
    assert format_.record_in(line) != line
    assert format_.record_clue in without_digits(line).decode()


def test_no_record_is_looked_for_in_a_line_without_the_clue() -> None:
    looked: list[str] = []

    class Inside(Reader):
        name, title, example = "inside", "Inside", "a line of its own"
        record_clue = "»"
        row = ignored("a line of its own", 1.0, "line")

        @staticmethod
        def record_in(text: str) -> str:
            looked.append(text)
            return text.partition("» ")[2] or text

    found = Detector((Inside,))
    lines = [Line(1, 0, "prose"), Line(2, 0, "worker 1 » a line of its own")]
    assert [found.look(line) for line in lines] == [False, True]
    assert looked == ["worker 1 » a line of its own"]
