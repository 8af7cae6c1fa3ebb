"""What ends a run, whatever its format: what launchers, schedulers and Python itself print."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import Problem
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from sixdim.parsers.statements.troubles import Troubles
from sixdim.parsers.text.lines import Line
from tests.support.inputs.generated import read, state
from tests.support.logs import scored

FATAL = {
    "slurmstepd: error: *** JOB 5134 ON node3 CANCELLED AT 2026-01-05T10:00:00 ***": "cancelled",
    "slurmstepd: error: *** STEP 9.0 ON n CANCELLED AT 2026-01-05T10:00:00 DUE TO TIME LIMIT ***": (
        "cancelled"
    ),
    "TERM_RUNLIMIT: job killed after reaching LSF run time limit.": "cancelled",
    "=>> PBS: job killed: walltime 3621 exceeded limit 3600": "cancelled",
    "Exited with exit code 140.": "killed",
    "Killed": "killed",
    "Killed   ": "killed",
    "run.sh: line 4: 20411 Killed                  python train.py": "killed",
    "W0105 torch/distributed/elastic] Sending process 41 closing signal SIGTERM": "killed",
    "torch.distributed.elastic.multiprocessing.api.SignalException: Process 7 got signal: 15": (
        "killed"
    ),
    "E0105 torch/api.py:826] failed (exitcode: -9) local_rank: 0 (pid: 7) of binary: x": (
        "launcher"
    ),
    "[launch.py:321:sigkill_handler] ['python', 'train.py'] exits with return code = -15": (
        "launcher"
    ),
    "subprocess.CalledProcessError: Command 'x' died with <Signals.SIGKILL: 9>.": "killed",
    "KeyboardInterrupt": "interrupted",
    "Detected KeyboardInterrupt, attempting graceful shutdown ...": "interrupted",
    "/opt/lib/trainer/call.py:54: UserWarning: Detected KeyboardInterrupt, attempting graceful": (
        "interrupted"
    ),
    "mpirun noticed that process rank 1 with PID 41 on node a exited on signal 9.": "launcher",
    "mpiexec noticed that process rank 8 with PID 41 on node a exited on signal 9.": "launcher",
    "Segmentation fault (core dumped)": "launcher",
    "train.sh: line 7: 33477 Aborted                 ./caffe train --solver=x": "launcher",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.": "out_of_memory",
    "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB": "out_of_memory",
    "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1.batch.": "launcher",
    "zsh: killed     python train.py": "killed",
    "[1]+  Killed                  python train.py": "killed",
    "RuntimeError: DataLoader worker (pid 311) is killed by signal: Killed.": "killed",
    "command terminated with exit code 137": "killed",
    "Process finished with exit code 1": "launcher",
    "Process finished with exit code -1073741510 (0xC000013A: interrupted by Ctrl+C)": "launcher",
    "[Done] exited with code=1 in 93.1 seconds": "launcher",
    'Script done on 2026-01-05 10:00:00+00:00 [COMMAND_EXIT_CODE="137"]': "launcher",
    "# Finished at Mon Jan 5 10:00:00 CET 2026 with status 1": "launcher",
    "[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12)": "launcher",
    "terminate called after throwing an instance of 'c10::DistBackendError'": "launcher",
    "Fatal Python error: Segmentation fault": "launcher",
    "jaxlib.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying": "out_of_memory",
    "ResourceExhaustedError: OOM when allocating tensor with shape[64]": "out_of_memory",
    "RuntimeError: CUDA error: device-side assert triggered": "exception",
    "Loss is NaN, stopping training": "nan_loss",
    "Loss is inf, stopping training": "nan_loss",
    "^C": "interrupted",
    "Training interrupted by user": "interrupted",
    "[!] Training interrupted. Saving the last checkpoint": "interrupted",
    "^C^CKeyboardInterrupt": "interrupted",
    "ERROR: training loss became NaN at step 300 - aborting run": "nan_loss",
    "NaN loss detected! Terminating.": "nan_loss",
    "Batch 12: Invalid loss, terminating training": "nan_loss",
}
HARMLESS = (
    "[launch.py:321:sigkill_handler] ['python', 'train.py'] exits with return code = 0",
    "Training is stopped if the loss is nan, exiting the training",
    "Stop training if loss is NaN",
    "press ^C to stop",
    "^Copy",
    "the loss is nan: skipping the batch",
    "loss nan, stopping criterion 0.1",
    "the loss of the nanny task rose, stopping training",
    "Exited with exit code 0.",
    "Process finished with exit code 0",
    "[Done] exited with code=0 in 93.1 seconds",
    'Script done on 2026-01-05 10:00:00+00:00 [COMMAND_EXIT_CODE="0"]',
    "# Finished at Mon Jan 5 10:00:00 CET 2026 with status 0",
    "a worker with exit code 1 is started again",
    "Epoch 3: killed 4 stale workers",
    "the error of epoch 3 is 0.25",
    "signal to noise 3.5",
    "val_error: 0.25 fault_rate: 0.1",
    "Terminated early at epoch 4: patience is over",
    "Namespace(on_oom='retry on CUDA out of memory', exception=True, signal='SIGTERM')",
    "Tip: where you see CUDA out of memory or a Segmentation fault, halve the batch",
    "+ docker run --oom-kill-disable --gpus all image python train.py",
    "callbacks: [OutOfMemoryErrorCallback, KeyboardInterruptHandler, ExceptionHandler]",
    "a checkpoint is saved when SIGTERM is received",
    "class 12 Killed: 45 images",
    "Training interrupted batches is off",
    "Resuming the training interrupted by user at epoch 3",
    "  --retries N   after OutOfMemoryError, of Killed or Terminated workers",
)


def _problems(*lines: str) -> list[Problem]:
    troubles = Troubles()
    found = (troubles.look(Line(number, 0, text)) for number, text in enumerate(lines, 1))
    return [problem for problem in found if problem is not None]


@pytest.mark.parametrize(("line", "kind"), FATAL.items())
def test_a_line_that_ends_a_run(line: str, kind: str) -> None:
    (problem,) = _problems(line)
    assert (problem.kind, problem.fatal) == (kind, True)


@pytest.mark.parametrize("line", HARMLESS)
def test_a_line_that_only_sounds_like_it(line: str) -> None:
    assert _problems(line) == []


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        ("RuntimeError: CUDA error: device-side assert triggered", "exception"),
        ("torch.cuda.OutOfMemoryError: CUDA out of memory.", "out_of_memory"),
        ("KeyboardInterrupt", "interrupted"),
        ("StopIteration", "exception"),
        ("my.package.BadBatch: 3", "exception"),
    ],
)
def test_the_cause_is_the_last_line_of_a_traceback(last: str, kind: str) -> None:
    frames = ('  File "a.py", line 1, in f', "    raise x", "           ^^^^^^^")
    trace, cause = _problems("Traceback (most recent call last):", *frames, last, "StopIteration")
    assert (trace.kind, trace.at.line) == ("traceback", 1)
    assert (cause.kind, cause.text, cause.at.line) == (kind, last, 5)


def test_without_a_traceback_no_word_is_an_exception() -> None:
    assert _problems("StopIteration", "ValueError: 3") == []


@pytest.mark.parametrize(
    "before",
    [
        "Exception in thread Thread-5 (upload):",
        "Exception ignored in: <function _Iterator.__del__ at 0x7f0>",
        "--- Logging error ---",
        "10it [00:07,  1.39it/s]--- Logging error ---",
    ],
)
def test_a_traceback_that_does_not_end_the_program(before: str) -> None:
    lines = ("Traceback (most recent call last):", '  File "a.py", line 1', "OSError: no route")
    assert [problem.fatal for problem in _problems(before, *lines)] == [False, False]
    assert [problem.fatal for problem in _problems(before, *lines, *lines)][2:] == [True, True]


@pytest.mark.parametrize(
    ("before", "fatal"),
    [
        ("2026-01-05 10:00:00,123:", False),
        ("When parsing line 7, error happened with msg: ", False),
        ("", True),
        ("[rank1]: ", True),
        ("0% 0/40 [00:00<?, ?it/s][rank1]: ", True),
        ("Original ", True),
        ("," + "x" * 300 + ": ", False),
        ("," + "x" * 301 + ": ", True),
    ],
)
def test_a_traceback_in_a_message_was_caught(before: str, fatal: bool) -> None:
    lines = (f"{before}Traceback (most recent call last):", '  File "a.py", line 1')
    between = "step 7: error 0.25"  # of another process
    found = [problem.fatal for problem in _problems(*lines, between, "OSError: no route")]
    assert found == [fatal, fatal]


def _status(*lines: str) -> tuple[str, str | None]:
    epochs = [f"epoch {e}: train loss 0.{e}, val acc 0.7{e}" for e in range(1, 9)]
    card = read("".join(f"{line}\n" for line in (*epochs, *lines)).encode()).card()
    return card.status, next((w.text for w in card.warnings if w.kind == "exception"), None)


def test_an_exception_without_a_traceback_ends_the_log_whose_last_line_it_is() -> None:
    last = "RuntimeError: the data are gone"
    assert _status(last) == ("failed", last)
    assert _status(last, "cleaning up") == ("incomplete", None)
    assert _status("Note: the data are gone") == ("incomplete", None)
    survived = ("Exception in thread T:", "Traceback (most recent call last):", "OSError: no route")
    assert _status(*survived)[0] == "incomplete"


def test_a_schedulers_cancellation_is_the_cause_of_what_follows() -> None:
    cancelled = "slurmstepd: error: *** JOB 5 ON n1 CANCELLED AT 2026-01-05T10:00:00 ***"
    lines = (cancelled, "received SIGTERM", "Traceback (most recent call last):", "SystemExit: 1")
    session = read("".join(f"{line}\n" for line in lines).encode())
    assert session.run.problems.failed is not None
    assert session.run.problems.failed.text == cancelled
    other = read(("received SIGTERM\n" + cancelled + "\n").encode()).run.problems.failed
    assert other is not None
    assert other.text == cancelled


def _raised(trial: int, error: str) -> str:
    return (
        f"[W 2026-01-05 10:{trial:02}:00,000] Trial {trial} failed because of the following error\n"
        f'Traceback (most recent call last):\n  File "objective.py", line 12\n{error}\n'
    )


def _trained(trial: int, size: int) -> str:
    epochs = "".join(f"[FT] ep={e}: loss=1.{trial}{9 - e} acc=9{e}.5% lr=0.01\n" for e in range(9))
    return f"--- trial {trial} ---\n" + "support: 340 samples\n" * (size // 21) + epochs


def _sweep(*parts: str) -> str:
    return read("".join(parts).encode()).card().status


def test_a_sweep_that_goes_on_after_a_trial_that_raised_did_not_fail() -> None:
    """What the program itself buffered, 8 KiB at most, may stand after its last traceback."""
    same, other = "RuntimeError: two devices", "ValueError: another"
    long, short = _trained(1, 20_000), _trained(2, 900)
    assert _sweep(_raised(0, same), long) == "incomplete"
    assert _sweep(_raised(0, same), long, _raised(2, same), short) == "incomplete"
    assert _sweep(_raised(0, same), long, _raised(2, other), short) == "failed"
    assert _sweep(_raised(0, same), long, _raised(2, other), long) == "incomplete"
    assert _sweep(_raised(0, same), short) == "failed"


def test_the_last_trial_of_a_sweep_that_raised_ends_it() -> None:
    error = "RuntimeError: two devices"
    assert _sweep(_raised(0, error), _trained(1, 20_000), _raised(2, error)) == "failed"
    restarted = _raised(2, error) + "restarting worker group\n" * 3
    assert _sweep(_raised(0, error), _trained(1, 20_000), restarted) == "failed"


def test_the_cause_is_found_in_the_log_of_a_format_whatever_it_is_called() -> None:
    line = (
        "Epoch: [0]  [{:2}/50]  eta: 0:00:47  lr: 0.1  img/s: 512.5  loss: 7.25 (7.30)  time: 0.5\n"
    )
    trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    raise x\n'
    log = "".join(line.format(step) for step in range(10)) + trace + "StopIteration\n"
    interpreter = Interpreter(formats())
    events = [*interpreter.feed(log.encode()), *interpreter.end()]
    problems = [(one.kind, one.text) for one in events if isinstance(one, Problem)]
    assert problems[1:] == [("exception", "StopIteration")]


def test_the_source_that_a_traceback_quotes_is_not_its_cause() -> None:
    """As where the program itself raises what CUDA would."""
    message = "OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
    lines = (
        "Traceback (most recent call last):",
        '  File "a.py", line 9, in <module>',
        f'    raise torch.{message.replace(": ", "(")}"',
        f"torch.{message}",
        f"  {message}",
    )
    troubles = Troubles()
    found = [troubles.look(Line(i, 0, text)) for i, text in enumerate(lines, 1)]
    kinds = ["traceback", None, None, "out_of_memory", "out_of_memory"]
    assert [one and one.kind for one in found] == kinds


SOURCE = """\
epoch 1: train loss 0.9000, val acc 0.5500
epoch 2: train loss 0.8000, val acc 0.6000
Traceback (most recent call last):
  File "<frozen runpy>", line 88, in _run_code
  File "train.py", line 28, in <module>
    fit(model, num_epochs=4, batch_size=32)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "train.py", line 99, in fit
    log("epoch 7: train loss 0.2, val acc 0.99")
