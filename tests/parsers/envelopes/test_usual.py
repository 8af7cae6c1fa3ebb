"""Lines with the envelopes of a line before give what they give when each is looked at closely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, product
from typing import Any

import pytest

from sixdim.parsers.envelopes.envelope import Envelope
from sixdim.parsers.envelopes.inferred import envelope
from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.text.lines import Line
from tests.support.inputs.prefixes import PREFIXES, Prefix, in_front

BODIES = ("Epoch: [3] loss: 2.25", "", "2 of 5", "[1/5] lr 0.1", "{'loss': 1.5}", "0: step 3 done")
OTHERS: dict[str, Prefix] = {
    "two clocks": in_front("%Y-%m-%d %H:%M:%S,123 - INFO - %Y-%m-%d %H:%M:%S,456 - INFO - "),
    "an object after a rank": lambda n, text: (
        f"[1,{n}]<stdout>:" + PREFIXES["object: docker"](n, text)
    ),
    "AI-Rank in front of a clock": lambda n, text: (
        f"AI-Rank-log 17145576{n:02}.5 [2024-05-01 10:00:{n:02},123] INFO: {text}"
    ),
    "AI-Rank alone": lambda n, text: f"AI-Rank-log 17145576{n:02}.5 {text}",
    "a rank and a clock": in_front("[rank3]: %Y-%m-%d %H:%M:%S,123 - INFO - "),
    "no clock": lambda _, text: f"INFO:root:{text}",
    "an inferred rank": lambda n, text: f"{n % 4}: {text}",
}
ALL = PREFIXES | OTHERS


def stripped(
    lines: Iterable[str], begun: Sequence[str], known: Sequence[Envelope], *, timeless: bool
) -> list[Line]:
    """The lines after a few others of the log, with which its format was chosen."""
    envelopes = Envelopes()
    for one in known:
        envelopes.add(one)
    for number, text in enumerate(begun):
        envelopes.strip(Line(number + 1, 100 * number, text))
    envelopes.clocks.decide(timeless=timeless)
    return [
        envelopes.strip(Line(number, 100 * number, text))
        for number, text in enumerate(lines, len(begun) + 1)
    ]


@pytest.mark.parametrize("name", ALL)
def test_the_usual_envelopes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make = ALL[name]
    texts = [make(number, body) for number, body in enumerate(BODIES * 2)]
    bare = chain.from_iterable(zip(texts, BODIES * 2, strict=True))
    known = [envelope("3: ")] if name == "an inferred rank" else []
    outer = [in_front("%Y-%m-%d %H:%M:%S,123 - INFO - ")(n, "loss: 2.25") for n in range(4)]
    logs = (texts, [*bare], [make(3, ""), *texts, make(40, "")], [*texts, *outer])
    for lines, begun, timeless in product(logs, ([], texts[:1], texts[:8]), (False, True)):
        found = stripped(lines, begun, known, timeless=timeless)
        with monkeypatch.context() as patch:
            patch.setattr(Envelopes, "_strip_usual", lambda *_: False)
            assert found == stripped(lines, begun, known, timeless=timeless)


def test_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    make = OTHERS["no clock"]
    lines = [make(number, "Epoch: [3] loss: 2.25") for number in range(10)]
    asked: list[str] = []
    closely = Envelopes._strip

    def counted(self: Envelopes, line: Line, *others: Any) -> Line:
        asked.append(line.text)
        return closely(self, line, *others)

    monkeypatch.setattr(Envelopes, "_strip", counted)
    stripped(lines[1:], lines[:1], [], timeless=False)
    assert len(asked) == 2  # the first line, and the first once the format is chosen


@pytest.mark.parametrize(
    ("known", "texts"),
    [
        ([envelope("worker-1 | ")], ("no label", "12 of 40", "worker 1 of 2")),
        ([], ("1/10 3/20", "10/12 11/20 loss 0.5", "9/10 1 2")),
        ([], ("10:00:00 loss 0.5", "10:00:00.25 [I] step 4", "1:02 left")),
    ],
)
def test_a_line_without_envelope_after_another_is_not_searched_for_any(
    known: Sequence[Envelope], texts: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    envelopes = Envelopes()
    for one in known:
        envelopes.add(one)
    envelopes.strip(Line(1, 0, "no envelope"))
    monkeypatch.setattr(Envelopes, "_strip", None)
    for number, text in enumerate(texts, 2):
        assert envelopes.strip(Line(number, 0, text)).text == text


@pytest.mark.parametrize(
    "date",
    [
        "03/01 10:00:00 ",
        "2026/03/01 10:00:00 ",
        "01/Mar/26 10:00:00 ",
        "10:00:00 [INFO] ",
        "10:00:00,123 - INFO - ",
        "10:00:00.123 [main] INFO a.b - ",
    ],
)
def test_a_clock_after_lines_without_envelope_is_one(date: str) -> None:
    envelopes = Envelopes()
    texts = ("1/10 3/20", f"{date}1/10 4/20", "1/10 5/20", f"{date}1/10 6/20")
    stripped = [envelopes.strip(Line(n, 0, text)).text for n, text in enumerate(texts, 1)]
    assert stripped == [f"1/10 {n}/20" for n in range(3, 7)]
