"""Closing lines, times and counts of loops that no format knows."""

from __future__ import annotations

import pytest

from sixdim.parsers.events import EpochEnd, Iteration, RunEnd, RunInfo
from sixdim.parsers.formats.generic import Generic
from sixdim.parsers.grammar.vocabulary.closing import Closing, closing
from sixdim.parsers.reader.interpret import Interpreter
from sixdim.parsers.reader.registry import formats
from tests.support.corpus import text
from tests.support.inputs.generated import read
from tests.support.logs import only, scored
from tests.support.loops import figures


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Finished Training", None),
        ("Training loop finished.", None),
        ("Optimization Finished!", None),
        (
            "Optimization complete with best validation score of 9.25 %, on iteration 2574, "
            "with test performance 7.85 %",
            None,
        ),
        ("Training finished in 00:01:59. Log saved to logs/training_log.txt", 119.0),
        ("The training process was completed.", None),
        ("=== Training done! ===", None),
        ("Final training complete. Model saved to checkpoints/last", None),
        (
            "2024-05-30 04:14:39,703 ignite.handlers.early_stopping.EarlyStopping INFO: "
            "EarlyStopping: Stop training",
            None,
        ),
        ("Fine-tuning completed!", None),
        ("Fine-tuning done in 3m 5s", 185.0),
        ("Training complete in 1m 54s", 114.0),
        ("Finished training after 12.5 seconds!", 12.5),
        ("Training finished in 2 hours, 3 minutes and 4 s", 7384.0),
        ("Training completed in 0:12:30", 750.0),
        ("train end. time 425.36067353499857 (s)", 425.36067353499857),
        ("Training done. Total time 0:41:12", 2472.0),
        ("| End of training | test loss  5.25 | test ppl   190.57", None),
        ("Training finished. Best accuracy: 0.75", None),
        ("Training of experiment is done and the best AP is 90.00", None),
        ("Training ended after   6 epochs.", None),
        ("Training ended with 1200 steps.", None),
        ("Training ended since maximum num. of updates 750 was reached.", None),
        ("Training ended since minimum lr 0.000000 was reached.", None),
        ("Ran out of patience. Stopping training.", None),
        ("Finished training after 300 steps in 12.5 s", 12.5),
        ("Finished training for 25 epochs", None),
        ("Finished training, best eval result in epoch 17", None),
        ("Training complete at step 40000. Best val loss: 0.1385", None),
        ("Training completes in 17m 6s", 1026.0),
        ("✅ 预训练任务圆满结束 (总耗时: 1.46 小时)", 5256.0),
        ("Training time 1:02:03", 3723.0),
        ("Training Time: 04:44:00", 17040.0),
        ("Training took 3 hours 2 minutes", 10920.0),
        ("Total training time: 1 day, 2:03:04", 93784.0),
        ("Early Stopping....@ 72 epoch for patience @ 10.0", None),
        ("Early stopping!", None),
        ("Early stopping triggered after 14 epochs", None),
        ("[EARLY STOP] No improvement, stopping training.", None),
        ("Epoch 12: early stopping", None),
        ("Stopping since valid_loss has not improved in the last 3 epochs.", None),
        ("Validation performance didn't improve for 10 epochs. Training stops.", None),
        ("Training stopped early, best epoch was 12", None),
        ("Early stopping triggered at epoch 21. Best epoch: 17 with val_loss 0.3729", None),
        ("Early stopping at epoch 21 (best epoch 17)", None),
        ("Early stopping! Best val acc: 0.8312", None),
        ("Exiting from training early.", None),
        ("Stop training because you reached max_epochs = 3 with best_epoch = 2", None),
        ("Training stopped: maximum number of steps reached", None),
        (
            "Early stopping occurred at epoch 121 with best_epoch = 91 and best_val_0_mse = 1.03",
            None,
        ),
    ],
)
def test_a_closing_line_ends_the_run(line: str, seconds: float | None) -> None:
    assert ends(["Epoch 1 loss 0.5", line]) == [seconds]


def test_what_was_tested_after_an_earlier_training_is_none_of_the_last_one() -> None:
    each = "".join(f"Epoch {n}/20 train loss 0.5 val acc 0.{n}2\n" for n in (1, 2, 3))
    over = "Early stopping triggered after 3 epochs\n"
    card = scored(each + over + "Test Accuracy: 0.82\n" + each.replace("2\n", "1\n") + over)
    assert card["status"] == "finished" and "after_training" not in card["run_end"]
    assert card["dimensions"]["accuracy"]["value"] == 0.31


