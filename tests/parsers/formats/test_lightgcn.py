"""LightGCN: its loss is glued to the word, and results come before the next epoch's line."""

from __future__ import annotations

from tests.support.logs import detected, scored

RANKS = "{{'precision': array([{p}]), 'recall': array([{p} , 0.5]), 'ndcg': array([{p}, 0.75])}}\n"


def test_the_results_are_those_of_the_epoch_before() -> None:
    text = "[TEST]\n" + RANKS.format(p=0.0001)
    for epoch in range(1, 22):
        text += f"EPOCH[{epoch}/1000] loss0.{700 - epoch}-|Sample:4.56|\n"
        text += "[TEST]\n" + RANKS.format(p=f"0.1{epoch}") if epoch % 10 == 0 else ""
    assert detected(text) == "lightgcn"
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["epoch"], accuracy["value"]) == ("ndcg", 20, 0.12)
    assert (card["run"]["epochs"], card["run"]["epochs_planned"]) == (21, 1000)
