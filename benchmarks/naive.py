"""The extraction script that everyone writes: a loop over lines, one search for each field.

In the manner of DLPerf's `extract_*_logs.py`: text mode, a list of numbers for each field.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path


def torchvision(path: str) -> tuple[int, float, float]:
    epochs, steps, speeds, losses, averages, accuracies = [], [], [], [], [], []
    with Path(path).open() as log:
        for line in log:
            if "img/s: " in line and "eta: " in line:
                epochs.append(int(re.search(r"Epoch: \[(\d+)\]", line).group(1)))
                steps.append(int(re.search(r"\[ *(\d+)/\d+\]", line).group(1)))
                speeds.append(float(re.search(r"img/s: ([\d.e+-]+)", line).group(1)))
                losses.append(float(re.search(r"loss: ([\d.e+-]+|nan)", line).group(1)))
            elif "Avg img/s" in line:
                averages.append(float(re.search(r"Avg img/s: ([\d.e+-]+)", line).group(1)))
            elif "Acc@1" in line:
                accuracies.append(float(re.search(r"Acc@1 ([\d.]+)", line).group(1)))
    return len(speeds), sum(speeds), sum(losses)


def dllogger(path: str) -> tuple[int, float, float]:
    epochs, steps, speeds, losses = [], [], [], []
    with Path(path).open() as log:
        for line in log:
            if "Iteration: " in line and "Validation" not in line:
                epochs.append(int(re.search(r"Epoch: (\d+)", line).group(1)))
                steps.append(int(re.search(r"Iteration: (\d+)", line).group(1)))
                speeds.append(float(re.search(r"total_ips : ([\d.e+-]+)", line).group(1)))
                losses.append(float(re.search(r"train.loss : ([\d.e+-]+|nan)", line).group(1)))
    return len(speeds), sum(speeds), sum(losses)


if __name__ == "__main__":
    kind, path = sys.argv[1:]
    print({"b": dllogger}.get(kind, torchvision)(path))
