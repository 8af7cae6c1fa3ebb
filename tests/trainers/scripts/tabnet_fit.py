"""pytorch-tabnet's classifier: a line an epoch, whose time is that since the start."""

import time
from importlib.metadata import version

from pytorch_tabnet.callbacks import Callback
from pytorch_tabnet.tab_model import TabNetClassifier
from timers import Timers, data

x, y = data()


class Watch(Callback):
    def on_epoch_begin(self, epoch, logs=None):
        timers.begin()

    def on_batch_end(self, batch, logs=None):
        time.sleep(0.02)

    def on_epoch_end(self, epoch, logs=None):
        timers.end()
        timers.score("accuracy", logs["val_accuracy"])


timers = Timers(f"pytorch-tabnet {version('pytorch-tabnet')}", steps=10, samples=640, epochs=6)
TabNetClassifier(seed=0, device_name="cpu", verbose=1).fit(
    x[:640], y[:640], eval_set=[(x[640:], y[640:])], eval_name=["val"], eval_metric=["accuracy"],
    max_epochs=6, batch_size=64, virtual_batch_size=32, callbacks=[Watch()],
)  # fmt: skip
timers.write()
