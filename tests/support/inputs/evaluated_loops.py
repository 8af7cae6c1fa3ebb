"""Loops that evaluate what they train: their lines, and the figures in them."""

from __future__ import annotations

from typing import Any

EVALUATED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "one line an epoch": (
        [
            "Epoch 1/90 | train loss 2.50 | val acc 31.5% | time 123.4s",
            "Epoch 2/90 | train loss 2.25 | val acc 45.0% | time 121.2s",
            "Epoch 3/90 | train loss 2.00 | val acc 52.5% | time 122.0s",
        ],
        {
            "tested": [(1, {"acc1": 31.5}), (2, {"acc1": 45.0}), (3, {"acc1": 52.5})],
            "losses": [2.5, 2.25, 2.0],
            "epoch times": [121.2, 122.0],  # the first could still be the time since the start
        },
    ),
    "the time since the start": (
        [
            "Epoch 1/90 | train loss 2.50 | val acc 31.5% | time 123.4s",
            "Epoch 2/90 | train loss 2.25 | val acc 45.0% | time 244.6s",
            "Epoch 3/90 | train loss 2.00 | val acc 52.5% | time 366.6s",
        ],
        {
            "tested": [(1, {"acc1": 31.5}), (2, {"acc1": 45.0}), (3, {"acc1": 52.5})],
            "losses": [2.5, 2.25, 2.0],
        },
    ),
    "epochs in the plural": (
        [
            "Epochs: 1/200 || Iters: 10/850 || Loss: 2.75 || Lr: 0.01",
            "Epochs: 1/200 || Iters: 20/850 || Loss: 2.5 || Lr: 0.01",
            "Validation: Average loss: 2.25, Average mIoU: 0.25",
            "Epochs: 2/200 || Iters: 30/850 || Loss: 2.0 || Lr: 0.01",
            "Epochs: 2/200 || Iters: 40/850 || Loss: 1.75 || Lr: 0.01",
            "Validation: Average loss: 1.5, Average mIoU: 0.5",
        ],
        {
            "steps": [(10, 850), (20, 850), (30, 850), (40, 850)],
            "losses": [2.75, 2.5, 2.0, 1.75],
            "tested": [(1, {"loss": 2.25, "miou": 0.25}), (2, {"loss": 1.5, "miou": 0.5})],
        },
    ),
    "equals signs": (
        [
            "[epoch 1] loss=2.5 val_loss=2.75 top1=31.5 lr=0.1",
            "[epoch 2] loss=2.25 val_loss=2.5 top1=45.0 lr=0.1",
            "[epoch 3] loss=2.0 val_loss=2.25 top1=52.5 lr=0.01",
        ],
        {
            "tested": [(1, {"loss": 2.75}), (2, {"loss": 2.5}), (3, {"loss": 2.25})],
            "losses": [2.5, 2.25, 2.0],
            "values": [("acc1", 31.5), ("acc1", 45.0), ("acc1", 52.5)],
        },
    ),
    "losses at a step": (
        [
            "step 100: train loss 2.5, val loss 2.75",
            "step 200: train loss 2.25, val loss 2.5",
        ],
        {
            "tested": [(None, {"loss": 2.75}), (None, {"loss": 2.5})],
            "losses": [2.5, 2.25],
            "steps": [(100, None), (200, None)],
        },
    ),
    "val acc is": (
        [
            "Epoch: 1| train loss: 0.5",
            "Epoch: 1| train loss: 0.25",
            "Epoch 1: Val acc is 86.5%",
            "Epoch: 2| train loss: 0.125",
            "Epoch 2: Val acc is 98.56%",
        ],
        {"tested": [(1, {"acc1": 86.5}), (2, {"acc1": 98.56})], "losses": [0.5, 0.25, 0.125]},
    ),
    "the share of a test set": (
        [
            "Train Epoch: 1 [0/60000 (0%)]\tLoss: 2.5",
            "Train Epoch: 1 [640/60000 (1%)]\tLoss: 1.5",
            "Test set: Average loss: 0.0476, Accuracy: 9853/10000 (99%)",
        ],
        {
            "tested": [(1, {"loss": 0.0476, "acc1": 98.53})],
            "losses": [2.5, 1.5],
            "steps": [(0, 60000), (640, 60000)],
        },
    ),
    "batches of an evaluation": (
        [
            "Epoch: [0][10/100] Loss 2.5 Acc@1 31.5",
            "Epoch: [0][20/100] Loss 2.25 Acc@1 32.5",
            "Test: [10/98] Loss 1.5 Acc@1 70.0",
            "Test: [20/98] Loss 1.5 Acc@1 75.0",
            " * Acc@1 71.5 Acc@5 91.5",
        ],
        {
            "tested": [(0, {"acc1": 71.5, "acc5": 91.5})],
            "losses": [2.5, 2.25],
            "steps": [(10, 100), (20, 100)],
            "values": [("acc1", 31.5), ("acc1", 32.5)],
        },
    ),
    "the speed of an evaluation": (
        [
            "epoch 1 step 10/100 loss 2.5 523.0 img/s",
            "epoch 1 step 20/100 loss 2.5 524.0 img/s",
            "eval: acc 71.5, 2048.0 img/s",
            "Evaluating 10/98, 2048.0 img/s",
        ],
        {
            "tested": [(1, {"acc1": 71.5})],
            "losses": [2.5, 2.5],
            "rates": [(523.0, "img/s"), (524.0, "img/s")],
            "steps": [(10, 100), (20, 100)],
        },
    ),
    "the mean and its classes": (
        [
            "Validation epoch 1: mIoU 0.5, pixel acc 0.75, road IoU 0.25",
            "Validation epoch 2: mIoU 0.625, pixel acc 0.875, road IoU 0.375",
        ],
        {
            "tested": [
                (1, {"miou": 0.5, "pixel_acc": 0.75, "road_iou": 0.25}),
                (2, {"miou": 0.625, "pixel_acc": 0.875, "road_iou": 0.375}),
            ]
        },
    ),
    "two accuracies in turn": (
        [
            "Epoch 1 Test accuracy: 50.5%",
            "Epoch 2 Accuracy: 99.5%",
            "Epoch 2 Test accuracy: 60.5%",
            "Epoch 3 Accuracy: 99.9%",
        ],
        {"tested": [(1, {"acc1": 50.5}), (2, {"acc1": 60.5})]},
    ),
    "the best so far": (
        [
            "Epoch 5: val acc 71.5",
            "Best val acc 72.5 at epoch 2",
            "best acc: 72.5",
            "Saving checkpoint for epoch 2, loss 0.5",
            "Loaded checkpoint (epoch 30, loss 0.063)",
            "Epoch 6: val acc 73.5",
        ],
        {"tested": [(5, {"acc1": 71.5}), (6, {"acc1": 73.5})]},
    ),
    "a table with a header": (
        [
            "epoch,train_loss,val_loss,val_acc,lr",
            "1,2.5,2.75,31.5,0.1",
            "2,2.25,2.5,45.0,0.1",
        ],
        {
            "tested": [(1, {"loss": 2.75, "acc1": 31.5}), (2, {"loss": 2.5, "acc1": 45.0})],
            "losses": [2.5, 2.25],
        },
    ),
    "a table with lines around": (
        [
            "| Epoch | Train Loss | Val Acc |",
            "|-------|------------|---------|",
            "| 1     | 2.50       | 31.5%   |",
            "| 2     | 2.25       | 45.0%   |",
        ],
        {"tested": [(1, {"acc1": 31.5}), (2, {"acc1": 45.0})], "losses": [2.5, 2.25]},
    ),
    "epochs of an evaluation": (
        [
            "[ Valid | 001/100 ] loss = 1.5, acc = 0.375",
            "epoch 2 step 10 loss 1.25",
            "[ Valid | 002/100 ] loss = 1.25, acc = 0.5",
        ],
        {
            "tested": [(None, {"loss": 1.5, "acc1": 0.375}), (2, {"loss": 1.25, "acc1": 0.5})],
            "losses": [1.25],
            "steps": [(10, None)],
        },
    ),
    "each class": (
        [
            line
            for n in (1, 2)
            for line in (
                "train loss 1.5",
                f"class 0: IoU 0.9{n}, Acc 0.95",
                f"Accuracy of class 3: 57.{n} %",
                f"Test accuracy (dog): 81.{n}",
                f"mIoU: 0.7{n}",
            )
        ],
        {"losses": [1.5, 1.5], "tested": [(None, {"miou": 0.71}), (None, {"miou": 0.72})]},
    ),
    "one line with all": (
        [
            "391/391 - 12s - loss: 1.5 - accuracy: 0.45 "
            "- val_loss: 1.25 - val_accuracy: 0.5 - 30ms/step",
            "391/391 - 11s - loss: 1.25 - accuracy: 0.55 "
            "- val_loss: 1.0 - val_accuracy: 0.625 - 30ms/step",
        ],
        {
            "tested": [(None, {"loss": 1.25, "acc1": 0.5}), (None, {"loss": 1.0, "acc1": 0.625})],
            "losses": [1.5, 1.25],
            "seconds": [0.03, 0.03],
            "values": [("acc1", 0.45), ("acc1", 0.55)],
        },
    ),
    "a phase a line": (
        [
            "Epoch 0/24",
            "train Loss: 0.5 Acc: 0.75",
            "val Loss: 0.625 Acc: 0.625",
            "Epoch 1/24",
            "train Loss: 0.25 Acc: 0.875",
            "val Loss: 0.5 Acc: 0.75",
            "Training complete in 1m 54s",
            "Best val Acc: 0.75",
        ],
        {
            "tested": [(0, {"loss": 0.625, "acc1": 0.625}), (1, {"loss": 0.5, "acc1": 0.75})],
            "losses": [0.5, 0.25],
            "values": [("acc1", 0.75), ("acc1", 0.875)],
        },
    ),
    "the tutorial that counts in brackets": (
        [
            "[1,  2000] loss: 2.25",
            "[1,  4000] loss: 1.75",
            "[2,  2000] loss: 1.5",
            "Finished Training",
            "Accuracy of the network on the 10000 test images: 55 %",
            "Accuracy for class: plane is 61.5 %",
            "Accuracy of class 3: 57 %",
        ],
        {
            "tested": [(2, {"acc1": 55.0})],
            "losses": [2.25, 1.75, 1.5],
            "steps": [(2000, None), (4000, None), (2000, None)],
        },
    ),
    "a heading in front of an evaluation": (
        [
            "Epoch 1",
            "loss: 2.25  [   64/60000]",
            "loss: 1.75  [ 6464/60000]",
            "Test Error:",
            " Accuracy: 64.5%, Avg loss: 1.125",
            "Epoch 2",
            "loss: 1.5  [   64/60000]",
        ],
        {"tested": [(1, {"acc1": 64.5, "loss": 1.125})], "losses": [2.25, 1.75, 1.5]},
    ),
    "a line for the step and one for the accuracy": (
        ["Step 100", "Accuracy 0.5", "Step 200", "Accuracy 0.75"],
        {
            "tested": [(None, {"acc1": 0.5}), (None, {"acc1": 0.75})],
            "steps": [(100, None), (200, None)],
        },
    ),
    "a sentence": (
        [
            "Start of epoch 0",
            "Training loss (for one batch) at step 200: 0.5",
            "Training acc over epoch: 0.75",
            "Validation acc: 0.875",
            "Start of epoch 1",
            "Training loss (for one batch) at step 200: 0.25",
            "Validation accuracy after epoch 1: 0.9375",
            "Accuracy of 10 models: 0.5",
            "Test Accuracy of     0: 98% (969/980)",
            "Test Accuracy (Overall): 97% (9771/10000)",
        ],
        {
            "tested": [(0, {"acc1": 0.875}), (1, {"acc1": 0.9375}), (1, {"acc1": 97.0})],
            "losses": [0.5, 0.25],
            "steps": [(200, None), (200, None)],
            "values": [("acc1", 0.75)],
        },
    ),
    "numbers that belong to a name": (
        [
            "Epoch 1",
            "val mAP (0.5:0.95): 0.31, val mAP (0.5): 0.52",
            "Accuracy (5 shots): 0.5",
            "Top-5 accuracy on validation images: 91.5",
            "Step 2: training",
            "Validation:",
            "Epoch 2 loss 0.25",
        ],
        {"tested": [(1, {"acc5": 91.5})], "losses": [0.25]},
    ),
    "splits after one name": (
        ["EPOCH 1:", "LOSS train 0.5 valid 0.625", "Epoch 2 Acc: train 91.5%, val 88.25%"],
        {
            "tested": [(1, {"loss": 0.625}), (2, {"acc1": 88.25})],
            "losses": [0.5],
            "values": [("acc1", 91.5)],
        },
    ),
}
