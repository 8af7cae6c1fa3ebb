"""The milliseconds of a Keras bar are a mean since the epoch began, its first step apart."""

from __future__ import annotations

import pytest

from sixdim.metrics.dimensions.speed.epoch_figures import Sizes
from sixdim.metrics.dimensions.speed.epoch_speed import method_of
from tests.support.inputs.generated import read

# The second half of each epoch is three times as slow as the first.
STEPS = [*[0.05] * 19, *[0.15] * 20]


def bar(step: int, seconds: float) -> str:
    shown = f"{seconds:.0f}s" if seconds >= 1 else f"{1000 * seconds:.0f}ms"
    return f"{step:2d}/40 ━━━━━━━━━━━━━━━━━━━━ 1s {shown}/step - accuracy: 0.5 - loss: 0.7"


def log(first: float, *, first_apart: bool) -> bytes:
    lines: list[str] = []
    for epoch in range(1, 11):
        lines += [f"Epoch {epoch}/10", bar(1, first)]
        for step in range(2, 41):
            seconds = STEPS[: step - 1]
            mean = sum(seconds) / len(seconds)
            if not first_apart:
                mean = (first + sum(seconds)) / step
            lines.append(bar(step, mean))
        lines.append(lines[-1] + " - val_accuracy: 0.5 - val_loss: 0.7")
    return "".join(line + "\n" for line in lines).encode()


@pytest.mark.parametrize("first", [0.05, 2.0])
@pytest.mark.parametrize("first_apart", [True, False])
def test_the_mean_of_the_epoch_is_that_of_all_its_steps(first: float, first_apart: bool) -> None:
    session = read(log(first, first_apart=first_apart))
    run = session.fold.runs[-1]
    method = method_of(run, Sizes())
    expected = 40 / (first + sum(STEPS))
    for epoch in run.epochs.values():
        assert method.find(epoch, Sizes()) == pytest.approx(expected, rel=0.03)


def test_a_mean_of_the_only_line_of_an_epoch_has_the_validation_in_it() -> None:
    text = "".join(
        f"Epoch {n}/10\n40/40 - 4s - 100ms/step - loss: 0.7 - val_loss: 0.6\n" for n in range(1, 11)
    )
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(10)
    assert speed.details["derived"] == (
        "1 / the log's own mean iteration time, evaluation included"
    )


def test_without_a_validation_nothing_is_included() -> None:
    text = "".join(f"Epoch {n}/10\n40/40 - 4s - 100ms/step - loss: 0.7\n" for n in range(1, 11))
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(10)
    assert speed.details["derived"] == "1 / the log's own mean iteration time"


@pytest.mark.parametrize(
    ("every", "rate", "derived"),
    [
        (2, 25, "1 / the log's own mean iteration time"),  # epochs 7 and 9
        (3, 25, "1 / the log's own mean iteration time"),  # all but 6 and 9
        (1, 10, "1 / the log's own mean iteration time, evaluation included"),
    ],
)
def test_epochs_with_a_validation_are_not_mixed_with_those_without(
    every: int, rate: float, derived: str
) -> None:
    validated, alone = "100ms/step - loss: 0.7 - val_loss: 0.6", "40ms/step - loss: 0.7"
    text = "".join(
        f"Epoch {n}/10\n40/40 - 4s - {alone if n % every else validated}\n" for n in range(1, 11)
    )
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(rate)
    assert speed.details["derived"] == derived


@pytest.mark.parametrize(
    ("printed", "steps", "rate"),
    [
        ("18s 2s/step", 10, 10 / 18),  # 1.8 s, of which one digit was printed
        ("1s 23ms/step", 40, 1 / 0.023),  # the step has more digits than the epoch
        ("7s 7s/step", 1, 1 / 7),
    ],
)
def test_of_two_rounded_times_the_one_with_more_digits_counts(
    printed: str, steps: int, rate: float
) -> None:
    bar = (
        f"{steps}/{steps} [==============================] - {printed} - loss: 0.7 - val_loss: 0.6"
    )
    text = "".join(f"Epoch {n}/10\n{bar}\n" for n in range(1, 11))
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(rate)


@pytest.mark.parametrize(
    ("times", "rate"),
    [
        ("4s 4ms/step", None),  # 3.5 to 4.5 ms: 222 to 286 it/s
        ("4s 5ms/step", 200),
        ("5s 4ms/step", 1000 / 5),  # 4.5 to 5.5 s for 1,000 steps
        ("4s 4999us/step", 1 / 4999e-6),
    ],
)
def test_a_time_rounded_to_less_than_five_is_no_rate(times: str, rate: float | None) -> None:
    bar = f"1000/1000 [==============================] - {times} - loss: 0.5 - val_loss: 0.6"
    text = "".join(f"Epoch {n}/10\n{bar}\n" for n in range(1, 11))
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == (None if rate is None else pytest.approx(rate))


