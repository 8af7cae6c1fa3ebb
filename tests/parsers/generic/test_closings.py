"""Closing lines, times and counts of loops that no format knows."""

from __future__ import annotations

import pytest

from sixdim.parsers.grammar.vocabulary.closing import Closing, closing
from tests.support.inputs.generated import read
from tests.support.logs import scored
from tests.support.loops import closing_times


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
        ("Training and Evaluation completed!", None),
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
        ("Overall training time: 1234.5 s", 1234.5),
        ("Total time for training: 1h 2m 3s", 3723.0),
        ("Training complete. Total training time: 1h 2m 3s", 3723.0),
        ("Training Finished! Training time: 12.5 min", 750.0),
        ("Training completed! Total epochs: 10", None),
        ("Training finished at 2024-01-02 12:33:44", None),
        ("Training completed at: Tue Jan  2 12:33:44 2024", None),
        ("Early Stopping....@ 72 epoch for patience @ 10.0", None),
        ("Early stopping!", None),
        ("Reached 99% accuracy so cancelling training!", None),
        ("Patience exceeded, terminating training.", None),
        ("Time limit reached, stopping training", None),
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
    assert closing_times(["Epoch 1 loss 0.5", line]) == [seconds]


def test_what_was_tested_after_an_earlier_training_is_none_of_the_last_one() -> None:
    each = "".join(f"Epoch {n}/20 train loss 0.5 val acc 0.{n}2\n" for n in (1, 2, 3))
    over = "Early stopping triggered after 3 epochs\n"
    card = scored(each + over + "Test Accuracy: 0.82\n" + each.replace("2\n", "1\n") + over)
    assert card["status"] == "finished" and "after_training" not in card["run_end"]
    assert card["dimensions"]["accuracy"]["value"] == 0.31


@pytest.mark.parametrize(
    "line",
    ["Loss is nan, stopping training", "Loss is NaN, aborting", "Loss is inf, stopping training"],
)
def test_a_training_that_diverged_has_failed(line: str) -> None:
    """The line names a loss, but is the end of the training, and none of its figures."""
    each = "".join(f"Epoch {n}/5 - loss: 0.{9 - n} - val_acc: 0.7{n}\n" for n in (1, 2, 3))
    card = scored(each + line + "\n")
    assert (card["status"], card["run"]["format"]) == ("failed", "generic")
    (only,) = card["warnings"]
    assert (only["kind"], only["text"], only["lines"]) == ("nan_loss", line, [4])
    assert card["run_end"]["epochs"] == 3


def test_an_interrupt_that_the_terminal_echoes_ends_the_training() -> None:
    each = "".join(f"Epoch {n}/3 - loss: 0.{9 - n} - val_acc: 0.7{n}\n" for n in (1, 2, 3))
    epochs = each.splitlines(keepends=True)
    assert scored("".join([*epochs[:2], "^C\n"]))["status"] == "failed"
    assert scored("".join([*epochs[:2], "^C\n", epochs[2]]))["status"] == "finished"


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
        "Training time: 6.89 min",
        "Training time left: 1:02:03",
        "Estimated total training time: 6.89 min",
        "Average training time: 1:02:03",
        "Training time per epoch: 1:02:03",
        "Training finished at epoch 12:33:44",
        "Training complete for client 3",
        "Pelatihan epoch 3 selesai",
        "Data training selesai dimuat",
        "Training selesai 50%",
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
    assert closing_times(["Epoch 1 loss 0.5", line]) == []


def test_a_closing_line_after_which_training_goes_on_is_one_of_a_part() -> None:
    part = "Epoch 1 loss 0.5\nTraining finished\nEpoch 2 loss 0.25\n"
    assert scored(part)["status"] == "incomplete"
    # The second says as little as the first did.
    assert scored(part + "Training finished\n")["status"] == "incomplete"


def test_each_run_of_a_log_has_a_closing_line() -> None:
    run = "Epoch 1 loss 0.5\nEpoch 2 loss 0.25\nEpoch 3 loss 0.2\nTraining finished in {} s\n"
    card = scored(run.format(40) + run.format(30))
    assert (card["status"], card["run_end"]["run_time_s"]) == ("finished", 30.0)


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("Training time: 236.5 seconds (3.94 minutes)", 236.5),
        ("Training time: 3.5 min", 210.0),
        ("Inference time: 236.5 seconds", None),
    ],
)
def test_the_time_below_the_sentence_that_ends_the_training_is_all_of_it(
    time: str, seconds: float | None
) -> None:
    epochs = [f"Epoch {n}/3, loss: 0.{n}, time: 9.5s" for n in (1, 2, 3)]
    lines = [*epochs, "Training completed! Total epochs: 3", time]
    assert closing_times(lines) == [None] + [seconds] * (seconds is not None)


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


def test_a_figure_on_the_closing_line_decides_nothing_where_the_training_was_evaluated() -> None:
    lines = [
        f"epoch {epoch} train loss {2.0 / epoch:.2f} valid loss {2.5 / epoch:.2f}"
        for epoch in (1, 2, 3, 4)
    ]
    card = scored("\n".join([*lines, "End of training, test loss 0.21", ""]))
    assert card["dimensions"]["accuracy"]["value"] == 0.62
    assert [one["value"] for one in card["run_end"]["after_training"]] == [0.21]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Finished in 458 s", "finished"),
        ("[Finished in 122.8s]", "finished"),
        ("Done in 3m 20s.", "finished"),
        ("Finish!", "finished"),
        ("Completed in 12.3 minutes", "finished"),
        ("All done, best val acc: 0.5", "finished"),
        ("Training time: 6.891515485445658 min", "finished"),
        ("Training Time: 97.25s", "finished"),
        ("Training took 5302.659 seconds", "finished"),
        ("Time elapsed for training: 0:12:33", "finished"),
        ("Training time per epoch: 6.89 min", "incomplete"),
        ("Training time left: 6.89 min", "incomplete"),
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
        "Will be cancelling training once 99% accuracy is reached",
        "If 99% accuracy is reached, cancelling training",
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
    assert closing_times(["Epoch 1 loss 0.5", line]) == []


def test_what_stands_after_a_bar_on_its_line_may_end_the_run() -> None:
    """As skorch prints it, when a bar is open."""
    drawn = " 82%|████ | 41/50 [00:00<00:00, 179.10it/s, valid_loss=0.36] "
    says = "Stopping since valid_loss has not improved in the last 3 epochs."
    assert closing_times(["Epoch 1 loss 0.5", drawn + says]) == [None]


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
        ("L'entraînement est terminé.", None),
        ("Entrenamiento completado en 125.5 segundos", 125.5),
        ("Treinamento finalizado com sucesso!", None),
        ("Training selesai.", None),
        ("Pelatihan model selesai dalam 12.5 menit", 750.0),
        ("Eğitim tamamlandı!", None),
        ("Huấn luyện hoàn tất!", None),
        ("학습이 완료되었습니다.", None),
        ("Обучение окончено", None),
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
        "Huấn luyện hoàn tất một epochs! Model saved.",
        "Evaluasi selesai",
    ],
)
def test_what_else_is_over_in_other_languages_ends_no_training(sentence: str) -> None:
    assert closing(sentence) is None