def test_a_closing_line_before_anything_was_trained_is_none() -> None:
    card = scored("Training finished\nEpoch 1 loss 0.5\nEpoch 2 loss 0.25\n")
    assert card["status"] == "incomplete"


@pytest.mark.parametrize(
    "line",
    [
        "Training 50% complete",
        "Early stopping: patience 3 epochs",
        "Early stopping patience: 10",
        "Training time: 45.3 s",  # of one epoch, maybe
        "Training took 02:31",
        "Training 3/5 completed",
        "Epoch 3 training complete",
        "Training complete at epoch 3/9",
        "Training complete: 95% of the data",
        "Training finished, validating",
        "Training done. Starting stage 2",
        "Training is not finished",
        "Finished training the tokenizer",
        "Training end time: 12:30",
        "Training ended after 6 epochs were skipped",
        "Training ended with 12 steps left",
        "Training will stop if it ran out of patience",
        "Training finished in 6 steps/s",
        "Finished training for epoch 25",
        "Done.",
        "EarlyStopping counter: 9 out of 10",
        "Early stopping, best so far 0.83",
        "Early stopping, best 0.83, counter 2",
        "Early stopping: True",
        "Early stopping:",
        "Early stopping epochs: 10",
        "Early stopping with patience 10",
        "Using early stopping",
        "第 1 个任务训练完成",
    ],
)
def test_other_lines_end_no_run(line: str) -> None:
    assert ends(["Epoch 1 loss 0.5", line]) == []


def test_a_closing_line_after_which_training_goes_on_is_one_of_a_part() -> None:
    part = "Epoch 1 loss 0.5\nTraining finished\nEpoch 2 loss 0.25\n"
    assert scored(part)["status"] == "incomplete"
    # The second says as little as the first did.
    assert scored(part + "Training finished\n")["status"] == "incomplete"


def test_each_run_of_a_log_has_a_closing_line() -> None:
    run = "Epoch 1 loss 0.5\nEpoch 2 loss 0.25\nEpoch 3 loss 0.2\nTraining finished in {} s\n"
    card = scored(run.format(40) + run.format(30))
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 30.0)


def _one_of_three_epochs_at(hour: int, took: float) -> list[str]:
    stamp = f"2024-03-01 {hour:02}:" + "{:02}:00,000 "
    lines = [stamp.format(n) + f"Epoch: 000{n} loss 0.{hour}{n}" for n in (1, 2, 3)]
    end = (stamp.format(4) + "Optimization Finished!", stamp.format(4) + f"Total time: {took} s")
    return [*lines, *end, stamp.format(5) + f"Test Accuracy: 0.{hour}"]


# The first run's last line is of 7:05, the second's total of 9:04: 119 minutes later.
@pytest.mark.parametrize(("total", "seconds"), [(7140.0, 7140.0), (7141.0, None)])
def test_epochs_that_begin_again_after_a_closing_line_are_another_run(
    total: float, seconds: float | None
) -> None:
    lines = [*_one_of_three_epochs_at(7, 180.0), *_one_of_three_epochs_at(9, total)]
    card = scored("".join(f"{line}\n" for line in lines))
    assert [w["text"] for w in card["warnings"]] == ["the log holds 2 runs; this is run 2"]
    assert (card["run"]["epochs"], card["dimensions"]["accuracy"]["value"]) == (3, 0.9)
    # A longer total may count from the start of the first run.
    assert card["run_end"]["run_time_s"] == seconds


@pytest.mark.parametrize(("runs", "seconds"), [(1, 180.0), (2, None)])
def test_a_total_without_a_clock_may_be_that_of_all_runs_of_the_log(
    runs: int, seconds: float | None
) -> None:
    stamp = len("2024-03-01 07:01:00,000 ")
    lines = [line[stamp:] for n in range(runs) for line in _one_of_three_epochs_at(n, 180.0)]
    card = scored("".join(f"{line}\n" for line in lines))
    assert (card["run"]["epochs"], card["run_end"]["run_time_s"]) == (3, seconds)


def test_epochs_that_count_from_0_say_how_many_they_are_only_with_the_last() -> None:
    def planned(last: int) -> list[object]:
        lines = "".join(f"Epoch {n}/9 loss 0.5\n" for n in range(last + 1)).encode()
        interpreter = Interpreter(formats(), Generic)
        events = [*interpreter.feed(lines), *interpreter.end()]
        return [e.value for e in events if isinstance(e, RunInfo)]

    assert planned(8) == []  # of 9 epochs, or of 10
    assert planned(9) == [10]


