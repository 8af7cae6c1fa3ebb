"""Notebooks: the outputs of the cells are a log, their source is none."""

from __future__ import annotations

import json

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
