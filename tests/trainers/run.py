"""Trains small models with real trainers, watches and scores their logs, and holds every figure
against the trainers' own timers.

    python -m tests.trainers.run [--env DIR] [--out DIR] [NAME ...]

The packages go into an environment of their own (several gigabytes with PyTorch: its wheels on PyPI
bring CUDA). A trainer that cannot be installed or run is a row that says so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.trainers.judge import Judged, judged

_SCRIPTS = Path(__file__).parent / "scripts"
_SIXDIM = [sys.executable, "-m", "sixdim"]
_TORCH = ("torch", "numpy")
_FIGURE = re.compile(r"(?m)^(?:epoch|step) +\d|^evaluated ")
"""A line of `watch --plain` that shows how far the training is."""
_EPOCHS = re.compile(r"(?m)^epoch +(\d+)(?: to (\d+))?(?! *\d*  unfinished)")
"""The first and the last epoch of such a line."""


class Trainer(NamedTuple):
    """One run of a trainer.

    Attributes:
        script: In `scripts/`.
        format: The format that its log must be read as.
        packages: What it needs besides NumPy.
        words: Further words of its command line.
        closes: Whether its log says that the training is over, or how much of it is planned.
        log: The file that the trainer itself logs to, in the folder of the logs; else its console
            is the log.
    """

    script: str
    format: str
    packages: tuple[str, ...]
    words: tuple[str, ...] = ()
    closes: bool = True
    log: str = ""


_HF = (*_TORCH, "transformers", "accelerate")
_LIGHTNING = (*_TORCH, "lightning", "rich")
TRAINERS = {
    "tqdm": Trainer("tqdm_loop", "generic", ("tqdm",)),
    "tqdm-epochs": Trainer("tqdm_loop", "generic", ("tqdm",), ("epochs",)),
    "tqdm-nested": Trainer("tqdm_loop", "generic", ("tqdm",), ("nested",)),
    "tqdm-whole": Trainer("tqdm_loop", "generic", ("tqdm",), ("whole",)),
    "keras": Trainer("keras_fit", "keras", ("keras", "jax")),
    "keras-lines": Trainer("keras_fit", "keras", ("keras", "jax"), ("lines",)),
    "xgboost": Trainer("xgboost_train", "boosting", ("xgboost-cpu",), closes=False),
    "lightgbm": Trainer("lightgbm_train", "boosting", ("lightgbm",)),
    "catboost": Trainer("catboost_train", "catboost", ("catboost",)),
    "catboost-alone": Trainer("catboost_train", "catboost", ("catboost",), ("alone",)),
    "sb3": Trainer("sb3_learn", "rl-tables", (*_TORCH, "stable-baselines3"), closes=False),
    "flax": Trainer("flax_loop", "generic", ("flax", "optax"), closes=False),
    "hf": Trainer("hf_trainer", "huggingface", _HF),
    "hf-quiet": Trainer("hf_trainer", "huggingface", _HF, ("quiet",)),
    "hf-steps": Trainer("hf_trainer", "huggingface", _HF, ("steps",)),
    "hf-silent": Trainer("hf_trainer", "huggingface", _HF, ("silent",)),
    "hf-long": Trainer("hf_trainer", "huggingface", _HF, ("long",)),
    "hf-loop": Trainer("transformers_loop", "huggingface", (*_HF, "tqdm")),
    "trl": Trainer("trl_sft", "huggingface", (*_HF, "trl")),
    "lightning": Trainer("lightning_fit", "lightning", _LIGHTNING),
    "lightning-rich": Trainer("lightning_fit", "lightning", _LIGHTNING, ("rich",)),
    "lightning-frames": Trainer("lightning_fit", "lightning", _LIGHTNING, ("rich", "frames")),
    "lightning-print": Trainer("lightning_fit", "lightning", _LIGHTNING, ("print",)),
    "lightning-early": Trainer("lightning_fit", "lightning", _LIGHTNING, ("early",)),
    "lightning-csv": Trainer(
        "lightning_fit", "lightning-csv", _LIGHTNING, ("csv",), closes=False, log="csv/metrics.csv"
    ),
    "accelerate": Trainer("accelerate_loop", "huggingface", (*_TORCH, "accelerate"), closes=False),
    "fastai": Trainer("fastai_fit", "generic", (*_TORCH, "fastai")),
    "fastai-lists": Trainer(
        "fastai_fit", "fastai-list", (*_TORCH, "fastai"), ("lists",), closes=False
    ),
    "torchvision": Trainer("torchvision_loop", "generic", (*_TORCH, "torchvision")),
    "torchvision-reference": Trainer(
        "torchvision_reference", "torchvision", (*_TORCH, "torchvision")
    ),
    "skorch": Trainer("skorch_fit", "generic", (*_TORCH, "skorch"), closes=False),
    "poutyne": Trainer("poutyne_fit", "generic", (*_TORCH, "poutyne")),
    "tabnet": Trainer("tabnet_fit", "generic", (*_TORCH, "pytorch-tabnet")),
    "ranks": Trainer("ranks_loop", "generic", _TORCH, ("29613",), closes=False),
    "spacy": Trainer("spacy_train", "spacy", ("spacy",)),
    "paddle": Trainer("paddle_fit", "paddle-hapi", ("paddlepaddle",)),
    "paddle-lines": Trainer("paddle_fit", "paddle-hapi", ("paddlepaddle",), ("lines",)),
    "mindspore": Trainer("mindspore_fit", "mindspore", ("mindspore",), closes=False),
    "mindspore-fit": Trainer("mindspore_fit", "mindspore", ("mindspore",), ("fit",), closes=False),
    "accelerate-bar": Trainer(
        "accelerate_loop", "huggingface", (*_TORCH, "accelerate", "tqdm"), ("bar",)
    ),
    "timm": Trainer("timm_train", "timm", (*_TORCH, "timm")),
    "ultralytics": Trainer(
        "ultralytics_train", "yolo", (*_TORCH, "opencv-python-headless", "ultralytics")
    ),
    "ignite": Trainer("ignite_run", "generic", (*_TORCH, "pytorch-ignite")),
    "ignite-quiet": Trainer("ignite_run", "generic", (*_TORCH, "pytorch-ignite"), ("quiet",)),
    "monai": Trainer("monai_engines", "generic", (*_TORCH, "monai", "pytorch-ignite")),
    "speechbrain": Trainer(
        "speechbrain_fit", "speechbrain", (*_TORCH, "torchaudio", "speechbrain"), closes=False
    ),
    "haiku": Trainer("haiku_loop", "generic", ("dm-haiku", "optax"), closes=False),
    "gluonts": Trainer("gluonts_train", "lightning", (*_LIGHTNING, "gluonts")),
    "gensim": Trainer("gensim_train", "generic", ("gensim",), closes=False),
    "d3rlpy": Trainer("d3rlpy_fit", "generic", (*_TORCH, "d3rlpy")),
    "mmengine": Trainer(
        "mmengine_runner",
        "mmcv",
        (*_TORCH, "opencv-python-headless", "mmengine"),
        closes=False,
    ),
}


def main() -> int:
    """Runs the trainers; returns 1 if a figure is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(TRAINERS)}")
    parser.add_argument("--env", type=Path, default=Path(".trainers"), help="its environment")
    parser.add_argument("--out", type=Path, help="where logs stay (default: logs in it)")
    args = parser.parse_args()
    out = (args.out or args.env / "logs").resolve()
    out.mkdir(parents=True, exist_ok=True)
    python = (args.env / "bin" / "python").absolute()
    if not python.exists():
        venv.create(args.env, with_pip=True)
    wrong = 0
    for name in args.names or TRAINERS:
        for row in _row(TRAINERS[name], python, out / name):
            wrong += row.verdict == "wrong"
            print(f"{name:<22}{row}", flush=True)
    return 1 if wrong else 0


