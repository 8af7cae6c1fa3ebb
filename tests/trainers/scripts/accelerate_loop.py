"""A loop in the manner of accelerate's examples: one print an epoch, a dict of scores; `bar` as
those of transformers: a bar over all steps, and a logger after it."""

import logging
import sys
import time

import accelerate
import torch
from accelerate.logging import get_logger
from timers import Timers, data

x, y = map(torch.tensor, data())
accelerator = accelerate.Accelerator(cpu=True)
model = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
optimizer = torch.optim.SGD(model.parameters(), 0.1)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x[:640], y[:640]), 16)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
timers = Timers(f"accelerate {accelerate.__version__}", steps=40, samples=640, epochs=10)
say, bar = accelerator.print, None
if "bar" in sys.argv[2:]:
    from tqdm.auto import tqdm

    logging.basicConfig(
        format="%(asctime)s - %(levelname)s - %(name)s - %(message)s",
        datefmt="%m/%d/%Y %H:%M:%S", level=logging.INFO,
    )  # fmt: skip
    say = get_logger(__name__).info
    for line in (
        "***** Running training *****", "  Num examples = 640", "  Num Epochs = 10",
        "  Instantaneous batch size per device = 16", "  Total optimization steps = 400",
        "  Total train batch size (w. parallel, distributed & accumulation) = 16",
        "  Gradient Accumulation steps = 1",
    ):  # fmt: skip
        say(line)
    bar = tqdm(range(400))
for epoch in range(10):
    with timers.epoch():
        for part, wanted in loader:
            loss = torch.nn.functional.cross_entropy(model(part), wanted)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            time.sleep(0.01)
            if bar is not None:
                bar.update(1)
    accuracy = float((model(x[640:]).argmax(-1) == y[640:]).float().mean())
    timers.score("accuracy", accuracy)
    say(f"epoch {epoch}: {{'accuracy': {accuracy}, 'f1': {accuracy / 2}}}")
timers.write()
