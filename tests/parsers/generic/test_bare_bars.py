"""Bars without any word: the order of two bars and the line of their epoch say which one trains."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.events import Iteration
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.formats import by_name
from tests.support.logs import read, scored

BOTH = "epoch={epoch}: train_epoch_loss=tensor(4.{epoch}) eval_epoch_loss=tensor(4.{epoch}1)"

TRAINED = "epoch={epoch}: train_epoch_loss=tensor(4.{epoch})"


def bar(steps: int, rate: float) -> list[str]:
    half, seconds = steps // 2, steps / rate
    return [
        f"  0%|          | 0/{steps} [00:00<?, ?it/s]",
        f" 50%|█████     | {half}/{steps} [00:{int(seconds / 2):02}<00:09, {rate:5.2f}it/s]",
        f"100%|██████████| {steps}/{steps} [00:{int(seconds):02}<00:00, {rate:5.2f}it/s]",
    ]


def log(bars: Sequence[tuple[int, float]], line: str = BOTH, epochs: int = 5) -> str:
    lines = ["Downloading shards:", *bar(3, 1.0)]
    for epoch in range(epochs):
        lines += [drawing for steps, rate in bars for drawing in bar(steps, rate)]
        lines.append(line.format(epoch=epoch))
    return "".join(f"{one}\n" for one in lines)


@pytest.mark.parametrize("tested", [10, 40])
def test_the_first_bar_of_two_is_the_training_s(tested: int) -> None:
    """As PEFT's examples: 40 steps at 8 a second, after the first epoch's line."""
    text = log([(40, 8.0), (tested, 20.0)])
    placed = [(e.epoch, e.step) for e in read(text, "generic") if isinstance(e, Iteration)]
    assert placed == [(e, step) for e in range(1, 5) for step in (20, 40)]
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["window"]) == (8, "it/s", [1, 2, 3, 4])
    assert card["run"]["epochs"] == 5


@pytest.mark.parametrize(
    ("bars", "line"),
    [
        ([(10, 20.0), (40, 8.0)], BOTH),  # the first may be an evaluation
        ([(40, 8.0)], BOTH),  # the one bar may be either
        ([(40, 8.0), (10, 20.0)], TRAINED),
        ([(40, 8.0)], "epoch={epoch}: test_acc=0.4{epoch}\n" + TRAINED),  # that of the test
    ],
)
def test_bars_that_may_be_an_evaluation_s_have_no_speed(
    bars: Sequence[tuple[int, float]], line: str
) -> None:
    assert scored(log(bars, line))["dimensions"]["speed"]["value"] is None


@pytest.mark.parametrize(
    ("steps", "time", "known"),
    [
        (40, "5.2s", True),
        (40, "9.9s", True),
        (40, "10.0s", False),
        (16, "2.1s", True),
        (8, "1.1s", False),  # whole seconds say too little
    ],
)
def test_a_bar_that_takes_most_of_the_epoch_is_the_training_s(
    steps: int, time: str, known: bool
) -> None:
    """8 steps a second: 5 s of the time that the line prints, 2 s, or 1 s."""
    line = f"Epoch {{epoch}}/10 | Train Loss: 1.{{epoch}} | Val Acc: 0.{{epoch}} | Time: {time}"
    speed = scored(log([(steps, 8.0)], line))["dimensions"]["speed"]
    assert speed["value"] == (8 if known else None)


IN_TWO = {
    "[ Train | {epoch:03d}/006 ] loss = 1.{epoch}5, acc = 0.{epoch}5": (
        "[ Valid | {epoch:03d}/006 ] loss = 1.{epoch}, acc = 0.{epoch}"
    ),
    "Epoch {epoch} train loss: 1.{epoch}5": "Epoch {epoch} val loss: 1.{epoch}, val acc: 0.{epoch}",
    "Epoch {epoch}, loss 1.{epoch}5": "Test accuracy: 0.{epoch}",
}


def in_two_lines(trained: str, tested: str, *bars: tuple[int, float]) -> str:
    lines: list[str] = []
    for epoch in range(1, 7):
        lines += [*bar(*bars[0]), trained.format(epoch=epoch)]
        lines += [drawing for one in bars[1:] for drawing in bar(*one)]
        lines.append(tested.format(epoch=epoch))
    return "".join(f"{one}\n" for one in lines)


@pytest.mark.parametrize(("trained", "tested"), IN_TWO.items())
def test_a_bar_in_front_of_each_line_is_of_what_the_line_is_of(trained: str, tested: str) -> None:
    """40 steps at 8 a second, their line, 10 at 20 a second, the line of the evaluation."""
    card = scored(in_two_lines(trained, tested, (40, 8.0), (10, 20.0)))
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"], speed["window"]) == (8, "it/s", [6])
    assert card["run"]["epochs"] == 6


@pytest.mark.parametrize("bars", [[(40, 8.0)], [(40, 8.0), (40, 20.0)], [(10, 20.0), (40, 8.0)]])
@pytest.mark.parametrize(("trained", "tested"), IN_TWO.items())
def test_a_bar_in_front_of_the_training_s_line_may_be_of_other_work(
    trained: str, tested: str, bars: list[tuple[int, float]]
) -> None:
    """The only one may be the evaluation's, and so may a shorter one or one as long."""
    assert scored(in_two_lines(trained, tested, *bars))["dimensions"]["speed"]["value"] is None