def test_a_run_in_which_one_epoch_is_too_fast_for_its_clock_has_no_rate() -> None:
    """With 4 and 5 ms in turn, the slow epochs would be the speed."""
    text = "".join(
        f"Epoch {n}/10\n1000/1000 - 4s - {4 + n % 2}ms/step - loss: 0.5 - val_loss: 0.6\n"
        for n in range(1, 11)
    )
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value is None


def test_the_last_drawing_of_a_bar_counts_however_coarse_it_is() -> None:
    """An earlier drawing with a finer time, 5 ms, is not the epoch's: the last one has 2 ms."""
    times = (5, 3, 3, 2, 2, 2, 2, 2, 2, 2)
    text = "".join(
        f"Epoch {n}/10\n"
        + "".join(
            f"{100 * step + 1}/1000 ━━━━━━━━━━━━━━━━━━━━ 1s {ms}ms/step - loss: 0.5\r"
            for step, ms in enumerate(times)
        )
        + "1000/1000 ━━━━━━━━━━━━━━━━━━━━ 3s 3ms/step - loss: 0.5 - val_loss: 0.6\n"
        for n in range(1, 11)
    )
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(500)


QUIET = "10/10 - 0s - loss: 0.9 - accuracy: 0.6 - 20ms/epoch - 2ms/step\n"
BARS = (
    " 1/10 ━━━━━━━━━━━━━━━━━━━━ 0s 9ms/step - accuracy: 0.2 - loss: 0.9\r"
    "10/10 ━━━━━━━━━━━━━━━━━━━━ 0s 2ms/step - accuracy: 0.6 - loss: 0.9\n"
)


@pytest.mark.parametrize("evaluate", [QUIET, BARS])
@pytest.mark.parametrize("validates", [True, False])
def test_an_evaluation_after_fit_is_no_part_of_the_last_epoch(
    evaluate: str, *, validates: bool
) -> None:
    scores = " - val_loss: 0.5 - val_accuracy: 0.75" if validates else ""
    text = "".join(
        f"Epoch {n}/10\n40/40 - 4s - 100ms/step - loss: 0.7 - accuracy: 0.8{scores}\n"
        for n in range(1, 11)
    )
    card = read((text + evaluate).encode()).card()
    speed, accuracy = card.dimensions["speed"], card.dimensions["accuracy"]
    assert speed.value == pytest.approx(10)
    assert accuracy.value == (0.75 if validates else 0.6)


def test_a_checkpoint_between_two_drawings_of_a_full_bar() -> None:
    bar = "40/40 ━━━━━━━━━━━━━━━━━━━━ 4s 100ms/step - accuracy: 0.8 - loss: 0.7"
    text = "".join(
        f"Epoch {n}/10\n{bar}\nEpoch {n}: val_loss improved from 1 to 0.5, saving model to m\n"
        f"{bar} - val_accuracy: 0.75 - val_loss: 0.5\n"
        for n in range(1, 11)
    )
    card = read(text.encode()).card()
    assert card.dimensions["accuracy"].value == 0.75
    assert card.dimensions["speed"].value == pytest.approx(10)


def test_early_stopping_ends_the_run() -> None:
    text = "".join(
        f"Epoch {n}/50\n40/40 - 4s - 100ms/step - loss: 0.7 - val_loss: 0.6\n" for n in range(1, 4)
    )
    assert read(text.encode()).card().status == "incomplete"
    assert read((text + "Epoch 3: early stopping\n").encode()).card().status == "finished"


def test_where_a_bar_counts_samples_its_time_is_that_of_a_sample() -> None:
    bar = "58/58 [==============================] - 0s 85us/step - loss: 0.5 - val_loss: 0.{e}"
    lines = [line for e in range(1, 11) for line in (f"Epoch {e}/10", bar.format(e=e))]
    text = "\n".join(["Train on 58 samples, validate on 26 samples", *lines]) + "\n"
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(1 / 85e-6)
    assert speed.unit == "samples/s"


