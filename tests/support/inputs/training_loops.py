"""Loops that do not evaluate: their lines, and the figures in them."""

from __future__ import annotations

from typing import Any

TRAINED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "the time since the start, by step": (
        [
            "epoch 1 step 100 loss 2.5 time 12.5s",
            "epoch 1 step 200 loss 2.25 time 25.0s",
            "epoch 2 step 100 loss 2.0 time 12.0s",
        ],
        {"losses": [2.5, 2.25, 2.0], "steps": [(100, None), (200, None), (100, None)]},
    ),
    "steps and a rate": (
        [
            "Epoch: 3, Step: 100, Loss: 1.5, LR: 0.001, 523.1 samples/sec",
            "Epoch: 3, Step: 200, Loss: 1.25, LR: 0.001, 524.2 samples/sec",
        ],
        {
            "losses": [1.5, 1.25],
            "rates": [(523.1, "samples/s"), (524.2, "samples/s")],
            "steps": [(100, None), (200, None)],
        },
    ),
    "a time that does not say of what": (
        ["it 100: loss 4.25, time 25.1ms, mfu 12%", "it 110: loss 4.0, time 24.9ms, mfu 12%"],
        {"losses": [4.25, 4.0], "steps": [(100, None), (110, None)]},
    ),
    "a step's time": (
        ["it 100: loss 4.25, step time 25.0ms", "it 110: loss 4.0, step time: 50.0 ms"],
        {"losses": [4.25, 4.0], "steps": [(100, None), (110, None)], "seconds": [0.025, 0.05]},
    ),
    "bars of other work": (
        [
            f"{work}:  50%|█████     | {n}/18 [00:01<00:01,  9.25it/s]"
            for n in (9, 10)
            for work in (
                *("Fetching 18 files", "Loading checkpoint shards", "Downloading data", "Map"),
                *("Saving the dataset", "Validation", "Evaluating", "Testing", "Predicting"),
                *("Generating train split", "Tokenizing", "Filter", "Validation Epoch 1"),
                *("Batches", "Epochs", "Processing", "Computing loss", "Uploading", "val"),
            )
        ],
        {},
    ),
    "a bar without a name": (
        [f" 98%|█████████▊| {n}/132 [00:29<00:00,  4.42it/s]" for n in (130, 131, 132)],
        {},
    ),
    "a bar of an epoch": (
        [
            "Epoch 1/2:  50%|█████     | 10/20 [00:01<00:01, 10.00it/s, loss=0.75, lr=0.05]",
            "Epoch 1/2: 100%|██████████| 20/20 [00:02<00:00,  8.00it/s, loss=0.5, lr=0.05]",
            "Validation:  50%|█████     | 5/10 [00:01<00:01, 40.00it/s, loss=0.25]",
        ],
        {"losses": [0.75, 0.5], "seconds": [0.1, 0.125], "steps": [(10, 20), (20, 20)]},
    ),
    "a bar with a loss alone": (
        [
            "  5%|▌         | 10/200 [00:10<03:10,  1.25s/it, loss=0.75]",
            " 10%|█         | 20/200 [00:20<03:00,  1.50s/it, loss=0.5]",
        ],
        {"losses": [0.75, 0.5], "seconds": [1.25, 1.5], "steps": [(10, 200), (20, 200)]},
    ),
    "what is no accuracy": (
        [
            line
            for n in (1, 2, 3)
            for line in (
                f"epoch {n}: entropy 0.7{n}, perplexity of the prompt 12.{n}",
                f"AP for person: 0.4{n}",
                f"car AP: 0.3{n}, bus AP: 0.2{n}",
                f"learning rate: 0.{n}, accuracy threshold 0.{n}",
                f"top-1 error: 7.{n}, accuracy drop 0.{n}",
            )
        ],
        {},
    ),
    "parts of a loss": (
        [
            "iter 10 aux_loss 0.25 cls_loss 0.5 loss 1.5",
            "iter 20 aux_loss 0.125 cls_loss 0.25 loss 1.25",
        ],
        {
            "losses": [1.5, 1.25],
            "steps": [(10, None), (20, None)],
            "values": [
                ("aux_loss", 0.25),
                ("cls_loss", 0.5),
                ("aux_loss", 0.125),
                ("cls_loss", 0.25),
            ],
        },
    ),
    "numbers of a configuration": (
        [
            "Dataset: 50000 images, 10 classes",
            "Total parameters: 25,557,032 (25.6M)",
            "GPU memory: 12.3 GiB allocated, 30.1% used",
            "batch size 256, learning rate 0.1, weight decay 1e-4, epochs: 90",
            "steps per epoch: 391, warmup steps 500",
            "loss scale: 65536.0, grad norm 1.5",
            "data loading 1200.5 samples/sec",
            "target accuracy: 0.75, max 900 img/s",
            "disk read 120.5 MB/s",
        ]
        * 3,
        {},
    ),
    "an epoch's own time and mean rate": (
        [
            "Epoch 1 took 123.5s, avg 89.5 samples/sec",
            "Epoch 2 took 133.5s, avg 88.5 samples/sec",
            "Epoch 3 finished in 2.5 min",
        ],
        {
            "rates": [(89.5, "samples/s"), (88.5, "samples/s")],
            "epoch times": [123.5, 133.5, 150.0],
        },
    ),
    "progress without steps": (
        [
            "Epoch 1, loss 2.5, 500.0 img/s",
            "Epoch 1, loss 2.25, 510.0 img/s",
            "Epoch 2, loss 2.0, 520.0 img/s",
        ],
        {
            "losses": [2.5, 2.25, 2.0],
            "rates": [(500.0, "img/s"), (510.0, "img/s"), (520.0, "img/s")],
        },
    ),
    "two rates": (
        [
            "step 1 | loss 2.5 | 8,192 tok/s | 1,024 tok/s/gpu | 2.0 it/s",
            "step 2 | loss 2.25 | 8,200 tok/s | 1,025 tok/s/gpu | 2.0 it/s",
        ],
        {
            "losses": [2.5, 2.25],
            "rates": [(8192.0, "tokens/s"), (8200.0, "tokens/s")],
            "seconds": [0.5, 0.5],
            "steps": [(1, None), (2, None)],
        },
    ),
    "a fractional epoch": (
        ["epoch 0.25: loss 2.5", "epoch 0.50: loss 2.25", "epoch 1: loss 2.0"],
        {"losses": [2.5, 2.25, 2.0]},
    ),
    "a loss that is none": (
        ["iteration 10: loss nan", "iteration 20: loss inf, acc 0.0"],
        {"losses": ["nan", "inf"], "steps": [(10, None), (20, None)], "values": [("acc1", 0.0)]},
    ),
    "two networks": (
        [
            "[0/5][0/200]\tLoss_D: 1.25\tLoss_G: 2.5\tD(x): 0.7\tD(G(z)): 0.3 / 0.2",
            "[0/5][100/200]\tLoss_D: 1.5\tLoss_G: 2.25\tD(x): 0.7\tD(G(z)): 0.3 / 0.2",
            "[Epoch 1/5] [Batch 0/200] [D loss: 0.75] [G loss: 0.5]",
        ],
        {
            "steps": [(0, 200), (100, 200), (0, 200)],
            "values": [
                *(("loss_d", 1.25), ("loss_g", 2.5), ("loss_d", 1.5), ("loss_g", 2.25)),
                *(("d_loss", 0.75), ("g_loss", 0.5)),
            ],
        },
    ),
    "speeds of other things": (
        [
            "Throughput: 512.5 images/sec (eval)",
            "inference speed: 33.1 img/s, latency 12.1 ms/batch",
            "Extracted features at 250 samples/s",
            "Epoch 1 eval time: 12.5s",
        ]
        * 2,
        {},
    ),
    "other work with a number": (
        [
            "Generating sample 10, 25.5 tokens/s",
            "Processing step 100, 250.5 samples/s",
            "Compiling took 25.5s, loss scale 2.0",
        ]
        * 2,
        {},
    ),
}
