"""Avalanche's naive strategy on two experiences, with its interactive logger or its text logger."""

import sys
import time
from typing import Any

import avalanche
import torch
from avalanche.benchmarks import tensors_benchmark
from avalanche.evaluation.metrics import accuracy_metrics, loss_metrics
from avalanche.logging import InteractiveLogger, TextLogger
from avalanche.training import Naive
from avalanche.training.plugins import EvaluationPlugin, SupervisedPlugin
from timers import Timers, data

EXPERIENCES, EPOCHS, BATCH = 2, 6, 16
timers = Timers(f"avalanche {avalanche.__version__}", steps=20, samples=320, first=0)


class Timed(SupervisedPlugin):  # type: ignore[misc]  # the package has no types
    def before_training_epoch(self, *_: Any, **__: Any) -> None:
        timers.begin()

    def after_training_epoch(self, *_: Any, **__: Any) -> None:
        timers.end()

    def after_training_iteration(self, *_: Any, **__: Any) -> None:
        time.sleep(0.05)


x, y = map(torch.tensor, data())
parts = [(x[at : at + 320], y[at : at + 320]) for at in (0, 320)]
benchmark = tensors_benchmark(parts, [(x[640:], y[640:])], task_labels=[0] * EXPERIENCES)
model = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
logger = InteractiveLogger() if "bars" in sys.argv else TextLogger(sys.stdout)
strategy = Naive(
    model=model,
    optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
    criterion=torch.nn.CrossEntropyLoss(),
    train_mb_size=BATCH,
    train_epochs=EPOCHS,
    eval_mb_size=BATCH,
    plugins=[Timed()],
    evaluator=EvaluationPlugin(
        accuracy_metrics(epoch=True, stream=True), loss_metrics(epoch=True), loggers=[logger]
    ),
)
for experience in benchmark.train_stream:
    strategy.train(experience)
    found = strategy.eval(benchmark.test_stream)
    timers.score("acc1", next(v for k, v in found.items() if k.startswith("Top1_Acc_Stream/eval")))
timers.write()
