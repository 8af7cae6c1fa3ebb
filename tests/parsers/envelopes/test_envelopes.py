"""Envelopes: a log's lines are stripped as each alone would be, and clocks end where days do."""

from __future__ import annotations

import json
from datetime import datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sixdim.parsers.envelopes.prefix import Envelopes, strip
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.text.lines import Line

PREFIXES = (
    "2020-07-09 23:23:27,492 INFO ",
    "2020-07-09 23:23:27,492 - mmdet - INFO - ",
    "2020/07/09 23:23:27 - [train.py line:9] - INFO: ",
    "2020-07-09 23:23:27 - INFO - ",
    "2020-07-09T23:23:27.492 [INFO]\t",
    "2020-07-09 23:23:27 INFO trainer\t",
    "2020-07-09 23:23:27 ",
    "2020-07-09 23:23:27,492:INFO: ",
    "2020-07-09 23:23:27 | INFO | yolox.core | ",
    "[2020/07/09 23:23:27] ppcls INFO: ",
    "[2020-07-09 23:23:27,492][train_inner][INFO] - ",
    "[2020-07-09 23:23:27,492] [INFO] [logging.py:96:log_dist] [Rank 2] ",
    "[2022-01-05 09:32:14 swin] (main.py 789): INFO ",
    "[INFO|trainer.py:1147] 2021-07-09 23:23:27,492 >> ",
    "[INFO|2024-07-09 23:23:27] logging.py:157 >> ",
    "[NeMo I 2025-02-01 10:00:00 nemo_logging:393] ",
    "03/11 14:25:25 ",
    "31/12 14:25:25.250 INFO trainer - ",
    "[03/11 14:25:25] d2.utils.events INFO: ",
    "[03/11 14:25:25 d2.utils.events]: ",
    "01/01 10:00:00 - mmengine - INFO - ",
    "INFO 01/01 10:00:00 - mmengine - INFO - ",
    "06/04/2024 12:00:01 - INFO - __main__ - ",
    "I0802 11:05:04.537974 140419828713280 run_pretraining.py:694] ",
    "I20240802 11:05:04.537974 140419828713280 run_pretraining.py:694] ",
    "1700000000123 host-1 info ",
    "Tue Jun 14 15:39:05 2022[1,3]<stdout>:",
    "[1,0]<stdout>:",
    "[1,7]<stderr>: ",
    "[rank0]:",
    "[rank13]: ",
    "[0]: ",
    "3: ",
    "Node[2] ",
    "AI-Rank-log 1618400000.4 ",
    "- AI-Rank-log ",
    "[11:05:04] ",
    "[11:05:04.5] ",
    "[titan] ",
    "[Rank 1] ",
    "[RANK 12]",
    "[engine.py:12:step] ",
    "INFO:root:",
    "WARNING:tensorflow:",
    "  ",
    "\t",
)
BODIES = (
    "Epoch: [1] loss 2.5",
    "Epoch[3] Batch [20]\tSpeed: 2.5",
    "[Epoch 0][Batch 1]",
    "{'loss': 1.5}",
    ":::MLLOG {}",
    "iteration 3",
    "12/34 [==>]",
    "100",
    "2020-07-09",
    "DLL 2020-07-09 23:23:27.1 - x",
    "INFO",
    "x",
)


DAY = 86_400_000_000
FIRST_DAY = 730 * DAY
"""1972-01-01, of which a clock without a date is read at first; one without a year is of 1972."""


def lines(random: Random) -> list[str]:
    """The lines of a log that changes its envelopes now and then."""
    out: list[str] = []
    while len(out) < 12:
        prefix = "".join(random.choices(PREFIXES, k=random.randint(0, 4)))
        for _ in range(random.randint(1, 3)):
            text = prefix + random.choice(BODIES)
            out.append(text[random.choice((0, 0, 0, 1, random.randrange(len(text)))) :])
    return [text for text in out if text.strip()]


@settings(max_examples=400)
@given(st.randoms(use_true_random=True))
def test_the_line_before_changes_nothing(random: Random) -> None:
    texts = lines(random)
    envelopes = Envelopes()
    waiting: int | None = None  # the clock of a line that held nothing else
    for number, text in enumerate(texts, 1):
        found, alone = envelopes.strip(Line(number, 0, text)), strip(Line(number, 0, text))
        if alone.text == text and alone.time_us is None:
            alone.time_us = waiting
        waiting = None if found.text.strip() else found.time_us
        if alone.time_us is not None and abs(alone.time_us - FIRST_DAY) < 3 * 366 * DAY:
            # The lines before say which day or year it is, and whether a container's clock counts.
            same_time_of_day = ((found.time_us or 0) - alone.time_us) % DAY == 0
            if found.time_us is None or same_time_of_day:
                found.time_us = alone.time_us
        assert found == alone, texts[:number]


