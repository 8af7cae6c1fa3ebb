"""GluonTS's DeepAR: Lightning with a checkpoint an epoch, and Rich's bar where that is there."""

import gluonts
import lightning.pytorch as lightning
import numpy as np
import pandas as pd
from gluonts.dataset.pandas import PandasDataset
from gluonts.torch import DeepAREstimator
from timers import Timers

hours = pd.date_range("2020-01-01", periods=400, freq="h")
wave = np.sin(np.arange(400) / 5) + np.random.default_rng(7).random(400)
timers = Timers(f"gluonts {gluonts.__version__}", steps=20, samples=320, epochs=5)


class Watch(lightning.Callback):
    def on_train_epoch_start(self, *args):
        timers.begin()

    def on_train_epoch_end(self, *args):
        timers.end()


DeepAREstimator(
    prediction_length=12, freq="h", num_batches_per_epoch=20, batch_size=16, hidden_size=16,
    trainer_kwargs={"max_epochs": 5, "callbacks": [Watch()], "accelerator": "cpu"},
).train(PandasDataset(pd.DataFrame({"target": wave}, index=hours), target="target"))  # fmt: skip
timers.write()
