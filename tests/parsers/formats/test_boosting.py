"""XGBoost and LightGBM: the lines are what their versions 3.2 and 4.7 print."""

from __future__ import annotations

from sixdim.parsers.events import Evaluation, Iteration
from tests.support.logs import detected, iterations, only, read, scored, scores_by_step

XGBOOST = "[{n}]\ttrain-auc:0.9{n}\ttrain-logloss:0.5{n}\tvalid-auc:0.85{n}\tvalid-logloss:0.6{n}\n"
LIGHTGBM = "[{n}]\ttraining's l2: 0.1{n}\tvalid_1's auc: 0.88{n}\tvalid_1's l2: 0.2{n}\n"


def rounds(line: str, count: int = 5) -> str:
    return "".join(line.format(n=n) for n in range(1, count + 1))


def test_xgboost_goes_by_the_last_metric_of_the_last_set() -> None:
    text = rounds(XGBOOST)
    assert detected(text) == "boosting"
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("valid-auc", 0.855)
    events = read(text, "boosting")
    assert [m.name for m in only(events, Evaluation)[0].metrics] == ["valid-logloss", "valid-auc"]
    last = only(events, Iteration)[-1]
    assert (last.step, last.loss, last.epoch) == (5, 0.55, None)


def test_losses_alone() -> None:
    text = rounds("[{n}]\ttrain-logloss:0.5{n}\teval-logloss:0.3{n}\teval-error:0.15{n}\n")
    accuracy = scored(text)["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("eval-error", 0.155, 0.151)
    assert accuracy["lower_is_better"]


def test_lightgbm() -> None:
    text = "[LightGBM] [Info] Total Bins 3060\n" + rounds(LIGHTGBM)
    assert detected(text) == "boosting"
    events = read(text, "boosting")
    assert [i.loss for i in only(events, Iteration)] == [0.11, 0.12, 0.13, 0.14, 0.15]
    assert scored(text)["dimensions"]["accuracy"]["value"] == 0.885


def test_the_round_that_early_stopping_chose_is_no_further_round() -> None:
    text = rounds(LIGHTGBM) + "Early stopping, best iteration is:\n" + LIGHTGBM.format(n=2)
    card = scored(text)
    assert card["dimensions"]["accuracy"]["value"] == 0.885
    assert (card["status"], card["warnings"]) == ("finished", [])  # the choice is the last line


def test_the_round_that_early_stopping_chose_counts_if_not_all_rounds_are_printed() -> None:
    text = LIGHTGBM.format(n=4) + LIGHTGBM.format(n=8)
    chosen = "Early stopping, best iteration is:\n" + LIGHTGBM.format(n=9)
    card = scored(text + chosen)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"], card["status"]) == (0.889, 0.889, "finished")
    cut = scored(text + chosen.splitlines()[0] + "\n")
    assert (cut["dimensions"]["accuracy"]["value"], cut["status"]) == (0.888, "finished")


def test_a_fold_after_the_choice_of_another_counts() -> None:
    text = rounds(LIGHTGBM) + "Early stopping, best iteration is:\n" + LIGHTGBM.format(n=2)
    card = scored(text + rounds(LIGHTGBM, 4))
    assert card["dimensions"]["accuracy"]["value"] == 0.884  # round 4 of the second fold
    assert card["status"] == "incomplete"  # that fold has not said its choice


def test_cross_validation() -> None:
    (evaluation,) = only(
        read("[0]\ttrain-rmse:0.5+0.01\ttest-rmse:0.6+0.02\n", "boosting"), Evaluation
    )
    assert [(m.name, m.value, m.higher_is_better) for m in evaluation.metrics] == [
        ("test-rmse", 0.6, False)
    ]
    text = "[5]\tcv_agg's train auc: 0.75 + 0.01\tcv_agg's valid auc: 0.5 + 0.02\n"
    (evaluation,) = only(read(text, "boosting"), Evaluation)
    assert [(m.value, m.higher_is_better) for m in evaluation.metrics] == [(0.5, True)]


def test_names_that_hold_a_hyphen_or_a_digit() -> None:
    text = "[3]\tvalidation_0-poisson-nloglik:1.5\tvalidation_1-ndcg@5:0.75\n"
    (evaluation,) = only(read(text, "boosting"), Evaluation)
    assert [(m.name, m.value, m.higher_is_better) for m in evaluation.metrics] == [
        ("validation_1-ndcg@5", 0.75, True),
        ("validation_0-poisson-nloglik", 1.5, False),
    ]


def test_other_lines_in_brackets_are_no_rounds() -> None:
    text = "[1] loading part-of-speech: done\n[2/5] built up-to-date: 3 files\n[12] x-y:z\n"
    assert detected(text * 3) != "boosting"


def test_lightgbms_own_program_prints_each_score_and_the_time_of_a_round() -> None:
    log = "[LightGBM] [Info] Started training...\n" + "".join(
        f"[LightGBM] [Info] Iteration:{step}, training auc : 0.99\n"
        f"[LightGBM] [Info] Iteration:{step}, valid_1 auc : {0.5 + step / 16}\n"
        f"[LightGBM] [Info] {1.5 + step / 2:.6f} seconds elapsed, finished iteration {step}\n"
        for step in range(1, 6)
    )
    card = scored(log)
    assert card["run"]["format"] == "boosting"
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"], accuracy["best"]) == ("auc", 0.8125, 0.8125)
    assert [one.duration for one in iterations(read(log, "boosting"))] == [2.0, 0.5, 0.5, 0.5, 0.5]
    assert card["status"] == "incomplete"
    assert scored(log + "[LightGBM] [Info] Finished training\n")["status"] == "finished"


def test_the_name_of_a_data_set_may_have_a_number_after_a_hyphen() -> None:
    log = "[0]     validset-0-auc:0.5625\n[1]     validset-0-auc:0.625\n"
    assert scores_by_step(read(log, "boosting")) == [
        (0, {"validset-0-auc": 0.5625}), (1, {"validset-0-auc": 0.625})
    ]  # fmt: skip


def test_the_error_that_decides_is_the_accuracy() -> None:
    row = "[{n}]\ttrain-rmse:0.5\tvalid-rmse:0.6\ttrain-rmsle:0.3\tvalid-rmsle:0.{n}\n"
    accuracy = scored("".join(row.format(n=n) for n in (9, 8, 7)))["dimensions"]["accuracy"]
    assert (accuracy["metric"], accuracy["value"]) == ("valid-rmsle", 0.7)


def test_tabs_that_a_system_s_log_has_escaped() -> None:
    log = "".join(f"[{n}]\ttrain-rmse:0.{9 - n}5\tvalidation-rmse:0.{9 - n}75\n" for n in range(5))
    escaped = log.replace("\t", "#011")
    assert detected(escaped) == "boosting"
    assert read(escaped, "boosting")[1][1:] == read(log, "boosting")[1][1:]
    assert scores_by_step(read(escaped, "boosting"))[-1] == (4, {"validation-rmse": 0.575})


def test_a_training_whose_rounds_begin_again_is_another_run() -> None:
    text = rounds("[{n}]\ttrain-rmse:7.{n}\tvalid-rmse:9.{n}\n")
    again = rounds("[{n}]\ttrain-rmse:3.{n}\tvalid-rmse:4.{n}\n", 4)
    card = scored(text + again)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (4.4, 4.1)
    assert [w["kind"] for w in card["warnings"] if w["kind"] == "several_runs"]


def test_trainings_side_by_side_are_not_told_apart() -> None:
    line = "[{n}]\ttrain-rmse:7.{n}\tvalid-rmse:9.{n}\n"
    card = scored("".join(2 * line.format(n=n) for n in range(4)))
    assert not [w for w in card["warnings"] if w["kind"] == "several_runs"]
