"""Lightning's Trainer with the bar of tqdm; `rich` for that of Rich, `csv` for the CSV logger.

With `print` there is no bar: a callback prints what an epoch came to.
"""

import sys
import time

import lightning
import torch
from lightning.pytorch.callbacks import Callback, RichProgressBar, TQDMProgressBar
from lightning.pytorch.loggers import CSVLogger
from timers import Timers, data

x, y = map(torch.tensor, data())


def loader(a, b):
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(a, b), 16)


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        layers = torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2)
        self.net = torch.nn.Sequential(*layers)

    def training_step(self, batch, index):
        loss = torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        self.log("train_loss", loss, prog_bar=True)
        time.sleep(0.05)
        return loss

    def validation_step(self, batch, index):
        right = (self.net(batch[0]).argmax(-1) == batch[1]).float().mean()
        self.log("val_acc", right, prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


class Watch(Callback):
    def on_train_epoch_start(self, trainer, module):
        timers.begin()

    def on_train_epoch_end(self, trainer, module):
        timers.end()  # behind the validation, which the bar's time has in it

    def on_validation_epoch_end(self, trainer, module):
        if not trainer.sanity_checking:
            right = trainer.callback_metrics["val_acc"]
            timers.score("accuracy", right)
            if prints:
                print(f"Epoch {trainer.current_epoch}: val_acc={right:.4f}")


timers = Timers(f"lightning {lightning.__version__}", steps=40, samples=640, epochs=8)
prints = "print" in sys.argv[2:]
csv = CSVLogger(".", "csv", "", flush_logs_every_n_steps=10)
bar = RichProgressBar() if "rich" in sys.argv[2:] else TQDMProgressBar()
trainer = lightning.Trainer(
    max_epochs=8, accelerator="cpu", callbacks=[Watch()] if prints else [Watch(), bar],
    enable_checkpointing=False, enable_progress_bar=not prints,
    logger=csv if "csv" in sys.argv[2:] else False, log_every_n_steps=10,
)  # fmt: skip
trainer.fit(Model(), loader(x[:640], y[:640]), loader(x[640:], y[640:]))
timers.write()
