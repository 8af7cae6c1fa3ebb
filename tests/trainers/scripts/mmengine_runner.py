"""MMEngine's Runner over a small model, with a train and a val loop by epoch."""

import time

import mmengine
import torch
from mmengine.evaluator import BaseMetric
from mmengine.hooks import Hook
from mmengine.model import BaseModel
from mmengine.runner import Runner
from timers import Timers, data

x, y = map(torch.tensor, data())


class Model(BaseModel):
    def __init__(self):
        super().__init__()
        layers = torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2)
        self.net = torch.nn.Sequential(*layers)

    def forward(self, x, y, mode):
        logits = self.net(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        return {"loss": loss} if mode == "loss" else (logits, y)


class Accuracy(BaseMetric):
    def process(self, batch, samples):
        self.results.append((samples[0].argmax(-1) == samples[1]).float().mean().item())

    def compute_metrics(self, results):
        return {"accuracy": 100 * sum(results) / len(results)}


class Watch(Hook):
    def before_train_epoch(self, runner):
        timers.begin()

    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        time.sleep(0.05)

    def after_train_epoch(self, runner):
        timers.end()

    def after_val_epoch(self, runner, metrics=None):
        timers.score("accuracy", metrics["accuracy"])


def loader(a, b):
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(a, b), 16)


timers = Timers(f"mmengine {mmengine.__version__}", steps=40, samples=640, epochs=6)
Runner(
    Model(), "mmengine", loader(x[:640], y[:640]), loader(x[640:], y[640:]),
    train_cfg={"by_epoch": True, "max_epochs": 6}, val_cfg={}, val_evaluator=[Accuracy()],
    optim_wrapper={"optimizer": {"type": "SGD", "lr": 0.1}}, custom_hooks=[Watch()],
).train()  # fmt: skip
timers.write()
