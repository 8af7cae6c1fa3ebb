"""WeNet: batches of an epoch, and the evaluation after it."""

from __future__ import annotations

from sixdim.parsers.events import Event
from tests.support.logs import detected, iterations, read, scored

CLOCK = "2024-05-01 10:{:02d}:{:02d},000 "
LOSSES = "loss {0:.6f} loss_att {0:.6f} loss_ctc 3.000000 "


def _epoch(
    number: int, line: str, end: str, first: int = 100, accumulated: int = 1, rank: int = 0
) -> str:
    """Batches of 0.2 s, a line every 100 of them, and an evaluation of 20 s after 400."""
    out = [
        CLOCK.format(2 * number, 0) + f"INFO Epoch {number} TRAIN info lr 0.001",
        CLOCK.format(2 * number, 0)
        + f"INFO using accumulate grad, new batch size is {accumulated} times larger than before",
    ]
    for step in range(first, 401, 100):
        minutes, seconds = divmod(step // 5, 60)
        waits = 20 if step == 100 and number else 0
        rate = 100 / accumulated / (20 + waits)
        text = line.format(epoch=number, step=step, losses=LOSSES.format(9 - number), rate=rate)
        out.append(CLOCK.format(2 * number + minutes, seconds) + f"DEBUG {text} rank {rank}")
    scores = f"cv_loss {5 - number} rank {rank} acc {0.5 + number / 10}"
    out.append(CLOCK.format(2 * number + 1, 40) + "INFO " + end.format(epoch=number, scores=scores))
    return "\n".join(out) + "\n"


OLD = "TRAIN Batch {epoch}/{step} {losses}lr 0.00100000"
FIRST = "TRAIN Batch {step}/400 {losses}lr 0.00100000"
TIMED = (
    "TRAIN | steps/sec {rate:.3f}| Batch {epoch}/{step} {losses}th_accuracy 0.500000 "
    "lr 1.0000e-03 grad_norm 2.000000"
)
END = "Epoch {epoch} CV info lr 0.001 {scores}"


def test_the_rate_of_the_updates_has_the_evaluation_in_it() -> None:
    log = "".join(_epoch(number, TIMED, END) for number in range(3))
    assert detected(log) == "wenet"
    card = scored(log)
    speed, accuracy = card["dimensions"]["speed"], card["dimensions"]["accuracy"]
    assert (speed["value"], speed["unit"]) == (5, "it/s")
    assert (accuracy["value"], accuracy["metric"], accuracy["epoch"]) == (0.7, "acc", 2)
    assert card["run"]["epochs"] == 3


def test_batches_that_are_accumulated_are_timed_by_the_clock() -> None:
    log = "".join(_epoch(number, TIMED, END, accumulated=4) for number in range(3))
    speed = scored(log)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (5, "it/s")


def test_the_other_rank_s_lines_count_once() -> None:
    lines = "".join(_epoch(number, TIMED, END) for number in range(2)).splitlines(keepends=True)
    twice = "".join(
        line + (line.replace("rank 0", "rank 1") if "rank" in line else "") for line in lines
    )
    speed = scored(twice)["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (5, "it/s")


def test_the_first_version_has_the_batches_of_the_epoch() -> None:
    end = "Epoch {epoch} CV info cv_loss 4.5"
    for shape, steps in ((OLD, None), (FIRST, 400)):
        log = "".join(_epoch(number, shape, end, first=0) for number in range(2))
        found = [(e.epoch, e.step, e.steps) for e in iterations(_bare(log))]
        assert found == [(e, step, steps) for e in range(2) for step in range(0, 401, 100)]
        assert scored(log)["dimensions"]["accuracy"]["value"] == 4.5


def _bare(log: str) -> list[Event]:
    lines = (line[24:].partition(" ")[2] for line in log.splitlines())
    return [*read("\n".join(lines) + "\n", "wenet")]
