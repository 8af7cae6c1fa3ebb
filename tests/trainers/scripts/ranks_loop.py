"""A loop of two ranks (gloo), both of which print every record to one log."""

import sys
import time

import torch
import torch.distributed as dist
from timers import Timers, data


def train(rank, port):
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
    x, y = (torch.tensor(all_of)[rank::2] for all_of in data(1600))
    torch.manual_seed(0)
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(32, 2))
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    timers = Timers(f"torch {torch.__version__}", steps=40, samples=640, epochs=5)
    for epoch in range(5):
        timers.begin()
        at = time.perf_counter()
        for i in range(40):
            part = slice(16 * i, 16 * i + 16)
            loss = torch.nn.functional.cross_entropy(net(x[part]), y[part])
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            time.sleep(0.02 + 0.005 * rank)
            if i % 10 == 9:
                now = time.perf_counter()
                rate, at = 160 / (now - at), now
                said = f"loss {loss.item():.4f} lr 0.1 samples/s {rate:.1f}"
                print(f"[rank{rank}] epoch {epoch} step {i + 1}/40 {said}", flush=True)
        timers.end()
        right = (net(x[640:]).argmax(1) == y[640:]).float().mean()
        dist.all_reduce(right)
        timers.score("accuracy", right / 2)
        print(f"[rank{rank}] epoch {epoch} validation accuracy: {right / 2:.4f}", flush=True)
    if rank == 0:
        timers.write()
    dist.destroy_process_group()


if __name__ == "__main__":
    torch.multiprocessing.spawn(train, (int(sys.argv[2]),), 2)