def ends(lines: list[str]) -> list[float | None]:
    """What the closing lines of a loop say."""
    interpreter = Interpreter(formats(), Generic)
    data = "".join(f"{line}\n" for line in lines).encode()
    events = [*interpreter.feed(data), *interpreter.end()]
    return [e.duration for e in events if isinstance(e, RunEnd) and not e.word]


def test_batches_between_bars_are_steps_and_ms_a_batch_is_their_time() -> None:
    found = figures(
        [
            "| epoch   1 |   200/ 2983 batches | lr 20.00 | ms/batch  9.50 | loss  5.48 | ppl   240.1",
            "| epoch   1 |   400/ 2983 batches | lr 20.00 | ms/batch  9.25 | loss  5.31 | ppl   202.3",
            "| end of epoch   1 | time: 30.12s | valid loss  5.10 | valid ppl   164.02",
        ]
    )
    assert found["steps"] == [(200, 2983), (400, 2983)]
    assert found["seconds"] == [0.0095, 0.00925]
    assert found["losses"] == [5.48, 5.31]
    assert found["epoch times"] == [30.12]
    assert found["tested"] == [(1, {"loss": 5.10, "perplexity": 164.02})]


def test_a_figure_on_the_closing_line_decides_nothing_where_the_training_was_evaluated() -> None:
    lines = [
        f"epoch {epoch} train loss {2.0 / epoch:.2f} valid loss {2.5 / epoch:.2f}"
        for epoch in (1, 2, 3, 4)
    ]
    card = scored("\n".join([*lines, "End of training, test loss 0.21", ""]))
    assert card["dimensions"]["accuracy"]["value"] == 0.62
    assert [one["value"] for one in card["run_end"]["after_training"]] == [0.21]


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


def test_a_table_ends_where_another_of_as_many_columns_begins() -> None:
    lines = ["epoch\tloss\tlr", *(f"{n}\t0.{n}\t0.1" for n in range(1, 5))]
    others = ["host\trank\tport", "9\t0.9\t8080"]
    assert figures([*lines, *others]) == figures(lines)
    assert figures(lines)["losses"] == [0.1, 0.2, 0.3, 0.4]


def test_rows_with_a_time_under_a_column_of_another_meaning() -> None:
    lines = ["      Iter       Train Loss   Remaining Time"]
    lines += [
        f"{n:10d} {1.5 - n / 10:16.4f} {1.35 - n / 10:15.2f}{'s' if n else 'm'}" for n in range(5)
    ]
    found = figures(lines)
    assert found["losses"] == [1.5 - n / 10 for n in range(5)]
    assert found["steps"] == [(n, None) for n in range(5)]
    assert "epoch times" not in found


def test_the_column_dur_is_an_epoch_s_time_once_it_falls() -> None:
    head = ["  epoch    train_loss    valid_acc    valid_loss     dur",
            "-------  ------------  -----------  ------------  ------"]  # fmt: skip
    rows = [f"      {n}        0.5000       0.7000        0.6000  {dur}"
            for n, dur in enumerate((0.9, 0.7, 0.8), 1)]  # fmt: skip
    assert figures([*head, *rows])["epoch times"] == [0.7, 0.8]
    growing = [row[:-3] + f"{n}.5" for n, row in enumerate(rows)]
    assert "epoch times" not in figures([*head, *growing])


@pytest.mark.parametrize(
    ("batch", "interval", "samples", "unit"),
    [(64, 10, True, "samples/s"), (100, 10, True, "samples/s"), (1, 10, False, "it/s"),
     (1, 200, False, "it/s"), (16, 1, True, "samples/s"), (8, 3, True, "samples/s")],
)  # fmt: skip
def test_what_is_counted_in_brackets_with_a_percentage(
    batch: int, interval: int, unit: str, *, samples: bool
) -> None:
    """Forty lines an epoch, a second apart."""
    between, lines = batch * interval, []
    for n in range(40 * 8):
        epoch, line = divmod(n, 40)
        clock = f"2024-05-01 10:{n // 60:02d}:{n % 60:02d}"
        count = f"[{line * between}/{40 * between} ({100 * line / 40:.0f}%)]"
        lines.append(f"{clock} Train Epoch: {epoch} {count}\tLoss: 0.5{n:03d}")
    card = scored("\n".join(lines) + "\n")
    speed = card["dimensions"]["speed"]
    assert (speed["value"], speed["unit"]) == (pytest.approx(between), unit)
    assert card["run"]["samples_per_epoch"] == (40 * between if samples else None)


