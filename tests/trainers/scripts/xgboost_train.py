"""XGBoost `train` with two data sets and two metrics."""

import xgboost
from timers import Timers, data

x, y = data(6000)
train, test = xgboost.DMatrix(x[:4500], y[:4500]), xgboost.DMatrix(x[4500:], y[4500:])
timers = Timers(f"xgboost {xgboost.__version__}", rounds=60)
scores: dict[str, dict[str, list[float]]] = {}
xgboost.train(
    {"objective": "binary:logistic", "eval_metric": ["logloss", "auc"]},
    train,
    60,
    evals=[(train, "train"), (test, "eval")],
    evals_result=scores,
)
for value in scores["eval"]["auc"]:
    timers.score("auc", value)
timers.write()
