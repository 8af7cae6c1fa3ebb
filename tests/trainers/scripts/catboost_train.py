"""CatBoost's classifier with a test set; `alone` for none."""

import sys

import catboost
from timers import Timers, data

x, y = data(6000)
timers = Timers(f"catboost {catboost.__version__}", rounds=1000)
model = catboost.CatBoostClassifier(1000, eval_metric="AUC", verbose=20, allow_writing_files=False)
test = None if "alone" in sys.argv[2:] else (x[4500:], y[4500:])
model.fit(x[:4500], y[:4500], eval_set=test)
for value in model.get_evals_result().get("validation", {}).get("AUC", ()):
    timers.score("auc", value)
timers.write()
