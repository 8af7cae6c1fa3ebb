"""Notebooks: the outputs of the cells are a log, their source is none."""

from __future__ import annotations

import json

import pytest

from sixdim.parsers.envelopes.prefix import Envelopes
from sixdim.parsers.text.lines import Line
from tests.support.logs import scored


def _cell(source: list[str], output: list[str]) -> dict[str, object]:
    outputs = [{"name": "stdout", "output_type": "stream", "text": output}]
    return {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": outputs if output else [],
        "source": source,
    }


def test_the_source_of_a_cell_gives_no_figure() -> None:
    source = ["num_epochs = 90\n", "train_loss = 0.0\n", "epoch = 7\n", "val_acc: float = 0.0\n"]
    printed = [f"Epoch {n}/3 loss {1 / n:.3f} val_acc 0.{50 + n}\n" for n in (1, 2, 3)]
    cells = [_cell(source, printed), _cell(source, [])]
    card = scored(json.dumps({"cells": cells, "nbformat": 4}, indent=1), "train.ipynb")
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (3, 3)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.53, 0.53)


def test_what_a_cell_printed_is_read_like_a_log() -> None:
    """Keras's bars count samples: 60,000 in 6 s; a bar's draws stand in one text."""
    printed = [
        line
        for n in (1, 2, 3)
        for line in (
            f"Epoch {n}/3\n",
            "  128/60000 [>.............] - ETA: 9s\r"
            f"60000/60000 [==============] - 6s 100us/step - loss: 0.5 - val_acc: 0.8{n}\n",
        )
    ]
    notebook = json.dumps({"cells": [_cell([], printed)], "nbformat": 4}, indent=1)
    card, log = scored(notebook, "train.ipynb"), scored("".join(printed))
    assert card["run"]["format"] == "keras"
    for part in ("speed", "accuracy"):
        for name in ("value", "unit"):
            assert card["dimensions"][part][name] == log["dimensions"][part][name]
    assert (card["run"]["epochs"], card["dimensions"]["speed"]["value"]) == (3, 10_000)


def test_escape_sequences_of_a_notebook_are_removed() -> None:
    printed = [f"\x1b[2J\x1b]0;title\x07epoch {n}/3 step 9/9 loss 0.5\n" for n in (1, 2, 3)]
    envelopes = Envelopes()
    notebook = json.dumps({"cells": [_cell(["x = 1\n"], printed)]}, indent=1)
    found = []
    for number, text in enumerate(notebook.splitlines(), 1):
        envelopes.strip(Line(number, 0, text))
        found += [(line.number, line.text) for line in envelopes.more]
        envelopes.more = []
    assert [text for _, text in found] == [f"epoch {n}/3 step 9/9 loss 0.5" for n in (1, 2, 3)]
    numbers = [n for n, text in enumerate(notebook.splitlines(), 1) if "epoch" in text]
    assert [number for number, _ in found] == numbers


@pytest.mark.parametrize("text", ['"cut \\', '"a" "b"', '"a", 1', '["a"]'])
def test_other_lines_of_a_notebook_stay(text: str) -> None:
    envelopes = Envelopes()
    envelopes.strip(Line(1, 0, '"text": ['))
    assert envelopes.strip(Line(2, 0, text)).text == text
    assert not envelopes.more