@pytest.mark.parametrize("between", [40, 80, 120])
def test_what_may_be_samples_as_well_as_iterations_gives_no_speed(between: int) -> None:
    """Batches of 8, or a line after so many iterations: the log does not say which."""
    lines = []
    for n in range(40 * 8):
        epoch, line = divmod(n, 40)
        clock = f"2024-05-01 10:{n // 60:02d}:{n % 60:02d}"
        count = f"[{line * between}/{40 * between} ({100 * line / 40:.0f}%)]"
        lines.append(f"{clock} Train Epoch: {epoch} {count}\tLoss: 0.5{n:03d}")
    assert scored("\n".join(lines) + "\n")["dimensions"]["speed"]["value"] is None


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
    data = "".join(
        f"Epoch: {n}, Loss: 0.{n}\n{line.format(n, 1.5 + n)}\n" for n in range(3)
    ).encode()
    interpreter = Interpreter(formats(), Generic)
    events = [*interpreter.feed(data), *interpreter.end()]
    assert [e.train_time for e in events if isinstance(e, EpochEnd) and e.train_time] == times


def test_rewards_of_episodes_are_series_and_no_accuracy() -> None:
    lines = [f"Episode {n}\tLast reward: {n}.00\tAverage reward: {n / 4:.2f}" for n in (10, 20, 30)]
    found = figures(lines)
    assert found["steps"] == [(10, None), (20, None), (30, None)]
    assert found["values"] == [("reward", 2.5), ("reward", 5.0), ("reward", 7.5)]
    assert "tested" not in found


@pytest.mark.parametrize(
    ("line", "reward"),
    [
        ("Episode {n}\tScore: {r}.5", 7.5),
        ("Episode {n}\tScore: {r}.5\tAverage Score: 3.25", 3.25),
        ("episode={n} return={r}.5 length=200", 7.5),
        ("Ep: {n}/90, Ep reward: {r}.5, Steps: 200", 7.5),
        ("Ep {n} | reward {r}.5 | loss 0.25", 7.5),
    ],
)
def test_a_number_beside_a_reward_is_that_of_an_episode(line: str, reward: float) -> None:
    card = scored("".join(line.format(n=n, r=n) + "\n" for n in range(8)))
    assert card["run"].get("epochs") in (None, 0)
    found = figures([line.format(n=n, r=n) for n in range(8)])
    assert found["steps"][-1][0] == 7
    assert ("return" if "return" in line else "reward", reward) in found["values"]


@pytest.mark.parametrize("line", ["Ep {n} | score 0.{n} | loss 0.25", "Epoch {n} reward 0.{n}"])
def test_a_number_beside_a_score_or_named_an_epoch_is_no_episode(line: str) -> None:
    assert scored("".join(line.format(n=n) + "\n" for n in range(1, 9)))["run"]["epochs"] == 8


def steps_of(named: str, epochs: int, *, header: bool = False) -> list[tuple[int | None, int]]:
    """Epoch and step of the progress lines of a log that names each epoch after its steps."""
    lines = []
    for epoch in range(1, epochs + 1):
        lines += [f"Epoch {epoch}"] * header
        lines += [f"it {step}/300 | loss 0.{step}5" for step in (100, 200, 300)]
        lines.append(named.format(epoch=epoch))
    _, events = text(*lines)
    return [(e.epoch, e.step) for e in only(events, Iteration) if e.step is not None]


@pytest.mark.parametrize(
    "named",
    ["epoch {epoch} done, test acc 0.8{epoch}", "== epoch {epoch}: train acc 0.8{epoch}"],
)
def test_steps_that_begin_again_after_an_epochs_figures_are_those_of_the_next(named: str) -> None:
    found = steps_of(named, 3)
    assert found == [(e, s) for e in (None, 2, 3) for s in (100, 200, 300)]
    assert steps_of(named, 3, header=True) == [(e, s) for e in (1, 2, 3) for s in (100, 200, 300)]


