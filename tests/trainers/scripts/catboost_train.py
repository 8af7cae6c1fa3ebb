"""CatBoost's classifier with a test set."""

import catboost
from timers import Timers, data

x, y = data(6000)
timers = Timers(f"catboost {catboost.__version__}", rounds=1000)
model = catboost.CatBoostClassifier(1000, eval_metric="AUC", verbose=20, allow_writing_files=False)
model.fit(x[:4500], y[:4500], eval_set=(x[4500:], y[4500:]))
for value in model.get_evals_result()["validation"]["AUC"]:
    timers.score("auc", value)
timers.write()
