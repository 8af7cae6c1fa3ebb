"""Shapes of lines that many programs print alike."""

from __future__ import annotations

BAR = "{:int}%|{}| {step:int}/{steps:int} [{elapsed:clock}<{:clock}, {pace:pace}"
"""A progress bar of tqdm, up to its pace."""
COCO_MEAN = "Average Precision (AP) @[ IoU=0.50:0.95 | area= all | maxDets=100 ] = {value:float}"
"""The main figure in the table of pycocotools."""
