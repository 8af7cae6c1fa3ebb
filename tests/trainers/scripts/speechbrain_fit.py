"""SpeechBrain's Brain: a bar for each pass, and a line an epoch."""

import logging
import time

import speechbrain
import torch
from speechbrain.utils.epoch_loop import EpochCounter
from speechbrain.utils.train_logger import FileTrainLogger
from timers import Timers, data
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO)
x, y = map(torch.tensor, data())
train, valid = (DataLoader(TensorDataset(x[i], y[i]), 16) for i in (slice(640), slice(640, 800)))
timers = Timers(f"speechbrain {speechbrain.__version__}", steps=40, samples=640, epochs=8)
table = FileTrainLogger("speechbrain.txt")


class Brain(speechbrain.Brain):
    def compute_forward(self, batch, stage):
        time.sleep(0.03)
        return self.modules.net(batch[0])

    def compute_objectives(self, predictions, batch, stage):
        self.wrong += (predictions.argmax(-1) != batch[1]).sum().item()
        return cross_entropy(predictions, batch[1])

    def on_stage_start(self, stage, epoch):
        self.wrong = 0
        if stage == speechbrain.Stage.TRAIN:
            timers.begin()

    def on_stage_end(self, stage, loss, epoch):
        if stage == speechbrain.Stage.TRAIN:
            timers.end()
            self.trained = loss
            return
        error = self.wrong / 160
        timers.score("error", float(f"{error:.2e}"))
        scores = {"loss": loss, "error": error}
        table.log_stats({"epoch": epoch, "lr": 0.1}, {"loss": self.trained}, valid_stats=scores)


net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
brain = Brain(
    {"net": net}, lambda weights: torch.optim.SGD(weights, 0.1), run_opts={"device": "cpu"}
)
brain.fit(EpochCounter(limit=8), train, valid)
timers.write()
