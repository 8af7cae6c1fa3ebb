"""spaCy's table of evaluations."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Evaluation, Iteration
from tests.support.logs import detected, only, read, scored

HEAD = "ℹ Pipeline: ['tok2vec', 'ner']\nℹ Initial learn rate: 0.001\n"
LOG = (
    HEAD
    + """\
E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE
---  ------  ------------  --------  ------  ------  ------  ------
  0       0          0.00     48.20    0.00    0.00    0.00    0.00
  0     200         12.30   1950.21   63.40   61.00   66.00    0.63
  1     400         20.15    840.10   71.05   74.00   68.30    0.71
  3    1000         31.00    222.75   70.02   72.00   68.15    0.70
✔ Saved pipeline to output directory
out/model-last
"""
)
WORDS = """\
E    #       W       LOSS TEXTCAT  CATS_SCORE  SCORE
---  ------  ------  ------------  ----------  ------
  0       0       0          0.25       35.90    0.36
  1      50   12000          1.25       85.90    0.86
"""


def test_a_row_is_an_evaluation_between_steps() -> None:
    assert detected(LOG) == "spacy"
    events = read(LOG, "spacy")
    assert [(e.epoch, e.step, e.metrics[0].value) for e in only(events, Evaluation)] == [
        (0, 0, 0.0),
        (0, 200, 0.63),
        (1, 400, 0.71),
        (3, 1000, 0.70),
    ]
    last = only(events, Iteration)[-1]
    assert {m.name: m.value for m in last.values} == {"loss_tok2vec": 31.0, "loss_ner": 222.75}


def test_the_score_is_the_accuracy_and_the_closing_line_ends_the_run() -> None:
    card = scored(LOG)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("score", 0.70, 0.71)
    assert card["status"] == "finished"
    assert scored(LOG.partition("✔ Saved")[0])["status"] == "incomplete"


@pytest.mark.parametrize(("log", "loss"), [(WORDS, 1.25), (WORDS.replace(" W     ", ""), None)])
def test_words_are_counted_beside_the_steps(log: str, loss: float | None) -> None:
    events = only(read(log, "spacy"), Iteration)
    assert [e.loss for e in events][-1:] == ([loss] if loss else [])


def test_numbers_without_the_header_are_none_of_it() -> None:
    assert only(read(LOG.replace("SCORE\n", "SUM\n"), "spacy"), Evaluation) == []


VERSION_2 = """\
Itn  NER Loss   NER P   NER R   NER F   Token %  CPU WPS
---  ---------  ------  ------  ------  -------  -------
  1   3000.123  61.000  66.000  63.404   99.800    20123
  2   1500.500  70.000  72.000  70.986   99.800    20456
✔ Saved model to output directory
"""


def test_the_table_of_version_2() -> None:
    assert detected(VERSION_2) == "spacy"
    card = scored(VERSION_2)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["epoch"]) == ("f1", 70.986, 2)
    assert (card["run"]["epochs"], card["status"]) == (2, "finished")
    assert [e.values[0].value for e in only(read(VERSION_2, "spacy"), EpochEnd)] == [
        3000.123,
        1500.5,
    ]