def test_epochs_without_an_evaluation_go_on() -> None:
    """It evaluates every second epoch; what the first bars are is known from epoch 2 on."""
    lines: list[str] = []
    for epoch in range(1, 7):
        lines += [*bar(40, 8.0), f"Epoch {epoch}, loss 1.{epoch}5"]
        lines += [*bar(10, 20.0), f"Test accuracy: 0.{epoch}"] if epoch % 2 == 0 else []
    events = read("".join(f"{one}\n" for one in lines), "generic")
    placed = [(e.epoch, e.step) for e in events if isinstance(e, Iteration) and e.duration]
    assert placed == [(epoch, step) for epoch in (3, 4, 5, 6) for step in (20, 40)]


def test_a_second_evaluation_has_a_bar_of_its_own() -> None:
    tested = "Val accuracy: 0.{epoch}\n" + "\n".join(bar(10, 20.0)) + "\nTest accuracy: 0.{epoch}1"
    text = in_two_lines("Epoch {epoch}, loss 1.{epoch}5", tested, (40, 8.0), (12, 20.0))
    assert scored(text)["dimensions"]["speed"]["value"] == 8


def test_a_bar_that_was_stopped_begins_no_epoch() -> None:
    text = log([(40, 8.0), (10, 20.0)]).replace("10/10 [", "7/10 [")
    assert scored(text)["dimensions"]["speed"]["value"] is None


def test_after_an_epoch_with_a_third_bar_none_trains() -> None:
    """Which of them did is not known: the next epoch has no figure, the one after it has."""
    text = log([(40, 8.0), (10, 20.0)]).replace(
        "epoch=2", "".join(f"{b}\n" for b in bar(3, 1.0)) + "epoch=2"
    )
    placed = {e.epoch for e in read(text, "generic") if isinstance(e, Iteration)}
    assert placed == {1, 2, 4}


@pytest.mark.parametrize("address", ["https://example.org/5/", "Top 1% of page 7/"])
def test_an_address_that_ends_in_a_count_begins_no_bar(address: str) -> None:
    """`5/` would begin a bar, but nothing follows that could be the total."""
    lines = [f"epoch {n}: loss 0.{9 - n} val_acc 0.{n}" for n in range(1, 5)]
    card = scored("\n".join([address, *lines, address, ""]))
    assert card["dimensions"]["accuracy"]["value"] == 0.4
    assert not [one for one in card["warnings"] if one["kind"] == "fault"]


HEADING = "Epoch {epoch}/5"


