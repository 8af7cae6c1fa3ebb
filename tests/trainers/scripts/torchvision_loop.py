"""A model of torchvision in the loop of PyTorch's CIFAR tutorial, on images of noise."""

import time

import torch
import torchvision
from timers import Timers
from torchvision.transforms import ToTensor

train, test = (
    torchvision.datasets.FakeData(size, (3, 32, 32), 4, ToTensor(), random_offset=at)
    for size, at in ((160, 0), (40, 160))
)
loader = torch.utils.data.DataLoader(train, 4, shuffle=True)
net = torchvision.models.squeezenet1_1(num_classes=4)
optimizer = torch.optim.SGD(net.parameters(), 0.001, 0.9)
timers = Timers(f"torchvision {torchvision.__version__}", steps=40, samples=160, epochs=5)
for epoch in range(5):
    running = 0.0
    with timers.epoch():
        for i, (images, labels) in enumerate(loader):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(images), labels)
            loss.backward()
            optimizer.step()
            time.sleep(0.02)
            running += loss.item()
            if i % 10 == 9:
                print(f"[{epoch + 1}, {i + 1:5d}] loss: {running / 10:.3f}", flush=True)
                running = 0.0
    images, labels = next(iter(torch.utils.data.DataLoader(test, 40)))
    correct = int((net(images).argmax(1) == labels).sum())
    timers.score("accuracy", 100 * correct // 40)
    print(f"Accuracy of the network on the 40 test images: {100 * correct // 40} %", flush=True)
print("Finished Training", flush=True)
timers.write()
