"""What is said of the time of a log whose clocks do not all say when something was."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from sixdim.metrics.dimensions.times import TIMESTAMPS, Time, run_time
from sixdim.metrics.fold.runs.log_fold import LogFold
from sixdim.parsers.events import EndOfInput, Iteration, Origin, Scope
from tests.support.inputs.generated import read
from tests.support.logs import scored

CLOCKED = "2023-05-15 22:50:{s:02},398 INFO:Epoch {n}: Train Loss=0.0{n}17, Val Loss=0.0766"


@pytest.mark.parametrize(
    ("form", "clock"),
    [
        (CLOCKED, "the log's clock does not show when the training began"),
        (CLOCKED.partition("INFO:")[2], "no time was read from the log"),
    ],
)
def test_the_part_that_is_missing_is_named(form: str, clock: str) -> None:
    text = "".join(form.format(n=n, s=5 * n) + "\n" for n in range(1, 10))
    end = read(text.encode()).card().run_end
    assert end is not None
    assert (end["run_time_s"], end["clock"]) == (None, clock)


EPOCHS = [CLOCKED.format(n=n, s=5 * n) for n in range(1, 10)]
"""Nine epochs of five seconds; each line comes when its epoch is over."""


def _said(second: int, text: str) -> str:
    return f"2023-05-15 22:50:{second:02},398 INFO:{text}"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Starting training...", 43.0),
        ("------ Start Training! ------", 43.0),
        ("TRAINING STARTED", 43.0),
        ("Training has started", 43.0),
        ("===== Training Start =====", 43.0),
        ("🚀 开始训练...", 43.0),
        ("Training start time 5", None),
        ("Begin the training loop", 43.0),
        ("Starting training for 9 epochs", 43.0),
        ("Starting to load the training data", None),
        ("Starting training of the tokenizer", None),
        ("Training starts in 5 s", None),
    ],
)
def test_a_line_that_says_that_the_training_starts_begins_its_time(
    text: str, seconds: float | None
) -> None:
    lines = [_said(0, "Device: cuda"), _said(2, text), *EPOCHS]
    end = read("".join(f"{line}\n" for line in lines).encode()).card().run_end
    assert end is not None
    assert end["run_time_s"] == seconds
    says = "the line that says that the training starts"
    assert seconds is None or (end["clock"], end["start"]) == ("log timestamps", says)


@pytest.mark.parametrize(
    ("labels", "epochs", "seconds", "warned"),
    [
        ((1, 2), 2, 10.0, ["the log holds 2 runs; this is run 2"]),
        ((8, 9), 9, None, []),
    ],
)
def test_epochs_that_begin_again_after_such_a_line_are_timed_from_it(
    labels: tuple[int, ...], epochs: int, seconds: float | None, warned: list[str]
) -> None:
    """The first attempt has 7 epochs; the second is announced at 22:51:00."""
    later = [CLOCKED.format(n=n, s=5 * s) for s, n in enumerate(labels, 1)]
    again = [line.replace("22:50", "22:51") for line in (_said(0, "Training Start"), *later)]
    lines = [_said(2, "Training Start"), *EPOCHS[:7], *again]
    card = read("".join(f"{line}\n" for line in lines).encode()).card()
    assert [w.text for w in card.warnings if w.kind == "several_runs"] == warned
    assert card.run_end is not None
    assert (card.run["epochs"], card.run_end["run_time_s"]) == (epochs, seconds)


def test_a_line_after_epochs_begins_another_attempt_that_may_fail() -> None:
    lines = [_said(2, "Starting training..."), *EPOCHS, _said(50, "Starting training...")]
    end = read("".join(f"{line}\n" for line in lines).encode()).card().run_end
    assert end is not None
    assert end["run_time_s"] is None


@pytest.mark.parametrize(("after", "seconds"), [(0, None), (1, 3.0), (2, 8.0)])
def test_bars_without_a_clock_do_not_show_how_long_a_training_lasts(
    after: int, seconds: float | None
) -> None:
    form = "Epoch 1/9: {n}0%|####| {n}0/100 [00:0{n}<00:09, 10.00it/s, loss=0.5]"
    bars = [form.format(n=n) for n in range(1, 10)]
    before = _said(4, "Epoch [0], Validation Loss: 2.13, Accuracy: 66.33%")
    lines = [_said(2, "Starting training..."), before, *bars, *EPOCHS[:after]]
    end = read("".join(f"{line}\n" for line in lines).encode(), name="generic").card().run_end
    assert end is not None
    assert end["run_time_s"] == seconds


def test_where_steps_are_logged_the_time_begins_at_the_first_one() -> None:
    steps = [_said(5 * n, f"step {n}/9 loss: 0.{n}") for n in range(1, 10)]
    lines = [_said(2, "Starting training..."), *steps]
    end = read("".join(f"{line}\n" for line in lines).encode()).card().run_end
    assert end is not None
    assert (end["run_time_s"], end["start"]) == (40.0, "the first iteration")


@pytest.mark.parametrize(("day", "known"), [(21, True), (22, False)])
def test_days_without_a_line_are_no_part_of_a_run_time(day: int, known: bool) -> None:
    form = "2023-05-{day} 22:50:{s:02},000 INFO: step {n}/20 loss: 0.{n}"
    days = [15] * 9 + [day] * 9
    text = "".join(form.format(day=d, s=2 * n, n=n) + "\n" for n, d in enumerate(days, 1))
    end = read(text.encode()).card().run_end
    assert end is not None
    assert (end["run_time_s"] is not None) == known
    assert known or "leaps ahead" in str(end["clock"])


@pytest.mark.parametrize(("first", "seconds"), [(1, 198.0), (6, 188.0), (7, None)])
def test_a_run_time_lacks_at_most_a_twentieth_of_the_iterations(
    first: int, seconds: float | None
) -> None:
    """Two seconds an iteration; five iterations of a hundred lie before line `step 6/100`."""
    form = "2023-05-15 22:{m:02}:{s:02},000 INFO: step {n}/100 loss: 0.{n}"
    steps = range(first, 101)
    text = "".join(form.format(m=2 * n // 60, s=2 * n % 60, n=n) + "\n" for n in steps)
    end = read(text.encode()).card().run_end
    assert end is not None
    assert end["run_time_s"] == seconds
    assert seconds or end["clock"] == (
        "more than 5 % of the iterations come before the first line that shows the log's clock"
    )


def test_a_clock_without_a_year_does_not_end_a_run_whose_lines_have_one() -> None:
    """A launcher's last words (glog) after a trainer's log."""
    text = "".join(
        f"2021-12-27 22:0{n}:00,000 - INFO - epoch 1 step {n}/9 loss {3 - n / 10}\n"
        for n in range(1, 8)
    )
    text += "W1227 22:43:28.153000 54958 torch/elastic/api.py:725] Received 15 death signal\n"
    text += "W1227 22:43:28.154000 54958 torch/elastic/api.py:908] Sending closing signal SIGTERM\n"
    end = read(text.encode()).card().run_end
    assert end is not None
    assert (end["run_time_s"], end["clock"]) == (360.0, "log timestamps")


def _seconds(*said: int, epochs: int = 4, line: str = "val loss: 0.{n}, val acc: 0.7{n}") -> object:
    """The run time of epochs of 100 s: their names and figures stand so many seconds from 0 on."""
    text = ""
    for n in range(1, epochs + 1):
        at = [100 * n + second for second in said]
        lines = (f"Epoch {n}/{epochs}", line.format(n=n))
        stamps = [f"2023-05-15 22:{s // 60:02}:{s % 60:02}" for s in at]
        text += "".join(f"{t} - {said}\n" for t, said in zip(stamps, lines, strict=True))
    end = read(text.encode()).card().run_end
    assert end is not None
    return end["run_time_s"]


@pytest.mark.parametrize("line", ["val acc: 0.7{n}", "train loss: 0.{n}"])
def test_a_name_that_is_printed_with_the_figures_does_not_start_the_clock(line: str) -> None:
    assert _seconds(0, 0, line=line) is None  # of 400 s, the clock shows the last 300
    assert _seconds(0, 1, line=line) is None
    assert _seconds(0, 2, line=line) == 302
    assert _seconds(0, 90, line=line) == 390


def test_a_rate_on_the_only_line_of_each_epoch_is_printed_when_the_epoch_is_over() -> None:
    form = "2023-05-15 22:{n:02}:00 - Epoch: {n}, using time 60 second, ips 7{n} samples/s"
    end = read("".join(form.format(n=n) + "\n" for n in range(4)).encode()).card().run_end
    assert end is not None
    assert (end["run_time_s"], end["epochs"]) == (None, 4)  # the clock shows three of the four


def test_two_epochs_show_when_they_were_named() -> None:
    assert _seconds(0, 0, epochs=2) is None
    assert _seconds(0, 90, epochs=2) == 190


def test_an_epoch_of_which_only_the_name_was_printed_is_not_counted() -> None:
    def epochs(*lines: str) -> object:
        run = "".join(f"Epoch {n}\ntrain loss: 0.{9 - n}\nval acc: 0.7{n}\n" for n in range(4))
        return read((run + "".join(f"{line}\n" for line in lines)).encode()).card().run["epochs"]

    assert epochs("Epoch 4", "Training finished") == 4
    assert epochs("Epoch 4") == 4
    assert epochs("Epoch 4", "train loss: 0.2", "Training finished") == 5


@pytest.mark.parametrize(("before", "known"), [(100, True), (101, False)])
def test_a_clock_that_stands_on_the_last_lines_alone_does_not_begin_a_run(
    before: int, known: bool
) -> None:
    text = "".join(f"step {n}/9000 loss: 0.5{n}\n" for n in range(1, before + 1))
    text += "".join(
        f"2022-05-16 11:40:{n:02},000 - INFO - step {before + 1 + 900 * n}/9000 loss: 0.4{n}\n"
        for n in range(8)
    )
    end = read(text.encode()).card().run_end
    assert end is not None
    assert end["run_time_s"] == (7 if known else None)


@pytest.mark.parametrize(("second", "known"), [(0, True), (1, False)])
def test_a_week_without_a_line_is_the_longest_that_a_run_time_spans(
    second: int, known: bool
) -> None:
    form = "2023-05-{day} 22:50:{s:02},000 INFO: step {n}/20 loss: 0.{n}"
    before = "".join(form.format(day=15, s=0, n=n) + "\n" for n in range(1, 10))
    after = "".join(form.format(day=22, s=second, n=n) + "\n" for n in range(10, 20))
    end = read((before + after).encode()).card().run_end
    assert end is not None
    assert end["run_time_s"] == (604_800 if known else None)


def test_a_clock_that_stands_still_does_not_run_backwards() -> None:
    form = "2023-05-15 22:50:00,000 INFO: step {n}/20 loss: 0.{n}\n"
    end = read("".join(form.format(n=n) for n in range(10, 20)).encode()).card().run_end
    assert end is not None
    assert end["run_time_s"] is None
    assert "backwards" not in str(end["clock"])


def test_an_epoch_without_its_time_is_said_to_lack_it() -> None:
    """A last epoch that is cut before its evaluation has no time, and those before it do."""
    head = "Epoch {0}/200\n10/10 [====] - 4{0}s - loss: 0.5 - acc: 0.75 - val"
    bar = head + "_loss: 0.5 - val_acc: 0.8\n"
    log = "".join(bar.format(epoch) for epoch in (1, 2, 3))
    assert scored(log)["run_end"]["run_time_s"] == 41 + 42 + 43
    cut = scored(log + head.format(4))["run_end"]
    assert (cut["run_time_s"], cut["clock"]) == (None, "not every epoch has a printed time")


def _excerpt(first: int, total: int) -> tuple[object, object, object]:
    """Time to train, its clock and the end-to-end speed of DeepSpark's epochs from `first` on.

    An epoch has 1,000 samples and takes 100 s; the closing line prints a total of so many seconds.
    """
    lines = ["Namespace(batch_size=100, epochs=9, model='resnet18', world_size=1)"]
    for epoch in range(first, 9):
        lines += [
            f"Epoch: [{epoch}]  [{step}/10]  eta: 0:00:01  lr: 0.1  img/s: 10.0  loss: 1.5 (1.5)  "
            "acc1: 0.1 (0.1)  acc5: 0.2 (0.2)  time: 10.0  data: 0.1"
            for step in range(10)
        ]
        lines += [f"Epoch: [{epoch}] Total time: 0:01:40"]
        lines += [f" * Acc@1 {epoch}.500 Acc@5 60.000", "Epoch time 0:01:40"]
    hours, seconds = divmod(total, 3600)
    lines.append(f"Training time {hours}:{seconds // 60:02}:{seconds % 60:02}")
    session = read("".join(f"{line}\n" for line in lines).encode(), target="acc1>8")
    session.settings = session.settings._replace(given={"samples_per_epoch": 1000})
    card = session.card()
    assert card.target is not None and card.target["epoch"] == 8
    return card.target["time_to_train_s"], card.target["clock"], card.end_to_end.value


@pytest.mark.parametrize(
    ("first", "total", "seconds", "pace"),
    [
        (0, 900, 900.0, 10.0),
        (1, 800, 800.0, 10.0),  # the first epoch is 0 or 1
        (2, 800, None, None),  # 700 s and one epoch are in the log
        (2, 799, None, 7000 / 799),  # resumed: the total is of the epochs of this log
    ],
)
def test_an_excerpt_has_no_time_to_train(
    first: int, total: int, seconds: float | None, pace: float | None
) -> None:
    clock = "summed epoch durations" if seconds else "the log does not begin with the first epoch"
    assert _excerpt(first, total) == (seconds, clock, pace)


def test_the_time_of_a_run_whose_first_progress_line_is_in_a_later_epoch_is_unknown() -> None:
    text = (
        "2026-02-03 14:54:14,221 | INFO | Epoch 1 completed. Average loss: 4.69\n"
        "2026-02-03 14:54:14,923 | INFO | Step 50, Loss: 4.84\n"
        "2026-02-03 14:54:14,923 | INFO | Epoch 2 completed. Average loss: 4.60\n"
        "2026-02-03 14:54:15,598 | INFO | Epoch 3 completed. Average loss: 4.44\n"
    )
    end = read(text.encode(), name="generic").card().run_end
    assert end is not None
    known = (end["run_time_s"], end["clock"])
    assert known == (None, "the log's clock does not show when the training began")


@pytest.mark.parametrize(
    ("jump", "back", "seconds", "rates"),
    [
        (0, 0, 4800.0, [1.0] * 3),  # epochs of 600 iterations in 600 s
        (4, 3600, None, [1.0] * 3),  # in an epoch in front of the window
        (6, 3600, None, [1.0] * 2),
        (6, 2, 4798.0, [1.0] * 3),  # less than the time between two lines: nothing shows it
    ],
)
def test_a_clock_that_goes_back_gives_no_time_across_the_jump(
    jump: int, back: int, seconds: float | None, rates: list[float]
) -> None:
    lines, now = [], datetime(2024, 10, 27, 2)
    for epoch in range(1, 9):
        for step in range(6):
            if (epoch, step) == (jump, 3):
                now -= timedelta(seconds=back)
            lines.append(f"{now} Epoch {epoch}/8 [{step}00/600] loss: {2 / (epoch + step):.4f}")
            now += timedelta(seconds=100)
        lines.append(f"{now} Epoch {epoch} val acc: 6{epoch}.0%")
    card = scored("\n".join([*lines, ""]))
    assert card["run_end"]["run_time_s"] == seconds
    assert card["dimensions"]["speed"]["values"] == pytest.approx(rates, rel=0.01)


def test_the_clock_of_a_training_that_begins_again_starts_at_its_first_line_with_a_time() -> None:
    """Three epochs of 60 steps, twice, 10 s apart; the lines that name an epoch have no time."""
    lines: list[Iteration] = []
    seconds = 0
    for _ in range(2):
        for epoch in range(1, 4):
            lines.append(Iteration(Origin(len(lines) + 1, 0), epoch, None))
            for step in range(1, 61):
                seconds += 10
                at = Origin(len(lines) + 1, 0, 1_700_000_000_000_000 + 1_000_000 * seconds)
                lines.append(Iteration(at, epoch, step, 60, 100.0, "img/s", Scope.JOB))
    fold = LogFold()
    fold.extend(iter(lines))
    fold.apply(EndOfInput(Origin(len(lines) + 1, 0)))
    assert run_time(fold.chosen()) == Time(1790.0, TIMESTAMPS)
