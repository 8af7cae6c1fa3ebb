"""Times that people's own loops print for an epoch, on its line or on a line after it."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, EpochTime
from tests.support.logs import detected, only, scored
from tests.support.loops import events_of, figures

_SECONDS = [91.5, 88.75, 89.25, 88.5]


def times(said: str, *, apart: int = 1, since_start: bool = False) -> list[float]:
    """The times of epochs that are read from a log with these lines for each epoch."""
    lines, passed = list[str](), 0.0
    for n, own in enumerate(_SECONDS, 1):
        passed += own
        seconds = passed if since_start else own
        clock = f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"
        loss = f"loss 0.{9 - n}"
        text = said.format(n=n * apart, t=seconds, clock=clock, loss=loss, min=seconds / 60)
        lines += text.split("\n")
    found: list[float] = figures(lines).get("epoch times", [])
    return found


@pytest.mark.parametrize(
    "said",
    [
        "Epoch {n} train {loss} ({t:.2f}s) val {loss} (9.1s)",
        "Epoch {n} | train {loss} | {t:.2f}s | val {loss} | 9.1s",
        "Epoch {n} | train {loss} | 8 min | val {loss} | 9.1s |",
    ],
)
def test_of_several_times_without_a_name_none_is_the_epochs(said: str) -> None:
    """The first is that of the training pass, the last that of the evaluation."""
    assert times(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "epoch_train_time={train}s epoch_time={t:.2f}s",
        "epoch_time={t:.2f}s epoch_train_time={train}s",
    ],
)
def test_the_time_of_the_training_pass_stands_beside_that_of_the_epoch(said: str) -> None:
    lines = [
        f"Epoch {n} train_loss=0.{n} val_loss=0.5 " + said.format(t=seconds, train=seconds - 10)
        for n, seconds in enumerate(_SECONDS, 1)
    ]
    ends = only(events_of(lines), EpochEnd)
    assert [one.epoch_time for one in ends] == _SECONDS
    assert [one.train_time for one in ends] == [seconds - 10 for seconds in _SECONDS]


def test_the_time_of_the_training_alone_stays_that_of_the_epoch() -> None:
    """Where no other stands beside it, nothing shows that the evaluation is not in it."""
    assert times("Epoch {n} {loss} epoch_train_time={t:.2f}s") == _SECONDS


def test_the_only_time_without_a_name_is_the_epochs() -> None:
    """That of the first epoch may count from the start of the run, until a later one is shorter."""
    assert times("Epoch {n} | train {loss} | val {loss} | {t:.2f}s") == _SECONDS[1:]


@pytest.mark.parametrize(
    ("seconds", "own"),
    [
        ([0.18, 0.18, 0.18, 0.4, 0.4, 0.54], []),  # elapsed: some epochs are too short to be seen
        ([0.8, 0.9, 1.0, 1.0, 1.1, 1.1], []),
        ([0.9, 0.9, 0.9, 0.9, 0.9, 0.9], []),
        ([1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0]),
        ([12, 13, 13, 12, 13, 13], [12, 13, 13]),
        ([12, 24, 36, 48, 60, 72], []),
    ],
)
def test_a_time_that_never_falls_may_count_from_the_start_of_the_run(
    seconds: list[float], own: list[float]
) -> None:
    lines = [f"Epoch {n}, Loss 0.{9 - n}, Time {t}s" for n, t in enumerate(seconds, 1)]
    assert figures(lines).get("epoch times", []) == own


@pytest.mark.parametrize("apart", [1, 5, 10])
def test_a_time_that_grows_by_the_epochs_between_two_lines_is_no_epochs(apart: int) -> None:
    """The first line cannot show it."""
    assert times("Epoch {n} {loss} done in {t:.2f}s", apart=apart, since_start=True)[1:] == []
    assert times("Epoch {n} {loss} done in {t:.2f}s", apart=apart) == _SECONDS


@pytest.mark.parametrize(
    "said",
    [
        "Epoch duration: {t:.2f}s",
        "Epoch took {t:.2f} seconds.",
        "Epoch finished in {t:.2f}s",
        "Epoch complete in {t:.2f} sec",
        "Elapsed time for epoch: {t:.2f}s",
        "~~~ Time elapsed for this epoch: {t:.2f} s ~~~",
        "{n}/4 epoch finished in {min:.6f} minutes",
        "Time taken for epoch {n}: {t:.2f} sec, {loss}",
        "The time of epoch {n}: {t:.2f}s",
        "{loss}, epoch duration: {t:.2f}s",
    ],
)
def test_a_line_names_the_epoch_that_took_a_time(said: str) -> None:
    assert times(f"Epoch {{n}}/4\nTrain {{loss}}, val {{loss}}\n{said}") == pytest.approx(_SECONDS)
    grows = times(f"Epoch {{n}}/4\nTrain {{loss}}, val {{loss}}\n{said}", since_start=True)
    assert grows[1:] == []


@pytest.mark.parametrize(
    "said",
    [
        "Epoch took: {clock}",
        "Epoch {n} finished in {clock}",
        "Epoch duration: {clock}",
        "Time Elapsed for This Epoch: 0{clock}",
        "Time taken for epoch {n}: {clock}",
        "Train {loss}, epoch time {clock}",
    ],
)
def test_the_time_of_an_epoch_may_be_a_clock(said: str) -> None:
    """91.5 s is printed as 0:01:31, and so on."""
    assert times(f"Epoch {{n}}/4\nTrain {{loss}}, val {{loss}}\n{said}") == [91, 88, 89, 88]


@pytest.mark.parametrize(
    "said",
    [
        "Validation epoch took: {clock}",
        "Test epoch took {t:.2f}s",
        "Epoch finished in {t:.2f}",  # minutes, maybe
        "Epoch ETA: {clock}",
        "Epoch finished at {clock}",
        "Time left for epoch {n}: {clock}",
        "Epoch warmup took {t:.2f} s",
    ],
)
def test_other_times_are_not_those_of_epochs(said: str) -> None:
    assert times(f"Epoch {{n}}/4\nTrain {{loss}}, val {{loss}}\n{said}") == []


def test_the_training_epoch_is_the_training_pass_of_the_epoch() -> None:
    """100 steps in 50 s are 2 it/s; with the evaluation the epoch takes longer."""
    lines = []
    for n in (1, 2, 3):
        lines += [f"======== Epoch {n} / 3 ========", "Training..."]
        lines += [f"  Batch {step} of 100. Elapsed: 0:00:{step // 2:02}." for step in (40, 80)]
        lines += [f"  Average training loss: 0.{9 - n}", "  Training epoch took: 0:00:50"]
        lines += [f"  Validation Loss: 0.{9 - n}", "  Validation took: 0:00:10"]
    ends = only(events_of(lines), EpochEnd)
    assert [(e.train_time, e.epoch_time) for e in ends if e.train_time] == [(50.0, None)] * 3


@pytest.mark.parametrize(
    ("printed", "seconds"),
    [
        ("epoch_time: 1m 11s", 71),
        ("epoch time = 1h 2m 3s", 3723),
        ("duration: 1m 11.5s", 71.5),
        ("time per epoch: 2m 5s", 125),
        ("train_time: 59m 59s", 3599),
        ("cost: 1m 11s", None),  # an unknown name: neither a minute nor 71 s
    ],
)
def test_a_time_in_minutes_and_seconds_is_their_sum(printed: str, seconds: float | None) -> None:
    lines = []
    for n in (1, 2, 3):
        lines += [f"Epoch {n}, Batch {step}/80, Loss: 0.{9 - n}{step}" for step in (20, 40, 60, 80)]
        lines.append(f"Epoch {n}: train_loss: 0.{9 - n} | val_acc: 0.{60 + n} | {printed}")
    speed = scored("\n".join([*lines, ""]))["dimensions"]["speed"]["value"]
    assert speed == (None if seconds is None else pytest.approx(80 / seconds))


@pytest.mark.parametrize(
    ("printed", "seconds"),
    [
        ("1.25 min", 75.0),
        ("12.5 min", 750.0),
        ("0.125 h", 450.0),
        ("0.20 min", 12.0),
        ("0.19 min", None),
        ("2.0 min", 120.0),
        ("1.9 min", None),
        ("3 min", None),
    ],
)
def test_a_time_in_minutes_is_an_epochs_if_its_rounding_is_below_a_fortieth(
    printed: str, seconds: float | None
) -> None:
    lines = [f"Epoch {n}: loss 0.{9 - n}, epoch time: {printed}" for n in range(1, 6)]
    assert figures(lines).get("epoch times", []) == ([] if seconds is None else [seconds] * 5)


@pytest.mark.parametrize(("milliseconds", "speed"), [(600.0, 1 / 0.6), (800.0, None)])
def test_the_mean_time_of_an_iteration_beside_the_time_of_its_epoch(
    milliseconds: float, speed: float | None
) -> None:
    """As MindSpore's TimeMonitor prints it: it must agree with the iterations of the epoch."""
    text = "".join(
        "".join(
            f"epoch: {epoch} step: {step} total_loss: 2.0  lr: 0.02\n" for step in range(1, 151)
        )
        + f"epoch time: 90000.5 ms, per step time: {milliseconds} ms\n"
        for epoch in (1, 2, 3)
    )
    assert detected(text) == "generic"
    found = scored(text)["dimensions"]["speed"]
    assert found["value"] == (speed and pytest.approx(speed))