def test_steps_that_go_on_are_of_the_next_epoch_unless_the_name_comes_again() -> None:
    lines = [f"it {step} loss 0.{step}" for step in (10, 20)]
    lines += ["epoch 1 test acc 0.81", "it 30 loss 0.30", "it 40 loss 0.31"]
    lines += ["epoch 1 test acc 0.82", "it 50 loss 0.29", "it 50 loss 0.28"]
    _name, events = text(*lines)
    labels = [e.epoch for e in only(events, Iteration) if e.step is not None]
    assert labels == [None, None, 2, 2, 1, 2]


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Epoch: 0{n} | Epoch Time: 1m {n}s\n\tTrain Loss: 0.{n}5 | Train Acc: 6{n}.50%", 61.0),
        ("epoch {n}/5 - train loss 0.{n}5 - val loss 0.{n}7 - done in 1m 2{n}s", 81.0),
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


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Finished in 458 s", "finished"),
        ("[Finished in 122.8s]", "finished"),
        ("Done in 3m 20s.", "finished"),
        ("Finish!", "finished"),
        ("Completed in 12.3 minutes", "finished"),
        ("All done, best val acc: 0.5", "finished"),
        ("Done. Best accuracy 50.5%", "finished"),
        ("Done in 3 of 7 parts", "incomplete"),
        ("Finished loading in 3.2 s", "incomplete"),
    ],
)
def test_a_word_beside_the_time_or_the_best_figure_ends_a_run(line: str, status: str) -> None:
    epochs = [f"Epoch {n} loss 0.{9 - n} val acc 0.{50 + n}\n" for n in range(1, 5)]
    card = scored("".join((*epochs, f"{line}\n")))
    accuracy = card["dimensions"]["accuracy"]
    assert (card["status"], accuracy["value"], accuracy["best"]) == (status, 0.54, 0.54)
    each = [f"{epoch}{line}\n" for epoch in epochs]  # it may be the time of a validation
    assert scored("".join((*each, epochs[-1].replace("4", "5"))))["status"] == "incomplete"


@pytest.mark.parametrize("line", ["End of epoch {}", "==end-of-epoch {}==", "Epoch {} done."])
def test_the_last_epoch_is_over_by_a_line_that_says_no_more(line: str) -> None:
    each = "=== Epoch {0}/9 ===\ntrain loss: 0.{0}\n" + line.replace("{}", "{0}") + "\n"
    card = scored("".join(each.format(n) for n in range(1, 10)))
    assert (card["run_end"]["epochs"], card["status"]) == (9, "finished")


def test_the_time_of_each_epochs_training_ends_no_run() -> None:
    each = "Epoch {0}/20 train loss 0.{0} val acc 0.5{0}\nTraining time 0:12:0{0}\n"
    end = read("".join(each.format(n) for n in range(1, 10)).encode(), name="generic").card()
    assert end.status == "incomplete" and end.run_end is not None
    assert end.run_end["epochs"] == 9


@pytest.mark.parametrize(
    "line",
    [
        "Training until validation scores don't improve for 20 rounds",
        "early stop if no improvement in 3 epochs",
        "EarlyStopping counter: 3 out of 5, no improvement, will stop at 5",
        "val_loss did not improve from 0.512",
        "Training will stop when max_epochs is reached",
        "Training stops once the maximum number of steps was reached",
        "max_epochs not reached: no stop of the training",
        "Stop training with max_epochs = 12",
    ],
)
def test_what_may_stop_a_training_does_not_end_it(line: str) -> None:
    assert ends(["Epoch 1 loss 0.5", line]) == []


def test_what_stands_after_a_bar_on_its_line_may_end_the_run() -> None:
    """As skorch prints it, when a bar is open."""
    drawn = " 82%|████ | 41/50 [00:00<00:00, 179.10it/s, valid_loss=0.36] "
    says = "Stopping since valid_loss has not improved in the last 3 epochs."
    assert ends(["Epoch 1 loss 0.5", drawn + says]) == [None]


@pytest.mark.parametrize(
    ("sentence", "seconds"),
    [
        ("Training abgeschlossen.", None),
        ("Training erfolgreich beendet!", None),
        ("Entrenamiento completado en 125.5 s", 125.5),
        ("Entrenamiento finalizado con éxito", None),
        ("Treinamento concluído!", None),
        ("Addestramento completato", None),
        ("Entraînement terminé en 2m 5s", 125.0),
    ],
)
def test_a_training_also_ends_in_other_languages(sentence: str, seconds: float | None) -> None:
    assert closing(sentence) == Closing(seconds)


@pytest.mark.parametrize(
    "sentence",
    [
        "Entrenamiento de la red terminado: epoch 3",
        "Datos de entrenamiento cargados",
        "Laden abgeschlossen",
        "Entrenamiento del modelo 2 de 5 completado",
        "Training noch nicht beendet",
    ],
)
def test_what_else_is_over_in_other_languages_ends_no_training(sentence: str) -> None:
    assert closing(sentence) is None
