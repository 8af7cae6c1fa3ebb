"""When a text in front of known lines is a log's envelope, and when it is not."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.detection import Detection
from sixdim.parsers.envelopes.inferred import kinds
from sixdim.parsers.envelopes.prefix import strip
from sixdim.parsers.events import Evaluation, Iteration
from sixdim.parsers.reader.infer_envelope import envelope_of
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.text.lines import Line
from sixdim.parsers.text.partial_clocks import YearlessClock
from tests.support.inputs.bare_logs import bare
from tests.support.inputs.generated import read
from tests.support.logs import only, scored

TRAIN = (
    "Epoch: [0]  [{step:>3}/334]  eta: 0:06:47  lr: 0.1  img/s: 5625.49  loss: 7.29 (7.24)  "
    "time: 1.2591  data: 0.0019"
)


def lines(prefixes: list[str], form: str = TRAIN) -> list[Line]:
    return [
        Line(number, 100 * number, prefix + form.format(step=number))
        for number, prefix in enumerate(prefixes, 1)
    ]


def inferred(prefixes: list[str], form: str = TRAIN) -> bool:
    looked_at = lines(prefixes, form)
    return envelope_of(looked_at, looked_at, formats(), {}) is not None


def test_three_known_lines_after_one_kind_of_text() -> None:
    assert inferred(["[my-exp-7] "] * 3)
    assert not inferred(["[my-exp-7] "] * 2)
    assert not inferred(["one: ", "two: ", "three: ", "four: "])


def test_three_known_lines_show_the_envelope_and_the_next_known_one_decides() -> None:
    """As OLMo: a heading in an envelope, and below it lines of figures without one."""
    front = "2025-12-27 22:12:{second:02}.867\tnode-0:0\tolmo.train:990\tINFO\t"
    text = "".join(front.format(second=n) + f"part {n} is ready\n" for n in range(20))
    for step in range(1, 13):
        text += front.format(second=30 + step) + f"[step={step}0/10000,epoch=0]\n"
        text += "".join(f"    optim/norm{n}={n}.5\n" for n in range(14))
        text += "    train/CrossEntropyLoss=4.5\n"
    interpreter = Interpreter(formats())
    list(interpreter.feed(text.encode()))
    assert interpreter.detection is not None
    (olmo,) = interpreter.detection.candidates
    assert (olmo.name, olmo.first_line, olmo.lines) == ("olmo", 21, 4)


@pytest.mark.parametrize(("length", "found"), [(160, True), (161, False)])
def test_an_envelope_has_160_characters_at_most(length: int, found: bool) -> None:
    name = "x" * (length - len("[my-] "))
    assert [*kinds(f"[my-{name}] Epoch")] == [(length, f"[my-{name}]")] * found
    assert inferred([f"[my-{name}] "] * 3) == found


@pytest.mark.parametrize(("parts", "places"), [(20, 20), (21, 20)])
def test_a_line_may_begin_at_twenty_places(parts: int, places: int) -> None:
    assert len([*kinds("a: " * parts + "b")]) == places


def test_bare_lines_need_none() -> None:
    assert not inferred([""] * 10)


@pytest.mark.parametrize("prefix", ["val: ", "[test] ", "loss 3.5 ", "epoch 3: ", "EMA | "])
def test_a_text_that_means_something_is_part_of_the_line(prefix: str) -> None:
    mixed = ["[job] "] * 2 + [prefix] * 5
    assert not inferred(mixed)


def test_the_name_of_one_part_of_a_log_is_part_of_its_lines() -> None:
    """Bars of an evaluation that fill the latest lines, after those of the training."""
    latest = lines(["[Eval] best model at "] * 40)
    assert envelope_of(latest, latest, formats(), {}) is not None
    assert envelope_of(latest, lines([""] * 5) + latest, formats(), {}) is None


def test_words_alone_are_the_lines_own() -> None:
    assert not inferred(["Train "] * 20)
    assert inferred(["Train: "] * 20)
    assert inferred(["train-0 "] * 20)


def test_a_name_in_front_of_all_lines_means_nothing() -> None:
    assert inferred(["[best-model-test] "] * 20)


def test_a_figure_that_changes_is_no_envelope_even_in_front_of_all_lines() -> None:
    assert not inferred([f"(worker) step {n} | " for n in range(20)])
    assert inferred([f"worker | {n} | " for n in range(20)])


UNKNOWN = ("loading it", "made {step} of them", "here {step} / {step}")


def everywhere(prefixes: list[str], *forms: str) -> bool:
    """Whether a text in front of lines that no format knows is an envelope."""
    forms = forms or UNKNOWN
    bodies = [forms[n % len(forms)].format(step=n) for n in range(len(prefixes))]
    said = [
        Line(n, n, prefix + body)
        for n, (prefix, body) in enumerate(zip(prefixes, bodies, strict=True))
    ]
    return envelope_of(said, said, formats(), {}) is not None


@pytest.mark.parametrize(
    "prefix", ["trainer-1  | ", "node-17: ", "[my-exp-7] ", "0: ", "  3: ", "[0] ", "app | "]
)
def test_a_label_in_front_of_every_line_is_one_whatever_follows(prefix: str) -> None:
    assert everywhere([prefix] * 8)
    assert not everywhere([prefix] * 7)
    assert not everywhere([prefix] * 20 + [""])
    named = any(map(str.isalpha, prefix))
    assert everywhere([prefix] * 20, UNKNOWN[1]) == named  # else the rows of an epoch


@pytest.mark.parametrize(
    "prefix",
    ["worker: ", "epoch 3: ", "[test-2] ", "step 3 | ", "it 4 ", "acc1: ", "iter | ", "epoch-1 | "],
)
def test_words_and_figures_in_front_of_every_line_are_its_own(prefix: str) -> None:
    assert not everywhere([prefix] * 20)


def test_eight_lines_for_each_rank() -> None:
    assert everywhere([f"{rank}: " for rank in (0, 1)] * 8)
    assert not everywhere([f"{rank}: " for rank in (0, 1)] * 7 + ["0: "])
    assert not everywhere([f"{step}: " for step in range(40)])


def test_a_clock_in_front_of_every_line_is_one_whatever_follows() -> None:
    assert everywhere([f"10:00:{n:02} " for n in range(8)], UNKNOWN[1])
    assert not everywhere([f"10:00:{n:02} " for n in range(7)])
    assert not everywhere([f"took 10:00:{n:02} " for n in range(8)])
    assert everywhere([f"10:00:{n:02}   " for n in range(8)], "- a dash", "no dash")


def test_the_bar_of_a_table_is_not_the_bar_after_a_clock() -> None:
    for body, clock in (("| rollout/ |  |", "10:00:00 "), ("| rollout", "10:00:00 | ")):
        said = [Line(n, n, f"10:00:00 {body}") for n in range(8)]
        envelope = envelope_of(said, said, formats(), {})
        assert envelope is not None
        found = envelope.expression.match(said[0].text)
        assert found is not None
        assert found[0] == clock


def test_a_line_that_is_known_in_part_only() -> None:
    assert not inferred(["job> "] * 10, "Epoch: [0]  [{step}/334]  eta")
    assert not inferred(["job> "] * 10, "step {step} loss 0.5")


def events_of(texts: list[str]) -> tuple[Detection | None, list[object]]:
    interpreter = Interpreter(formats())
    data = "".join(text + "\n" for text in texts).encode()
    events: list[object] = [*interpreter.feed(data), *interpreter.end()]
    return interpreter.detection, events


def test_a_validation_after_a_name_of_its_own_is_no_training() -> None:
    texts = [line.text for line in lines(["[run 7] "] * 20)]
    texts += [line.text for line in lines(["[val 7] "] * 20)]
    _detection, events = events_of(texts)
    assert [e.at.line for e in events if isinstance(e, Iteration)] == list(range(1, 21))


def test_the_label_of_srun_is_taken_off_evaluations_too() -> None:
    texts = [line.text for line in lines(["0: "] * 5)] + ["0:  * Acc@1 16.5 Acc@5 83.3"]
    detection, events = events_of(texts)
    assert detection is not None and detection.name == "torchvision"
    assert [m.value for e in only(events, Evaluation) for m in e.metrics] == [16.5, 83.3]  # type: ignore[arg-type]  # all are events


def test_an_inferred_envelope_is_taken_off_once() -> None:
    """`7 completed` begins like the number of a line, after it."""
    texts = [line.text for line in lines([f"{n}\t" for n in range(1, 9)])]
    _detection, events = events_of([*texts, "9\t12 > 3"])
    assert len([e for e in events if isinstance(e, Iteration)]) == 8


def test_an_inferred_envelope_is_taken_off_after_a_line_without_it() -> None:
    """A message of several lines has it in front of the first one."""
    texts = [line.text for line in lines(["[my-exp-7] "] * 40)]
    texts[20:20] = ["best so far:", "  acc1 16.5"]
    _detection, events = events_of(texts)
    assert len([e for e in events if isinstance(e, Iteration)]) == 40


def test_two_kinds_of_text_are_both_inferred() -> None:
    texts = [line.text for line in lines([f"[{'ab'[n % 2]}-job] " for n in range(40)])]
    _detection, events = events_of(texts)
    assert len([e for e in events if isinstance(e, Iteration)]) == 40


def test_the_card_warns_where_known_lines_stand_inside_lines() -> None:
    random = Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = [
        "".join(random.choices(letters, k=9)) + " :: " + line.text for line in lines([""] * 40)
    ]
    session = read("".join(text + "\n" for text in texts).encode())
    (caution,) = [c for c in session.card().warnings if c.kind == "known_inside"]
    assert session.card().run["format"] == "generic"
    assert "torchvision" in caution.text
    assert caution.lines == (1,)


def test_a_generic_log_has_no_such_warning() -> None:
    text = "".join(f"epoch {n} loss {9 / n:.3f} acc {n}.5 %\n" for n in range(1, 60))
    session = read(text.encode())
    assert not [c for c in session.card().warnings if c.kind == "known_inside"]


@pytest.fixture(scope="module")
def labelled() -> tuple[bytes, list[object]]:
    """A log with a label in front of each line, and its events when it is read at once."""
    texts, _figures = bare("timm")
    data = "".join(f"node{n % 3}-x{n}: {text}\n" for n, text in enumerate(texts)).encode()
    whole = Interpreter(formats())
    return data, [*whole.feed(data), *whole.end()]


@settings(max_examples=40)
@given(st.integers(1, 400))
def test_any_chunking_gives_the_same_events(
    labelled: tuple[bytes, list[object]], size: int
) -> None:
    data, expected = labelled
    cut = Interpreter(formats())
    found = [e for at in range(0, len(data), size) for e in cut.feed(data[at : at + size])]
    assert [*found, *cut.end()] == expected


NUMBERS = st.integers(0, 9999)


@given(st.lists(NUMBERS, min_size=7, max_size=7), st.sampled_from(("Jan", "Dec", "Foo", "Feb")))
def test_no_clock_raises(numbers: list[int], month: str) -> None:
    year, *two, micros = numbers
    m, d, hour, minute, second = (number % 100 for number in two)
    day, time = f"{year:04}-{m:02}-{d:02}", f"{hour:02}:{minute:02}:{second:02}"
    for text in (
        f"{day} {time} - INFO - hello",
        f"[{day} {time},{micros:04}][a][INFO] - hello",
        f"{day}T{time}.{micros:09}Z hello",
        f"{month} {d:02} {time} host unit[1]: hello",
        f"<13>{month} {d:2} {time} hello",
        f"Wed {month} {d:02} {time} UTC {year:04} hello",
        f"[{m:02}/{d:02}/{year % 100:02} {time}] INFO     hello",
        f"{m:02}/{d:02}/{year:04} {time} - INFO - a - hello",
        f"I{m:02}{d:02} {time}.123456 1 a.py:1] hello",
        f"I{year:04}{m:02}{d:02} {time}.123456 1 a.py:1] hello",
        f"{time} hello",
        f'{{"message": "hello", "time": "{day}T{time}Z"}}',
        f'{{"message": "hello", "time": {year}{m}{d}{micros}}}',
    ):
        strip(Line(1, 0, text))


@pytest.mark.parametrize(
    "value", ["1e400", "-1e400", "NaN", "true", "null", '"x"', "[]", "9" * 400]
)
def test_no_time_of_an_object_raises(value: str) -> None:
    line = strip(Line(1, 0, f'{{"message": "hello", "time": {value}}}'))
    assert (line.text, line.time_us) == ("hello", None)


@pytest.mark.parametrize(
    "text",
    [
        '{"message": "epoch done", "loss": 0.5}',
        '{"message": "epoch done", "metrics": {"train_loss": 0.5}}',
        '{"loss": 0.5, "epoch": 3}',
        '{"message": 3}',
        '{"message": "cut',
        '{"message": "deep", "a": ' + "[" * 20_000 + "]" * 20_000 + "}",
        '{"message": "deep", "a": ' + '{"a":' * 900 + "1" + "}" * 901,
    ],
)
def test_a_record_of_figures_is_no_envelope(text: str) -> None:
    assert strip(Line(1, 0, text)).text in (text, "deep")


@pytest.mark.parametrize(
    ("prefix", "seconds"),
    [
        ("run7 2024-05-01_10:00:{s:02d} ~ ", True),
        ("job (01-May-2024 10:00:{s:02d}) ~ ", True),
        ("job May  1, 2024 10:00:{s:02d} ~ ", True),
        ("01/05/2024 10:00:{s:02d} ~ ", False),  # which of them is the day?
    ],
)
def test_an_inferred_text_has_a_clock_where_its_order_is_beyond_doubt(
    prefix: str, seconds: bool
) -> None:
    looked_at = lines([prefix.format(s=s) for s in range(5)])
    envelope = envelope_of(looked_at, looked_at, formats(), {})
    assert envelope is not None
    first, last = lines([prefix.format(s=s) for s in (3, 58)])
    for line in (first, last):
        found = envelope.expression.match(line.text)
        assert found is not None
        envelope.note(line, found, {(envelope, True): YearlessClock()})
    assert (first.time_us is not None) is seconds
    if seconds:
        assert (last.time_us or 0) - (first.time_us or 0) == 55_000_000


def _run_time(form: str, day: int, month: int) -> float | None:
    """Of four epochs of 334 steps, six lines each, ten minutes a line, by the clock in front."""
    at, out = datetime(2025, month, day, 10), []
    for epoch in range(4):
        for step in range(0, 334, 60):
            line = TRAIN.replace("[0]", f"[{epoch}]").format(step=step)
            out.append(at.strftime(form) + line + "\n")
            at += timedelta(minutes=10)
    run_time: float | None = scored("".join(out))["run_end"]["run_time_s"]
    return run_time


@pytest.mark.parametrize(
    "form",
    ["[%d/%m/%Y %H:%M:%S] ", "%d-%m-%Y %H:%M:%S,123 INFO ", "%d.%m.%Y %H:%M:%S | "],
)
def test_a_date_whose_first_number_is_no_month_begins_with_the_day(form: str) -> None:
    """The months change under way: 30 November is followed by 1 December."""
    assert _run_time(form, 22, 11) == 23 * 600
    assert _run_time(form, 30, 11) == 23 * 600


def test_a_date_whose_second_number_is_no_month_begins_with_the_month() -> None:
    assert _run_time("[%m/%d/%Y %H:%M:%S] ", 13, 11) == 23 * 600


@pytest.mark.parametrize("form", ["[%d/%m/%Y %H:%M:%S] ", "[%m/%d/%Y %H:%M:%S] "])
def test_a_date_of_two_possible_months_is_no_clock(form: str) -> None:
    assert _run_time(form, 12, 11) is None
