"""Lines inside objects that look alike: read by one expression, with the same result."""

from __future__ import annotations

import json

import pytest

from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.envelopes.wrapped import Objects
from sixdim.parsers.text.lines import Line
from tests.support.logs import scored

_TIME = "2024-05-01T10:00:0{}.123456789Z"


def _docker(text: str, second: int = 0) -> str:
    return json.dumps({"log": text, "stream": "stdout", "time": _TIME.format(second)})


def _python(text: str, at: object) -> str:
    return json.dumps({"asctime": "2024-05-01 10:00:01,500", "lineno": at, "message": text})


def _read(texts: list[str]) -> list[tuple[str, int | None, int | None, str | None, list[str]]]:
    envelopes, out = Envelopes(), []
    for number, text in enumerate(texts):
        line = envelopes.strip(Line(number, 0, text))
        more, envelopes.more = [one.text for one in envelopes.more], []
        out.append((line.text, line.time_us, line.rank, line.host, more))
    return out


@pytest.mark.parametrize(
    "text",
    [
        _docker("Epoch: [1] loss: 0.5\n", 1),
        _docker("  an indented line\r\n", 2),
        _docker("\n"),
        _docker("  \n"),
        _docker(""),
        _docker('said "yes" \\ no\n'),
        _docker("first\rsecond\n"),
        _docker("50%|█████     | 1/2 [00:01<00:01,  1.00it/s]Epoch 2 begins\n"),
        _docker("2024-05-01 10:00:03,500 - INFO - step 3\n", 4),
        _docker("[2024-05-01 10:00:03,500] [INFO] step 3\n", 4),
        _docker(json.dumps({"log": "inner\n", "time": _TIME.format(3)}), 4),
        _docker("[1]: worker 3\n"),
        _docker("größe ∞\n"),
        _docker("a\ttab\n"),
        _docker("Epoch 1\n") + ",",
        _docker("Epoch 1\n") + " and more",
        _docker("Epoch 1\n").replace("T10:", "T99:"),
        _docker("Epoch 1\n").replace("stdout", "std\\u006fut"),
        json.dumps({"log": "Epoch 1\n", "stream": 1, "time": _TIME.format(1)}),
        json.dumps({"log": "Epoch 1\n", "stream": "stdout", "time": 1714557600}),
        json.dumps({"log": "Epoch 1\n", "stream": "stdout", "loss": 0.5}),
        json.dumps({"stream": "stdout", "log": "Epoch 1\n", "time": _TIME.format(1)}),
        json.dumps({"log": "Epoch 1\n", "time": _TIME.format(1), "rank": 3, "host": "a"}),
        json.dumps({"log": "Epoch 1\n", "time": _TIME.format(1), "host": "a"}),
        json.dumps({"epoch": 1, "loss": 0.5}),
        _python("Epoch: [1] loss: 0.5", 17),
        _python("Epoch: [1] loss: 0.5", -3),
        _python("Epoch: [1] loss: 0.5", 1.5),
        _python("Epoch: [1] loss: 0.5", True),
        _python("Epoch: [1] loss: 0.5", None),
        _python("Epoch: [1] loss: 0.5", "a"),
        _python("Epoch: [1] loss: 0.5", {"loss": 0.5}),
        _python("Epoch: [1] loss: 0.5", 17).replace("17", "017"),
        "no object",
        '{"log": "cut',
    ],
)
def test_an_object_like_the_last_one_is_read_as_by_itself(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = [_docker("begin\n"), _docker("go\n")]
    other = [_python("begin", 3), _python("go", 4)]
    texts = [*begun, text, *begun, text, text, text, *other, text, *other, text]
    alike = _read(texts)
    monkeypatch.setattr(Objects, "line_in", lambda _self, _text: None)
    assert alike == _read(texts)


def test_objects_like_the_last_one_are_read_by_one_expression() -> None:
    for text in (_docker("Epoch 1\n"), _python("Epoch 1", 12)):
        objects = Objects()
        for _ in range(2):
            objects.unwrap(Line(1, 0, ""), text)
        found = objects.line_in(text)
        assert found is not None and found[0] == "Epoch 1"


def test_the_line_and_the_time_of_an_object_like_the_last_one() -> None:
    objects = Objects()
    assert objects.line_in(_docker("a\n")) is None
    for _ in range(2):
        assert objects.line_in(_docker("a\n")) is None
        assert objects.unwrap(Line(1, 0, ""), _docker("a\n")) == ["a"]
    assert objects.line_in(_docker("Epoch 1\n", 7)) == ("Epoch 1", 1_714_557_607_123_456)
    assert objects.line_in(_docker('a "b"\n')) is None


@pytest.mark.parametrize(
    ("stamp", "time_us"),
    [
        ('"timestamp": 1767607200.25', 1767607200_250000),
        ('"_timestamp": 1767607200', 1767607200_000000),
        ('"ts": 1767607200250', 1767607200_250000),  # milliseconds
        ('"time": "2026-01-05T10:00:00.250000"', 1767607200_250000),
        ('"time": 0.2519', None),  # MMEngine's: of an iteration
        ('"time": 17676072.25', None),  # elapsed
        ('"timestamp": 1.7676e9', None),  # too few digits for a clock
        ('"start_timestamp": 1767607200.25', None),
        ('"time": "10:00:00"', None),
    ],
)
def test_the_time_that_a_record_of_figures_names_is_that_of_its_line(
    stamp: str, time_us: int | None
) -> None:
    text = f'{{"step": 10, "loss": 2.5, {stamp}, "lr": 0.1}}'
    line = Envelopes().strip(Line(1, 0, text))
    assert (line.text, line.time_us) == (text, time_us)


def test_the_time_of_a_record_of_figures_gives_a_speed() -> None:
    """20 steps each 5 s."""
    text = "".join(
        f'{{"step": {20 * n}, "loss": {9 / (n + 1)}, "_timestamp": {1767607200 + 5 * n}.5}}\n'
        for n in range(12)
    )
    speed = scored(text)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(4.0), "it/s")
