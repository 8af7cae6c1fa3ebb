"""MONAI's engines with their handlers: a line an iteration and an epoch, an evaluation an epoch."""

import logging
import sys
import time

import monai
import torch
from ignite.engine import Events
from ignite.metrics import Accuracy
from monai.data import DataLoader, Dataset
from monai.engines import SupervisedEvaluator, SupervisedTrainer
from monai.handlers import StatsHandler, ValidationHandler, from_engine
from timers import Timers, data

logging.basicConfig(stream=sys.stdout, level=logging.INFO)
x, y = map(torch.tensor, data())


def loader(first, last):
    rows = [{"image": x[i], "label": y[i]} for i in range(first, last)]
    return DataLoader(Dataset(rows), batch_size=16)


def outcome(output):
    labels = [torch.as_tensor(one["label"]) for one in output]
    return torch.stack([one["pred"] for one in output]), torch.stack(labels)


timers = Timers(f"monai {monai.__version__}", steps=40, samples=640, epochs=8)
net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
evaluator = SupervisedEvaluator(
    device=torch.device("cpu"), val_data_loader=loader(640, 800), network=net,
    key_val_metric={"val_acc": Accuracy(output_transform=outcome)},
    val_handlers=[StatsHandler(output_transform=lambda output: None)],
)  # fmt: skip
shown = StatsHandler(tag_name="train_loss", output_transform=from_engine(["loss"], first=True))
trainer = SupervisedTrainer(
    device=torch.device("cpu"), max_epochs=8, train_data_loader=loader(0, 640), network=net,
    optimizer=torch.optim.SGD(net.parameters(), 0.1), loss_function=torch.nn.CrossEntropyLoss(),
    train_handlers=[ValidationHandler(1, evaluator), shown],
)  # fmt: skip


@trainer.on(Events.ITERATION_COMPLETED)
def iterated(engine):
    time.sleep(0.04)
    if engine.state.iteration % 40 == 0:
        timers.end()


trainer.add_event_handler(Events.EPOCH_STARTED, lambda _: timers.begin())
evaluator.add_event_handler(
    Events.EPOCH_COMPLETED,
    lambda engine: timers.score("accuracy", round(engine.state.metrics["val_acc"], 4)),
)
trainer.run()
timers.write()