def test_a_message_that_begins_with_a_newline_has_the_clock_of_the_line_before() -> None:
    envelopes = Envelopes()
    texts = ("2020-07-09 23:23:27,492 - INFO - ", "Epoch 1/100", "and more")
    times = [envelopes.strip(Line(n, n, text)).time_us for n, text in enumerate(texts, 1)]
    assert times == [us("2020-07-09 23:23:27") + 492_000] * 2 + [None]


def us(text: str) -> int:
    """Microseconds since 1970 of a moment."""
    return int((datetime.fromisoformat(text) - datetime(1970, 1, 1)).total_seconds()) * 1_000_000


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ("2020-12-31 23:59:59", us("2020-12-31 23:59:59")),
        ("2020-12-31 23:59:60", us("2021-01-01 00:00:00")),  # a leap second
        ("2021-01-01 00:00:00", us("2021-01-01 00:00:00")),
        ("2020-01-31 00:59:00", us("2020-01-31 00:59:00")),
        ("2020-02-29 10:00:59", us("2020-02-29 10:00:59")),
        ("2020-12-31 23:59:61", None),
        ("2020-12-31 23:60:00", None),
        ("2020-12-31 24:00:00", None),
        ("2020-12-32 10:00:00", None),
        ("2020-12-00 10:00:00", None),
        ("2020-13-01 10:00:00", None),
        ("2020-00-01 10:00:00", None),
    ],
)
def test_a_clock_at_the_ends_of_its_parts(clock: str, expected: int | None) -> None:
    """The clock in front of a line: the text after it is the line's, whatever it says."""
    for text in (f"{clock} INFO x", f"[{clock}] x", f"{clock},000 - name - INFO - x"):
        line = strip(Line(1, 0, text))
        assert (line.text, line.time_us) == ("x", expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sat Dec 31 23:59:59 2022[1,0]<stdout>:x", us("2022-12-31 23:59:59")),
        ("Sun Jan  1 00:00:00 2023[1,0]<stdout>:x", us("2023-01-01 00:00:00")),
        ("Sun Foo  1 00:00:00 2023[1,0]<stdout>:x", None),
        ("I1231 23:59:59.999999 1 a.py:1] x", us("1972-12-31 23:59:59") + 999_999),
        ("I0101 00:00:00.000000 1 a.py:1] x", us("1972-01-01 00:00:00")),
        ("I0229 00:00:00.000000 1 a.py:1] x", us("1972-02-29 00:00:00")),
        ("I20231231 23:59:59.000001 1 a.py:1] x", us("2023-12-31 23:59:59") + 1),
        ("[12/31 23:59:59 d2]: x", us("1972-12-31 23:59:59")),
        ("12/31/2023 23:59:59 - INFO - a - x", us("2023-12-31 23:59:59")),
        ("12/31 12:59:59 AM x", us("1972-12-31 00:59:59")),
        ("12/31 12:59:59 PM x", us("1972-12-31 12:59:59")),
        ("12/31 01:00:00 PM x", us("1972-12-31 13:00:00")),
        ("12/31 13:00:00 PM x", None),
        ("1700000000123 host info x", 1_700_000_000_123_000),
        ("AI-Rank-log 1618400000.4 x", 1_618_400_000_400_000),
        ("2018-01-28 21:43:00,197 INFO    : x", us("2018-01-28 21:43:00") + 197_000),
        ("2018-01-28 21:43:00.197 [main] WARN  a.b.C$D - x", us("2018-01-28 21:43:00") + 197_000),
        (
            "2018-01-28 21:43:00,197 [pool-1-thread-2] INFO a - x",
            us("2018-01-28 21:43:00") + 197_000,
        ),
        ("Sat 31 Dec 2022 23:59:59 INFO  x", us("2022-12-31 23:59:59")),
        ("Sun, 01 Jan 2023 00:00:00  INFO x", us("2023-01-01 00:00:00")),
    ],
)
def test_clocks_of_other_loggers(text: str, expected: int | None) -> None:
    line = strip(Line(1, 0, text))
    assert (line.text, line.time_us) == ("x", expected)


def test_the_clock_of_a_logger_counts_before_that_of_a_launcher_after_it() -> None:
    line = strip(Line(1, 0, "2021-01-01 00:00:00 INFO AI-Rank-log 1618400000.4 x"))
    assert (line.text, line.time_us) == ("x", us("2021-01-01 00:00:00"))


