"""Poutyne's Model: a line a batch of the training and of the validation, then one for the epoch."""

import time

import poutyne
import torch
from timers import Timers, data

x, y = map(torch.tensor, data())


def loader(a, b):
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(a, b), 16)


class Watch(poutyne.Callback):
    def on_epoch_begin(self, epoch_number, logs):
        timers.begin()

    def on_train_batch_end(self, batch_number, logs):
        time.sleep(0.02)
        if batch_number == 40:
            timers.end()

    def on_epoch_end(self, epoch_number, logs):
        timers.score("accuracy", logs["val_acc"])


net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
model = poutyne.Model(net, "sgd", "cross_entropy", batch_metrics=["accuracy"])
timers = Timers(f"poutyne {poutyne.__version__}", steps=40, samples=640, epochs=6)
model.fit_generator(
    loader(x[:640], y[:640]), loader(x[640:], y[640:]), epochs=6, callbacks=[Watch()],
    progress_options={"coloring": False},
)  # fmt: skip
timers.write()
