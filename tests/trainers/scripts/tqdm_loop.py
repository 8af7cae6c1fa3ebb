"""A loop of one's own: a tqdm bar an epoch, and a print after it (NumPy alone).

With `epochs` no line names an epoch: a bar counts them, around one of batches; with `nested`
neither bar has a word. With `whole` one bar counts the batches of all epochs.
"""

import sys
import time

import numpy as np
import tqdm
from timers import Timers, data

x, y = data()
weights = np.zeros(32)
timers = Timers(f"tqdm {tqdm.__version__}", steps=40, samples=640, epochs=10)
way = next(iter(sys.argv[2:]), "")
epochs = bar = None
if way in ("epochs", "nested"):
    words = {"unit": "epoch", "desc": "Training epochs"} if way == "epochs" else {}
    epochs = tqdm.tqdm(total=10, **words)
if way == "whole":
    bar = tqdm.tqdm(total=400, desc="training")
for epoch in range(1, 11):
    total = 0.0
    desc = {"": f"Epoch {epoch}/10", "epochs": "Training batches"}.get(way)
    if way != "whole":
        bar = tqdm.tqdm(total=40, desc=desc, leave=epochs is None)
    with timers.epoch():
        for i in range(40):
            part, wanted = x[i * 16 : i * 16 + 16], y[i * 16 : i * 16 + 16]
            guess = 1 / (1 + np.exp(-part @ weights))
            weights -= 0.1 * part.T @ (guess - wanted) / 16
            total += float(-np.log(np.where(wanted, guess, 1 - guess) + 1e-9).mean())
            time.sleep(0.05)
            bar.update()
            if way != "whole":
                bar.set_postfix(loss=f"{total / (i + 1):.4f}")
    if way != "whole":
        bar.close()
    accuracy = float(((x[640:] @ weights > 0) == y[640:]).mean() * 100)
    timers.score("accuracy", accuracy)
    if epochs is not None:
        epochs.set_postfix(loss=f"{total / 40:.4f}", val_acc=accuracy)
        epochs.update()
    else:
        said = f"Epoch {epoch}: train loss {total / 40:.4f}, val acc {accuracy:.2f}%"
        tqdm.tqdm.write(said, file=sys.stdout)
        sys.stdout.flush()
timers.write()