@pytest.mark.parametrize(
    "line",
    ["Epoch {}: loss 0.5, test acc 0.7, in {} sec", "Epoch {}: loss 0.5, test acc 0.7, took {}s",
     "Epoch {}, Loss: 0.5, Test Accuracy: 70.0\nTime taken for 1 epoch: {} secs"],
)  # fmt: skip
def test_what_an_epoch_was_trained_in(line: str) -> None:
    lines = [line.format(n, 1.5 + n) for n in range(3)]
    assert figures("\n".join(lines).splitlines())["epoch times"] == [1.5, 2.5, 3.5]


def test_what_an_evaluation_or_a_step_took_is_no_epoch_s_time() -> None:
    lines = [f"Epoch {n} step {m}/40 loss 0.5 in 3.5 sec" for n in range(3) for m in (20, 40)]
    lines += [f"Validation of epoch {n}: acc 0.7 in 2.5 sec" for n in range(3)]
    assert "epoch times" not in figures(lines)


def test_the_column_dur_is_an_epoch_s_time_once_it_falls() -> None:
    head = ["  epoch    train_loss    valid_acc    valid_loss     dur",
            "-------  ------------  -----------  ------------  ------"]  # fmt: skip
    rows = [f"      {n}        0.5000       0.7000        0.6000  {dur}"
            for n, dur in enumerate((0.9, 0.7, 0.8), 1)]  # fmt: skip
    assert figures([*head, *rows])["epoch times"] == [0.7, 0.8]
    growing = [row[:-3] + f"{n}.5" for n, row in enumerate(rows)]
    assert "epoch times" not in figures([*head, *growing])