@pytest.mark.parametrize(
    ("double", "single", "counts"), [(2, 1, True), (3, 1, False), (3, 3, False), (3, 4, True)]
)
def test_a_clock_alone_counts_until_three_lines_and_half_of_all_have_two(
    double: int, single: int, counts: bool
) -> None:
    texts = ["2021-01-01 00:00:00 INFO 2021-01-01 09:00:00,000 - name - INFO - x"] * double
    texts += ["2021-01-01 00:00:07 INFO x"] * single
    envelopes = Envelopes()
    lines = [envelopes.strip(Line(n, 100 * n, text)) for n, text in enumerate(texts)]
    envelopes.clocks.decide()
    assert {line.time_us for line in lines[:double]} == {us("2021-01-01 09:00:00")}
    alone = us("2021-01-01 00:00:07") if counts else None
    assert {line.time_us for line in lines[double:]} == {alone}


@pytest.mark.parametrize(
    ("fraction", "us"),
    [
        *(("5", 500_000), ("25", 250_000), ("125", 125_000)),
        *(("1255", 125_500), ("12545", 125_450), ("125456", 125_456)),
    ],
)
def test_a_fraction_of_a_second_has_one_to_six_digits(fraction: str, us: int) -> None:
    line = strip(Line(1, 0, f"2024-05-01 02:00:00.{fraction} UTC hello"))
    assert (line.text, line.time_us) == ("hello", 1_714_528_800_000_000 + us)


@pytest.mark.parametrize(
    ("rank", "known"), [(0, 0), (999_999, 999_999), (1_000_000, None), (-1, None)]
)
def test_a_rank_of_an_object_has_six_digits_at_most(rank: int, known: int | None) -> None:
    line = strip(Line(1, 0, json.dumps({"log": "Epoch: [0]", "rank": rank})))
    assert (line.text, line.rank) == ("Epoch: [0]", known)


@pytest.mark.parametrize(("objects", "unpacked"), [(1, 1), (2, 2), (3, 2)])
def test_of_objects_inside_objects_two_are_unpacked(objects: int, unpacked: int) -> None:
    texts = ["Epoch: [0]"]
    for _ in range(objects):
        texts.append(json.dumps({"log": texts[-1] + "\n", "stream": "stdout"}))
    assert strip(Line(1, 0, texts[-1])).text.strip() == texts[objects - unpacked].strip()


def test_no_more_than_five_are_removed() -> None:
    line = strip(Line(1, 0, "[rank0]:" * 6 + "x"))
    assert line.text == "[rank0]:x"


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-01T10:00:00.5+08:00 stdout F hello",
        "2024-05-01T02:00:00.5Z stdout F hello",
        "2024-04-30 22:30:00.5-0330 hello",
        "2024-05-01 02:00:00.5 UTC hello",
        '{"log":"hello\\n","time":"2024-05-01T10:00:00.5+08:00"}',
    ],
)
def test_clocks_of_all_zones_are_those_of_utc(text: str) -> None:
    line = strip(Line(1, 0, text))
    assert line.text == "hello"
    assert line.time_us == 1_714_528_800_500_000  # date -d 2024-05-01T02:00:00Z +%s


BAR = " 40%|████      | 20/50 [00:02<00:03, 38.75it/s]"


@pytest.mark.parametrize(
    "after",
    ["11/23/2026 06:45:03 - INFO - __main__ - epoch 1: {'accuracy': 0.775}",
     "2026-11-23 06:45:03,120 - INFO - epoch 1: {'accuracy': 0.775}",
     "[2026-11-23 06:45:03,120][train][INFO] - epoch 1: {'accuracy': 0.775}",
     "INFO:root:epoch 1: {'accuracy': 0.775}",
     "epoch 1: {'accuracy': 0.775}",
     "  epoch 1: {'accuracy': 0.775}"],
)  # fmt: skip
def test_a_line_after_an_unfinished_bar_is_a_line(after: str) -> None:
    envelopes = Envelopes()
    line = Line(1, 0, BAR + after)
    assert envelopes.strip(line).text == BAR
    (more,) = envelopes.more
    envelopes.more = []
    assert (more.number, envelopes.strip(more).text) == (1, "epoch 1: {'accuracy': 0.775}")


@pytest.mark.parametrize("after", ["", "   ", "{'loss': 0.5, 'epoch': 1.0}", " loss 0.5", "[A"])
def test_what_a_bar_says_after_its_times_stays_with_it(after: str) -> None:
    envelopes = Envelopes()
    assert envelopes.strip(Line(1, 0, BAR + after)).text == BAR + after
    assert envelopes.more == []


