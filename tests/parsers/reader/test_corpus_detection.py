"""The format of each file of the corpus is detected, and each folds to a card without an error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sixdim.metrics.values.settings import Settings
from sixdim.parsers.input.source import LogFile
from sixdim.parsers.reader.registry import formats
from sixdim.tui.session.reading import read_whole
from sixdim.tui.session.session import Session
from tests.support.formats import by_name

# The folder says who wrote the log; some hold several dialects, known by a word of the name.
BY_FOLDER = {
    "bearpaw_tsv": "bearpaw",
    "dawnbench_tsv": "dawnbench",
    "deepspeed": "deepspeed",
    "detectron2": "detectron2",
    "dllogger_json": "dllogger",
    "dllogger_text": "dllogger",
    "fairseq": "fairseq",
    "generic_logging": "generic",
    "huggingface": "huggingface",
    "jsonl_epoch": "jsonl-epoch",
    "keras": "keras",
    "lightning": "lightning",
    "llmc": "llmc",
    "megatron": "megatron",
    "mindspore": "mindspore",
    "mlperf_mllog": "mlperf",
    "mmcv_json": "mmcv-json",
    "mmcv_text": "mmcv",
    "mxnet_gluon": "mxnet",
    "mxnet_module": "mxnet",
    "nanogpt": "nanogpt",
    "oneflow": "oneflow",
    "ptimagenet": "ptimagenet",
    "tf_cnn_benchmarks": "tf_cnn_benchmarks",
    "timm": "timm",
    "timm_summary_csv": "timm-csv",
    "torchtitan": "torchtitan",
    "torchvision_ref": "torchvision",
    "yolov5": "yolo",
}
BY_NAME = {
    "nicojany_roof_metrics": "detectron2-json",
    "perf_nv_transformer": "nv_transformer",
    "sankalpjena_gnn_metrics": "lightning-csv",
    "vitaev2_mask_rcnn_1x": "mmcv-json",  # its lines are records, whatever folder it is in
    "csra_paddle": "csra",
    "streethagore_cifar": "pytorch-cifar",
    "perf_paddleclas": "paddleclas",
    "perf_paddlenlp": "paddlenlp",
    "perf_paddleseg": "paddleseg",
}
# Attempts that all failed before the first iteration was over: configurations and tracebacks.
NOTHING_TRAINED = {"ngowilliam_d2_log", "chikako_openpose_keras_nohup"}
ROOT = Path(os.environ.get("SIXDIM_CORPUS", "/nonexistent")) / "corpus"
FILES = sorted(path for path in ROOT.rglob("*") if path.is_file()) if ROOT.is_dir() else []


def expected(path: Path) -> str:
    known = next((name for word, name in BY_NAME.items() if path.name.startswith(word)), None)
    return known or BY_FOLDER[path.relative_to(ROOT).parts[0]]


def test_every_format_expected_exists() -> None:
    for name in {*BY_FOLDER.values(), *BY_NAME.values()}:
        assert by_name(name).name == name


@pytest.mark.skipif(not FILES, reason="SIXDIM_CORPUS names no folder with a corpus")
def test_every_folder_of_the_corpus_is_expected() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} <= {*BY_FOLDER, "paddle"}


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_detected_by_its_lines_and_folded(path: Path) -> None:
    session = read_whole(Session(path.name, Settings(), formats()), LogFile(str(path)))
    card = session.card()
    assert card.run["format"] == expected(path)
    assert any(run.started for run in session.fold.runs) != (path.stem in NOTHING_TRAINED)
    assert card.provenance["bytes"] == path.stat().st_size
