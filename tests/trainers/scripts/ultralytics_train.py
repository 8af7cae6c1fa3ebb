"""Ultralytics' YOLOv8 from scratch, on squares drawn on noise."""

import time
from pathlib import Path

import numpy as np
import ultralytics
from PIL import Image
from timers import Timers

folder = Path("squares").resolve()
random = np.random.default_rng(7)
for part, images in (("train", 128), ("val", 16)):
    for kind in ("images", "labels"):
        (folder / kind / part).mkdir(parents=True, exist_ok=True)
    for i in range(images):
        picture = random.integers(0, 60, (64, 64, 3), dtype=np.uint8)
        x, y = random.integers(0, 32, 2)
        picture[y : y + 32, x : x + 32] = (255, 200, 0)
        Image.fromarray(picture).save(folder / "images" / part / f"{i}.png")
        box = f"0 {(x + 16) / 64} {(y + 16) / 64} 0.5 0.5\n"
        (folder / "labels" / part / f"{i}.txt").write_text(box)
data = folder / "data.yaml"
data.write_text(f"path: {folder}\ntrain: images/train\nval: images/val\nnames: [square]\n")

timers = Timers(f"ultralytics {ultralytics.__version__}", steps=16, samples=128, epochs=8)
model = ultralytics.YOLO("yolov8n.yaml")
model.add_callback("on_train_epoch_start", lambda trainer: timers.begin())
model.add_callback("on_train_batch_end", lambda trainer: time.sleep(0.05))
model.add_callback("on_train_epoch_end", lambda trainer: timers.end())


def score(trainer):
    if trainer.epoch < trainer.epochs:  # after them it validates the best weights once more
        printed = f"{trainer.metrics['metrics/mAP50-95(B)']:.3g}"
        timers.score("map", float(printed))


model.add_callback("on_fit_epoch_end", score)
model.train(
    data=str(data), epochs=8, imgsz=64, batch=8, device="cpu", workers=0, plots=False, mosaic=0,
    lr0=0.01, optimizer="AdamW", warmup_epochs=0, exist_ok=True, project=str(folder / "runs"),
)  # fmt: skip
timers.write()
