"""A model, optimizer and meters of timm, in the loop and words of its `train.py`."""

import logging
import time

import timm
import torch
from timers import Timers
from timm.optim import create_optimizer_v2
from timm.utils import AverageMeter, accuracy, setup_default_logging

EPOCHS, STEPS, BATCH = 6, 24, 8
setup_default_logging()
log = logging.getLogger("train")
torch.manual_seed(1)
images, labels = torch.randn(STEPS * BATCH, 3, 32, 32), torch.randint(0, 10, (STEPS * BATCH,))
images += labels[:, None, None, None] / 5  # their brightness tells the classes apart
model = timm.create_model("resnet10t", num_classes=10)
log.info(f"Model resnet10t created, param count:{sum(p.numel() for p in model.parameters())}")
optimizer = create_optimizer_v2(model, "sgd", lr=0.05, momentum=0.9)
log.info(f"Scheduled epochs: {EPOCHS}. LR stepped per epoch.")
timers, best = (
    Timers(f"timm {timm.__version__}", steps=STEPS, samples=STEPS * BATCH, epochs=EPOCHS),
    (0.0, 0),
)
for epoch in range(EPOCHS):
    times, waits, losses = AverageMeter(), AverageMeter(), AverageMeter()
    model.train()
    with timers.epoch():
        begin = time.time()
        for i in range(STEPS):
            part = slice(i * BATCH, (i + 1) * BATCH)
            waits.update(time.time() - begin)
            loss = torch.nn.functional.cross_entropy(model(images[part]), labels[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            time.sleep(0.05)
            times.update(time.time() - begin)
            begin = time.time()
            losses.update(loss.item(), BATCH)
            if i % 6 == 0 or i == STEPS - 1:
                log.info(
                    f"Train: {epoch} [{i:>4d}/{STEPS} ({100 * (i + 1) / STEPS:>3.0f}%)]  "
                    f"Loss: {losses.val:#.3g} ({losses.avg:#.3g})  "
                    f"Time: {times.val:.3f}s, {BATCH / times.val:>7.2f}/s  "
                    f"({times.avg:.3f}s, {BATCH / times.avg:>7.2f}/s)  "
                    f"LR: 5.000e-02  Data: {waits.val:.3f} ({waits.avg:.3f})"
                )
    model.eval()
    with torch.no_grad():
        top1, top5 = (one.item() for one in accuracy(model(images), labels, (1, 5)))
    log.info(
        f"Test: [   0/0]  Time: 0.100 (0.100)  Loss:  {loss.item():>6.3f} ({loss.item():>6.3f})  "
        f"Acc@1: {top1:>7.3f} ({top1:>7.3f})  Acc@5: {top5:>7.3f} ({top5:>7.3f})"
    )
    timers.score("accuracy", top1)
    best = max(best, (top1, epoch))
log.info(f"*** Best metric: {best[0]} (epoch {best[1]})")
timers.write()