@pytest.mark.parametrize(
    "left", ["]", "s]", "it]", "it/s]", "/s]s]", ".76it/s]s]", ", 1.2s/it]", " ]  "]
)
def test_the_end_of_a_longer_bar_after_a_bar_is_no_text(left: str) -> None:
    """A terminal was captured, in whose row a shorter bar was drawn over a longer one."""
    envelopes = Envelopes()
    assert envelopes.strip(Line(1, 0, BAR + left)).text == BAR
    assert envelopes.more == []


def test_a_list_at_the_end_of_a_bar_is_of_this_bar() -> None:
    text = BAR[:-1] + ", losses=[0.1, 0.2]]"
    assert Envelopes().strip(Line(1, 0, text)).text == text


@pytest.mark.parametrize("after", ["its]", "loss 0.5]", "[0.5]", "0.5"])
def test_other_text_after_a_bar_is_not_the_end_of_a_bar(after: str) -> None:
    envelopes = Envelopes()
    line = envelopes.strip(Line(1, 0, BAR + after))
    assert "".join([line.text, *(one.text for one in envelopes.more)]) == BAR + after


def test_each_of_many_bars_in_one_line_has_the_line_behind_it() -> None:
    """A line of 256 KiB holds thousands of bars: more than Python allows nested calls."""
    envelopes = Envelopes()
    line = Line(7, 0, f"{BAR}epoch 1" * 4000)
    assert envelopes.strip(line).text == BAR
    assert [one.text for one in envelopes.more] == [f"epoch 1{BAR}"] * 3999 + ["epoch 1"]
    assert {one.number for one in envelopes.more} == {7}
    interpreter = Interpreter(formats())
    [*interpreter.feed(f"{BAR}epoch 1".encode() * 4000 + b"\n")]
    assert interpreter.lines == 4001


@pytest.mark.parametrize("around", ["", "[rank0]: ", "2024-05-01 02:00:01,500 INFO "])
def test_a_line_behind_a_bar_in_an_object_is_a_line(around: str) -> None:
    """As docker writes it: the bar has no newline, so one object holds both."""
    written = {"log": f"{BAR}epoch 1: loss 0.5\n", "time": "2024-05-01T02:00:00.5Z"}
    envelopes = Envelopes()
    assert envelopes.strip(Line(1, 0, around + json.dumps(written))).text == BAR
    (more,) = envelopes.more
    assert more.text == "epoch 1: loss 0.5"
    assert more.time_us == (1_714_528_801_500_000 if "INFO" in around else 1_714_528_800_500_000)


def test_a_line_behind_a_bar_may_end_in_an_object() -> None:
    envelopes = Envelopes()
    assert envelopes.strip(Line(1, 0, BAR + 'epoch 1: {"loss": 0.5}')).text == BAR
    assert [one.text for one in envelopes.more] == ['epoch 1: {"loss": 0.5}']


def test_the_time_in_an_object_of_figures_is_that_of_the_line() -> None:
    """As structlog writes its events: the object is the record itself, and has the clock."""
    record = (
        '{{"epoch": 1, "loss": 0.7{s}, "event": "step", "timestamp": "2026-01-01T12:00:0{s}Z"}}'
    )
    stripped = [strip(Line(s, 0, record.format(s=s))) for s in (1, 4)]
    assert [one.text for one in stripped] == [record.format(s=s) for s in (1, 4)]
    first, last = (one.time_us or 0 for one in stripped)
    assert last - first == 3_000_000
    assert strip(Line(1, 0, '{"epoch": 1, "loss": 0.71, "event": "step"}')).time_us is None


@pytest.mark.parametrize(
    "line",
    ["10:00:01 INFORMATION lost", "10:00:01 step 3", "10:00:01 - 3 INFO", "10:99:01 | INFO | a"],
)
def test_a_time_of_day_without_a_level_is_no_envelope(line: str) -> None:
    assert strip(Line(1, 0, line)).time_us is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"log": "Epoch: [0]"},', "Epoch: [0]"),
        ('{"log": "Epoch: [0]"} and more', None),
        ('{"jsonPayload": {"message": "Epoch: [0]"}}', "Epoch: [0]"),
        ('{"payload": {"message": "Epoch: [0]"}}', None),
    ],
)
def test_an_object_is_an_envelope_if_it_is_the_whole_line(text: str, line: str | None) -> None:
    assert strip(Line(1, 0, text)).text == (line or text)
