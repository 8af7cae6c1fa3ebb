"""The Trainer of transformers, as its users run it; `quiet` for no progress bar,
`steps` for a number of steps instead of epochs, `long` for less than a report an epoch, `silent`
for none at all."""

import sys
import time

import numpy as np
import torch
import transformers
from timers import Timers, data
from transformers import Trainer, TrainerCallback, TrainingArguments

x, y = data()
rows = [{"x": torch.tensor(a), "labels": torch.tensor(b)} for a, b in zip(x, y, strict=True)]


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2)
        )

    def forward(self, x, labels=None):
        logits = self.net(x)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


class Watch(TrainerCallback):
    def on_epoch_begin(self, *args, **kwargs):
        timers.begin()

    def on_step_end(self, *args, **kwargs):
        time.sleep(0.05)

    def on_epoch_end(self, *args, **kwargs):
        timers.end()

    def on_evaluate(self, args, state, control, metrics, **kwargs):
        timers.score("accuracy", metrics["eval_accuracy"])


def compute(found):
    return {"accuracy": float((np.argmax(found.predictions, -1) == found.label_ids).mean())}


arguments = TrainingArguments(
    "out", per_device_train_batch_size=16, num_train_epochs=8, eval_strategy="epoch",
    save_strategy="no", logging_steps=100 if "long" in sys.argv[2:] else 10,
    logging_strategy="no" if "silent" in sys.argv[2:] else "steps", report_to="none", use_cpu=True,
    disable_tqdm="quiet" in sys.argv[2:], max_steps=320 if "steps" in sys.argv[2:] else -1,
)  # fmt: skip
timers = Timers(f"transformers {transformers.__version__}", steps=40, samples=640, epochs=8)
trainer = Trainer(
    Model(), arguments, train_dataset=rows[:640], eval_dataset=rows[640:],
    compute_metrics=compute, callbacks=[Watch()],
)  # fmt: skip
timers.found["stated"] = trainer.train().metrics["train_samples_per_second"]
timers.write()
