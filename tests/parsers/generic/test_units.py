"""Units of rates and times of an iteration, in front of their number and after it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.logs import epoch_ends, iterations, read, scored
from tests.support.loops import figures


def speed(said: str) -> tuple[float | None, str]:
    """The speed of a log whose lines of progress say this."""
    lines = [
        f"epoch {e} step {s} loss {2 / e:.3f} {said}" for e in range(1, 9) for s in (100, 200, 300)
    ]
    figure = scored("\n".join(lines) + "\n")["dimensions"]["speed"]
    value = figure["value"]
    return (None if value is None else round(value, 3)), figure["unit"] if value else ""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("512.0 samples/sec 4096.0 tokens/sec", (512.0, "samples/s")),
        ("samples/sec 512.0 tokens/sec 4096.0", (512.0, "samples/s")),
        ("steps/sec 4.25 examples/sec 136.0", (136.0, "examples/s")),
        ("fps 33.5 s/it 0.04", (33.5, "frames/s")),
        ("s/it 2.0", (0.5, "it/s")),
        ("ms/batch 40.0", (25.0, "it/s")),
        ("Mel-Spec. Error : 0.412, s/b : 0.040", (25.0, "it/s")),
        ("grad_norm: 4.0  ms/batch 40.0  eta 7s", (25.0, "it/s")),
        ("seed 42 ms/batch 40.0 eta 7s", (25.0, "it/s")),
        ("avg time 40.0 ms/batch 7 left", (25.0, "it/s")),
        ("2.0 s/it", (0.5, "it/s")),
        ("speed 2.0 s/it lr 0.1", (0.5, "it/s")),
        ("| Speed (samples/sec) 43672.9 | GPU 401.2 MB", (43672.9, "samples/s")),
        ("pace (ms/step): 40.0, memory (MB/s) 12.5", (25.0, "it/s")),
    ],
)
def test_whether_units_stand_in_front_or_after_the_line_says(
    said: str, expected: tuple[float, str]
) -> None:
    assert speed(said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("40 ms per step", (25.0, "it/s")),
        ("0.5 seconds per iteration", (2.0, "it/s")),
        ("0.5 sec per batch", (2.0, "it/s")),
        ("12 batches per second", (12.0, "it/s")),
        ("125.5 images per second", (125.5, "img/s")),
        ("1.5k tokens per sec", (1500.0, "tokens/s")),
        ("80 us/sample", (12500.0, "samples/s")),
        ("time per step: 40 ms", (25.0, "it/s")),
        ("Time/Batch(ms) 40.0", (25.0, "it/s")),
        ("time per step: 40", (None, "")),  # of what, it does not say
        ("16 samples per batch", (None, "")),
        ("12 s per epoch", (None, "")),
    ],
)
def test_units_in_words(said: str, expected: tuple[float | None, str]) -> None:
    assert speed(said) == expected


@pytest.mark.parametrize(
    ("said", "value", "scope"),
    [
        ("throughput/GPU: 320.0 samples/s, total throughput: 2560.0 samples/s", 2560.0, "unknown"),
        ("throughput per gpu: 320.0 samples/s", 320.0, "per device"),
        ("GPU throughput: 320.0 samples/s", 320.0, "unknown"),
    ],
)
def test_a_name_says_that_a_rate_is_one_devices(said: str, value: float, scope: str) -> None:
    text = "".join(f"epoch {e} step {s} loss 0.5 {said}\n" for e in range(1, 9) for s in (1, 2))
    figure = scored(text)["dimensions"]["speed"]
    assert (figure["value"], figure["scope"]) == (value, scope)


def lines_of(epochs: list[int]) -> dict[str, Any]:
    """The end of a run of eight epochs, of which one line each says the rate."""
    lines = [f"Epoch {e}/8: loss {2 / e:.3f}, 640 samples/sec" for e in epochs]
    return scored("\n".join(lines) + "\n")


def test_a_line_with_a_rate_is_the_whole_epoch_where_each_has_one() -> None:
    card = lines_of(list(range(1, 9)))
    assert (card["status"], card["run_end"]["epochs"]) == ("finished", 8)


def test_of_several_lines_none_is_the_whole_epoch() -> None:
    text = "".join(f"Epoch {e}: loss 0.{e}, 640 samples/sec\n" for e in (1, 1, 2, 3, 4, 5))
    assert epoch_ends(read(text, "generic")) == []


@pytest.mark.parametrize(("last", "over"), [(2, []), (3, [3]), (4, [3, 4])])
def test_three_epochs_show_that_each_has_a_line(last: int, over: list[int]) -> None:
    text = "".join(f"Epoch {e}: loss 0.{e}, 640 samples/sec\n" for e in range(1, last + 1))
    assert [end.epoch for end in epoch_ends(read(text, "generic"))] == over


def test_the_seconds_of_an_epoch_and_the_data_of_a_second() -> None:
    lines = [
        f"Epoch {e}: average_loss = {0.5 / e:.5f} (18.{e} data/s; 112.2{e} s/epoch)"
        for e in range(1, 10)
    ]
    card = scored("\n".join(lines) + "\n")
    speed = card["dimensions"]["speed"]
    assert (round(speed["value"], 3), speed["unit"]) == (18.75, "samples/s")  # of 6 to 9
    assert round(card["run_end"]["run_time_s"], 2) == round(9 * 112.2 + 0.45, 2)


def test_a_bare_time_in_brackets_after_the_epoch_is_the_epochs_once_it_falls() -> None:
    lines = [
        f"Epoch {e}/9 [{seconds}s] | Train Loss: {3 / e:.4f} | Val Loss: {4 / e:.4f}"
        for e, seconds in enumerate((38.5, 130.5, 129.5, 130.5), 1)
    ]
    assert [e.epoch_time for e in epoch_ends(read("\n".join(lines), "generic"))] == [
        *(None, None),
        *(129.5, 130.5),
    ]


def test_a_frame_rate_among_the_settings_is_no_speed() -> None:
    lines = ["[main] start training with config: {'dtype': '16', 'fps': 25, 'lr': 0.1, 'loss': 2}"]
    lines += [f"epoch {e} step {s} loss {2 / e:.3f}" for e in (1, 2) for s in (100, 200)]
    found = iterations(read("\n".join(lines * 2), "generic"))
    assert [i.throughput for i in found] == [None] * 8


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("speed 1,234.5 img/s", (1234.5, "img/s")),
        ("speed 0.97,12.5 img/s", (12.5, "img/s")),  # two figures
        ("speed 12, 36 img/s", (36.0, "img/s")),
        # Parts of a number in another notation are no figures.
        ("speed 97,36 img/s", (None, "")),
        ("speed 1.234,5 img/s", (None, "")),
        ("speed 0,908 img/s", (None, "")),
        ("speed 1,908 img/s", (1908.0, "img/s")),
        ("speed 1,23,450.5 img/s", (None, "")),
        ("speed 1 234.5 img/s", (None, "")),
        ("speed 1\u202f234.5 img/s", (None, "")),
        ("speed 1.25×10^3 img/s", (None, "")),
        ("speed 1.25*10^3 img/s", (None, "")),
        ("speed \u22121.25 img/s", (None, "")),  # below zero
        ("speed 5_000 img/s", (None, "")),
        ("speed 5_000.5 img/s", (None, "")),
        ("speed 1'234.5 img/s", (None, "")),
        ("step took 97.3±0.2 img/s", (None, "")),
        ("step took 97.3 +/- 0.2 img/s", (None, "")),
    ],
)
def test_a_part_of_a_number_is_no_figure(said: str, expected: tuple[float | None, str]) -> None:
    assert speed(said) == expected


@pytest.mark.parametrize(
    ("said", "accuracy"), [("+20.19%", 89.5), ("20.19%", 20.19), ("+0.2019", 0.2019)]
)
def test_a_percentage_with_a_plus_is_a_change(said: str, accuracy: float) -> None:
    epochs = "".join(f"Epoch {n} val accuracy: 8{n}.5%\n" for n in range(1, 10))
    card = scored(f"{epochs}Improvement:\n  - Val accuracy: {said}\n")
    assert card["dimensions"]["accuracy"]["value"] == accuracy


@pytest.mark.parametrize("said", ["{} [dB]", "{}dB", "{} dB"])
def test_of_errors_in_decibels_the_lowest_is_the_best(said: str) -> None:
    lines = [
        f"Epoch {n}/3, train loss: 0.{n}, Val. MSE: {said.format(value)}\n"
        for n, value in enumerate(("-28.50", "-36.50", "-31.50"), 1)
    ]
    accuracy = scored("".join(lines))["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("mse", -31.5, -36.5)
    assert accuracy["unit"] == "dB"


@pytest.mark.parametrize(("said", "iou"), [("(IoU=0.7): 0.31", None), ("(val IoU=0.7), 0.31", 0.7)])
def test_a_number_in_the_name_of_another_is_no_figure(said: str, iou: float | None) -> None:
    epochs = (f"Epoch {n}\nval loss: 0.{n}\nval box accuracy {said}\n" for n in range(1, 10))
    figure = scored("".join(epochs))["dimensions"]["accuracy"]
    assert figure["value"] == (0.9 if iou is None else iou)


def test_a_number_in_the_name_of_a_figure_is_none() -> None:
    """Joey NMT names the tokenizer of sacreBLEU, and no line of this log another BLEU."""
    steps = "".join(f"Epoch 1, Step: {n}00, Batch Loss: {9 / n:.3f}\n" for n in range(1, 9))
    tested = " dev bleu[13a]:  20.05 [Beam search decoding with beam size = 5 and alpha = 1.0]\n"
    assert scored(steps + tested)["dimensions"]["accuracy"]["value"] is None
    known = tested.replace("[13a]", "")
    assert scored(steps + known)["dimensions"]["accuracy"]["value"] == 20.05


@pytest.mark.parametrize(("axis", "accuracy"), [("┤", 98.5), (" ┼", 98.5), ("", 0.25)])
def test_a_number_beside_the_axis_of_a_plot_is_no_figure(axis: str, accuracy: float) -> None:
    """plotext writes the name of a curve below its plot, beside an axis of the next plot."""
    epochs = "".join(f"Epoch {n} test_acc: 9{n}.5\n" for n in range(1, 9))
    plot = f"                test_acc/mean           0.25{axis}       *     *     │\n"
    assert scored(epochs + plot)["dimensions"]["accuracy"]["value"] == accuracy


@pytest.mark.parametrize(
    "number",
    ["{}", "tensor({})", "tensor({}, device='cuda:0', grad_fn=<DivBackward0>)", "np.float64({})",
     "Array({}, dtype=float32)"],
)  # fmt: skip
def test_a_number_is_what_it_is_written_in(number: str) -> None:
    lines = [
        f"epoch={n}: train_loss={number.format(0.9 - n / 10)} eval_accuracy={number.format(0.5 + n / 10)}"
        for n in range(1, 4)
    ]
    found = figures(lines)
    assert found["tested"] == [(n, {"acc1": 0.5 + n / 10}) for n in range(1, 4)]
    assert found["losses"] == [0.9 - n / 10 for n in range(1, 4)]
