"""A run is finished where the log says so or its plan is done, else incomplete."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.logs import bar, scored

Cli = Callable[..., tuple[int, str, str]]
Cards = Callable[..., dict[str, Any]]

_STEP = (
    " [2026-01-05 10:00:{:02}] iteration {:>8}/    1000 | consumed samples: {:>12} | "
    "elapsed time per iteration (ms): 512.5 | learning rate: 1.000E-04 | global batch size: 32 | "
    "lm loss: 9.1E+00 | loss scale: 1.0 | number of skipped iterations: 0 |\n"
)


def _megatron(last: int, every: int = 100) -> str:
    return "".join(_STEP.format(n // 20, n, n * 32) for n in range(every, last + 1, every))


def _keras(done: int, planned: int) -> str:
    line = "40/40 - 2s - 50ms/step - accuracy: 0.6250 - loss: 0.{}\n"
    return "".join(f"Epoch {e}/{planned}\n" + line.format(99 - e) for e in range(1, done + 1))


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (_megatron(1000), "finished"),
        (_megatron(900), "incomplete"),
        (_megatron(200), "incomplete"),
        (_keras(9, 10), "incomplete"),
        (_keras(10, 10), "finished"),
    ],
)
def test_the_end_of_a_log_without_a_closing_line(
    tmp_path: Path, card_of: Cards, text: str, status: str
) -> None:
    log = tmp_path / "train.log"
    log.write_text(text)
    card = card_of(log)
    assert card["status"] == status
    kinds = [w["kind"] for w in card["warnings"]]
    assert ("incomplete" in kinds) is (status == "incomplete")


_EPOCH = (
    "Epoch: [{e}]  [  0/334]  eta: 0:10:00  lr: 0.1  img/s: 500.0  loss: 7.0 (7.0)  time: 0.5\n"
    "Epoch: [{e}]  [333/334]  eta: 0:00:01  lr: 0.1  img/s: 500.0  loss: 7.0 (7.0)  time: 0.5\n"
    "Epoch: [{e}] Total time: 0:02:50\n"
)


def test_a_resumed_run_is_not_finished_any_more(tmp_path: Path, card_of: Cards) -> None:
    log = tmp_path / "train.log"
    first = "".join(_EPOCH.format(e=e) for e in range(3)) + "Training time 0:09:00\n"
    log.write_text(first)
    assert card_of(log)["status"] == "finished"
    log.write_text(first + _EPOCH.format(e=3))
    assert card_of(log)["status"] == "incomplete"
    log.write_text(first + _EPOCH.format(e=3) + "Training time 0:03:00\n")
    assert card_of(log)["status"] == "finished"


def test_a_run_that_begins_again_after_a_closing_line_is_not_finished(
    tmp_path: Path, card_of: Cards
) -> None:
    log = tmp_path / "train.log"
    part = "".join(f"Epoch {e} step {s} loss 0.5\n" for e in (1, 2, 3) for s in (10, 20))
    log.write_text(part + "Finished Training\n")
    assert card_of(log)["status"] == "finished"
    log.write_text(part + "Finished Training\n" + part)
    assert card_of(log)["status"] == "incomplete"


_TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x\n'


def test_what_standard_output_held_back_may_stand_after_the_traceback(
    tmp_path: Path, card_of: Cards
) -> None:
    """Python writes the traceback at once, and up to 8 KiB of its output when it exits."""
    line = "Epoch 1 step {:>9} loss 0.5\n"
    fits = 8192 // len(line.format(0)) - 2
    held_back = "".join(map(line.format, range(fits)))
    log = tmp_path / "train.log"
    log.write_text(_TRACEBACK + held_back)
    assert card_of(log)["status"] == "failed"
    log.write_text(_TRACEBACK + held_back + "".join(map(line.format, range(fits, fits + 9))))
    assert card_of(log)["status"] == "incomplete"


def _epochs(first: int, last: int) -> str:
    return "".join(
        f"Epoch {e}/6 - train loss {2 / e:.3f}, val loss {3 / e:.3f}, val acc {0.5 + e / 20:.2f}\n"
        for e in range(first, last + 1)
    )


@pytest.mark.parametrize("trouble", ["Killed\n", _TRACEBACK])
def test_a_short_run_that_was_stopped_and_went_on_is_what_it_came_to(trouble: str) -> None:
    def status(*parts: str) -> str:
        return str(scored("".join(parts))["status"])

    assert status(_epochs(1, 3), trouble, _epochs(4, 6)) == "finished"
    assert status(_epochs(1, 3), trouble, _epochs(4, 5)) == "failed"  # it may have been held back
    assert status(_epochs(1, 3), trouble) == "failed"
    assert status(trouble, _epochs(1, 6)) == "failed"  # all of it was held back
    front = len(_epochs(1, 3)) + trouble.rstrip().rfind("\n") + 1
    text = "-" * (8192 - front - 1) + "\n"
    assert status(_epochs(1, 3), text, trouble, _epochs(4, 6)) == "finished"
    assert status(_epochs(1, 3), "-", text, trouble, _epochs(4, 6)) == "failed"  # part of it was


@pytest.mark.parametrize(("last", "status"), [(3, "failed"), (4, "incomplete")])
def test_an_exception_that_comes_again_in_each_epoch_is_caught(last: int, status: str) -> None:
    """It is taken for one that the program catches when it comes again in a third later epoch."""
    log = "".join(_TRACEBACK + _epochs(e, e) for e in range(1, last + 1))
    assert scored(log)["status"] == status
    assert scored(log + _TRACEBACK)["status"] == "failed"  # nothing was trained after the last one


def test_ranks_that_die_with_one_exception_have_failed() -> None:
    held_back = _epochs(3, 3)
    assert scored(_epochs(1, 3) + (_TRACEBACK + held_back) * 8)["status"] == "failed"


def test_what_bars_show_in_front_of_a_traceback_is_not_held_back_and_reports_are() -> None:
    bars = "".join(
        f"\r{n:3d}%|{'█' * (n // 10)}| {n}/100 [00:{n // 2:02d}<01:00,  2.00it/s]"
        for n in (20, 40, 60)
    )
    reports = "".join(
        f"{{'loss': 0.{9 - e}, 'learning_rate': 0.0001, 'epoch': {e}.0}}\n" for e in (1, 2, 3)
    )
    assert scored(bars + "\n" + _TRACEBACK + reports)["status"] == "failed"


def test_a_program_that_failed_before_it_trained_fails_no_run_before_it() -> None:
    header = "Namespace(model='resnet50', batch_size=64, epochs=6)\nStart training\n"
    all_epochs = "".join(_EPOCH.format(e=e) for e in range(6))
    for whole in (all_epochs, all_epochs + "Training time 0:18:00\n"):
        assert scored(header + whole + header + _TRACEBACK)["status"] == "finished"
        assert scored(header + whole + _TRACEBACK)["status"] == "failed"
        again = scored(header + whole + header + _TRACEBACK + header + _EPOCH.format(e=0))
        assert again["status"] == "incomplete"
    some = "".join(_EPOCH.format(e=e) for e in range(4))
    assert scored(header + some + header + _TRACEBACK)["status"] == "failed"


def test_epochs_that_are_unknown_are_null(tmp_path: Path, card_of: Cards) -> None:
    log = tmp_path / "train.log"
    log.write_text(_megatron(300))
    card = card_of(log)
    assert card["schema"] == "sixdim/scorecard/2"
    assert (card["run"]["epochs"], card["run_end"]["epochs"]) == (None, None)


@pytest.mark.parametrize(
    ("labels", "epochs"),
    [
        ((1, 5, 10, 15, 20), 20),
        ((5, 10, 15, 20), 20),
        ((1, 5, 10, 15), None),  # any up to 19 may be over
        ((1, 5, 10, 11, 20), None),  # some are missing
        ((10, 15, 20), None),  # the first ones, too
    ],
)
def test_epochs_of_which_only_some_are_printed_are_over_at_the_last_one(
    labels: tuple[int, ...], epochs: int | None
) -> None:
    text = "".join(f"Epoch {n} of 20 took 8.25s, loss 0.{30 - n}\n" for n in labels)
    assert scored(text)["run"]["epochs"] == epochs


def _version_1(card: dict[str, Any]) -> dict[str, Any]:
    card = json.loads(json.dumps(card))
    card["schema"] = "sixdim/scorecard/1"
    card["status"] = "finished"
    for part in (card["run"], card["run_end"], card["end_to_end"]):
        part["epochs"] = part["epochs"] or 0
    return card


def test_a_card_of_version_1_is_read_by_every_command(
    tmp_path: Path, card_of: Cards, sixdim: Cli
) -> None:
    log, old = tmp_path / "train.log", tmp_path / "old.json"
    log.write_text("".join(_EPOCH.format(e=e) for e in range(7)))
    old.write_text(json.dumps(_version_1(card_of(log))))
    for words in (
        ("compare", log, old),
        ("compare", old, old),
        ("score", log, "--baseline", old, "--devices", "8"),
        ("score", log, "--against", old),
        ("score", log, "--repeat", old),
        ("report", log, "--baseline", old, "-o", tmp_path / "report.html"),
    ):
        code, _out, err = sixdim(*words)
        assert code == 0, (words, err)


def test_properties_that_a_later_version_adds_do_no_harm(
    tmp_path: Path, card_of: Cards, sixdim: Cli
) -> None:
    log, later = tmp_path / "train.log", tmp_path / "later.json"
    log.write_text("".join(_EPOCH.format(e=e) for e in range(7)))
    card = {**card_of(log), "mood": "good", "more": {"a": [1, None]}}
    card["dimensions"] = {**card["dimensions"], "weight": {"value": 3}}
    later.write_text(json.dumps(card))
    code, _out, err = sixdim("compare", log, later)
    assert code == 0, err


def test_the_best_of_epochs_that_the_log_does_not_show_is_unknown(
    tmp_path: Path, card_of: Cards
) -> None:
    """Rich in a file draws its last picture alone: one evaluation of ten epochs."""
    log = tmp_path / "train.log"
    log.write_text(
        "GPU available: False, used: False\n"
        "`Trainer.fit` stopped: `max_epochs=10` reached.\n"
        "Epoch 9/9  ━━━━━━━━━━ 40/40 0:00:02 • 0:00:00 14.96it/s v_num: 0.000     \n"
        "                                            val_acc: 0.831   \n"
    )
    card = card_of(log)
    accuracy = card["dimensions"]["accuracy"]
    assert (card["run"]["epochs"], accuracy["value"], accuracy["best"]) == (10, 0.831, None)
    assert card["run_end"]["best"] is None


def _trained(epoch: int, *steps: int) -> str:
    return "".join(f"epoch {epoch} step {step}/40 loss 0.5 100.0 samples/s\n" for step in steps)


_KILLED = "run.sh: line 4: 20411 Killed                  python train.py\n"


@pytest.mark.parametrize("trouble", [_TRACEBACK, _KILLED, "Traceback (most recent call last):\n"])
@pytest.mark.parametrize(
    ("epoch", "step", "status"), [(1, 20, "failed"), (1, 30, "failed"), (1, 10, "finished")]
)
def test_a_run_that_trains_again_what_it_had_trained_was_resumed(
    tmp_path: Path, card_of: Cards, trouble: str, epoch: int, step: int, status: str
) -> None:
    """What standard output held back goes on; a resumed run goes back to its checkpoint."""
    after = _trained(epoch, *range(step, 50, 10)) + _trained(2, 10, 20, 30, 40)
    log = tmp_path / "train.log"
    log.write_text(_trained(0, 10, 20, 30, 40) + _trained(1, 10, 20) + trouble + after)
    assert card_of(log)["status"] == ("failed" if status == "failed" else "incomplete")
    with log.open("a") as more:
        more.write("Training complete\n")
    assert card_of(log)["status"] == status


@pytest.mark.parametrize(
    ("loss", "ranks", "status"),
    [("0.4", 1, "finished"), ("0.5", 1, "failed"), ("0.4", 2, "failed")],
)
def test_the_step_at_which_a_run_failed_comes_again(loss: str, ranks: int, status: str) -> None:
    """A bar is drawn once more after a failure, and ranks repeat each step: no loss is another."""
    before = "".join(_trained(0, step) * ranks for step in (10, 20, 30, 40)) + _trained(1, 10)
    again = _trained(1, 10).replace("0.5", loss) + _trained(1, 20, 30, 40)
    assert scored(before + _TRACEBACK + again + "Training complete\n")["status"] == status


@pytest.mark.parametrize(("loss", "status"), [("0.95", "finished"), ("0.9", "failed")])
@pytest.mark.parametrize("done", [1, 2])
def test_the_only_line_of_an_epoch_comes_again_after_a_failure(
    done: int, loss: str, status: str
) -> None:
    """Of a loop with one line an epoch; ranks repeat a line, and no loss is another."""
    lines = [f"Epoch {n}/4 - loss: 0.{10 - n} - val_acc: 0.8{n}\n" for n in (1, 2, 3, 4)]
    again = lines[0].replace("0.9", loss, 1)
    text = "".join([*lines[:done], _TRACEBACK, again, *lines[1:], "Training complete\n"])
    assert scored(text)["status"] == (status if done == 1 else "finished")


def test_a_run_that_was_killed_and_goes_on_for_long_is_not_failed(
    tmp_path: Path, card_of: Cards
) -> None:
    """As a job that was preempted and is queued again, and whose log grows on."""
    cancelled = "slurmstepd: error: *** JOB 7 ON n CANCELLED AT 2026-01-05T10:00:00 ***\n"
    log = tmp_path / "train.log"
    log.write_text(_trained(0, 10, 20, 30, 40) + cancelled)
    assert card_of(log)["status"] == "failed"
    with log.open("a") as more:
        more.writelines(_trained(epoch, *range(1, 41)) for epoch in range(1, 8))
        more.write("Training complete\n")
    assert card_of(log)["status"] == "finished"


def _through(epochs: int, last: int = 40) -> str:
    """A bar of all iterations, 10 an epoch, and a line after each epoch."""
    lines = [bar("train: ", 0, 40, "9.00it/s", "]")]
    for epoch in range(1, epochs + 1):
        lines += [bar("train: ", 10 * epoch + n, 40, "9.00it/s", "]") for n in (-6, -2)]
        lines.append(f"[epoch {epoch}] train_loss=0.5{epoch} valid_acc=0.7{epoch}")
    return "\n".join([*lines, bar("train: ", last, 40, "9.00it/s", "]"), ""])


def test_a_bar_of_all_epochs_is_full_at_the_end_of_the_last_one() -> None:
    card = scored(_through(4))
    assert (card["status"], card["run"]["epochs"]) == ("finished", 4)
    assert (card["dimensions"]["accuracy"]["value"], card["warnings"]) == (0.74, [])


def test_a_bar_of_all_epochs_that_is_not_full_is_of_a_run_that_was_stopped() -> None:
    assert scored(_through(3, last=39))["status"] == "incomplete"


def test_bars_of_one_epoch_each_say_nothing_of_the_last_epoch() -> None:
    """Each is full, and how many epochs are planned is not known."""
    text = "".join(
        "\n".join(bar("train: ", step, 40, "9.00it/s", "]") for step in (0, 10, 40))
        + f"\n[epoch {epoch}] train_loss=0.5{epoch} valid_acc=0.7{epoch}\n"
        for epoch in range(1, 5)
    )
    assert scored(text)["status"] == "incomplete"


@pytest.mark.parametrize(("again", "status"), [(5, "finished"), (4, "failed")])
def test_a_training_that_begins_again_after_a_failure_overcomes_it(again: int, status: str) -> None:
    def epochs(count: int) -> list[str]:
        return [f"Epoch {e}/5 - loss: 0.{9 - e} - val_acc: 0.7{e}" for e in range(1, count + 1)]

    failure = ("Traceback (most recent call last):", '  File "a.py", line 1', "MemoryError")
    lines = [*epochs(3), *failure, "again with a smaller batch", *epochs(again), ""]
    assert scored("\n".join(lines))["status"] == status


@pytest.mark.parametrize(
    ("last", "minute", "status"), [(5, 4, "finished"), (4, 4, "failed"), (5, 59, "failed")]
)
def test_epochs_that_a_logger_stamps_later_than_a_failure_overcome_it(
    last: int, minute: int, status: str
) -> None:
    """Nothing trained before it: only the clock shows that they are no text from a buffer."""
    failure = "CUDA out of memory. Tried to allocate 1024.00 MiB"
    lines = [f"2026-01-05 10:{minute:02}:00,000 - train - ERROR: {failure}"]
    for e in range(1, last + 1):
        stamp = f"2026-01-05 10:{10 + e}:00,000 - train - INFO:"
        lines.append(f"{stamp} Epoch [{e}/5], train loss: 0.{9 - e}, val acc: 0.7{e}")
    assert scored("\n".join([*lines, ""]))["status"] == status


def _torchvision(*epochs: int, header: bool) -> str:
    begins = "Namespace(acc_thresh=75.9, batch_size=480, epochs=43, model='resnet50')\n"
    return begins * header + "".join(_EPOCH.format(e=epoch) for epoch in epochs)


@pytest.mark.parametrize(
    ("header", "last", "status"),
    [(True, 42, "finished"), (True, 41, "failed"), (False, 42, "failed")],
)
def test_a_program_that_begins_again_after_its_failure_has_survived_it(
    header: bool, last: int, status: str
) -> None:
    """It goes on with the next epoch up to the planned one, in less text than a buffer holds.

    Without another header, the last lines may be those that were in the buffer when it failed.
    """
    before = _torchvision(*range(40), header=True)
    after = _torchvision(*range(40, last + 1), header=header)
    assert len(before) > 8192 > len(after)
    assert scored(before + _TRACEBACK + after)["status"] == status
