"""The sentence that ends a training, after the lines of a format that has none of its own."""

from __future__ import annotations

from typing import Any

import pytest

from sixdim.metrics.values.card import Status
from sixdim.metrics.values.settings import Settings
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.session import Session
from tests.support.logs import scored

LINES = "".join(
    f"Epoch: [{epoch}][{step:2}/18]\tTime  0.25 ( 0.30)\tData  0.02 ( 0.02)\t"
    "Loss 6.8e+00 (6.8e+00)\tAcc@1   0.00 (  0.00)\tAcc@5   0.00 (  0.00)\n"
    for epoch in range(2)
    for step in (1, 6, 17)
)


LATER = LINES.replace("[0]", "[2]").replace("[1]", "[3]")


@pytest.mark.parametrize(
    ("text", "status", "seconds"),
    [
        (LINES, "incomplete", None),
        (LINES + "Training complete in 1m 54s\n", "finished", 114.0),
        (LINES + "Finished Training\n", "finished", None),
        (LINES + "train success\n", "finished", None),
        (LINES + "Finished training! Saving model to disk.\n", "finished", None),
        (LINES + "Finished training! Starting the next stage.\n", "incomplete", None),
        (LINES + "Finished. Total elapsed time (h:m:s): 0:05:04. Training time (h:m:s): 0:05:03.\n", "finished", 304.0),
        (LINES + "Done! Total training time: 12.5 s\n", "finished", 12.5),
        (LINES + "Done. Elapsed time: 12.5 s\n", "incomplete", None),
        (LINES + "Loading done. Total elapsed time: 12.5 s\n", "incomplete", None),
        (LINES + "Training data read with success\n", "incomplete", None),
        (LINES + "Training data loaded in 1m 54s\n", "incomplete", None),
        ("Training complete in 1m 54s\n" + LINES, "incomplete", None),
        (LINES + "Finished Training\n" + LINES.replace("[1]", "[2]"), "incomplete", None),
        (LINES + "Finished Training\n" + LATER, "incomplete", None),
        (LINES + "\nProcess finished with exit code 0\n", "finished", None),
        (LINES + "\nProcess finished with exit code 1\n", "failed", None),
        (LINES + "[Done] exited with code=0 in 114.3 seconds\n", "finished", None),
        (LINES + "# Finished at Mon Jan 5 10:00:00 CET 2026 with status 0\n", "finished", None),
        (LINES + 'Script done on 2026-01-05 10:00:00+00:00 [COMMAND_EXIT_CODE="0"]\n', "finished", None),
        (LINES + 'Script done on 2026-01-05 10:00:00+00:00 [COMMAND_EXIT_CODE="130"]\n', "failed", None),
        (LINES + "Process finished with exit code 0\n" + LATER, "incomplete", None),
        (LINES + "Finished Training\n" + LATER + "Training complete in 9s\n", "finished", None),
    ],
)  # fmt: skip
def test_a_sentence_ends_a_run_that_trained(text: str, status: str, seconds: float | None) -> None:
    card = scored(text)
    assert (card["status"], card["run_end"]["run_time_s"]) == (status, seconds)


def test_the_formats_own_closing_line_counts_before_it() -> None:
    own = "{'train_runtime': 20.0, 'train_samples_per_second': 9.0, 'epoch': 1.0}\n"
    report = "{'loss': 0.5, 'learning_rate': 1e-05, 'epoch': 1.0}\n"
    for text in (own + "Training complete in 9s\n", "Training complete in 9s\n" + own):
        card: dict[str, Any] = scored(report * 3 + text)
        assert (card["run_end"]["run_time_s"], card["status"]) == (20.0, "finished")


@pytest.mark.parametrize(("step", "epochs"), [(17, 2), (12, 1)])
def test_an_epoch_is_whole_that_ends_at_the_step_of_the_one_before(step: int, epochs: int) -> None:
    """Each epoch's last line is one for 17 of 30 steps; a closing line stands after the last."""
    lines = LINES.replace("/18]", "/30]").replace("[1][17/", f"[1][{step}/")
    assert scored(lines)["run"]["epochs"] == 1
    assert scored(lines + "Training complete in 9s\n")["run"]["epochs"] == epochs


