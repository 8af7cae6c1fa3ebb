"""Lightning's Trainer with the bar of tqdm; `rich` for that of Rich, `frames` for all its frames as
in a terminal, `csv` for the CSV logger, `print` for a callback's lines; `early` stops early."""

import sys
import time

import lightning
import torch
from lightning.pytorch.callbacks import Callback, EarlyStopping, RichProgressBar, TQDMProgressBar
from lightning.pytorch.loggers import CSVLogger
from timers import Timers, data

x, y = map(torch.tensor, data())
of = torch.utils.data
parts = (of.TensorDataset(x[at], y[at]) for at in (slice(640), slice(640, None)))
train, test = (of.DataLoader(part, 16) for part in parts)


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.Linear(32, 2))

    def training_step(self, batch, index):
        loss = torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        self.log("train_loss", loss, prog_bar=True)
        time.sleep(0.05)
        return loss

    def validation_step(self, batch, index):
        right = self.net(batch[0]).argmax(-1) == batch[1]
        self.log("val_acc", right.float().mean(), prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


class Watch(Callback):
    on_train_epoch_start = staticmethod(lambda *_: timers.begin())

    def on_validation_start(self, trainer, module):
        if not trainer.sanity_checking:
            timers.end()

    def on_train_epoch_end(self, trainer, module):
        timers.score("accuracy", right := trainer.callback_metrics["val_acc"])
        if "print" in way:
            print(f"Epoch {trainer.current_epoch}: val_acc={right:.4f}")


timers = Timers(f"lightning {lightning.__version__}", steps=40, samples=640, epochs=8)
way = sys.argv[2:]
rich = RichProgressBar(console_kwargs={"force_terminal": "frames" in way, "width": 100})
callbacks = [Watch(), rich if "rich" in way else TQDMProgressBar()]
if "early" in way:  # each epoch is worse than any could be
    callbacks.append(EarlyStopping("val_acc", 2, 2, verbose=True, mode="max"))
trainer = lightning.Trainer(
    max_epochs=8, accelerator="cpu", callbacks=callbacks[:1] if "print" in way else callbacks,
    enable_checkpointing=False, enable_progress_bar="print" not in way, log_every_n_steps=10,
    logger=CSVLogger(".", "csv", "", flush_logs_every_n_steps=10) if "csv" in way else False,
)  # fmt: skip
trainer.fit(Model(), train, test)
timers.write()
