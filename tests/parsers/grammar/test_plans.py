"""What a log's earlier lines were never changes what a line says, only how soon it is known."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest

from sixdim.parsers.grammar.meaning import plans as module
from sixdim.parsers.grammar.meaning.line_plan import NOTHING
from sixdim.parsers.grammar.meaning.plans import Plans
from sixdim.parsers.grammar.vocabulary.closing import closing
from sixdim.parsers.grammar.vocabulary.forms import expression
from tests.support.inputs.generated import mostly_slow


def _said(plans: Plans, text: str) -> object:
    said = plans.read(text)
    return None if said is None else (said[0].plan, said[1])


def _forms(step: int) -> list[str]:
    """Twelve forms of lines that begin with one letter, as one pass of a log prints them."""
    return [f"head {chr(97 + at)} loss: {step + at / 16:.4f} acc {step % 7}" for at in range(12)]


def test_many_forms_in_turn_say_what_each_says_alone() -> None:
    plans = Plans()
    for step in range(40):
        for text in _forms(step):
            assert _said(plans, text) == _said(Plans(), text)


def test_a_text_without_numbers_is_searched_for_no_names() -> None:
    plans = Plans()
    texts = ("The loss of an epoch is the mean over its steps.", "Validating:", "all done")
    assert [plans.read(text) for text in texts] == [None] * 3
    assert not plans._may_have_hint
    assert plans.read("loss is nan") is not None


def _made(monkeypatch: pytest.MonkeyPatch, lines: Iterable[str]) -> int:
    """Returns how many expressions are made while these lines are read."""
    made: list[str] = []

    def noted(text: str, *how: list[int], other_digits: bool) -> str | None:
        made.append(text)
        return expression(text, *how, other_digits=other_digits)

    monkeypatch.setattr(module, "expression", noted)
    plans = Plans()
    for text in lines:
        plans.read(text)
    return len(made)


def test_an_expression_is_made_once_for_each_form(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _made(monkeypatch, (text for step in range(60) for text in _forms(step))) == 12


@pytest.mark.parametrize(
    "text",
    [
        "ep{n:03} step {n}/171 loss=0.5{n} 29s",
        "saved at step {n} to checkpoints/step-{n}",
        "total_loss: 0.{n}  time: {n} m 5.00 s",
    ],
)
def test_forms_that_differ_in_digits_share_one_expression(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    assert _made(monkeypatch, (text.format(n=n) for n in range(400))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Training for epoch_{n}: loss 0.{n}",
        "head_{n} accuracy: 0.{n}",
        "top{n} acc: 0.{n}",
        "saved shards/part-{n}.tar with loss 0.25",
        "layer{n} loss: 1e-0{n} (mean 3)",
        "f{n}: 0.75",
        "loss: {n},{n}x of 5",
        "epoch_{n} loss 0.5 time: {n}m 2.5s",
    ],
)
def test_digits_inside_words_say_what_they_say_alone(text: str) -> None:
    plans = Plans()
    for n in [*range(1, 40)] * 6:
        line = text.format(n=n)
        assert _said(plans, line) == _said(Plans(), line)


_AMOUNTS = ("0", "7", "12", "12.5", "007", "1,234", "1e-05", "-3", "10.0", "inf")


@pytest.mark.parametrize(
    "text",
    [
        "Training complete in {}m {}s",
        "Training finished after {} epochs, took {} hours",
        "train end. time {} (s)",
        "Training time {}:{}:41",
        "Total training time: {} days, 3:{}:41",
        "Early stopping at epoch {} for patience {}",
        "no improvement for {} epochs: stop",
    ],
)
def test_a_line_may_be_a_sentence_after_any_line_of_its_form(text: str) -> None:
    closing_lines = 0
    amounts = [*product(_AMOUNTS, repeat=text.count("{}"))]
    for first in amounts:
        plans = Plans()
        plans.read(text.format(*first))
        for other in amounts:
            line = text.format(*other)
            said = plans.read(line)
            assert closing(line) is None or said is None or said[0].may_be_sentence
            closing_lines += closing(line) is not None
    assert closing_lines > 0


@pytest.mark.parametrize(
    ("silent", "speaks"),
    [
        ("of 3: 0.25", "f1: 0.25"),
        ("file 3 of 25", "f1 le of 25"),
        ("worker 3 read 250", "worker loss 250"),
    ],
)
def test_a_line_that_said_nothing_silences_no_other(silent: str, speaks: str) -> None:
    plans = Plans()
    for _ in range(9):
        plans.read(silent)
    assert _said(plans, speaks) == _said(Plans(), speaks)


def test_the_same_letters_with_f1_among_them() -> None:
    plans = Plans()
    for _ in range(9):
        said = plans.read("f 5: 0.25")
        assert said is not None
        assert said[0].plan is NOTHING
    said = plans.read("f1: 0.25")
    assert said is not None
    assert said[0].plan is not NOTHING


def test_a_number_of_steps_without_a_step_is_read() -> None:
    assert Plans().read("[-3/782530.5][82366199594258/1]\tLoss_D: 0.5\tLoss_G: 12.5") is not None


@pytest.mark.parametrize(
    "text",
    mostly_slow(
        [
            "epoch 7/",
            "saved in https://example.org/7/",
            "100%|##########| 30/30 [00:04<00:00, 7.1it/s]",
            "Epoch: [3][100/334] time 0.25 (0.26) loss 2.5 lr 1e-3 12.5 ms/step 640 samples/sec",
            "epoch 3/9: 100% 30/30 [00:04<00:00, 7.1it/s, loss=0.25, acc=91.5%]",
            "[2024-02-29 23:59:59] step 12,800/100k | val acc@1: 76.1 % (best 77.0) | eta 1:02:03",
        ]
    ),
)
def test_each_part_of_a_line_is_a_line(text: str) -> None:
    """A log may be cut anywhere, and a launcher's text in front of a line is taken off it."""
    for begin in range(len(text)):
        for end in range(begin, len(text) + 1):
            Plans().read(text[begin:end])


def test_a_heading_counts_in_front_of_lines_of_a_known_form() -> None:
    plans, line, heading = Plans(), "loss: 0.{} acc: 0.{}", ("eval", "results")
    for n in range(30):
        text = line.format(n, n)
        for words in ((), heading, heading, ()):
            said, alone = plans.read(text, words), Plans().read(text, words)
            assert said is not None
            assert alone is not None
            assert (said[0].plan, said[1]) == (alone[0].plan, alone[1])
            assert (said[0].plan.tested is not None) == bool(words)
