"""A model of torchvision in the loop and words of its classification references."""

import datetime
import time
from statistics import mean, median

import torch
import torchvision
from timers import Timers

EPOCHS, STEPS, BATCH = 5, 20, 8
torch.manual_seed(1)
images, labels = torch.randn(STEPS * BATCH, 3, 64, 64), torch.randint(0, 4, (STEPS * BATCH,))
images += labels[:, None, None, None] / 2  # their brightness tells the classes apart
net = torchvision.models.squeezenet1_1(num_classes=4)
optimizer = torch.optim.SGD(net.parameters(), 0.01, 0.9)
sizes = {"steps": STEPS, "samples": STEPS * BATCH, "epochs": EPOCHS}
timers = Timers(f"torchvision {torchvision.__version__}", **sizes)


def smooth(values):
    return f"{median(values[-20:]):.4f} ({mean(values):.4f})"


def right(part):
    return 100 * (net(images[part]).argmax(1) == labels[part]).float().mean().item()


print(f"Namespace(batch_size={BATCH}, epochs={EPOCHS}, lr=0.01, model='squeezenet1_1', workers=0)")
print("Start training")
start = time.time()
for epoch in range(EPOCHS):
    losses, times, waits, scores = [], [], [], []
    net.train()
    with timers.epoch():
        for i in range(STEPS):
            awaits, part = time.time(), slice(i * BATCH, (i + 1) * BATCH)
            time.sleep(0.2 if i == 0 else 0.04)  # for the data, which img/s leaves out
            begin = time.time()
            optimizer.zero_grad()
            (loss := torch.nn.functional.cross_entropy(net(images[part]), labels[part])).backward()
            optimizer.step()
            time.sleep(0.05)
            losses, scores = [*losses, loss.item()], [*scores, right(part)]
            rate = BATCH / (time.time() - begin)
            times, waits = [*times, time.time() - awaits], [*waits, begin - awaits]
            left = datetime.timedelta(seconds=int(mean(times) * (STEPS - i)))
            print(
                f"Epoch: [{epoch}]  [{i:2d}/{STEPS}]  eta: {left}  lr: 0.01  "
                f"img/s: {rate}  loss: {smooth(losses)}  acc1: {smooth(scores)}  "
                f"time: {mean(times[-20:]):.4f}  data: {mean(waits[-20:]):.4f}"
            )
        print(f"Epoch: [{epoch}] Total time: {datetime.timedelta(seconds=int(sum(times)))}")
    net.eval()
    timers.score("accuracy", score := right(slice(None)))
    print(f"Test:   [0/1]  eta: 0:00:00  loss: {smooth(losses)}  acc1: {score:.4f} ({score:.4f})")
    print("Test:  Total time: 0:00:00")
    print(f"Test:  Acc@1 {score:.3f} Acc@5 100.000", flush=True)
print(f"Training time {datetime.timedelta(seconds=int(time.time() - start))}")
timers.write()
