"""LightGBM `train` with early stopping."""

import lightgbm
from timers import Timers, data

x, y = data(6000)
train = lightgbm.Dataset(x[:4500], y[:4500])
test = train.create_valid(x[4500:], y[4500:])
timers = Timers(f"lightgbm {lightgbm.__version__}", rounds=50)
scores: dict[str, dict[str, list[float]]] = {}
lightgbm.train(
    {"objective": "binary", "metric": ["auc", "binary_logloss"], "learning_rate": 0.2},
    train,
    50,
    valid_sets=[train, test],
    callbacks=[
        lightgbm.log_evaluation(1),
        lightgbm.record_evaluation(scores),
        lightgbm.early_stopping(20),
    ],
)
for value in scores["valid_1"]["auc"]:
    timers.score("auc", value)
timers.write()