def headed(bars: Sequence[tuple[int, float]], ending: str = "Validation loss: 0.5{epoch}") -> str:
    lines = []
    for epoch in range(1, 6):
        lines += [HEADING.format(epoch=epoch), *(one for b in bars for one in bar(*b))]
        lines.append(ending.format(epoch=epoch))
    return "".join(f"{one}\n" for one in lines)


@pytest.mark.parametrize("tested", [10, 40])
def test_the_first_bar_after_a_heading_is_the_training_s(tested: int) -> None:
    """40 steps at 8 a second, from the second epoch on."""
    text = headed([(40, 8.0), (tested, 20.0)])
    events = [e for e in read(text, "generic") if isinstance(e, Iteration) and e.step]
    assert [(e.epoch, e.step) for e in events] == [(e, at) for e in range(2, 6) for at in (20, 40)]
    card = scored(text)
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (8, "it/s")
    assert (card["run"]["epochs"], card["status"]) == (5, "finished")


def test_the_last_drawing_of_a_full_bar_has_its_mean() -> None:
    """tqdm draws a full bar twice: with the pace of the last steps, and with that of all."""
    last = "100%|██████████| 40/40 [00:05<00:00,  8.00it/s]"
    text = headed([(40, 8.0), (10, 20.0)]).replace(last, last.replace("8.00", "5.50") + "\n" + last)
    assert scored(text)["dimensions"]["speed"]["value"] == 8


def test_the_line_of_the_epoch_may_follow_its_bars() -> None:
    text = headed(
        [(40, 8.0), (10, 20.0)], "Epoch {epoch}: train loss 0.4{epoch} val loss 0.5{epoch}"
    )
    assert scored(text)["dimensions"]["speed"]["value"] == 8


def test_a_heading_in_front_of_the_first_epoch_alone_changes_nothing() -> None:
    text = "Epoch 0\n" + log([(40, 8.0), (10, 20.0)])
    assert scored(text)["dimensions"]["speed"]["value"] == 8


def test_the_only_bar_after_a_heading_is_the_training_s() -> None:
    assert scored(headed([(40, 8.0)]))["dimensions"]["speed"]["value"] == 8


def test_a_bar_may_be_drawn_empty_before_the_heading_of_its_epoch() -> None:
    """As pytorch-accelerated prints it: 40 steps at 8 a second, an evaluation of 10 at 20."""
    lines = []
    for epoch in range(1, 6):
        (empty, *drawn), (other, *tested) = bar(40, 8.0), bar(10, 20.0)
        lines += [empty, f"Starting epoch {epoch}", *drawn, other, "Starting eval epoch", *tested]
        lines.append(f"eval_loss_epoch: 0.{9 - epoch}5")
    card = scored("".join(f"{one}\n" for one in lines))
    assert (card["dimensions"]["speed"]["value"], card["run"]["epochs"]) == (8, 5)


@pytest.mark.parametrize(
    "text",
    [
        headed([(10, 20.0), (40, 8.0)]),  # the first may be an evaluation
        headed([(40, 8.0), (10, 20.0)]).replace("40/40 [", "39/40 ["),  # it was not finished
    ],
)
def test_bars_after_a_heading_that_may_not_be_the_training_s_have_no_speed(text: str) -> None:
    assert scored(text)["dimensions"]["speed"]["value"] is None


def test_the_only_bar_in_front_of_lines_about_the_training_is_the_training_s() -> None:
    """40 steps at 8 a second, from the third epoch on."""
    text = log([(40, 8.0)], TRAINED).removeprefix(log([], TRAINED, 0))
    placed = [(e.epoch, e.step) for e in read(text, "generic") if isinstance(e, Iteration)]
    assert placed == [(e, step) for e in (2, 3, 4) for step in (20, 40)]
    assert scored(text)["dimensions"]["speed"]["value"] == 8


def test_a_bar_that_begins_only_after_the_first_epoch_is_of_other_work() -> None:
    """The training has no bar; each epoch ends with samples that the model generates."""
    text = "".join(
        f"{one}\n" for epoch in range(6) for one in (TRAINED.format(epoch=epoch), *bar(40, 8.0))
    )
    assert scored(text)["dimensions"]["speed"]["value"] is None


