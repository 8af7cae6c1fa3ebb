"""Numbers, labels and figures with their units, as lines, JSON and tables hold them."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Metric
from sixdim.parsers.grammar.shapes.figures import as_whole, figures, lower_is_better, printed
from sixdim.parsers.grammar.vocabulary.units import printed_unit, unit


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (3, 3),
        (3.0, 3),
        ("3", 3),
        (3.5, None),
        (True, None),
        (999_999_999_999_999, 999_999_999_999_999),
        (1e15, None),  # a hash or a time, which counts nothing
        (1e300, None),
        (-1e15, None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_a_label_is_a_whole_number_that_counts(value: object, label: int | None) -> None:
    assert as_whole(value) == label


@pytest.mark.parametrize(
    ("raw", "name"),
    [("1.5 samples/sec.", "samples/s"), ("1.5 images/sec, x", "img/s"), ("1.5", ""), ("1 s", "")],
)
def test_the_unit_of_a_rate(raw: str, name: str) -> None:
    assert printed_unit(raw) == name


def test_figures_keep_the_logs_own_names() -> None:
    pairs = {"a": "0.5 sec", "ppl": "12.5", "eta": "0:12:00", "b": "x", "n": "None", "ips": "3"}
    assert figures(pairs, skip=("ips",)) == (
        Metric("a", 0.5, "s"),
        Metric("ppl", 12.5, "", higher_is_better=False),
    )
    assert unit("sequences/s") == "sequences/s" and unit("MB") == "MB"


@pytest.mark.parametrize("raw", ["127.0.0.1", "1,234.5 img/s", "1_0", "", "-", "3:04"])
def test_what_only_begins_like_a_number_is_no_figure(raw: str) -> None:
    assert printed("ips", raw) is None


@pytest.mark.parametrize(
    ("value", "metric"),
    [
        ("66.91GiB(37.51%)", Metric("x", 66.91, "GiB")),
        ("0.35 (0.36)", Metric("x", 0.35)),
        (0.35, Metric("x", 0.35, "s")),
        ("12 MB", Metric("x", 12.0, "MB")),
        ("2.5", Metric("x", 2.5, "s")),
    ],
)
def test_a_unit_that_is_printed_goes_before_the_one_that_is_meant(
    value: object, metric: Metric
) -> None:
    meant = "s" if metric.unit == "s" else ""
    assert printed("x", value, meant) == metric
    if metric.unit and not meant:
        assert printed("x", value, "s") == metric


@pytest.mark.parametrize("value", [True, None, "true", [1.0], 10**400, "1e999"])
def test_what_is_no_number_is_no_figure(value: object) -> None:
    assert printed("x", value) is None


@pytest.mark.parametrize(
    "name",
    [
        *(
            "loss",
            "val_loss",
            "TotalLoss",
            "err-top1",
            "top1_error",
            "error_rate",
            "RMSE",
            "val/ppl",
        ),
        *("wer", "val_eer", "FID50k", "SmoothL1", "cross_entropy", "Time cost", "mae", "test.mse"),
    ],
)
def test_losses_errors_and_times_are_better_where_they_are_lower(name: str) -> None:
    assert lower_is_better(name)


@pytest.mark.parametrize(
    "name",
    [
        *("acc1", "answer", "power", "sentiment", "preferred", "reward", "smooth_acc", "msec_acc"),
        *("cerebral_dice", "fidelity", "mAP", "bleu", "timely", "costar", "peer_acc"),
    ],
)
def test_a_name_that_only_has_these_letters_is_no_loss(name: str) -> None:
    assert not lower_is_better(name)
