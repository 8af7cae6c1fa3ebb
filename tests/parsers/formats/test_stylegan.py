"""StyleGAN: the console's ticks and stats.jsonl."""

from __future__ import annotations

import json

import pytest

from sixdim.parsers.events import Evaluation, Iteration, RunEnd
from tests.support.logs import detected, only, read, scored

TICK = (
    "tick {n:<5d} kimg {k:<8.1f} time {t:<12s} sec/tick 153.2   sec/kimg {s:<7.2f} "
    "maintenance 0.2    cpumem 3.12   gpumem 6.34   augment 0.563\n"
)
OLD = (
    "tick 1     kimg 140.3    lod 0.00  minibatch 32   time 12m 34s     sec/tick 500.1   "
    "sec/kimg 40.00   maintenance 10.1   gpumem 8.3\n"
)


def test_ticks() -> None:
    text = "".join(TICK.format(n=n, k=4 * n, t="4h 28m 45s", s=40) for n in range(12))
    assert detected(text) == "stylegan"
    text += (
        '{"results": {"fid50k_full": 12.5}, "metric": "fid50k_full", "total_time": 99.5, '
        '"snapshot_pkl": "network-snapshot-000044.pkl", "timestamp": 1714470115.8}\nExiting...\n'
    )
    card = scored(text)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert speed["value"] == pytest.approx(25)
    assert (speed["unit"], speed["scope"]) == ("img/s", "job")
    assert (accuracy["metric"], accuracy["value"]) == ("fid50k_full", 12.5)
    assert accuracy["lower_is_better"]
    assert len(only(read(text, "stylegan"), RunEnd)) == 1


def test_the_first_versions() -> None:
    text = OLD + "network-snapshot-000140 time 3m 21s       fid50k 123.5\n"
    assert detected(text) == "stylegan"
    events = read(text, "stylegan")
    assert [(i.step, i.throughput) for i in only(events, Iteration)] == [(1, 25)]
    (evaluation,) = only(events, Evaluation)
    assert [(m.name, m.value) for m in evaluation.metrics] == [("fid50k", 123.5)]


def test_the_first_tick_is_short() -> None:
    tick = (
        "tick {}     kimg {}    time 1h 02m 03s    sec/tick {}    sec/kimg {}   maintenance 0.0\n"
    )
    text = tick.format(0, 0.1, 45.0, 450) + tick.format(1, 4.1, 405.0, 101.25)
    speed = scored(text)["dimensions"]["speed"]["value"]
    assert speed == pytest.approx(4 * 1000 / 405)  # of the second


def test_stats() -> None:
    def of(mean: float) -> dict[str, float]:
        return {"num": 1, "mean": mean, "std": 0.0}

    text = "".join(
        json.dumps(
            {
                "Loss/G/loss": of(1.5),
                "Progress/tick": of(n),
                "Progress/kimg": of(4.0 * n),
                "Timing/sec_per_kimg": of(20 + n % 2 * 20),
                "timestamp": 1_714_470_115.5 + n,
            }
        )
        + "\n"
        for n in range(4)
    )
    assert detected(text) == "stylegan-json"
    events = only(read(text, "stylegan-json"), Iteration)
    assert [(i.step, i.throughput, i.loss) for i in events[:2]] == [(0, 50, 1.5), (1, 25, 1.5)]
    assert events[1].at.time_us == 1_714_470_116_500_000


def test_the_first_tick_of_stats_is_short() -> None:
    text = "".join(
        json.dumps({name: {"num": 1, "mean": value, "std": 0.0} for name, value in tick.items()})
        + "\n"
        for tick in (
            {"Progress/kimg": 0.1, "Timing/sec_per_tick": 45, "Timing/sec_per_kimg": 450},
            {"Progress/kimg": 4.1, "Timing/sec_per_tick": 405, "Timing/sec_per_kimg": 101.25},
        )
    )
    speed = scored(text)["dimensions"]["speed"]["value"]
    assert speed == pytest.approx(4 * 1000 / 405)  # of the second


def test_equivariance_is_better_when_it_is_higher() -> None:
    line = '{"results": {"eqt50k_int": 55.5}, "metric": "eqt50k_int", "snapshot_pkl": "a.pkl"}\n'
    (evaluation,) = only(read(line, "stylegan"), Evaluation)
    assert evaluation.metrics[0].higher_is_better
    (distance,) = only(read(line.replace("eqt", "kid"), "stylegan"), Evaluation)
    assert not distance.metrics[0].higher_is_better


def test_the_lines_before_the_first_tick_say_what_trains() -> None:
    """A tick may take minutes, in which a screen should not call the log unknown."""
    assert detected("Setting up PyTorch plugin ...\nTraining for 25000 kimg...\n\n") == "stylegan"
