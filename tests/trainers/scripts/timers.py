"""What a trainer's own timers measured, written as JSON when it is over."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Timers:
    """Times epochs (their training pass alone, where a script can tell) and notes scores.

    Args:
        trainer: Name and version of the trainer.
        sizes: `steps` and `samples` of an epoch, `rounds`, `devices`, and the label of the `first`
            epoch, as far as they are known.
    """

    def __init__(self, trainer: str, **sizes: int) -> None:
        self._began = time.perf_counter()
        self._at = self._began
        self.found: dict[str, Any] = {"trainer": trainer, **sizes, "epoch_s": [], "scores": {}}

    def begin(self) -> None:
        """An epoch begins."""
        self._at = time.perf_counter()

    def end(self) -> None:
        """Its training pass is over."""
        self.found["epoch_s"].append(time.perf_counter() - self._at)

    @contextmanager
    def epoch(self) -> Iterator[None]:
        """Times the training pass of one epoch."""
        self.begin()
        yield
        self.end()

    def score(self, name: str, value: float) -> None:
        """Notes the result of an evaluation."""
        self.found["scores"].setdefault(name, []).append(float(value))

    def write(self) -> None:
        """Writes what was measured to the file that the command line names."""
        self.found["total_s"] = time.perf_counter() - self._began
        Path(sys.argv[1]).write_text(json.dumps(self.found))


def data(samples: int = 800, features: int = 32) -> tuple[Any, Any]:
    """Points of two classes that a small model can tell apart, mostly."""
    import numpy as np

    random = np.random.default_rng(7)
    x = random.normal(size=(samples, features)).astype("float32")
    y = (x[:, 0] * x[:, 1] + x[:, 2] + random.normal(size=samples) * 0.5 > 0).astype("int64")
    return x, y