def _epochs(first: int, last: int, each: str = "") -> str:
    return "".join(
        f"Epoch {epoch}\n---------------\nloss: 0.{epoch}51  [   64/  800]\n"
        f"Test Error: \n Accuracy: 7{epoch}.5%, Avg loss: 0.5{epoch} \n{each}"
        for epoch in range(first, last + 1)
    )


STEPS = "".join(f"step {step} loss 0.{99 - step}\n" for step in range(10, 60, 10))


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (_epochs(1, 4), "incomplete"),
        (_epochs(1, 4) + "Done!\n", "finished"),
        (_epochs(1, 2) + "=== ALL DONE ===\n", "finished"),
        (_epochs(1, 4) + '{"event": "done"}\n', "finished"),
        (_epochs(1, 4) + '{"status": "completed"}\n', "finished"),
        (LINES + "Finished.\n", "finished"),
        (STEPS + "Complete\n", "finished"),
        (_epochs(1, 4) + "Done!\nmodel.pth was written\n", "finished"),
        (_epochs(1, 4) + "Done downloading\n", "incomplete"),
        (_epochs(1, 4) + '{"event": "step"}\n', "incomplete"),
        ("Done!\n" + _epochs(1, 4), "incomplete"),
        # It may be the checkpoint that is done.
        (_epochs(1, 1) + "Done!\n", "incomplete"),
        (_epochs(1, 2, each="Done!\n"), "incomplete"),
        (_epochs(1, 2) + "Done!\n" + _epochs(3, 4), "incomplete"),
        (_epochs(1, 2) + "Done!\n" + _epochs(3, 4) + "Done!\n", "incomplete"),
        (_epochs(1, 4) + "Done!\nRuntimeError: CUDA out of memory\n", "failed"),
    ],
)
def test_a_word_alone_ends_a_run_if_nothing_is_trained_after_it(text: str, status: str) -> None:
    assert scored(text)["status"] == status


def test_a_word_alone_ends_no_run_that_is_still_watched() -> None:
    """More epochs may follow, as long as the log grows."""
    session = Session("train.log", Settings(), formats())
    session.feed((_epochs(1, 4) + "Done!\n").encode())
    assert session.snapshot().card.status is Status.TRAINING
    session.end()
    assert session.card().status is Status.FINISHED


def _with_parts(first: int, last: int) -> str:
    """Epochs out of 4, whose training and validation have a heading, a bar and a closing line."""

    def bar(epoch: int, part: str) -> str:
        return "".join(
            f"\rEpoch {epoch}/4: {n * 5:3}%|##  | {n}/20 [00:{n:02}<00:{20 - n:02}, 1.00s/it, {part}]"
            for n in range(1, 21)
        )

    return "".join(
        f"Start Train\n{bar(epoch, 'total_loss=0.9, lr=1e-5')}\nFinish Train\n"
        f"Start Validation\n{bar(epoch, 'val_loss=0.8')}\nFinish Validation\n"
        f"Epoch:{epoch}/4\nTotal Loss: 0.9{epoch} || Val Loss: 0.8{epoch}\n"
        for epoch in range(first, last + 1)
    )


def test_a_sentence_after_the_first_of_several_epochs_may_stand_after_each() -> None:
    """The training is at no line over; at the end of the log its plan shows whether it is."""
    session = Session("train.log", Settings(), formats())
    for line in _with_parts(1, 3).splitlines(keepends=True):
        session.feed(line.encode())
        assert session.snapshot().card.status in (Status.WAITING, Status.TRAINING), line
    assert scored(_with_parts(1, 4))["status"] == "finished"
    assert scored(_with_parts(1, 3))["status"] == "incomplete"


def test_a_sentence_after_the_only_epoch_ends_the_run_once_the_log_is_over() -> None:
    text = _with_parts(1, 1).replace("Finish Train\n", "")
    assert scored(text)["status"] == "incomplete"
    assert scored(text + "Training finished\n")["status"] == "finished"
