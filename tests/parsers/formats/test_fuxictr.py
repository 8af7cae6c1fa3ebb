"""FuxiCTR: epochs by their closing lines, the evaluation in front of each."""

from __future__ import annotations

import pytest

from tests.support.logs import scored

HEAD = """\
2022-01-20 08:00:00,100 P101 INFO {
    "batch_size": "4096",
    "epochs": "50",
    "monitor": "{'AUC': 1, 'logloss': -1}",
}
2022-01-20 08:00:01,100 P101 INFO Train samples: total/10000, pos/2500, neg/7500, ratio/25.00%
2022-01-20 08:00:05,000 P101 INFO Start training: 3 batches/epoch
2022-01-20 08:00:05,000 P101 INFO ************ Epoch=1 start ************
"""


def minute(n: int) -> str:
    return f"2022-01-20 08:{n:02d}:05,000 P101 INFO"


def epoch(n: int, auc: float, *, loss: str = "Train loss:") -> str:
    return (
        f"{minute(n)} [Metrics] AUC: {auc} - logloss: 0.5{n}\n"
        f"{minute(n)} --- 3/3 batches finished ---\n"
        f"{minute(n)} {loss} 0.6{n}\n"
        f"{minute(n)} ************ Epoch={n} end ************\n"
    )


LAST = f"""\
{minute(4)} [Metrics] AUC: 0.74 - logloss: 0.55
{minute(4)} Early stopping at epoch=4
{minute(4)} --- 3/3 batches finished ---
{minute(4)} Train loss: 0.64
{minute(4)} Training finished.
{minute(5)} ****** Validation evaluation ******
{minute(5)} [Metrics] AUC: 0.75 - logloss: 0.53
{minute(5)} ******** Test evaluation ********
{minute(5)} [Metrics] AUC: 0.77 - logloss: 0.50
"""


@pytest.mark.parametrize("loss", ["Train loss:", "Train loss @epoch 1:"])
def test_a_run_that_stops_early(loss: str) -> None:
    epochs = "".join(epoch(n, auc, loss=loss) for n, auc in enumerate((0.71, 0.73, 0.75), 1))
    card = scored(HEAD + epochs + LAST)
    run, accuracy = card["run"], card["dimensions"]["accuracy"]
    assert (run["format"], card["status"]) == ("fuxictr", "finished")
    assert (run["epochs"], run["epochs_planned"], run["global_batch"]) == (4, 50, 4096)
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("auc", 0.74, 0.75)
    assert [(e["value"], e["line"]) for e in card["run_end"]["after_training"]] == [
        (0.75, 27),
        (0.77, 29),
    ]
    assert card["run_end"]["run_time_s"] == 240
    speed = card["dimensions"]["speed"]
    assert (speed["unit"], speed["derived"]) == (
        "samples/s",
        "samples / printed duration, evaluation included",
    )
    assert speed["value"] == pytest.approx(10000 / 60)


def test_a_run_that_goes_on_has_the_epochs_that_ended() -> None:
    card = scored(HEAD + epoch(1, 0.71) + epoch(2, 0.73))
    assert (card["status"], card["run"]["epochs"]) == ("incomplete", 2)


def test_rankings_have_their_depth_in_the_name() -> None:
    scores = "[Metrics] Recall(k=20): 0.07 - Recall(k=50): 0.13 - NDCG(k=20): 0.05"
    text = HEAD + epoch(1, 0.71).replace("[Metrics] AUC: 0.71 - logloss: 0.51", scores)
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("recall@20", 0.07)


def test_sentences_that_any_program_prints_do_not_make_a_log_its_own() -> None:
    epochs = "".join(f"Epoch {n}: loss 0.{9 - n}, val acc 0.{n}5\n" for n in range(1, 5))
    card = scored(epochs + 2 * "Training finished.\nEarly stopping at epoch=4\n")
    assert card["run"]["format"] == "generic"


@pytest.mark.parametrize("settings", ["4096", "2048"])
def test_settings_in_front_of_a_second_training_are_its_own(settings: str) -> None:
    """They stand after the training before, with the same numbers or with others."""
    training = epoch(1, 0.71) + epoch(2, 0.73) + LAST
    card = scored(HEAD + training + HEAD.replace("4096", settings) + training)
    run = card["run"]
    assert any(one["kind"] == "several_runs" for one in card["warnings"])
    assert (run["epochs_planned"], run["samples_per_epoch"]) == (50, 10_000)
    assert run["global_batch"] == int(settings)


@pytest.mark.parametrize(("batch", "epochs"), [(3, 3), (2, 2)])
def test_later_versions_evaluate_and_stop_inside_an_epoch(batch: int, epochs: int) -> None:
    """The third epoch is over only if training stops at its last batch, which is the third."""

    def part(n: int, batch: int, auc: float) -> str:
        return (
            f"{minute(n)} Train loss: 0.6{n}\n{minute(n)} Evaluation @epoch {n} - batch {batch}: \n"
            f"{minute(n)} [Metrics] AUC: {auc} - logloss: 0.5{n}\n"
        )

    text = HEAD
    for n in (1, 2):
        text += part(n, 1, 0.7) + part(n, 3, 0.71) + f"{minute(n)} ************ Epoch={n} end "
        text += "************\n"
    text += part(3, batch, 0.7) + f"{minute(3)} ********* Epoch=3 early stop *********\n"
    card = scored(text + f"{minute(3)} Training finished.\n")
    assert (card["status"], card["run"]["epochs"]) == ("finished", epochs)
    assert card["dimensions"]["accuracy"]["value"] == 0.7
    assert card["dimensions"]["speed"]["value"] == pytest.approx(10000 / 60)
