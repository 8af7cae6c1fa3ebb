"""Ignite's engines in the words of its MNIST example, which also log by themselves; `quiet` for the
lines of the engines alone."""

import sys
import time

import ignite
import torch
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from ignite.metrics import Accuracy, Loss
from ignite.utils import setup_logger
from timers import Timers, data

x, y = map(torch.tensor, data())


def loader(a, b):
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(a, b), 16)


net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
loss = torch.nn.CrossEntropyLoss()
train = create_supervised_trainer(net, torch.optim.SGD(net.parameters(), 0.1), loss)
test = create_supervised_evaluator(net, {"accuracy": Accuracy(), "nll": Loss(loss)})
train.logger, test.logger = setup_logger("trainer"), setup_logger("evaluator")
loaders = loader(x[:640], y[:640]), loader(x[640:], y[640:])
quiet = "quiet" in sys.argv[2:]
timers = Timers(f"ignite {ignite.__version__}", steps=40, samples=640, epochs=8)
train.add_event_handler(Events.EPOCH_STARTED, timers.begin)


@train.on(Events.ITERATION_COMPLETED)
def iteration(engine):
    time.sleep(0.02)
    at = (engine.state.iteration - 1) % 40 + 1
    if at % 10 == 0 and not quiet:
        print(f"Epoch[{engine.state.epoch}] Iteration[{at}/40] Loss: {engine.state.output:.2f}")


@train.on(Events.EPOCH_COMPLETED)
def epoch(engine):
    for kind, part in zip(("Training", "Validation"), loaders, strict=True):
        found = test.run(part).metrics
        figures = f"Avg accuracy: {found['accuracy']:.4f} Avg loss: {found['nll']:.2f}"
        if not quiet:
            print(f"{kind} Results - Epoch: {engine.state.epoch} {figures}")
    timers.end()  # after the evaluations, which the printed time of an epoch has in it
    timers.score("accuracy", found["accuracy"])


train.run(loaders[0], max_epochs=8)
timers.write()
