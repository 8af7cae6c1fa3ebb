"""skorch's classifier: a table, a row an epoch."""

import time

import skorch
import torch
from skorch.callbacks import Callback
from timers import Timers, data

x, y = data()


class Watch(Callback):
    def on_epoch_begin(self, net, **kwargs):
        timers.begin()

    def on_batch_end(self, net, training, **kwargs):
        time.sleep(0.02)

    def on_epoch_end(self, net, **kwargs):
        timers.end()
        timers.score("accuracy", round(net.history[-1]["valid_acc"], 4))


net = skorch.NeuralNetClassifier(
    torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2)),
    criterion=torch.nn.CrossEntropyLoss, max_epochs=8, lr=0.1, batch_size=16, callbacks=[Watch()],
)  # fmt: skip
timers = Timers(f"skorch {skorch.__version__}", steps=40, samples=640, epochs=8)
net.fit(x, y)
timers.write()