def around(steps: range, total: int, line: str) -> str:
    """A bar of 10 steps a second, with a line about each of the steps between two drawings."""
    drawn = [
        f"{line.format(step=step)}\n{100 * done // total:3}%|███   | {done}/{total} "
        f"[00:{done // 10:02}<00:{(total - done) // 10:02}, 10.00it/s]\n"
        for step in steps
        for done in (step + 20,)
    ]
    return f"  0%|          | 0/{total} [00:00<?, ?it/s]\n" + "".join(drawn)


def test_a_bar_counts_the_steps_that_the_lines_between_its_drawings_name() -> None:
    card = scored(around(range(0, 400, 20), 400, "step {step}: loss 0.5"))
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(10), "it/s")
    assert card["status"] == "finished"


def test_the_screen_shows_the_step_at_each_line() -> None:
    """The lines about a step come between two drawings."""
    session = Session("train.log", Settings(), formats(), by_name("generic"))
    for line in around(range(0, 200, 20), 400, "step {step}: loss 0.5").splitlines():
        session.feed(f"{line}\n".encode())
        progress = session.snapshot().progress
        if session.interpreter.lines > 10:
            assert progress.step is not None and progress.steps == 400
    assert progress.step == 200


@pytest.mark.parametrize("line", ["loss 0.5", "epoch {step}: loss 0.5", "step 3{step}: loss 0.5"])
def test_a_bar_beside_other_lines_may_count_anything(line: str) -> None:
    assert scored(around(range(0, 400, 20), 400, line))["dimensions"]["speed"]["value"] is None


def announced(*lines: str, steps: int = 40) -> str:
    drawn = [
        f"{100 * at // steps:3}%|███   | {at}/{steps} [00:{at // 8:02}<00:05,  8.00it/s]"
        for at in range(0, steps + 1, 8)
    ]
    return "\n".join([*lines, *drawn, ""])


def test_the_bar_directly_below_the_start_of_the_training_is_the_training_s() -> None:
    """40 steps at 8 a second; the evaluation's bar, at the same speed, is another one."""
    text = announced("Loading data", steps=16) + announced("Start training")
    text += announced("Evaluating", steps=40) + "Accuracy: 0.75\n"
    card = scored(text)
    assert [e.step for e in read(text, "generic") if isinstance(e, Iteration)] == [
        8,
        16,
        24,
        32,
        40,
    ]
    assert card["dimensions"]["speed"]["value"] == 8
    assert (card["dimensions"]["accuracy"]["value"], card["status"]) == (0.75, "finished")


@pytest.mark.parametrize("line", ["Start", "Start training\nReading the cache\nof images\nhere"])
def test_a_bar_that_no_training_announces_has_no_speed(line: str) -> None:
    events = read(announced(line), "generic")
    assert not [e for e in events if isinstance(e, Iteration)]


def test_a_bar_that_advances_by_parts_of_an_epoch_gives_no_speed_of_iterations() -> None:
    """As torchaudio's tutorial: one bar of all epochs, moved on by 1/50 with each batch."""
    lines = ["  0%|          | 0/6 [00:00<?, ?it/s]"]
    for epoch in range(6):
        for step in range(1, 51):
            done = epoch + step / 50
            share, left = round(done / 6 * 100), round(30 - 5 * done)
            lines += [
                f"{share:3}%|██        | {done}/6 [00:{int(5 * done):02}<00:{left:02}, 5.02s/it]"
            ]
            if step % 10 == 1:
                trained = f"Train Epoch: {epoch + 1} [{16 * (step - 1)}/800 ({2 * step - 2}%)]"
                lines.append(f"{trained}\tLoss: {2 / (epoch + step):.6f}")
        lines.append(f"Test Epoch: {epoch + 1}\tAccuracy: {100 + epoch}/200 ({50 + epoch // 2}%)")
    card = scored("".join(f"{line}\n" for line in lines))
    assert card["dimensions"]["speed"]["value"] is None
    assert card["dimensions"]["accuracy"]["value"] == 52.5