ValueError: no file
"""


def test_the_source_that_a_traceback_quotes_has_no_figures_of_the_run() -> None:
    card, text = scored(SOURCE), SOURCE.encode()
    run, accuracy = card["run"], card["dimensions"]["accuracy"]
    assert (run["epochs"], run.get("epochs_planned"), accuracy["value"]) == (2, None, 0.6)
    assert card["status"] == "failed"
    for cut in (text.index(b"    fit"), text.index(b"    log") + 9):
        assert state(read(text, (cut,))) == state(read(text))


BOXED = """\
epoch 1: train loss 0.9000, val acc 0.5500
epoch 2: train loss 0.8000, val acc 0.6000
╭────────── Traceback (most recent call last) ──────────╮
│ train.py:9 in main                                    │
│                                                       │
│    8 def main():                                      │
│ ❱  9 │   fit(num_epochs=40)                           │
│                                                       │
│ ╭───── locals ─────╮                                  │
│ │   epoch = 7      │                                  │
│ │ val_acc = 0.99   │                                  │
│ ╰──────────────────╯                                  │
╰───────────────────────────────────────────────────────╯
ValueError: no file
| epoch 3 | train loss 0.7000 | val acc 0.6500 |
"""


@pytest.mark.parametrize("legacy", [False, True])
def test_the_box_that_rich_draws_of_a_traceback_has_no_figures_of_the_run(legacy: bool) -> None:
    """Where the output cannot encode lines, Rich draws them in ASCII."""
    ascii_lines = str.maketrans("╭╮╰╯─│❱", "++++-|>")
    card = scored(BOXED.translate(ascii_lines) if legacy else BOXED)
    run, accuracy = card["run"], card["dimensions"]["accuracy"]
    assert (run["epochs"], run.get("epochs_planned")) == (3, None)
    assert (accuracy["value"], accuracy["best"]) == (0.65, 0.65)
    assert {"traceback", "exception"} <= {warning["kind"] for warning in card["warnings"]}


def test_lines_after_a_traceback_are_read_as_those_before_it() -> None:
    went_on = "epoch 3: train loss 0.7000, val acc 0.6500\n  settings: num_epochs=4\n"
    card = scored(SOURCE + went_on)
    assert card["dimensions"]["accuracy"]["value"] == 0.65
    assert card["run"]["epochs_planned"] == 4


@pytest.mark.parametrize(("frames", "found"), [(499, 1), (500, 0)])
def test_a_traceback_has_five_hundred_lines_at_most(frames: int, found: int) -> None:
    troubles, text = Troubles(), ["  File 'a.py', line 3"] * frames
    assert troubles.look(Line(1, 0, "Traceback (most recent call last):")) is not None
    problems = [
        troubles.look(Line(n, 90 * n, line)) for n, line in enumerate([*text, "KeyError: 1"], 2)
    ]
    assert [one.text for one in problems if one is not None] == ["KeyError: 1"] * found