@pytest.mark.parametrize(
    ("line", "times"),
    [("epoch {} training time consumed: {}s", [1.5, 2.5, 3.5]),
     ("Epoch: {} | Train Loss: 0.5 | Train Time: {}s | Val acc: 0.7", [1.5, 2.5, 3.5]),
     ("* Epoch {}: val loss 0.5, val acc 70.5%, train time {}s", [1.5, 2.5, 3.5]),
     ("* Epoch {}: val loss 0.5, val acc 70.5%, val time {}s", []),
     ("Epoch {} step 20/40 loss 0.5 train time: {}s", []),
     ("Training time of all {} so far: {} s", [])],
)  # fmt: skip
def test_the_time_of_an_epochs_training(line: str, times: list[float]) -> None:
    lines = [f"Epoch: {n}, Loss: 0.{n}\n{line.format(n, 1.5 + n)}" for n in range(3)]
    assert [e.train_time for e in only(events_of(lines), EpochEnd) if e.train_time] == times


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Epoch: 0{n} | Epoch Time: 1m {n}s\n\tTrain Loss: 0.{n}5 | Train Acc: 6{n}.50%", 61.0),
        ("epoch {n}/5 - train loss 0.{n}5 - val loss 0.{n}7 - done in 1m 2{n}s", 81.0),
        ("epoch {n} completed in 1 hours, 0 minute and 2{n} seconds, loss 0.{n}", 3621.0),
        ("epoch {n}: train loss 0.{n}5, took 1h 1m {n}s", 3661.0),
        ("epoch {n}: train loss 0.{n}5, in 1 min 2{n}.5 sec", 81.5),
        ("epoch {n}: train loss 0.{n}5, finished in 8{n} s", 81.0),
    ],
)
def test_the_time_of_an_epoch_in_minutes_and_seconds(line: str, seconds: float) -> None:
    """Five epochs, each a second longer than the one before."""
    card = scored("".join(line.format(n=n) + "\n" for n in range(1, 6)))
    assert card["run_end"]["run_time_s"] == 5 * seconds + 10
    assert card["run_end"]["clock"] == "summed epoch durations"


def test_a_time_in_minutes_that_is_left_is_not_the_epochs() -> None:
    lines = [f"epoch {n}: train loss 0.{n}5, eta 1m 2{n}s" for n in range(1, 6)]
    assert scored("".join(f"{line}\n" for line in lines))["run_end"]["run_time_s"] is None


def _timed(*seconds: float) -> str:
    lines = [f"Epoch {n}/9 | loss 0.{n} | Time: {s}s\n" for n, s in enumerate(seconds, 1)]
    return "".join(lines)


@pytest.mark.parametrize(
    ("seconds", "total"),
    [
        ((20.5, 31.0, 30.5), 82.0),  # the third shows that they do not count from the start
        ((20.5, 31.0, 31.0), None),
        ((20.5, 20.5, 20.5), 61.5),
        ((10.5, 20.5, 31.0), None),
    ],
)
def test_a_time_that_falls_shows_what_those_before_it_were(
    seconds: tuple[float, ...], total: float | None
) -> None:
    assert scored(_timed(*seconds))["run_end"]["run_time_s"] == total


def test_times_of_an_earlier_attempt_are_not_those_of_the_epochs_that_follow() -> None:
    text = _timed(20.5, 31.0, 40.0) + _timed(8.5, 8.0)
    found = only(events_of(text.splitlines()), EpochTime)
    assert [(e.epoch, e.epoch_time) for e in found] == [(1, 8.5)]


@pytest.mark.parametrize(("last", "shown"), [(100, True), (101, False)])
def test_times_that_grow_for_a_hundred_epochs_are_no_durations(last: int, shown: bool) -> None:
    grown = [10.0 + 3.5 * n + n % 2 for n in range(1, last)]
    found = only(events_of(_timed(*grown, 10.0).splitlines()), EpochTime)
    assert [e.epoch_time for e in found] == (grown if shown else [])
