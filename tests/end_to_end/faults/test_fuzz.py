"""Mangled lines, readings and cards: an answer or a clear refusal, never anything else.

`make fuzz` runs it for long; what it found stays in `tests/end_to_end/regressions` and is read
again here.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sixdim import sample_logs
from sixdim.metrics.card.schema.card_json import CardError, card_from_json
from sixdim.metrics.values.card import dumps
from sixdim.metrics.values.settings import Reference, Settings
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.telemetry.journal_line import decode
from sixdim.parsers.telemetry.recorded import BadRecordingError, read_recording
from sixdim.tui.base.untrusted_json import UntrustedJsonError, loads
from sixdim.tui.export.printed import printed
from sixdim.tui.session.session import Session
from tests.support.formats import by_name
from tests.support.inputs.attacks import STEERING, escapes_in
from tests.support.processes.live import LINES, card_of

INPUTS = int(os.environ.get("SIXDIM_FUZZ", "40"))
OF_EACH_FORMAT = int(os.environ.get("SIXDIM_FUZZ", "15"))
EXAMPLES = {known.name: known.example for known in formats()}
REGRESSIONS = sorted((Path(__file__).parents[1] / "regressions").glob("*.log"))
fuzz = settings(
    max_examples=INPUTS,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
PIECES = st.one_of(
    st.sampled_from(
        ["nan", "-inf", "1e400", "9" * 400, "0", "-1", "{", "}", "[", '"', "\\u001b", " "]
    ),
    st.sampled_from([*STEERING.values(), *EXAMPLES.values()]),
    st.text(max_size=20),
)


@st.composite
def mangled(draw: st.DrawFn, text: str) -> str:
    """The text with pieces cut out, put in, or doubled."""
    for _ in range(draw(st.integers(0, 3))):
        begin, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        text = text[:begin] + draw(PIECES) + text[draw(st.sampled_from([begin, end])) :]
    return text


def card_and_print(data: bytes, name: str) -> None:
    session = Session("fuzz.log", Settings(), formats(), by_name(name))
    half = len(data) // 2
    session.feed(data[:half])
    session.snapshot()
    session.feed(data[half:])
    session.end()
    card = session.card()
    json.loads(dumps(card))
    assert escapes_in(printed(card)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
@settings(fuzz, max_examples=OF_EACH_FORMAT)
@given(data=st.data())
def test_lines_of_every_format(name: str, data: st.DataObject) -> None:
    lines = st.lists(mangled(EXAMPLES[name]), min_size=1, max_size=6)
    log = "\n".join([EXAMPLES[name], *data.draw(lines)]).encode("utf-8", "replace")
    card_and_print(log, name)


@fuzz
@given(st.lists(mangled(sample_logs.path(sample_logs.POWER).read_text()[:600]), max_size=3))
def test_recordings(tmp_path: Path, texts: list[str]) -> None:
    file = tmp_path / "readings.txt"
    file.write_bytes("\n".join(texts).encode("utf-8", "replace"))
    try:
        recording = read_recording(file)
    except BadRecordingError as error:
        assert escapes_in(str(error)) == []
    else:
        assert all(escapes_in(reading.name) == [] for reading in recording.readings)


@fuzz
@given(
    mangled('{"device":0,"time_us":1,"epoch":2,"power_w":100.5,"name":"A","missing":[["a","b"]]}')
)
def test_journal_lines(line: str) -> None:
    decode(line)


CARD = card_of(b"".join(LINES[:520]))


@fuzz
@given(mangled(CARD))
def test_cards(text: str) -> None:
    try:
        Reference.of("card.json", card_from_json(loads(text.encode("utf-8", "replace"))))
    except (UntrustedJsonError, CardError):
        return  # what `tui.session.log_or_card` turns into one clear line


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.name)
def test_what_was_found_before(path: Path) -> None:
    name = path.name.partition(".")[0]
    for known in [name] if name in EXAMPLES else EXAMPLES:
        card_and_print(path.read_bytes(), known)