def _row(trainer: Trainer, python: Path, out: Path) -> Iterator[Judged]:
    """Installs, trains, watches and scores one."""
    install = [str(python), "-m", "pip", "install", "--quiet", "numpy", *trainer.packages]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        yield Judged("install", None, None, "unknown")
        return
    console, truth, plain = (out.with_suffix(end) for end in (".log", ".json", ".plain"))
    console.write_bytes(b"")
    log = out.parent / trainer.log if trainer.log else console
    if trainer.log:
        log.unlink(missing_ok=True)
    with console.open("ab") as written, plain.open("wb") as shown:
        watch = [*_SIXDIM, "watch", "--plain", "--no-gpus", "--json", f"{out}.live.json", str(log)]
        seen = subprocess.Popen(watch, stdout=shown, stderr=subprocess.STDOUT)
        script = [str(python), "-u", str(_SCRIPTS / f"{trainer.script}.py"), str(truth)]
        training = subprocess.Popen(
            [*script, *trainer.words],
            stdout=written,
            stderr=written,
            cwd=out.parent,
            env={**os.environ, "OMP_NUM_THREADS": "1"},  # threads of a small model wait for cores
        )
        first = _first_figure(training, log, plain)
        code = training.wait()
        live = plain.read_text(errors="replace")
        time.sleep(2)
        seen.terminate()
        seen.wait(10)
    if code:
        yield Judged("run", None, None, "unknown")
        return
    score = [*_SIXDIM, "score", "--json", "-", str(log)]
    card = json.loads(subprocess.run(score, capture_output=True, check=False).stdout)
    measured: dict[str, Any] = json.loads(truth.read_text())
    yield Judged("trainer", None, measured["trainer"], "right")
    yield from judged(card, measured, trainer.format, closes=trainer.closes)
    yield Judged("figures live", first, None, "unknown" if first is None else "right")
    epochs = len(measured["epoch_s"])
    if epochs:  # the last epoch is shown when the run is over
        shown_live = sum(
            int(last or first) - int(first) + 1 for first, last in _EPOCHS.findall(live)
        )
        enough = epochs - 2 <= shown_live <= epochs
        verdict = "right" if enough else "unknown" if not shown_live else "wrong"
        yield Judged("shown live", shown_live, epochs, verdict)


def _first_figure(training: subprocess.Popen[bytes], log: Path, shown: Path) -> float | None:
    """Share of the log's time after which a figure was on the screen; None if none was in time.

    It counts from the first line of the log, and only while the trainer still writes.
    """
    began, seen = 0.0, 0.0
    while training.poll() is None:
        time.sleep(0.05)
        now = time.monotonic()
        if not began and log.exists() and log.stat().st_size:
            began = now
        if not seen and _FIGURE.search(shown.read_text(errors="replace")):
            seen = now
    return (seen - began) / (time.monotonic() - began) if seen else None


if __name__ == "__main__":
    sys.exit(main())
