"""fastai's `fit` with its table of epochs; `lists` for a run without a bar."""

import sys
import time
from contextlib import nullcontext

import fastai
import torch
from fastai.callback import progress  # noqa: F401 (with it comes the bar)
from fastai.callback.core import Callback
from fastai.data.core import DataLoaders
from fastai.data.load import DataLoader
from fastai.learner import Learner
from fastai.metrics import accuracy
from timers import Timers, data

x, y = map(torch.tensor, data())
pairs = list(zip(x, y, strict=True))
loaders = DataLoaders(DataLoader(pairs[:640], bs=16), DataLoader(pairs[640:], bs=16), device="cpu")
model = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))


class Watch(Callback):
    def before_train(self):
        timers.begin()

    def after_batch(self):
        time.sleep(0.02)

    def after_train(self):
        timers.end()

    def after_epoch(self):
        *_, loss, score = self.recorder.log
        timers.score("accuracy", score)
        timers.score("valid_loss", loss)


timers = Timers(f"fastai {fastai.__version__}", steps=40, samples=640, epochs=8)
learner = Learner(loaders, model, torch.nn.CrossEntropyLoss(), metrics=accuracy, cbs=Watch())
with learner.no_bar() if "lists" in sys.argv[2:] else nullcontext():
    learner.fit(8, 0.05)
timers.write()
