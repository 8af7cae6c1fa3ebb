"""A loop of one's own: a tqdm bar an epoch, and a print behind it (NumPy alone).

With `epochs` no line names an epoch: a bar counts them, around one of batches.
"""

import sys
import time

import numpy as np
import tqdm
from timers import Timers, data

x, y = data()
weights = np.zeros(32)
timers = Timers(f"tqdm {tqdm.__version__}", steps=40, samples=640, epochs=10)
counts = "epochs" in sys.argv[2:]
if counts:
    epochs = tqdm.tqdm(total=10, unit="epoch", desc="Training epochs")
for epoch in range(1, 11):
    total = 0.0
    desc = "Training batches" if counts else f"Epoch {epoch}/10"
    with timers.epoch(), tqdm.tqdm(range(40), desc=desc, leave=not counts) as bar:
        for i in bar:
            part, wanted = x[i * 16 : i * 16 + 16], y[i * 16 : i * 16 + 16]
            guess = 1 / (1 + np.exp(-part @ weights))
            weights -= 0.1 * part.T @ (guess - wanted) / 16
            total += float(-np.log(np.where(wanted, guess, 1 - guess) + 1e-9).mean())
            bar.set_postfix(loss=f"{total / (i + 1):.4f}")
            time.sleep(0.05)
    accuracy = float(((x[640:] @ weights > 0) == y[640:]).mean() * 100)
    timers.score("accuracy", accuracy)
    if counts:
        epochs.set_postfix(loss=f"{total / 40:.4f}", val_acc=accuracy)
        epochs.update()
    else:
        print(f"Epoch {epoch}: train loss {total / 40:.4f}, val acc {accuracy:.2f}%", flush=True)
timers.write()