@pytest.mark.parametrize(
    ("times", "rate"),
    [
        ("61s 1ms/step", 45000 / 61),  # one digit: half as fast, or twice
        ("6s 130us/step", 1 / 130e-6),  # three digits are finer than the seconds
    ],
)
def test_the_time_of_a_sample_has_the_finer_of_two_roundings(times: str, rate: float) -> None:
    lines = [
        line
        for n in range(1, 13)
        for line in (
            f"Epoch {n}/12",
            f"45000/45000 [==============================] - {times} - loss: 0.5 - acc: 0.9",
        )
    ]
    text = "\n".join(["Train on 45000 samples, validate on 5000 samples", *lines, ""])
    speed = read(text.encode()).card().dimensions["speed"]
    assert speed.value == pytest.approx(rate)


@pytest.mark.parametrize(
    ("epochs", "speed"),
    [
        # Each bar begins with a batch: of samples, or of steps done at once.
        ([(100, 200)] * 10, None),
        ([(2, 4)] * 10, None),
        ([(100, 200)], None),
        ([(1, 200)] * 10, 100.0),
        ([(100, 250)] * 10, 100.0),  # the first drawings are missing
        ([(950,)] * 10, 100.0),  # all but the full one are, as in a saved notebook
        ([(100, 200, 950)] * 10, None),
        ([(100,)], 100.0),  # nothing shows that it is the first
        ([(100, 200), (50, 100), (190, 380)], 100.0),  # of no bar but the first
    ],
)
def test_a_count_in_equal_groups_is_not_one_of_steps(
    epochs: list[tuple[int, ...]], speed: float | None
) -> None:
    text = "".join(
        f"Epoch {n}/10\n"
        + "".join(f"{at}/950 [====>.....] - ETA: 9s - loss: 0.7\n" for at in drawn)
        + "950/950 [==========] - 9s 10ms/step - loss: 0.7\n"
        for n, drawn in enumerate(epochs, 1)
    )
    assert read(text.encode()).card().dimensions["speed"].value == speed


@pytest.mark.parametrize(("group", "speed"), [(1, 100.0), (10, None)])
def test_the_time_of_a_step_is_none_if_the_bar_counts_groups(
    group: int, speed: float | None
) -> None:
    """`Progbar.add(10)` for each batch: 10 ms are those of a sample, and no bar tells it."""
    text = "".join(
        f"epoch {n}/10\n"
        + "".join(
            f"{at}/4000 ━━━━━━━━━━━━━━━━━━━━ 9s 10ms/step - loss: 0.7\r"
            for at in (group, *range(1000, 4000, 1000))
        )
        + "4000/4000 ━━━━━━━━━━━━━━━━━━━━ 40s 10ms/step - loss: 0.7\r"
        + "4000/4000 ━━━━━━━━━━━━━━━━━━━━ 40s 10ms/step - loss: 0.7 - val_acc: 0.5\n"
        for n in range(1, 11)
    )
    assert read(text.encode()).card().dimensions["speed"].value == speed


@pytest.mark.parametrize(("first", "speed"), [(200, None), (201, 12.5)])
def test_a_bar_of_which_the_log_has_the_end_counts_steps(first: int, speed: float | None) -> None:
    """A terminal keeps the last drawing of a line; the first one may be a group up to a half."""
    text = "".join(
        f"Epoch {n}/10\n{first}/400 ━━━━━━━━━━━━━━━━━━━━ 0s 80ms/step - loss: 0.7\n"
        "400/400 ━━━━━━━━━━━━━━━━━━━━ 0s 80ms/step - loss: 0.7\n"
        "400/400 ━━━━━━━━━━━━━━━━━━━━ 36s 90ms/step - loss: 0.7 - val_accuracy: 0.5\n"
        for n in range(1, 11)
    )
    assert read(text.encode()).card().dimensions["speed"].value == speed


@pytest.mark.parametrize("noise", ["", "INFO:backend:Analysing operations\n"])
def test_a_printed_score_after_fit_is_of_the_last_epoch(noise: str) -> None:
    epochs = "".join(
        f"Epoch {n}/3\n400/400 [==========] - {n}s 5ms/step - loss: 0.5 - acc: 0.8\n"
        for n in range(1, 4)
    )
    data = (epochs + noise + "Test accuracy: 0.91\n").encode()
    card = read(data, target="acc1>0.9").card()
    assert card.dimensions["accuracy"].value == 0.91
    assert card.target is not None
    assert card.target["epoch"] == 3


def test_a_score_that_a_callback_prints_between_two_drawings_of_a_full_bar() -> None:
    bar = "400/400 [==========] - 2s 5ms/step - loss: 0.5 - acc: 0.8"
    text = "".join(
        f"Epoch {n}/3\n{bar}\nTest accuracy: 0.{n}\n{bar} - val_loss: 0.4 - val_acc: 0.7\n"
        for n in range(1, 4)
    )
    card = read(text.encode()).card()
    assert card.dimensions["accuracy"].value == 0.7
