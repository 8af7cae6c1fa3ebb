"""AutoGluon: the score of each model, and none of the rounds inside one."""

from __future__ import annotations

import pytest

from tests.support.logs import detected, scored

LOG = """\
Beginning AutoGluon training ... Time limit = 600s
Train Data Rows:    5000
Fitting model: LightGBM ... Training model for up to 595.0s of the 595.0s of remaining time.
[1000]\tvalid_set's binary_error: 0.1284
[2000]\tvalid_set's binary_error: 0.1274
\t{sign}0.8752\t = Validation score   ({sign}{metric})
\t1.23s\t = Training   runtime
\t0.02s\t = Validation runtime
Fitting model: WeightedEnsemble_L2 ...
\t{sign}0.8790\t = Validation score   ({sign}{metric})
\t0.5s\t = Training   runtime
\t0.0s\t = Validation runtime
AutoGluon training complete, total runtime = 84.2s ... Best model: "WeightedEnsemble_L2"
"""


@pytest.mark.parametrize(
    ("metric", "sign", "best"), [("accuracy", "", 0.879), ("root_mean_squared_error", "-", 0.8752)]
)
def test_the_score_of_the_last_model_is_the_result(metric: str, sign: str, best: float) -> None:
    """AutoGluon prints errors with a minus, so that more is always better."""
    text = LOG.format(metric=metric, sign=sign)
    assert detected(text) == "autogluon"
    card = scored(text)
    accuracy = card["dimensions"]["accuracy"]
    assert (accuracy["value"], accuracy["best"]) == (0.879, best)
    assert (card["status"], card["dimensions"]["speed"]["value"]) == ("finished", None)
    assert card["run_end"]["run_time_s"] == 84.2
