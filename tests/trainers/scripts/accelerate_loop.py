"""A loop in the manner of accelerate's examples: one print an epoch, a dict of scores."""

import time

import accelerate
import torch
from timers import Timers, data

x, y = map(torch.tensor, data())
accelerator = accelerate.Accelerator(cpu=True)
model = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
optimizer = torch.optim.SGD(model.parameters(), 0.1)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x[:640], y[:640]), 16)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
timers = Timers(f"accelerate {accelerate.__version__}", steps=40, samples=640, epochs=10)
for epoch in range(10):
    with timers.epoch():
        for part, wanted in loader:
            loss = torch.nn.functional.cross_entropy(model(part), wanted)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            time.sleep(0.01)
    accuracy = float((model(x[640:]).argmax(-1) == y[640:]).float().mean())
    timers.score("accuracy", accuracy)
    accelerator.print(
        f"epoch {epoch}: {{'accuracy': {accuracy}, 'f1': {accuracy / 2}}}", flush=True
    )
timers.write()
